"""Leaves quoted lines out of a text before it is compared with others: replies in the archives of mailing lists quote all that
was said before, each line marked with `>`, and would else count as copies.

The prompts of the Python shell (`>>>`) look like lines that were quoted three times. Such lines count as quoted only where
others were quoted once or twice."""

from __future__ import annotations

import re

_quoted = re.compile(r"^[ \t]*>.*\n?", re.MULTILINE)
_quoted_once_or_twice = re.compile(r"^[ \t]*>(?:[ \t]*>)?(?![ \t]*>)", re.MULTILINE)


def unquoted(text: str) -> str:
    """The text without its quoted lines."""
    return _quoted.sub("", text) if ">" in text and _quoted_once_or_twice.search(text) else text
