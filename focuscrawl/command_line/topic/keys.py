"""Asks questions that are answered by a single key: without Enter on a terminal, else by one line each.

The keys are those of the annotation tool Prodigy: a accept, x reject, space skip, backspace undo, q done.
"""

from __future__ import annotations

import os
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from focuscrawl.report.translation import ENGLISH, Language

ACCEPT, REJECT, SKIP, UNDO, QUIT = "accept", "reject", "skip", "undo", "quit"
KEYS = {
    "a": ACCEPT, "y": ACCEPT, "x": REJECT, "n": REJECT, " ": SKIP, "": SKIP, "\n": SKIP, "\r": SKIP, "s": SKIP,
    "\x7f": UNDO, "\b": UNDO, "u": UNDO, "q": QUIT, "\x04": QUIT,
}  # fmt: skip
HELP = "a accept   x reject   space skip   backspace undo   q done"
Read = Callable[[], str | None]
"""Returns the next key; None at the end of the input."""


def ask(
    questions: Sequence[str],
    read: Read,
    out: TextIO,
    answered: Callable[[int, str], None] = lambda number, answer: None,
    _: Language = ENGLISH,
) -> list[str]:
    """Ask the questions. Returns the answer to each: `accept`, `reject` or `skip`. Questions after `quit` count as skipped.

    `answered` is called with the question's number and the answer at each answer, and with `undo` when one is taken back. `_`:
    the language of the questions.
    """
    answers: list[str] = []
    while len(answers) < len(questions):
        number = len(answers)
        out.write(f"\n[{number + 1}/{len(questions)}] {questions[number]}\n    {_(HELP)} > ")
        out.flush()
        key = read()
        answer = QUIT if key is None else KEYS.get(key.lower(), "")
        out.write(f"{_(answer) if answer else '?'}\n")
        if answer == QUIT:
            break
        if answer == UNDO and answers:
            answers.pop()
            answered(len(answers), UNDO)
        elif answer and answer != UNDO:
            answers.append(answer)
            answered(number, answer)
    return answers + [SKIP] * (len(questions) - len(answers))


def question(text: str, read: Read, out: TextIO) -> str:
    """Ask one question. Returns the key in lower case; empty for Enter on a terminal, `q` at the end of the input."""
    out.write(f"\n{text} > ")
    out.flush()
    key = (read() or "q").strip().lower()
    out.write(f"{key}\n")
    return key


@contextmanager
def keyboard(given: TextIO | None = None) -> Iterator[Read]:
    """Read single keys without echo from a terminal, or the first character of each line from any other stream. The default
    stream is standard input.

    Ctrl-C ends the input, and the answers before it are kept.
    """
    stream = given or sys.stdin
    if not stream.isatty():
        yield _Stoppable(lambda: _first_of_line(stream))
        return
    before = termios.tcgetattr(stream)
    try:
        tty.setcbreak(stream)
        yield _Stoppable(_Keys(stream.fileno()))
    finally:
        termios.tcsetattr(stream, termios.TCSADRAIN, before)


class _Stoppable:
    def __init__(self, read: Read) -> None:
        self._read = read
        self._stopped = False

    def __call__(self) -> str | None:
        try:
            key = None if self._stopped else self._read()
        except KeyboardInterrupt:
            key = None
        self._stopped = key is None
        return key


class _Keys:
    """Reads keys as they are pressed, and keeps those typed ahead. Arrows and function keys, which are sent as several
    characters that begin with Escape, count as one unknown key."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting = ""

    def __call__(self) -> str | None:
        if not self._waiting:
            data = os.read(self._descriptor, 64)
            if not data:
                return None
            self._waiting = data.decode("utf-8", "replace")
        if self._waiting[0] == "\x1b":
            self._waiting = ""
            return "\x1b"
        key, self._waiting = self._waiting[0], self._waiting[1:]
        return key


def _first_of_line(stream: TextIO) -> str | None:
    line = stream.readline()
    return line.strip("\r\n")[:1] if line else None
