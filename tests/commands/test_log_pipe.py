"""A log that nobody reads costs lines, never time."""

from __future__ import annotations

import atexit
import fcntl
import os
import select
import sys
from collections.abc import Iterator

import pytest

from focuscrawl.command_line import log_pipe
from focuscrawl.command_line.log_pipe import UnreadPipe, wait_for_no_reader

LINE = b"x" * 99 + b"\n"


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """Reading and writing end of a pipe for one page of memory."""
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, select.PIPE_BUF)
    yield read, write
    for end in (read, write):
        os.close(end)


def read_all(read: int) -> bytes:
    os.set_blocking(read, False)
    try:
        return os.read(read, 1 << 20)
    except BlockingIOError:
        return b""


def drained(pipe: UnreadPipe, read: int) -> bytes:
    """What comes while a reader reads on."""
    came = b""
    while piece := read_all(read):
        came += piece
        pipe.write(b"")
    return came


def test_what_is_read_passes_at_once(ends: tuple[int, int]) -> None:
    pipe = UnreadPipe(ends[1])
    for _ in range(200):
        assert pipe.write(LINE) == len(LINE)
        assert read_all(ends[0]) == LINE


def test_what_finds_no_room_comes_when_there_is_some(ends: tuple[int, int]) -> None:
    pipe = UnreadPipe(ends[1])
    wanted = b"".join(b"%d " % number + LINE for number in range(300))
    for number in range(300):
        pipe.write(b"%d " % number + LINE)
    assert drained(pipe, ends[0]) == wanted


def test_what_is_too_much_is_left_out_and_counted(ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_pipe, "HELD_BYTES", 10_000)
    pipe = UnreadPipe(ends[1])
    for _ in range(1000):
        pipe.write(LINE)
    came = drained(pipe, ends[0])
    pipe.write(b"goes on\n")
    *lines, note, last = (came + drained(pipe, ends[0])).splitlines(keepends=True)
    assert (set(lines), last) == ({LINE}, b"goes on\n")
    assert note == b"[%d log lines were left out: nobody read the log]\n" % (1000 - len(lines))


def test_the_end_does_not_wait_for_ever(ends: tuple[int, int]) -> None:
    pipe = UnreadPipe(ends[1])
    for _ in range(100):
        pipe.write(LINE)
    pipe.finish(0.1)


def test_a_pipe_without_a_reader_is_an_error_and_nothing_is_kept_for_it() -> None:
    read, write = os.pipe()
    os.close(read)
    pipe = UnreadPipe(write)
    for _ in range(2):
        with pytest.raises(BrokenPipeError):
            pipe.write(LINE)
    pipe.finish(0.1)
    os.close(write)


@pytest.mark.parametrize("kind", ["pipe", "file", "none"])
def test_only_a_pipe_is_replaced(ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """A terminal waits when somebody stops it, which is meant so; files never do."""
    with open(ends[1], "w", closefd=False) as pipe, open(os.devnull, "w") as file:
        stream = {"pipe": pipe, "file": file, "none": None}[kind]
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(atexit, "register", lambda finish: None)
        wait_for_no_reader()
        assert (sys.stderr is stream) is (kind != "pipe")
        if kind == "pipe":
            print("望远镜 " * 3000, file=sys.stderr)
            assert read_all(ends[0]).startswith("望远镜".encode())
