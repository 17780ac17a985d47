"""How dates and times are written, in English and Chinese."""

from __future__ import annotations

import re

STEMS = {
    "january": "januari", "february": "februari", "july": "juli", "september": "septemb", "october": "octob",
    "november": "novemb", "december": "decemb", "tues": "tue", "thurs": "thur",
}  # fmt: skip
"""As the segmenter stems them; the other names stay as they are."""

_LATIN = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
    "|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues|tue|wed|thurs|thur|thu|fri|sat|sun"
    "|today|yesterday|tomorrow|am|pm|gmt|utc|est|edt|cst|cdt|pst|pdt|cet|cest|bst|hundred|thousand|million|billion"
)
_HAN = "(?:星期|周|礼拜)[一二三四五六日天]|[上下中]午|早上|早晨|晚上|傍晚|凌晨|今[天日]|昨[天日]|前天|明天|农历"
_HAN += "|[百千万亿][次人条篇个元]"
_GAP = r"(?:\s(?:of|at|on)\s|[\s,.·|/()（），、-]{0,4})"
_WHOLE = rf"(?<![a-z0-9\u00c0-\u024f])(?:{_LATIN})(?![a-z0-9\u00c0-\u024f])"

is_name = re.compile("|".join([*(STEMS.get(name, name) for name in _LATIN.split("|")), _HAN])).fullmatch
"""Is a word, as the segmenter gives it, such a name?"""
WRITTEN: dict[str, tuple[str, ...]] = {
    stem: tuple(name for name in _LATIN.split("|") if STEMS.get(name, name) == stem) for stem in STEMS.values()
}
"""The forms of a stemmed name; the other names have but one."""
before_digit = re.compile(rf"({_WHOLE}|{_HAN})(?:{_GAP}may)?{_GAP}$").search
"""May is a stop word, which the segmenter drops."""
after_digit = re.compile(rf"(?:st|nd|rd|th|日|号)?{_GAP}({_WHOLE}|{_HAN})").match

_UNITS = "(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)(?![a-z])"
_HAN_UNITS = "(?:\\s?(?:个月|分钟|小时|秒钟|[年月天周](?=前))|(?:星期|周)(?![一二三四五六日天])|[年月日号点时分秒天万亿次])+"
_DIGITS = "[〇零一二三四五六七八九十百千两廿卅]"
_NUMBER = rf"\d[\d.,:/-]*+(?:\s?{_UNITS}|[a-z]++|{_HAN_UNITS})?(?:\s?ago(?![a-z])|前)?"
_HAN_DATE = "|".join([
    f"{_DIGITS}{{2,6}}年(?:{_DIGITS}{{1,3}}月)?(?:{_DIGITS}{{1,3}}[日号])?",
    f"{_DIGITS}{{1,3}}月{_DIGITS}{{1,3}}[日号]",
    f"(?:[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]年)?闰?[正冬腊〇零一二三四五六七八九十]{{1,2}}月(?:初|{_DIGITS}){_DIGITS}{{1,2}}",
    f"(?:[上下中]午|凌晨|早上|晚上){_DIGITS}{{1,3}}点(?:{_DIGITS}{{1,3}}分|半)?",
])  # fmt: skip
_NAME, _COUNT = rf"(?:{_WHOLE}|{_HAN}|[ap]\.m\.)", f"(?:{_NUMBER}|{_HAN_DATE})"
_dates = re.compile(rf"(?:{_NAME}{_GAP}){{0,3}}{_COUNT}(?:{_GAP}(?:{_COUNT}|{_NAME})){{0,8}}")


def undated(text: str) -> str:
    """A line of lower-case text, such as a title, without its numbers and dates.

    >>> undated("(12) news of saturday, 21 november 2026").split()
    ['(', ')', 'news', 'of']
    """
    return _dates.sub(" ", text)
