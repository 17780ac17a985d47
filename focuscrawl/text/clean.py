"""Removes what a page may hide in a text: control characters, direction overrides, invisible marks, runs of spaces."""

from __future__ import annotations

import re

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff]"
)
_RUN = re.compile("[^\\S\n]{2,}|[\t\r\f\v\x85\xa0\u2000-\u200a\u2028\u2029]")
_BLANK_LINES = re.compile(r" ?\n[ \n]*")
_NO_WORD = re.compile(r"\W+")
_CUT = re.compile(r"(?:\.\.|[…⋯])\W{0,5}\Z")
_LONGEST_CUT = 7
"""Characters of the end of a text that `_CUT` is looked for in: as many as it has."""


def line(text: str, limit: int = 0) -> str:
    """The text in one line, space collapsed, invisible characters removed, cut at `limit` characters (0: not cut)."""
    if limit:
        text = text[: 8 * limit]  # so that a title of a megabyte is not split into words
    text = " ".join(text.split())
    if not text.isprintable():
        text = _INVISIBLE.sub("", text)
    return text[:limit].rstrip() if limit else text


def lines(text: str, limit: int = 0) -> str:
    """The text with each line as by `line` and without empty lines, cut at `limit` characters (0: not cut)."""
    if limit and len(text) > 2 * limit:
        text = text[: 2 * limit]
    text = _BLANK_LINES.sub("\n", _RUN.sub(" ", _INVISIBLE.sub("", text))).strip()
    return text[:limit].rstrip() if limit else text


def code(text: str) -> str:
    """Code with its indentation, without blank lines around it, trailing space and invisible characters."""
    text = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " "))
    return "\n".join(map(str.rstrip, text.split("\n"))).strip("\n")


def is_cut(text: str) -> bool:
    """Whether the end of a text says that it breaks off."""
    return _CUT.search(text[-_LONGEST_CUT:]) is not None


def bare(text: str) -> str:
    """Only the letters and digits of a text, in lower case, by which texts are compared."""
    return _NO_WORD.sub("", text).lower()
