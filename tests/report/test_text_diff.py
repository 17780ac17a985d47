from __future__ import annotations

import io

import pytest

from focuscrawl.recrawl.diff import DiffPiece, diff
from focuscrawl.report.revisits.page_freshness import head_of, show_diff
from focuscrawl.store.revisits.versions import VersionDiff

PIECES = diff("one\nThe crawler visits pages again and again", "The crawler visits hosts again and again\n\x1b[31mred\u202e")
DIFF = VersionDiff(2, 0, "Old", "New\x1b", PIECES)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(found: VersionDiff, out: io.StringIO) -> str:
    show_diff(found, out)
    return out.getvalue()


def test_marks_in_plain_text() -> None:
    text = printed(DIFF, io.StringIO())
    assert text.startswith("From version 2 to the stored version; its title was “Old”, then “New”:\n\n[-one-]\n")
    assert "The crawler visits [-pages-]{+hosts+} again" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.endswith("\n")


def test_colors_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    text = printed(DIFF, Terminal())
    assert "\x1b[9;31mpages\x1b[0m" in text
    assert "\x1b[32mhosts\x1b[0m" in text
    assert "[-" not in text
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(DIFF, Terminal()) == printed(DIFF, io.StringIO())


def test_the_text_may_be_the_same() -> None:
    assert head_of(VersionDiff(1, 2, "a", "b", ())) == (
        "From version 1 to version 2; its title was “a”, then “b”. The main text is the same."
    )
    assert head_of(VersionDiff(1, 0, "a", "a", (DiffPiece("added", "x"),))) == "From version 1 to the stored version:"
