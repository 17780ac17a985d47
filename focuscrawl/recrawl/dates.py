"""The words of a page without its numbers and dates: what changes by itself is not what a page says.

A month, a weekday or a word such as `today` is part of a date only next to a number; elsewhere it stays (closed on Sunday, the
name April). The segmenter drops numbers of one digit, so that the text is asked whether a name stood next to one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from focuscrawl.recrawl.datewords import STEMS, WRITTEN, after_digit, before_digit, is_name
from focuscrawl.text.folding import simplified

WORD, NAME, PART, NUMBER, AGO, DROPPED = range(6)
"""What stays; the name of a time; one that holds a number (一月, 初八); a number, with its unit or not; `ago`; what goes."""

_DIGITS = "〇零一二三四五六七八九十百千两廿卅"
_han_number = re.compile(f"[{_DIGITS}]*[十百千零〇][{_DIGITS}]+|[{_DIGITS}]+[十百千零〇]|[{_DIGITS}]{{3,}}").fullmatch
_han_date = re.compile(f"(?:[{_DIGITS}]+[年月日号点时分秒])+[{_DIGITS}]*|[正冬腊{_DIGITS}]+月初?[{_DIGITS}]+").fullmatch
_han_part = re.compile(
    f"[{_DIGITS}][{_DIGITS}年月日号点时分秒]|初[{_DIGITS}]|[正冬腊]月|[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]年?"
).fullmatch
_UNITS = frozenset(("second", "sec", "minut", "min", "hour", "hrs", "hr", "day", "week", "month", "year"))
_RELATIVE = frozenset(("秒钟", "分钟", "小时", "钟头", "秒前", "分钟前", "小时前", "半小时", "天前", "周前", "月前", "年前"))
"""Of `5 分钟前` the segmenter leaves 分钟; without a number these words hardly occur."""
_lonely = re.compile(rb"(?<!\x03)\x01(?!\x03)").search
"""In the kinds of all words: a name without a number beside it."""
_runs = re.compile(rb"[\x01-\x03]+").finditer
_numbers = re.compile(r"\d[\d.,:]*").finditer
_long = re.compile(r"\d\d").search
_REACH = 24
"""Characters around a number within which a name belongs to it."""
_MOST_NUMBERS = 1000
"""That are looked at in one text."""


def lasting(words: Sequence[str], text: str = "") -> list[str]:
    """The words that are no numbers and no part of dates. `text`: what they were cut from."""
    told = [_told(word) for word in words]
    kinds = bytearray([kind for kind, _ in told])
    if NAME in kinds or PART in kinds:
        if text and _lonely(kinds):
            _ask_text(words, kinds, simplified(text.lower()))
        _join(kinds)
    if AGO in kinds:
        _drop_ago(words, kinds)
    return [word for kind, (_, word) in zip(kinds, told, strict=True) if kind <= PART and word]


@lru_cache(maxsize=1 << 16)
def _told(word: str) -> tuple[int, str]:
    """Kind of a word as the segmenter gives it, and the word without digits."""
    if word[:1].isdecimal():
        return NUMBER, ""
    if word.isascii():
        bare = word if word.isalpha() else "".join(char for char in word if not char.isdecimal())
        if is_name(bare):
            return (NAME if bare == word else NUMBER), bare
        return (AGO if bare == "ago" else WORD), bare
    if word in _RELATIVE:
        return DROPPED, ""
    if _han_number(word):
        return NUMBER, ""
    if _han_part(word):
        return PART, word
    if _han_date(word):
        return NUMBER, ""
    return (NAME if is_name(word) else WORD), word


def _join(kinds: bytearray) -> None:
    """A run of names with a number in it is a date, and so is one of several that hold numbers."""
    for run in list(_runs(bytes(kinds))):
        if NUMBER in run[0] or (PART in run[0] and len(run[0]) > 1):
            kinds[run.start() : run.end()] = bytes([DROPPED]) * len(run[0])


def _drop_ago(words: Sequence[str], kinds: bytearray) -> None:
    for place in range(1, len(kinds)):
        if kinds[place] == AGO and words[place - 1] in _UNITS:
            kinds[place - 1] = DROPPED


def _ask_text(words: Sequence[str], kinds: bytearray, text: str) -> None:
    """Names that stand next to a number of one digit become numbers; the first one in the text is the first of the words."""
    found: dict[str, set[int]] = {}
    for word, at in _dated(text):
        found.setdefault(word, set()).add(at)
    for word, dated in found.items():
        places = [place for place, each in enumerate(words) if each == word]
        for place, at in zip(places, _occurrences(text, word), strict=False):
            if at in dated:
                kinds[place] = NUMBER


def _dated(text: str) -> Iterator[tuple[str, int]]:
    """Names that stand next to a number of one digit: the word, and where it begins."""
    for number in islice(_numbers(text), _MOST_NUMBERS):
        if _long(number[0]):
            continue
        start = max(number.start() - _REACH, 0)
        before = before_digit(text[start : number.start()])
        after = after_digit(text[number.end() : number.end() + _REACH])
        for match, base in ((before, start), (after, number.end())):
            if match:
                yield STEMS.get(match[1], match[1]), base + match.start(1)


def _occurrences(text: str, word: str) -> list[int]:
    """Where the word stands in the text, in whichever form."""
    return sorted(at for form in WRITTEN.get(word, (word,)) for at in _places(text, form))


def _places(text: str, form: str) -> Iterator[int]:
    at, latin = text.find(form), form.isascii()
    while at >= 0:
        end = at + len(form)
        if not latin or not (_joins(text[at - 1 : at]) or _joins(text[end : end + 1])):
            yield at
        at = text.find(form, end)


def _joins(char: str) -> bool:
    """Is it a letter or digit of the same word?"""
    return char.isalnum() and not "\u2e80" <= char <= "\uffff"
