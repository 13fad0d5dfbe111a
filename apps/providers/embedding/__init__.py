"""Embedding by the configured vendor. One model per process, loaded at first use, one call at a time."""

import hashlib
import threading
from collections import OrderedDict

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from apps.providers import vendors

_lock = threading.Lock()
_loaded: dict[str, vendors.Embedder] = {}
_queries: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
_KEPT_QUERIES = 512


def is_available() -> bool:
    """Whether the configured model can be used here. "none" switches the meaning route off."""
    return vendors.has_embedder(settings.EMBEDDING_MODEL)


def space() -> str:
    """Name of the vector space of the configured model."""
    return _model().space


def embed_query(text: str) -> NDArray[np.float32]:
    """The vector of a question, about 35 ms; the latest ones are remembered."""
    key = hashlib.sha256(text.encode()).hexdigest()
    with _lock:
        if key in _queries:
            _queries.move_to_end(key)
            return _queries[key]
    model = _model()
    with _lock:
        vector = model.query(text)
        _queries[key] = vector
        while len(_queries) > _KEPT_QUERIES:
            _queries.popitem(last=False)
    return vector


def embed_passages(texts: list[str]) -> NDArray[np.float32]:
    """n × dimensions, about 3 texts of 200 tokens a second and core."""
    model = _model()
    with _lock:
        return model.passages(texts)


def _model() -> vendors.Embedder:
    name = settings.EMBEDDING_MODEL
    with _lock:
        if name not in _loaded:
            _loaded[name] = vendors.make_embedder(name)
        return _loaded[name]
