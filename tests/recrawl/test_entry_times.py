from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.recrawl.entry_times import epoch_of
from tests.linear_time import linear


@pytest.mark.parametrize(
    ("text", "epoch"),
    [
        ("2005-01-01", 1104623999.0),
        ("2024-02", 1709251199.0),
        ("2023", 1704067199.0),
        ("2024-12", 1735689599.0),
        ("2004-12-23T18:00:15+00:00", 1103824815.0),
        ("2004-12-23T18:00:15Z", 1103824815.0),
        ("2004-12-23T18:00:15.123456+08:00", 1103796015.0),
        ("2004-12-23T18:00+0800", 1103796000.0),
        ("2004-12-23 18:00:15", 1103824815.0),
        ("2004-12-23T18:00:15-05:30", 1103844615.0),
        (" 2004/12/3 ", 1102118399.0),
        ("2004-12-23T24:00:00Z", 1103846400.0),
        ("2004-12-31T24:00:00+08:00", 1104508800.0),
        ("2004-12-23T25:00:00Z", 0.0),
        ("2004-13-01", 0.0),
        ("2004-02-30", 0.0),
        ("9999-12-31", 0.0),
        ("0000", 0.0),
        ("yesterday", 0.0),
        ("2004-12-23T18:00:15+99:99", 0.0),
        ("", 0.0),
    ],
)
def test_times_of_all_precisions(text: str, epoch: float) -> None:
    assert epoch_of(text) == epoch


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("Sun, 20 Sep 2026 18:00:00 +0800", 1789898400.0),
        ("Sun, 20 Sep 2026 18:00:00 +08:00", 1789898400.0),
        ("Sun,20 Sep 2026 18:00:00 GMT+8", 1789898400.0),
        ("Sunday, 20 September 2026, 18:00:00+0800", 1789898400.0),
        ("Sun, 20 Sep 2026 10:00:00", 1789898400.0),
        ("2026/09/20 10:00:00", 1789898400.0),
        ("2026-09-20T18:00+08:00", 1789898400.0),
        ("20260920T100000Z", 1789898400.0),
        ("Sun, 20 Sep 2026 10:00:00 AM GMT", 1789898400.0),
        ("Sun, 20 Sep 2026 06:00:00 PM +0800", 1789898400.0),
        ("Sun, 20 Sep 2026 06:00 a.m. EDT", 1789898400.0),
        ("Sunday, September 20, 2026 6:00 pm GMT+8", 1789898400.0),
        ("2026/9/20 10:00AM", 1789898400.0),
        ("2026-09-20 18:00:00 PM +0800", 1789898400.0),
        ("Sun, 20 Sep 2026 12:30:00 AM GMT", 1789864200.0),
        ("Sun, 20 Sep 2026 12:30:00 PM GMT", 1789907400.0),
        ("2026年9月20日 18:00", 1789948799.0),
        ("dim, 20 septembre 2026 18:00:00 +0200", 1789948799.0),
        ("September 20, 2026", 1789948799.0),
        ("20.09.2026 18:00", 1789948799.0),
        ("9999/12/31 x", 0.0),
        ("Mon, 04 Mar 1950 10:00:00 GMT", 0.0),
        ("9/2/2026", 0.0),  # February, or September
        ("1789898400", 0.0),
        ("today", 0.0),
        ("", 0.0),
    ],
)
def test_times_as_many_write_them(written: str, at: float) -> None:
    assert epoch_of(written) == at


@given(st.text(max_size=40))
def test_times_never_raise(text: str) -> None:
    assert epoch_of(text) >= 0


@pytest.mark.parametrize("piece", ["9/2/2026 ", "2026 ", "Mon, ", "1-1-"])
def test_a_long_text_costs_no_more_than_its_beginning(piece: str) -> None:
    with linear():
        for _ in range(20):
            assert epoch_of(piece * 1_000_000) == 0.0
