"""Damaged copies of files, read one after the other in a limited child: each must end in pages or in a named failure.

`python -m apps.evaluation.mutations` is that child: the parent sends {"file", "seed"} lines, it answers a line each.
A child that dies or hangs costs one copy; the parent notes it and starts another.
"""

import contextlib
import json
import os
import random
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from apps.reading import limits
from apps.reading.contracts import ReadingError, ReadingFailure

_ROOT = Path(__file__).resolve().parents[2]
_HANGS_S = 120
_PAGES = 16
_LARGEST = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Outcome:
    """`ending`: "read", a ReadingFailure, "damaged" for an error that no reader named, "died", "hung"."""

    file: str
    seed: int
    ending: str
    detail: str
    seconds: float


def mutated(data: bytes, seed: int) -> bytes:
    """A damaged copy, always the same for a seed: bits turned, cut, repeated, overwritten or shuffled."""
    chance = random.Random(seed)  # noqa: S311  # damage, no secrets
    out = bytearray(data)
    for _step in range(chance.randint(1, 4)):
        if not out:
            break
        place = chance.randrange(len(out))
        length = chance.randint(1, max(1, min(len(out) // 8, 4096)))
        match chance.randrange(6):
            case 0:
                for _bit in range(chance.randint(1, 30)):
                    out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
            case 1:
                del out[place:]
            case 2:
                out[place:place] = out[place : place + length]
            case 3:
                out[place : place + length] = bytes(chance.randrange(256) for _ in range(length))
            case 4:
                out[place : place + length] = bytes(length)
            case _:
                del out[place : place + length]
    return bytes(out)


def read_mutations(files: Sequence[Path], count: int) -> Iterator[Outcome]:
    """`count` damaged copies of the files in turn, each read up to its first 16 pages."""
    usable = [file for file in files if 0 < file.stat().st_size <= _LARGEST]
    child: subprocess.Popen[str] | None = None
    try:
        for seed in range(count):
            file = usable[seed % len(usable)]
            child = child or _started()
            started = monotonic()
            reply = _asked(child, {"file": str(file), "seed": seed})
            seconds = round(monotonic() - started, 3)
            if reply is None:
                ending = "died" if child.poll() is not None else "hung"
                _stop(child)
                child = None
                yield Outcome(file.name, seed, ending, "", seconds)
                continue
            yield Outcome(file.name, seed, reply["ending"], reply["detail"], seconds)
    finally:
        if child is not None:
            _stop(child)


def _stop(child: "subprocess.Popen[str]") -> None:
    child.kill()
    child.wait()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # what was written last has no reader
                stream.close()


def _started() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "apps.evaluation.mutations"],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _asked(child: "subprocess.Popen[str]", request: dict[str, object]) -> dict[str, str] | None:
    """The child's answer; None when it died or hangs."""
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()
    except OSError:
        child.wait(timeout=5)
        return None
    ready, _write, _error = select.select([child.stdout], [], [], _HANGS_S)
    line = child.stdout.readline() if ready else ""
    if not line:
        if ready:
            child.wait(timeout=5)
        return None
    answer: dict[str, str] = json.loads(line)
    return answer


def _ending(data: bytes, name: str) -> tuple[str, str]:
    from apps.reading.readers import open_reader

    try:
        reader = open_reader(data, name)
        facts = reader.facts()
        reader.pages(1, min(facts.page_count, _PAGES))
    except ReadingError as error:
        return error.failure.value, error.detail
    except MemoryError:
        return ReadingFailure.OUT_OF_MEMORY.value, ""
    except Exception as error:  # noqa: BLE001  # as the reading child: an unnamed error is a damaged file
        return ReadingFailure.DAMAGED.value, f"unnamed {type(error).__name__}"
    return "read", ""


def main() -> None:
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a parser prints must not fall into the pipe
    limits.apply(limits.Limits(cpu_s=86_400))
    for line in sys.stdin:
        request = json.loads(line)
        path = Path(request["file"])
        ending, detail = _ending(mutated(path.read_bytes(), int(request["seed"])), path.name)
        replies.write(json.dumps({"ending": ending, "detail": detail}) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
