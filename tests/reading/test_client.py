"""The reading child: limited, replaceable, and never able to take a document down with one page."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.reading import client as client_module
from apps.reading.client import ReadingClient
from apps.reading.contracts import ReadingError, ReadingFailure, WarningCode
from apps.reading.limits import Limits
from tests.reading.conftest import FILES, chunks_of_file


def test_a_killed_child_is_replaced_and_the_window_is_read() -> None:
    with ReadingClient(chunks_of_file("loan_book.pdf"), name="loan_book.pdf") as client:
        client.open()
        assert client.child_pid is not None
        os.kill(client.child_pid, signal.SIGKILL)

        window = client.pages(1, 3)

    assert [page.number for page in window.pages] == [1, 2, 3]
    assert window.warnings == ()


def test_a_page_that_always_kills_the_child_becomes_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    original = ReadingClient._window

    def window(self: ReadingClient, first: int, last: int) -> client_module.Window:
        if first <= 2 <= last:
            self._ensure_open()
            assert self.child_pid is not None
            os.kill(self.child_pid, signal.SIGKILL)
        return original(self, first, last)

    monkeypatch.setattr(ReadingClient, "_window", window)
    with ReadingClient(chunks_of_file("loan_book.pdf"), name="loan_book.pdf") as client:
        client.open()
        result = client.pages(1, 3)

    assert [page.number for page in result.pages] == [1, 3]
    assert [(w.code, w.page) for w in result.warnings] == [(WarningCode.PAGE_FAILED, 2)]


def test_a_child_that_takes_too_long_is_ended() -> None:
    with ReadingClient(chunks_of_file("loan_book.pdf"), name="a.pdf", window_timeout_s=0.0) as client:
        with pytest.raises(ReadingError) as caught:
            client.open()

        assert caught.value.failure is ReadingFailure.TIMED_OUT
        assert client.child_pid is None


def test_the_child_has_its_limits_and_writes_no_file() -> None:
    with ReadingClient(
        chunks_of_file("labels.pdf"), name="labels.pdf", limits=Limits(memory_mb=900, cpu_s=33)
    ) as client:
        client.open()
        limits = Path(f"/proc/{client.child_pid}/limits").read_text()

    found = {line[:26].strip(): line[26:].split()[0] for line in limits.splitlines()[1:]}
    assert found["Max address space"] == str(900 * 1024 * 1024)
    assert found["Max cpu time"] == "33"
    assert found["Max file size"] == "0"
    assert found["Max core file size"] == "0"
    assert found["Max open files"] == "64"


def test_too_little_memory_is_a_named_failure() -> None:
    with (
        ReadingClient(chunks_of_file("labels.pdf"), name="labels.pdf", limits=Limits(memory_mb=64)) as client,
        pytest.raises(ReadingError) as caught,
    ):
        client.open()

    assert caught.value.failure in (ReadingFailure.CRASHED, ReadingFailure.OUT_OF_MEMORY, ReadingFailure.DAMAGED)


def test_nothing_is_left_when_the_bytes_do_not_arrive() -> None:
    def broken() -> Iterator[bytes]:
        yield b"%PDF"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        ReadingClient(broken(), name="a.pdf")


def test_a_picture_of_enormous_size_is_refused_without_decoding() -> None:
    with (
        ReadingClient(iter([(FILES / "huge_dims.png").read_bytes()]), name="huge_dims.png") as client,
        pytest.raises(ReadingError) as caught,
    ):
        client.open()

    assert caught.value.failure is ReadingFailure.TOO_LARGE


def test_a_window_read_ahead_is_the_one_that_comes_and_another_question_may_come_between() -> None:
    with ReadingClient(chunks_of_file("loan_book.pdf"), name="loan_book.pdf") as client:
        client.open()
        client.read_ahead(2, 2)
        ahead = client.pages(2, 2)
        client.read_ahead(3, 3)
        other = client.pages(1, 1)
        again = client.pages(3, 3)

    assert [window.pages[0].number for window in (ahead, other, again)] == [2, 1, 3]


def test_a_child_that_dies_while_reading_ahead_is_replaced() -> None:
    with ReadingClient(chunks_of_file("loan_book.pdf"), name="loan_book.pdf") as client:
        client.open()
        client.read_ahead(1, 3)
        assert client.child_pid is not None
        os.kill(client.child_pid, signal.SIGKILL)

        window = client.pages(1, 3)

    assert [page.number for page in window.pages] == [1, 2, 3]
