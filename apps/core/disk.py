"""Room on the disk: uploads are refused before it is gone, and running work waits until there is some again."""

import errno
import shutil
from pathlib import Path

from django.conf import settings
from psycopg import errors

from apps.core.errors import StorageFull

_FULL = (errno.ENOSPC, errno.EDQUOT)


def is_disk_full(exc: BaseException | None) -> bool:
    """Whether an error, or what it came from, says that a disk or the database has no room left."""
    while exc is not None:
        if isinstance(exc, OSError) and exc.errno in _FULL:
            return True
        if isinstance(exc, (errors.DiskFull, StorageFull)):
            return True
        exc = exc.__cause__
    return False


def has_room() -> bool:
    """Whether the disk of the files has the room that is always kept free."""
    return free_bytes() >= int(settings.LEAST_FREE_BYTES)


def require_room() -> None:
    """Raises StorageFull while less than LEAST_FREE_BYTES are free."""
    if not has_room():
        raise StorageFull(detail=f"{free_bytes()} bytes free")


def free_bytes() -> int:
    """Bytes free where files are kept."""
    place = Path(settings.FILES_DIRECTORY)
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free
