"""What a page says itself, and what it quotes: replies in the archives of mailing lists quote all that was said before, each
line marked with `>`. The prompts of the Python shell (`>>>`) begin with three of them; what was quoted three times stands among
lines that were quoted less often."""

from __future__ import annotations

import re

_quoted = re.compile(r"^[ \t]*>.*\n?", re.MULTILINE)
_quoted_once_or_twice = re.compile(r"^[ \t]*>(?:[ \t]*>)?(?![ \t]*>)", re.MULTILINE)


def unquoted(text: str) -> str:
    """The text without its quoted lines."""
    return _quoted.sub("", text) if ">" in text and _quoted_once_or_twice.search(text) else text
