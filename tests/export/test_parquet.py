"""Values that Parquet wants in a form of its own."""

from __future__ import annotations

from datetime import date

import pytest

from focuscrawl.export.parquet import _value


@pytest.mark.parametrize(
    ("text", "day"),
    [("2019", date(2019, 1, 1)), ("2019-05", date(2019, 5, 1)), ("2019-05-17", date(2019, 5, 17)), ("", None)],
)
def test_a_year_or_a_month_is_its_first_day(text: str, day: date | None) -> None:
    assert _value("published", text) == day
