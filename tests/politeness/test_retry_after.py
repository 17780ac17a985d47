"""Retry-After in every form that servers send."""

from __future__ import annotations

import pytest

from focuscrawl.politeness.pace import http_time, retry_after_seconds

_NOW = 784_111_777.0  # Sun, 06 Nov 1994 08:49:37 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("1.5", 1.5),
        ("Sun, 06 Nov 1994 08:51:37 GMT", 120.0),
        ("Sunday, 06-Nov-94 08:51:37 GMT", 120.0),
        ("Sun Nov  6 08:51:37 1994", 120.0),
        ("1994-11-06T08:51:37Z", 120.0),
        ("Sun, 06 Nov 1994 09:51:37 +0100", 120.0),
        ("Sun, 06 Nov 1994 08:49:36 GMT", None),
        ("-1", None),
        ("-120", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("1e3", None),
        ("12 seconds", None),
        ("٣٠", None),
        ("Sun, 99 Nov 1994 08:51:37 GMT", None),
        ("9" * 400, None),
        ("x" * 100_000, None),
    ],
)
def test_parse(value: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(value, _NOW) == seconds


def test_a_date_far_away_is_given_as_it_is() -> None:
    wait = retry_after_seconds("Thu, 31 Dec 2099 23:59:59 GMT", _NOW)
    assert wait is not None
    assert wait > 100 * 365 * 86_400


def test_moment_without_zone_is_utc() -> None:
    assert http_time("1994-11-06 08:49:37") == _NOW
