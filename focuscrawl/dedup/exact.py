"""Is this the very same text? A digest that case, white space and character variants do not change."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

_INVISIBLE = re.compile("[\u00ad\u034f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")


def normalized(text: str) -> str:
    """The text in Unicode form NFKC, case folded, without invisible characters, white space as single blanks.

    Digits stay: two pages that differ in a date or a price alone are not exactly equal.
    """
    if not text.isascii():
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(text.casefold().split())


def digest(text: str) -> bytes:
    """16 bytes (BLAKE2b) of the normalized text; empty bytes when the text holds nothing to compare."""
    plain = normalized(text)
    return blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).digest() if plain else b""
