"""Vectors already computed, by space and hash of owner and text: a second reading of the same words costs nothing.

A file beside the database, safe to lose. It holds no text; entries of a deleted document's chunks are removed. The
owner (an organisation) is part of the key: a fast embedding must not tell that somebody else has the same file.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from apps.providers import embedding

_BATCH = 400


def embed_passages(texts: list[str], *, owner: UUID) -> NDArray[np.float32]:
    """As embedding.embed_passages, asking the model only for texts that it has not seen for this owner."""
    space = embedding.space()
    keys = [(space, _digest(text, owner)) for text in texts]
    known = _load(set(keys))
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    if missing:
        vectors = embedding.embed_passages(list(missing.values()))
        fresh = dict(zip(missing, vectors, strict=True))
        _save(fresh, owner)
        known.update(fresh)
    return np.stack([known[key] for key in keys])


def forget(texts: Iterable[str], *, owner: UUID) -> None:
    """The owner's vectors of these texts are gone from the cache, in every space."""
    digests = [_digest(text, owner) for text in texts]
    if not digests or not _path().exists():
        return
    with _open() as connection:
        connection.executemany("DELETE FROM vectors WHERE digest = ?", [(digest,) for digest in digests])


def forget_owner(owner: UUID) -> None:
    """Nothing of the owner is in the cache any more."""
    if not _path().exists():
        return
    with _open() as connection:
        connection.execute("DELETE FROM vectors WHERE owner = ?", (owner.bytes,))


def _digest(text: str, owner: UUID) -> bytes:
    return hashlib.sha256(owner.bytes + text.encode("utf-8", "replace")).digest()


def _load(keys: set[tuple[str, bytes]]) -> dict[tuple[str, bytes], NDArray[np.float32]]:
    found: dict[tuple[str, bytes], NDArray[np.float32]] = {}
    with _open() as connection:
        for space, digest in keys:
            row = connection.execute(
                "SELECT vector FROM vectors WHERE space = ? AND digest = ?", (space, digest)
            ).fetchone()
            if row is not None:
                found[(space, digest)] = np.frombuffer(row[0], dtype=np.float16).astype(np.float32)
    return found


def _save(vectors: dict[tuple[str, bytes], NDArray[np.float32]], owner: UUID) -> None:
    with _open() as connection:
        connection.executemany(
            "INSERT OR IGNORE INTO vectors (space, digest, owner, vector) VALUES (?, ?, ?, ?)",
            [(space, digest, owner.bytes, v.astype(np.float16).tobytes()) for (space, digest), v in vectors.items()],
        )


@contextmanager
def _open() -> Iterator[sqlite3.Connection]:
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=30)
    try:
        with connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (space TEXT, digest BLOB, owner BLOB, vector BLOB, "
                "PRIMARY KEY (digest, space)) WITHOUT ROWID"
            )
            connection.execute("CREATE INDEX IF NOT EXISTS vectors_of_owner ON vectors (owner)")
            yield connection
    finally:
        connection.close()


def _path() -> Path:
    return Path(settings.CACHE_DIRECTORY) / "embeddings-2.sqlite3"
