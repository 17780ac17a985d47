"""Bad input: the errors that end a command with one sentence, and the parts that such sentences are made of."""

from __future__ import annotations

import errno
import re
import shlex
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import ClassVar

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""Numbers of the OSErrors of a disk, or a user's share of it, that is full."""


class BadInput(ValueError):
    """Input that cannot be used. The message is one sentence that names the input and says what would be right. Passwords in
    URLs are hidden."""

    exit_code: ClassVar[int] = 2
    """With which a command ends that is refused so."""

    def __init__(self, sentence: str) -> None:
        super().__init__(without_passwords(sentence))


class Unreachable(BadInput):
    """A server that cannot be reached now. The same command may work later."""

    exit_code = 1


class DiskFull(BadInput):
    """There is no room for what is to be written. The same command may work later."""

    exit_code = 1


class WrongClock(BadInput):
    """This machine's clock cannot be right. The same command works when it is set."""

    exit_code = 1


class AlreadyRunning(BadInput):
    """Another process works on the crawl and cannot be joined. The same command may work later."""

    exit_code = 75  # EX_TEMPFAIL of sysexits.h


def close_match(word: str, valid: Iterable[str], cutoff: float = 0.5) -> str:
    """The valid name that a misspelt word probably means, ignoring case; "" if none is close.

    Args:
        cutoff: least similarity (`difflib.SequenceMatcher.ratio`), 0 to 1. At 0.5, half of a short name may be wrong.
    """
    names = {name.lower(): name for name in valid}
    close = get_close_matches(word.lower(), names, n=1, cutoff=cutoff)
    return names[close[0]] if close else ""


def nearest(word: str, valid: Iterable[str]) -> str:
    """The end of a sentence about an unknown word: `; did you mean X?`, or else the list of valid names."""
    names = list(valid)
    close = close_match(word, names)
    return f"; did you mean {close}?" if close else f"; valid are {', '.join(names)}."


HIDDEN = "(hidden)"
_PASSWORD = re.compile(r"(://[^/?#@:\s]*):[^/?#\s]+@")
"""The password reaches up to the last @, as in URLs."""
_PARAMETER = re.compile(r"([?&](?:ssl)?password=)[^&#\s]+", re.IGNORECASE)


def without_passwords(text: str) -> str:
    """Text without the passwords of URLs: before the host, and among the parameters of PostgreSQL's URLs."""
    return _PARAMETER.sub(rf"\1{HIDDEN}", _PASSWORD.sub(rf"\1:{HIDDEN}@", text))


def quoted(text: str, limit: int = 80) -> str:
    """Text from outside for a message: in quotes, escaped, without passwords, cut to `limit` characters."""
    text = without_passwords(text)
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


_PLAIN_WORD = re.compile(r"[\w@%+=:,./-]+")


def in_shell(word: str) -> str:
    """A name or path as one word of a shell command, quoted if it has blanks or characters that the shell interprets. Messages
    that propose a command write all of its names with this function."""
    return word if _PLAIN_WORD.fullmatch(word) else shlex.quote(word)


MOST_PROBLEMS = 3
"""Bad lines of a list about which a command says a sentence; it counts the others."""


def few(problems: Sequence[str]) -> list[str]:
    """The first of the sentences about the bad lines of a list, and a line that counts the others."""
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], *([f"and {more} more that are skipped"] if more > 0 else [])]
