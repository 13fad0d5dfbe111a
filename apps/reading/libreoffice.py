"""DOC and PPT by LibreOffice where it is installed: converted without network, macros or a profile of its own.

The converter runs inside the reading child's limits; only for it may files be written, up to the hard limit that the
parent left (see limits.py), in a directory that is gone afterwards.
"""

import resource
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from apps.reading.contracts import MediaType, ReadingError, ReadingFailure

_TARGETS = {MediaType.DOC: ("doc", "docx"), MediaType.PPT: ("ppt", "pptx")}
_TIMEOUT_S = 100
_ALONE = ("--user", "--map-root-user", "--net")


def program() -> str | None:
    """The converter's path, None when there is none."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def reader_of(data: bytes, media_type: MediaType, *, name_differs: bool) -> Any:  # Any: one of readers.py
    """A reader of the converted file. Raises ReadingError(NEEDS_CONVERTER, DAMAGED, TIMED_OUT)."""
    _source, target = _TARGETS[media_type]
    plain = _converted(data, media_type)
    if target == "docx":
        from apps.reading.docx import DocxReader

        return DocxReader(plain, name_differs=name_differs)
    from apps.reading.pptx import PptxReader

    return PptxReader(plain, name_differs=name_differs)


def _converted(data: bytes, media_type: MediaType) -> bytes:
    office, alone = program(), shutil.which("unshare")
    if office is None or alone is None:
        raise ReadingError(ReadingFailure.NEEDS_CONVERTER, media_type.name)
    source, target = _TARGETS[media_type]
    with tempfile.TemporaryDirectory(prefix="airis-office-") as folder:
        home = Path(folder)
        _run([shutil.which("true") or "true"], alone, home)  # without a network of its own nothing is converted
        _allow_files()
        (home / f"in.{source}").write_bytes(data)
        command = [
            office, f"-env:UserInstallation=file://{home}/profile", "--headless", "--norestore", "--nolockcheck",
            "--nodefault", "--convert-to", target, "--outdir", str(home / "out"), str(home / f"in.{source}"),
        ]  # fmt: skip
        _run(command, alone, home)
        found = home / "out" / f"in.{target}"
        if not found.is_file():
            raise ReadingError(ReadingFailure.DAMAGED, "not converted")
        return found.read_bytes()


def _run(command: list[str], alone: str, home: Path) -> None:
    """The command has ended, in a network namespace of its own. Raises ReadingError."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8"}
    try:
        done = subprocess.run(
            [alone, *_ALONE, *command],
            env=environment,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as exc:
        raise ReadingError(ReadingFailure.TIMED_OUT, "converter") from exc
    except OSError as exc:
        raise ReadingError(ReadingFailure.NEEDS_CONVERTER, type(exc).__name__) from exc
    if done.returncode != 0:
        failure = ReadingFailure.DAMAGED if len(command) > 1 else ReadingFailure.NEEDS_CONVERTER
        raise ReadingError(failure, f"converter ended with {done.returncode}")


def _allow_files() -> None:
    """Files may be written up to the hard limit. Raises ReadingError where there is none."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if hard == 0:
        raise ReadingError(ReadingFailure.NEEDS_CONVERTER, "no files may be written")
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
