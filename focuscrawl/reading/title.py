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
_WHO = (
    r"(?:(?i:author|written by|source)|(?:文章|稿件|信息|新[闻聞])?[来來]源|作者|[记記]者|(?:[责責]任)?[编編][辑輯]|[编編]者"
    r"|(?:[浏瀏][览覽]|[点點][击擊]|[阅閱][读讀])(?:次[数數]|量|[数數])?)\s*[:：]"
)
"""What stands before the name of a writer or a source, or the number of readers."""
_YEAR_OR_TIME = re.compile(r"\d{4}|\d:\d\d")
"""What a date has that is alone in its line. `DATE` alone also finds some in *Yesterday* and *10 Marvels*."""
_AROUND_DATE = re.compile(
    r"^(?:last )?(?:published|posted|updated?|modified|changed|edited|revised|created|written|added|dated?|time)\b"
    r"(?: (?:on|at)\b)?"
    r"|^(?:最[后後]|最近)?(?:[发發][布佈表]|更新|修改|修[订訂]|[编編][辑輯]|[创創]建|上[传傳]|添加|[录錄]入)?"
    r"(?:[时時][间間]|日期|[于於])?"
    r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|星期.|[日时時分秒]|(?<![a-z])[ap]\.?m\b|gmt|utc"
    rf"|{_WHO}.*|[\W\d_]+",
    re.IGNORECASE,
)
"""What stands around a date that is alone in its line: what happened on it, the day of the week, a time, who wrote. Any other
word before it is that of a title: *Minutes: March 3, 2024*."""
_LABELLED = re.compile(
    rf"(?:(?i:written )?(?:by|By|BY)(?: [A-Z][\w.’'-]*){{1,5}}\Z|{_WHO}|[您你当當现現前的所在]*位置\s*[:：])"
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
    if _LABELLED.match(line) or _is_date(line):
        return True
    return sum(step in anchors for step in _STEP.split(line)) > 1


def _is_date(line: str) -> bool:
    return bool(_YEAR_OR_TIME.search(line) and DATE.search(line)) and not _AROUND_DATE.sub("", DATE.sub("", line))
