"""The one import of PyMuPDF (AGPL-3 or commercial), without its bundled layout model: that costs a second, unused."""

import sys
from typing import Any

_modules: dict[str, Any] = sys.modules  # Any: None makes an import fail, as wanted here
_modules.setdefault("pymupdf.layout", None)
_modules.setdefault("pymupdf4llm", None)  # it would load the OCR runtime as well

import pymupdf as _library  # noqa: E402  # must follow the line above

pymupdf: Any = _library  # Any: the library carries no usable type information
