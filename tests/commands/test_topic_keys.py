from __future__ import annotations

import io
import os
import pty
from collections.abc import Iterator

import pytest

from focuscrawl.command_line.topic.keys import ask, keyboard, question


@pytest.fixture
def terminal() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """What a person types into, and the terminal that a program reads."""
    typed, read = pty.openpty()
    with os.fdopen(read, "r") as stream:
        yield typed, stream
    os.close(typed)


def test_single_keys_of_a_terminal_without_echo(terminal: tuple[int, io.TextIOWrapper]) -> None:
    typed, stream = terminal
    with keyboard(stream) as read:
        os.write(typed, "ax界".encode())
        assert [read(), read(), read()] == ["a", "x", "界"]
        os.write(typed, b"\x1b[A")
        assert read() == "\x1b", "an arrow is one unknown key, not an a"


def test_lines_where_there_is_no_terminal() -> None:
    with keyboard(io.StringIO("accept\n\nx\n")) as read:
        assert [read(), read(), read(), read()] == ["a", "", "x", None]


def test_questions_until_done_with_undo() -> None:
    keys, out, told = iter("a?u x~\x7fayq"), io.StringIO(), []
    answers = ask([str(n) for n in range(9)], lambda: next(keys, None), out, lambda n, answer: told.append((n, answer)))
    assert answers == ["skip", "accept", "accept", *["skip"] * 6]
    assert told == [(0, "accept"), (0, "undo"), (0, "skip"), (1, "reject"), (1, "undo"), (1, "accept"), (2, "accept")]
    assert "[1/9] 0" in out.getvalue()


def test_ctrl_c_ends_the_questions_and_keeps_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO("a\n")
    lines = iter(["a\n"])

    def readline(size: int = -1) -> str:
        found = next(lines, "")
        if not found:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(stream, "readline", readline)
    with keyboard(stream) as read:
        assert ask(["one", "two"], read, io.StringIO()) == ["accept", "skip"]
        assert question("again", read, io.StringIO()) == "q"
