"""What the reading child may use at most. Set by the child itself, before it touches the file."""

import resource
import shutil
from collections.abc import Mapping
from dataclasses import dataclass

_PREFIX = "AIRIS_READING_"
_MEMORY_MB = 2048
_CPU_S = 900
_FILE_MB = 256
_CONVERTERS = ("soffice", "libreoffice")


@dataclass(frozen=True, slots=True)
class Limits:
    """`memory_mb` is address space: PyMuPDF, numpy and the language model take about 600 MB of it unused."""

    memory_mb: int = _MEMORY_MB
    cpu_s: int = _CPU_S

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Limits":
        """The limits that the parent handed over; defaults for what is absent."""
        return cls(
            memory_mb=int(environment.get(_PREFIX + "MEMORY_MB", _MEMORY_MB)),
            cpu_s=int(environment.get(_PREFIX + "CPU_S", _CPU_S)),
        )

    def as_environment(self) -> dict[str, str]:
        return {_PREFIX + "MEMORY_MB": str(self.memory_mb), _PREFIX + "CPU_S": str(self.cpu_s)}


def apply(limits: Limits) -> None:
    """This process can no longer grow beyond the limits, write a file, dump core or open many descriptors."""
    megabyte = 1024 * 1024
    _lower(resource.RLIMIT_AS, limits.memory_mb * megabyte)
    _lower(resource.RLIMIT_CPU, limits.cpu_s)
    _lower_files(_FILE_MB * megabyte if any(map(shutil.which, _CONVERTERS)) else 0)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, 64)


def _lower_files(hard: int) -> None:
    """No file may be written; where LibreOffice is installed its reader may raise this for the converter."""
    _soft, before = resource.getrlimit(resource.RLIMIT_FSIZE)
    wanted = hard if before == resource.RLIM_INFINITY else min(hard, before)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, wanted))


def _lower(kind: int, wanted: int) -> None:
    _soft, hard = resource.getrlimit(kind)
    value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):  # macOS refuses RLIMIT_AS; the parent's time limit still holds
        return
