"""Page images: rendered on demand by a reading child that stays warm for a while, cached encrypted under a size cap."""

import io
import shutil
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from django.conf import settings

from apps.documents import storage
from apps.documents.unlock import reading_limits
from apps.reading.client import ReadingClient
from apps.reading.contracts import ReadingError
from apps.tenants.context import release_connection

DPIS = (36, 72, 96, 130, 180)
_WARM_CHILDREN = 3
_WARM_S = 120.0


@dataclass(slots=True)
class _Warm:
    client: ReadingClient
    used_at: float
    lock: threading.Lock = field(default_factory=threading.Lock)


_warm: dict[str, _Warm] = {}
_guard = threading.Lock()


def page_image(*, tenant_id: UUID, version_id: UUID, key: str, name: str, page: int, dpi: int) -> bytes:
    """PNG of a page. The first page of a file costs about a second, others about 60 ms. Raises ReadingError."""
    path = _directory(tenant_id, version_id) / f"{page}-{dpi}.png"
    context = f"{version_id}/{page}/{dpi}".encode()
    try:
        with path.open("rb") as file:
            image = b"".join(storage.decrypted(file, context=context))
        path.touch()
        return image
    except (FileNotFoundError, storage.DamagedFile):
        pass
    release_connection()  # the reading child may take a while
    image = _rendered(key, name, page, dpi)
    _keep(path, image, context)
    return image


def forget(*, tenant_id: UUID, version_id: UUID) -> None:
    """No image of the version is cached any more."""
    shutil.rmtree(_directory(tenant_id, version_id), ignore_errors=True)


def forget_all(*, tenant_id: UUID) -> None:
    """No image of any page of the organisation is cached any more."""
    shutil.rmtree(Path(settings.CACHE_DIRECTORY) / "pages" / str(tenant_id), ignore_errors=True)


def close_warm() -> None:
    """No warm child is left: for tests and at the end of a process."""
    with _guard:
        leaving, entries = list(_warm), list(_warm.values())
        for key in leaving:
            _warm.pop(key)
    for entry in entries:
        with entry.lock:
            entry.client.close()


def _rendered(key: str, name: str, page: int, dpi: int) -> bytes:
    entry = _warm_client(key, name)
    with entry.lock:
        try:
            return entry.client.render(page, dpi)
        except ReadingError:
            with _guard:
                if _warm.get(key) is entry:
                    del _warm[key]
            entry.client.close()
            raise


def _warm_client(key: str, name: str) -> _Warm:
    now = time.monotonic()
    stale: list[_Warm] = []
    with _guard:
        for other in sorted(_warm, key=lambda k: _warm[k].used_at):
            entry = _warm[other]
            is_spare = len(_warm) >= _WARM_CHILDREN and other != key
            if (is_spare or now - entry.used_at > _WARM_S) and not entry.lock.locked():
                stale.append(_warm.pop(other))
        found = _warm.get(key)
        if found is None:
            client = ReadingClient(
                storage.read(key),
                name=name,
                limits=reading_limits(),
                window_timeout_s=settings.READING_WINDOW_TIMEOUT_S,
            )
            found = _warm[key] = _Warm(client, now)
        found.used_at = now
    for entry in stale:
        entry.client.close()
    return found


def _keep(path: Path, image: bytes, context: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_suffix(f".{threading.get_ident()}.partial")
    with partial.open("wb") as file:
        for piece in storage.encrypted(io.BytesIO(image), context=context):
            file.write(piece)
    partial.rename(path)
    _shrink()


def _shrink() -> None:
    """The cache is under its cap again: least recently used images go first, down to nine tenths."""
    entries = []
    for path in Path(settings.CACHE_DIRECTORY).glob("pages/*/*/*.png"):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        entries.append((status.st_mtime, status.st_size, path))
    total = sum(size for _at, size, _path in entries)
    if total <= settings.PAGE_IMAGE_CACHE_BYTES:
        return
    for _at, size, path in sorted(entries):
        path.unlink(missing_ok=True)
        total -= size
        if total <= 0.9 * settings.PAGE_IMAGE_CACHE_BYTES:
            return


def _directory(tenant_id: UUID, version_id: UUID) -> Path:
    return Path(settings.CACHE_DIRECTORY) / "pages" / str(tenant_id) / str(version_id)
