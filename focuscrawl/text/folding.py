"""Traditional Chinese characters as simplified ones, so that both scripts give the same terms.

Character by character (OpenCC's table): terms need not be good prose, they must be the same on both sides. A character
that simplified text uses too (乾, 著) stays, so that no simplified text is ever changed.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

SOURCE = "OpenCC 1.4.2"
"""Where the table comes from; part of a segmenter's name."""


@cache
def _pairs() -> dict[str, str]:
    lines = files("focuscrawl.text").joinpath("data", "simplified.txt").read_text("utf-8").splitlines()
    return {pair[0]: pair[1] for line in lines if not line.startswith("#") for pair in line.split()}


def simplified(text: str) -> str:
    """`text` with traditional characters replaced; 0.1 ms for 5 000 Chinese characters, 0.5 ms if some are replaced.

    >>> simplified("網絡爬蟲 crawler")
    '网络爬虫 crawler'
    """
    if text.isascii():
        return text
    found = _pairs().keys() & set(text)
    return text.translate({ord(char): _pairs()[char] for char in found}) if found else text
