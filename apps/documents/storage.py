"""The one door to stored bytes: a directory of encrypted files under random keys. No name of a person's in a path.

Format: magic, key id (8), nonce prefix (7), then AES-256-GCM chunks of 64 KiB. Nonce = prefix + counter (4) + last
flag (1): the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015), so that cut, reordered or swapped
chunks do not decrypt. The storage key is authenticated too: a file moved to another organisation's key is refused.
"""

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from apps.core.disk import is_disk_full, require_room
from apps.core.errors import NotFound, StorageFull, TooLarge

_MAGIC = b"AIRIS1\x00\x00"
_CHUNK = 64 * 1024
_TAG = 16
_KEY = re.compile(r"[0-9a-f-]{36}/[0-9a-f]{2}/[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class StoredBytes:
    key: str
    size: int
    sha256: str


class DamagedFile(Exception):
    """Stored bytes do not decrypt: damaged, cut, or written with a key that is not configured."""


def write(*, tenant_id: UUID, chunks: Iterable[bytes], limit: int) -> StoredBytes:
    """The bytes are stored encrypted under a fresh key. Raises TooLarge past `limit` and StorageFull,
    leaving nothing behind."""
    name = secrets.token_hex(20)
    key = f"{tenant_id}/{name[:2]}/{name}"
    path = _path(key)
    require_room()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    digest, size = hashlib.sha256(), 0

    def counted() -> Iterator[bytes]:
        nonlocal size
        for chunk in chunks:
            size += len(chunk)
            if size > limit:
                raise TooLarge(detail=f"over {limit} bytes")
            digest.update(chunk)
            yield chunk

    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for piece in encrypted(counted(), context=key.encode()):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    except BaseException as exc:
        partial.unlink(missing_ok=True)
        if is_disk_full(exc):
            raise StorageFull(detail=type(exc).__name__) from exc
        raise
    return StoredBytes(key, size, digest.hexdigest())


def read(key: str) -> Iterator[bytes]:
    """The bytes of a key in chunks. Raises NotFound, DamagedFile (before the damaged chunk is handed out)."""
    try:
        file = _path(key).open("rb")
    except FileNotFoundError as exc:
        raise NotFound(detail="stored file is missing") from exc
    return _read(file, key)


def _read(file: IO[bytes], key: str) -> Iterator[bytes]:
    with file:
        yield from decrypted(file, context=key.encode())


def delete(key: str) -> None:
    """The bytes are gone; nothing happens when they were already."""
    _path(key).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # not empty
        _path(key).parent.rmdir()


def exists(key: str) -> bool:
    return _path(key).exists()


def encrypted(chunks: Iterable[bytes], *, context: bytes) -> Iterator[bytes]:
    """The encrypted form of the bytes; `context` must be given again to decrypt."""
    secret = settings.FILE_KEYS[0]
    prefix = secrets.token_bytes(7)
    header = _MAGIC + _key_id(secret) + prefix
    cipher = AESGCM(secret)
    yield header
    counter = 0
    pending = b""
    for piece in _rechunked(chunks):
        if counter or pending:
            yield cipher.encrypt(_nonce(prefix, counter, is_last=False), pending, header + context)
            counter += 1
        pending = piece
    yield cipher.encrypt(_nonce(prefix, counter, is_last=True), pending, header + context)


def decrypted(file: IO[bytes], *, context: bytes) -> Iterator[bytes]:
    """The bytes of an encrypted file. Raises DamagedFile."""
    header = file.read(len(_MAGIC) + 8 + 7)
    if len(header) != len(_MAGIC) + 15 or not header.startswith(_MAGIC):
        raise DamagedFile("header")
    key_id, prefix = header[len(_MAGIC) : len(_MAGIC) + 8], header[len(_MAGIC) + 8 :]
    secret = next((key for key in settings.FILE_KEYS if _key_id(key) == key_id), None)
    if secret is None:
        raise DamagedFile("written with a key that is not configured")
    cipher = AESGCM(secret)
    counter = 0
    piece = file.read(_CHUNK + _TAG)
    while True:
        following = file.read(_CHUNK + _TAG)
        try:
            yield cipher.decrypt(_nonce(prefix, counter, is_last=not following), piece, header + context)
        except InvalidTag as exc:
            raise DamagedFile(f"chunk {counter}") from exc
        if not following:
            return
        piece = following
        counter += 1


def _rechunked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    buffer = bytearray()
    for chunk in chunks:
        buffer += chunk
        while len(buffer) >= _CHUNK:
            yield bytes(buffer[:_CHUNK])
            del buffer[:_CHUNK]
    if buffer:
        yield bytes(buffer)


def _nonce(prefix: bytes, counter: int, *, is_last: bool) -> bytes:
    return prefix + counter.to_bytes(4, "big") + (b"\x01" if is_last else b"\x00")


def _key_id(secret: bytes) -> bytes:
    return hashlib.sha256(b"airis file key id" + secret).digest()[:8]


def _path(key: str) -> Path:
    if not _KEY.fullmatch(key):
        raise ValueError("not a storage key")
    return Path(settings.FILES_DIRECTORY) / key


def keys_older_than(*, tenant_id: UUID, age: timedelta) -> Iterator[str]:
    """Keys of an organisation's files, unfinished ones left out, whose last change is at least that old."""
    root = Path(settings.FILES_DIRECTORY)
    limit = time.time() - age.total_seconds()
    for path in (root / str(tenant_id)).glob("*/*"):
        key = path.relative_to(root).as_posix()
        if _KEY.fullmatch(key) and path.stat().st_mtime <= limit:
            yield key


def delete_unfinished(*, tenant_id: UUID, age: timedelta) -> None:
    """Files whose writing began that long ago and never ended are gone."""
    limit = time.time() - age.total_seconds()
    for path in (Path(settings.FILES_DIRECTORY) / str(tenant_id)).glob("*/*.partial"):
        if path.stat().st_mtime <= limit:
            path.unlink(missing_ok=True)


def delete_all(*, tenant_id: UUID) -> None:
    """No stored bytes of the organisation are left."""
    shutil.rmtree(Path(settings.FILES_DIRECTORY) / str(tenant_id), ignore_errors=True)
