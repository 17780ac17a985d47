"""The title of a page whose head has none, and no main heading: what stands above its text."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import takewhile

from focuscrawl.text.head import is_placeholder
from focuscrawl.text.posts import DATE

_LONGEST = 100
"""Characters of a line that may be a title. A longer one is text."""
_LINES = 10
"""Lines that are looked at."""
_AROUND_DATE = re.compile(
    r"^[^:：]{0,20}[:：]|(?:mon|tues|wednes|thurs|fri|satur|sun)day|星期.|[日时時分秒]|[\W\d_]+", re.IGNORECASE
)
"""What stands around a date that is alone in its line: a label, the day of the week, a time."""
_LABELLED = re.compile(
    r"(?:by|By|BY)(?: [A-Z][\w.’'-]*){1,5}\Z"
    r"|(?:(?i:author|written by|source)|作者|来源|來源|[编編][辑輯]|[编編]者|[您你当當现現前的所在]*位置)\s*[:：]"
)
"""A byline, or where the page is on its site."""
_STEP = re.compile(r"\s*[|>»›→·•]\s*|\s+[:/]\s+")
"""What stands between the links of a menu."""


def title_above(text: str, anchors: Collection[str]) -> str:
    """The first line above the prose of a main text that is neither a date, a byline nor a menu; empty if there is none.

    Args:
        text: the main text, one block per line.
        anchors: the words of each link of the page.
    """
    above = takewhile(lambda line: len(line) <= _LONGEST, text.split("\n", _LINES)[:_LINES])
    return next((line for line in above if not (is_placeholder(line) or _is_around_title(line, anchors))), "")


def _is_around_title(line: str, anchors: Collection[str]) -> bool:
    if _LABELLED.match(line) or (DATE.search(line) and not _AROUND_DATE.sub("", DATE.sub("", line))):
        return True
    return sum(step in anchors for step in _STEP.split(line)) > 1
