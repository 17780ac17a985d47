"""What a page says itself, and what it quotes: replies in the archives of mailing lists quote all that was said before, each
line marked with `>`."""

from __future__ import annotations

import re

_quoted = re.compile(r"^[ \t]*>.*\n?", re.MULTILINE)


def unquoted(text: str) -> str:
    """The text without its quoted lines."""
    return _quoted.sub("", text) if ">" in text else text
