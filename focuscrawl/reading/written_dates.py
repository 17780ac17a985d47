"""Full dates as people write them, in numbers and in the languages of `_MONTHS`.

`3/4/2021` is in March in the United States and in April in France. It is read only if the page's language tells which. The ends
of a range (*12.-14. Mai 2023*), which are days of an event, are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

_MONTHS = (
    "january jan januar januari jänner janvier janv enero ene gennaio gen janeiro января янв stycznia січня ocak "
    "ianuarie ledna يناير",
    "february feb februar februari feber février fevrier févr fév febrero febbraio fevereiro fev февраля фев lutego "
    "лютого şubat februarie února فبراير",
    "march mar märz maerz mär mrz maart mars marzo março marts марта мар marca березня mart martie března مارس",
    "april apr avril avr abril abr aprile апреля апр kwietnia квітня nisan aprilie dubna أبريل",
    "may mai mayo maggio mag maio mei maj мая maja травня mayıs května مايو",
    "june jun juni juin junio giugno giu junho июня июн czerwca червня haziran iunie června يونيو",
    "july jul juli juillet juil julio luglio lug julho июля июл lipca липня temmuz iulie července يوليو",
    "august aug août aout agosto ago augustus augusti августа авг sierpnia серпня ağustos srpna أغسطس",
    "september sep sept septembre septiembre setiembre settembre setembro сентября сен września вересня eylül "
    "septembrie září سبتمبر",
    "october oct oktober okt octobre octubre ottobre ott outubro октября окт października жовтня ekim octombrie října أكتوبر",
    "november nov novembre noviembre novembro ноября ноя listopada листопада kasım noiembrie listopadu نوفمبر",
    "december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro декабря дек grudnia грудня "
    "aralık decembrie prosince ديسمبر",
)
"""The names of each month: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Polish, Ukrainian, Turkish,
Romanian, Czech, Arabic, and what is alike in the languages of Scandinavia."""
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<year>\d{4})(?P<gap>\s?[-/.]\s?|\s?[年년]\s?)(?P<month>\d\d?)(?:(?P=gap)|\s?[月월]\s?)(?P<day>\d\d?)(?!\d)"
)
"""ISO 8601, and 2021年3月4日. What stands between the numbers is twice the same, unlike in *4. März 2021 - 10.20 Uhr*."""
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_NAME = r"(?P<name>[^\W\d_]{3,12})"
_FORMS = (
    YEAR_FIRST,
    *map(re.compile, (
        rf"(?<![\d.])(?P<day>\d\d?)(?P<mark>[./-])\s?(?P<month>\d\d?)(?P=mark)\s?{_YEAR}",
        r"(?<![\d.])(?P<day>\d\d)\.(?P<month>\d\d)\.(?P<short>\d\d)(?![\d.])",
        rf"(?<!\d)(?P<day>\d\d?)(?:st|nd|rd|th|er|[.º])?[\s-]{{1,2}}(?:de |of )?{_NAME}\.?,?[\s-]{{1,2}}(?:del? )?{_YEAR}",
        rf"(?<![^\W_]){_NAME}\.?\s(?P<day>\d\d?)(?:(?:st|nd|rd|th)?,\s?|(?:st|nd|rd|th)\s){_YEAR}",
    )),
)  # fmt: skip
_SLASHED = re.compile(r"(?<!\d)(\d\d?)/(\d\d?)/(?:19|20)\d\d(?!\d)")
YEAR_WRITTEN, _SHORT_YEAR = re.compile(r"(?:19|20)\d\d"), re.compile(r"\.\d\d\.\d\d")
"""Two patterns, because each begins with plain characters, by which `re` finds it fast."""
_TO = "(?:[-–—/]|bis|to|au|al)"
_MONTH_NAME = rf"(?:{'|'.join(_NUMBER_OF)})(?![^\W_])"
_RANGE_BEFORE = re.compile(rf"(?<![^\W_])(?<!:)(?:\d\d?|(?:19|20)\d\d)\.?(?:\s{_MONTH_NAME}\.?)?\s?{_TO}\s?$", re.IGNORECASE)
_RANGE_BEHIND = re.compile(
    rf"[日일]?\s?{_TO}\s?(?:(?:19|20)\d\d[-/.年]"
    rf"|\d\d?(?:\s?[日일]|$|\.?\s(?:de )?{_MONTH_NAME}|\.\s?\d\d?(?:\.|$)|[-/]\d\d?(?![\d:])))",
    re.IGNORECASE,
)
"""The other end of a range is a day. The time of the day, or a number of comments or minutes, may stand beside a dash, too."""
_DAY_FIRST = re.compile(r"(?!en|zh|ja|ko|hu|lt|sv|$)", re.IGNORECASE)
"""Labels of languages in which the day comes before the month, and in which `31.10.23` is a date and not a version."""


class WrittenDate(NamedTuple):
    day: date
    start: int
    end: int


def may_have_date(text: str) -> bool:
    """Whether a text has the year of a date, which is told much faster than whether it has one."""
    return YEAR_WRITTEN.search(text) is not None or _SHORT_YEAR.search(text) is not None


def dates_in(line: str, language: str) -> Iterator[WrittenDate]:
    """The dates in a line of text, by their forms. `language`: the label of the page's language, or empty."""
    if not may_have_date(line):
        return
    for form in _FORMS:
        for found in form.finditer(line):
            day = _day(found.groupdict(), language)
            if day and not (_RANGE_BEFORE.search(line[: found.start()]) or _RANGE_BEHIND.match(line, found.end())):
                yield WrittenDate(day, found.start(), found.end())


def is_ambiguous(text: str) -> bool:
    """Whether a text has a date whose day and month may be the other way round, as in the United States."""
    return any(_either_way(int(found[1]), int(found[2])) for found in _SLASHED.finditer(text))


def _either_way(day: int, month: int) -> bool:
    return day <= 12 and month <= 12 and day != month


def _day(parts: dict[str, str | None], language: str) -> date | None:
    """The day of a match of one of the forms; None if there is no such day, or if the language leaves it open."""
    is_day_first = _DAY_FIRST.match(language) is not None
    year = int(parts.get("year") or f"20{parts['short']}")
    name = parts.get("name")
    month = _NUMBER_OF.get(name.lower(), 0) if name else int(parts["month"] or 0)
    day = int(parts["day"] or 0)
    if parts.get("mark") == "/" and month > 12:
        day, month = month, day
    is_open = parts.get("mark") == "/" and _either_way(day, month)
    if not is_day_first and (is_open or parts.get("short")):
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
