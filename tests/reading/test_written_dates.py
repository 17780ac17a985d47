from __future__ import annotations

from datetime import date

import pytest

from focuscrawl.reading.written_dates import dates_in, is_ambiguous
from tests.linear_time import linear

MARCH = date(2021, 3, 4)


def found(line: str, language: str = "") -> list[date]:
    return [each.day for each in dates_in(line, language)]


@pytest.mark.parametrize(
    "line",
    [
        "2021-03-04", "2021/3/4", "2021.03.04", "2021年3月4日", "2021년 3월 4일", "04.03.2021", "4. 3. 2021", "4-3-2021",
        "March 4, 2021", "Mar. 4th, 2021", "4 March 2021", "4th of March 2021", "4. März 2021", "4 mars 2021",
        "4 de marzo de 2021", "4 marzo 2021", "4 de março de 2021", "4 maart 2021", "4 марта 2021 г.", "4 marca 2021",
        "4 березня 2021", "4 Mart 2021", "4 martie 2021", "4. března 2021", "4 مارس 2021", "Thursday, 04-Mar-2021",
        "04.03.2021 - 10:20 Uhr", "4. März 2021 - 10 Uhr", "2021 - 03 - 04", "2021 年 3 月 4 日", "2021. 3. 4.",
        "4. März 2021 - 10.20 Uhr", "10:20 - 04.03.2021", "4. März 2021/0 Kommentare/in Blog", "March 4, 2021 - 5 min read",
        "March 4th 2021",
        "Ada99 - 4 March 2021", "4 mars 2021 - 10h20",
    ],
)  # fmt: skip
def test_a_date_is_read_as_people_write_it(line: str) -> None:
    assert found(line) == [MARCH]


@pytest.mark.parametrize(
    "line",
    [
        "March 2021", "2021", "4 Marching 2021", "31.02.2021", "2021-13-04", "12345.03.04.2021", "4.-6. März 2021",
        "4.–6. März 2021", "2.-4. März 2021", "4. März 2021 bis 6. März", "4 March 1821", "March 4 2021 10:20", "20210304",
        "2021 - 10.20", "2021.10-20", "28 Feb - 4 March 2021", "04.03.2021 - 06.03.2021", "04.03.2021-06.03.21",
        "04.03.2021 - 06.03.", "4 March 2021 - 6 March", "4 de marzo de 2021 al 6 de marzo", "4/3/2021 - 6/3/2021",
        "2021-03-04 - 2021-03-06", "2021-03-04/06", "2021.03.04-03.06", "2021年3月4日-6日", "",
    ],
)  # fmt: skip
def test_parts_of_dates_and_days_of_events_are_none(line: str) -> None:
    assert found(line) == []


@pytest.mark.parametrize(
    ("line", "language", "expected"),
    [
        ("4/3/2021", "fr", [MARCH]), ("4/3/2021", "pt-BR", [MARCH]), ("4/3/2021", "en-US", []), ("4/3/2021", "", []),
        ("14/3/2021", "", [date(2021, 3, 14)]), ("3/14/2021", "fr", [date(2021, 3, 14)]),
        ("4/4/2021", "en", [date(2021, 4, 4)]),
        ("04.03.21", "de", [MARCH]), ("04.03.21", "en", []), ("04.03.21", "", []), ("1.04.03.21", "de", []),
        ("21.03.04", "hu", []), ("21.03.04", "sv-SE", []),
    ],
)  # fmt: skip
def test_the_language_tells_what_numbers_mean(line: str, language: str, expected: list[date]) -> None:
    assert found(line, language) == expected


def test_a_day_that_may_be_a_month_is_ambiguous() -> None:
    assert is_ambiguous("11/01/2023 12:43:42")
    assert not any(map(is_ambiguous, ["13/01/2023", "01/13/2023", "11/11/2023", "11.01.2023", "11-01-2023", "2023/11/01"]))


@pytest.mark.parametrize("piece", ["4 ", "4.", "2021-", "März ", "2021 4 de ", "12/", "bis 4 "])
def test_hostile_lines_are_read_in_linear_time(piece: str) -> None:
    with linear():
        assert found(piece * (20_000 // len(piece)), "de") == []
