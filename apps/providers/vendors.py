"""Registry of outside services and built-in models by kind and name. Vendors are imported when first used."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from apps.providers.chat import ChatModel, ModelEndpoint


class Embedder(Protocol):
    """Turns text into L2-normalised vectors of one space."""

    space: str  # model, version and dimensions: vectors of different spaces never meet
    dimensions: int

    def passages(self, texts: list[str]) -> NDArray[np.float32]:
        """n × dimensions."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """One vector."""
        ...


_embedders: dict[str, tuple[str, Callable[[], Embedder]]] = {}


def register_embedder(name: str, *, module: str, make: Callable[[], Embedder]) -> None:
    """`module` must be importable for the vendor to count as available."""
    _embedders[name] = (module, make)


def has_embedder(name: str) -> bool:
    return name in _embedders and find_spec(_embedders[name][0]) is not None


def make_embedder(name: str) -> Embedder:
    return _embedders[name][1]()


_chats: dict[str, Callable[[ModelEndpoint], ChatModel]] = {}


def register_chat(name: str, *, make: Callable[[ModelEndpoint], ChatModel]) -> None:
    """A wire format of chat models."""
    _chats[name] = make


def make_chat(name: str, endpoint: ModelEndpoint) -> ChatModel:
    return _chats[name](endpoint)
