"""Values as people and programs read them, and text from the web as it is safe to print."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime

from rich.cells import cell_len, set_cell_size

_HIDDEN = frozenset("\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\u061c\ufffe\uffff")
"""Zero-width characters and direction overrides, which can make a line look like another one. XML cannot hold the last two."""

_GAPS = re.compile(r"\n\s*\n\s*\n")


def one_line(text: str, width: int = 0) -> str:
    """`text` without control characters and line ends, cut to `width` terminal columns (0: whole)."""
    if not text.isprintable() or not text.isascii():
        text = "".join(_shown(char) for char in text)
    text = " ".join(text.split())
    if width and cell_len(text) > width:
        return set_cell_size(text, width - 1).rstrip() + "…"
    return text


def both_ends(text: str, width: int) -> str:
    """`text` on one line of `width` terminal columns, cut in the middle: long names often differ at their ends."""
    text = one_line(text)
    if cell_len(text) <= width:
        return text
    end = (width - 1) // 2
    return f"{set_cell_size(text, width - 1 - end).rstrip()}…{set_cell_size(text[::-1], end)[::-1].lstrip()}"


def lines(text: str) -> str:
    """`text` with its line ends, at most one empty line in a row, and no other control characters."""
    clean = "".join(char if char == "\n" else _shown(char) for char in text.replace("\r\n", "\n").replace("\r", "\n"))
    return _GAPS.sub("\n\n", clean)


def printable(text: str) -> str:
    """`text` without control characters; blanks and line ends stay."""
    return "".join(char if char in "\n\t" else _shown(char) for char in text)


def _shown(char: str) -> str:
    """What is printed for a character: a space for control characters, nothing for invisible ones."""
    if char in _HIDDEN:
        return ""
    category = unicodedata.category(char)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cs", "Cf") and char != "\u200d" else char


def count(number: float) -> str:
    """A whole number with thousands separators: `12,345`."""
    return f"{number:,.0f}"


def plural(number: int, noun: str, many: str = "") -> str:
    """`1 page`, `2 pages`."""
    return f"{count(number)} {noun if number == 1 else many or noun + 's'}"


def percent(share: float) -> str:
    """One decimal place below ten percent, none above: `4.2 %`, `38 %`."""
    value = 100 * share
    return f"{value:.1f} %" if 0 < value < 10 else f"{value:.0f} %"


def duration(seconds: float) -> str:
    """`0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`, `3 d 4 h`."""
    if seconds < 10:
        return f"{max(seconds, 0):.1f} s"
    whole = round(seconds)
    for size, name, low_size, low_name in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            high, rest = divmod(whole, size)
            return f"{high} {name} {rest // low_size} {low_name}" if rest // low_size else f"{high} {name}"
    return f"{whole} s"


def iso_time(seconds: float) -> str:
    """Epoch seconds as `2026-01-31T23:59:59.123Z`, for JSON and feeds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(seconds: float) -> str:
    """`2026-01-31 23:59:59 UTC`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
