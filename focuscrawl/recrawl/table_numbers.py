"""Recognizes pages that are tables of numbers (prices, results, the weather), on which a new number is a change of the page.

In other texts numbers are dates and counters, which change by themselves. Dates and counters are left out here, too, before
the share of the other numbers is taken, so that an index of articles with their times, views and comments is not a table of
numbers.
"""

from __future__ import annotations

import re

from focuscrawl.text.chinese import simplified

LEAST_NUMBERS = 12
"""Numbers that a table has at least."""
WORDS_TO_A_NUMBER = 3
"""Most words per number in a table, so that at least a quarter of it are numbers. Price lists, league tables and forecasts have
one or two words per number, news with figures ten and more."""
_COUNTED = 4
"""So many or more numbers in a row, each one more than the last, are the days of a calendar or the pages of a list."""

_MONTH = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?![a-z])"
)
_DAY, _YEAR = r"\d{1,2}(?:st|nd|rd|th)?", r"(?:19|20)\d\d(?!\d)"
_TIME = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])(?:\.\d{1,9})?"
_UNIT = "(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|[smhdwy])"
_AMOUNT = r"\d{1,12}+(?:[.,]\d{1,9}+){0,4}+(?:[km](?![a-z])|\s?(?:thousand|million|[千万亿]))?"
_dates = re.compile("(?<![a-z0-9])(?:" + "|".join([
    r"\d{4}年(?:\d{1,2}月)?(?:\d{1,2}[日号])?|\d{1,2}月\d{1,2}[日号]?",
    rf"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:t{_TIME})?|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:\d{{4}}|\d\d)(?!\d)",
    r"\d{1,2}/\d{1,2}(?![\d/])|\d{1,2}-\d{1,2}(?=\s\d{1,2}:\d\d)",
    rf"{_MONTH}[\s.]{{0,2}}{_DAY}(?!\d)(?:,?\s{_YEAR})?|{_MONTH}[\s.]{{0,2}}{_YEAR}",
    rf"{_DAY}[\s-](?:of\s)?{_MONTH}(?:[\s.,-]{{0,2}}{_YEAR})?",
    rf"{_TIME}|\d{{1,2}}\s?[ap]\.?m(?![a-z])|\d{{1,2}}[点时](?:\d{{1,2}}分)?(?:\d{{1,2}}秒)?",
    rf"\d{{1,4}}\s?(?:{_UNIT}\sago|(?:秒钟?|分钟|小时|天|周|个?月|年)前)",
    rf"(?:in|用时|耗时)\s?{_AMOUNT}\s?(?:ms|s|seconds?|second\(s\)|秒)(?![a-z])",
]) + ")")  # fmt: skip
"""Dates, times, ages, and how long a page took, in lower-case text. Every repetition is bounded, so that matching is linear."""
# Names of what pages count. Those in `_HEADS` and `_HAN_HEADS` also head the columns of lists of articles.
_COUNTED_TOO = "points?|shares?|members?|users?|guests?|online|queries|reads?|readers?|visits?|visitors?|responses?|clicks?"
_HEADS = "views?|replies|comments|downloads|likes|votes|hits|answers|followers"
_HAN_HEADS = "阅读|浏览|点击|评论|回复|人气|下载|点?赞|查看"
_COUNTER = (
    f"(?:(?:{_HEADS}|{_COUNTED_TOO}|reply|comment|download|vote|like|viewed)(?![a-z])"
    f"|(?:{_HAN_HEADS}|收藏|转发|分享|关注|粉丝|热度|访问|访客|在线|参与|回帖|跟帖)[量者数]?)"
)
_counters = re.compile(
    rf"(?<!\d){_AMOUNT}[ \t]?[次条人位个篇]?[ \t]?{_COUNTER}(?![ \t]?[:：(（])|(?<![a-z]){_COUNTER}[\s:：(（]{{0,3}}{_AMOUNT}"
    r"|[(（]\d{1,3}(?:,?\d{3}){0,3}[)）]"
)
"""A number beside the name of what it counts, or alone in brackets."""
_columns = re.compile(
    rf"^(?=[^\d\n]{{5,80}}$)(?:[^\n]*?\s)?(?:(?:{_HEADS})(?![a-z])|{_HAN_HEADS})[^\n]*\n"
    r"(?:[^\d\n]{0,200}\n)?[^\d\n]{0,200}\d",
    re.MULTILINE,
).search
"""A line that names columns of counters, with a number below it."""
_digits = re.compile(r"\d+").findall
_number = re.compile(r"(?<![a-z0-9])[-−]?\d[\d.,:]*").findall


def table_numbers(text: str, words: int) -> list[str]:
    """The numbers of a text in order, without those that change by themselves; none if it is not a table of numbers.

    Args:
        text: The text without its title, which holds counters.
        words: How many words the text has beside the numbers.

    O(length): 0.03 ms for a text of 10 000 characters, 1.3 ms for a table of 300 numbers.
    """
    needed = max(LEAST_NUMBERS, -(-words // WORDS_TO_A_NUMBER))
    if sum(map(text.count, "0123456789")) < needed or len(_digits(text)) < needed:  # nothing below can add numbers
        return []
    plain = simplified(text.lower())
    if columns := _columns(plain):
        plain = plain[: columns.start()]  # counters follow, which would change at each visit, whatever else is there
    numbers = _without_counting([number.rstrip(".,:") for number in _number(_counters.sub(" ", _dates.sub(" ", plain)))])
    return numbers if len(numbers) >= needed else []


def _without_counting(numbers: list[str]) -> list[str]:
    """The numbers without runs of _COUNTED or more in which each is one more than the last."""
    kept, start = list[str](), 0
    for at in range(1, len(numbers) + 1):
        if at < len(numbers) and _follows(numbers[at - 1], numbers[at]):
            continue
        if at - start < _COUNTED:
            kept += numbers[start:at]
        start = at
    return kept


def _follows(one: str, other: str) -> bool:
    return len(one) <= 4 >= len(other) and one.isdecimal() and other.isdecimal() and int(other) == int(one) + 1
