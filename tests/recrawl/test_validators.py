"""When headers prove that a page is the version we have, and when they prove nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.recrawl.state import RevisitRecord, SiteProfile
from focuscrawl.recrawl.validators import REMEMBERED, agree, is_past, learn, length_of, must_read, trusted

DATE = ("Date", "Tue, 02 Jun 2026 10:00:00 GMT")
NOON = "Mon, 01 Jun 2026 12:00:00 GMT"
LATER = "Wed, 03 Jun 2026 10:00:00 GMT"
AT_ONCE = DATE[1]
TAG = '"abc"'


@pytest.mark.parametrize(
    ("stored", "headers", "same"),
    [
        ((TAG, "", -1), [("ETag", TAG)], True),
        ((TAG, "", -1), [("etag", f"W/{TAG}")], True),
        (("W/" + TAG, "", -1), [("ETag", f" {TAG} ")], True),
        ((TAG, NOON, 7), [("ETag", TAG), ("Last-Modified", NOON), ("Content-Length", "7")], True),
        (("", NOON, -1), [("Last-Modified", NOON)], True),
        ((TAG, "", 7), [("ETag", TAG)], True),
        ((TAG, "", -1), [("ETag", TAG), ("Content-Length", "7")], True),
        ((TAG, "", -1), [("ETag", '"new"')], False),
        ((TAG, NOON, 7), [("ETag", TAG), ("Last-Modified", NOON), ("Content-Length", "8")], False),
        ((TAG, NOON, -1), [("ETag", TAG), ("Last-Modified", "Mon, 01 Jun 2026 12:00:01 GMT")], False),
        ((TAG, NOON, -1), [("Last-Modified", NOON)], False),
        ((TAG, "", -1), [("ETag", TAG), ("Last-Modified", NOON)], False),
        (("", "", 7), [("Content-Length", "7")], False),
        (("", "", -1), [], False),
        ((TAG, "", -1), [], False),
    ],
)
def test_all_that_is_there_must_agree(stored: tuple[str, str, int], headers: list[tuple[str, str]], same: bool) -> None:
    assert agree(*stored, [DATE, *headers]) is same


@pytest.mark.parametrize("modified", [AT_ONCE, LATER, "yesterday", "0", "Thu, 01 Jan 1970 00:00:00 GMT"])
def test_a_date_that_is_no_time_of_a_change_proves_nothing(modified: str) -> None:
    assert not agree("", modified, 7, [DATE, ("Last-Modified", modified), ("Content-Length", "7")])


def test_nor_does_it_deny_what_a_tag_proves() -> None:
    """Servers that send the time of the request: it differs each time."""
    assert agree(TAG, AT_ONCE, -1, [("Date", LATER), ("ETag", TAG), ("Last-Modified", LATER)])
    assert agree(TAG, "", -1, [("Date", LATER), ("ETag", TAG), ("Last-Modified", LATER)])


def test_a_tag_of_each_request_never_agrees() -> None:
    assert not agree('"1"', NOON, 7, [DATE, ("ETag", '"2"'), ("Last-Modified", NOON), ("Content-Length", "7")])


@pytest.mark.parametrize("tag", ["", '""', 'W/""', '"' + "a" * 198 + '"'])
def test_a_tag_that_is_empty_or_was_cut_proves_nothing(tag: str) -> None:
    assert not agree(tag, "", 7, [("ETag", tag), ("Content-Length", "7")])


def test_without_a_date_of_the_answer_our_clock_counts() -> None:
    assert agree("", LATER, -1, [("Last-Modified", LATER)])
    assert not agree("", LATER, -1, [("Last-Modified", LATER)], now=1_780_000_000.0)


def test_a_validator_that_is_told_twice_is_not_told() -> None:
    assert not agree(TAG, "", -1, [("ETag", TAG), ("ETag", '"other"')])
    assert agree(TAG, "", -1, [("ETag", TAG), ("ETag", TAG)])


def test_is_past() -> None:
    assert is_past(NOON, 0.0)
    assert is_past(NOON, 1_790_000_000.0)
    assert not is_past(NOON, 1_780_000_000.0)
    assert not is_past("", 0.0)


@pytest.mark.parametrize(
    ("values", "length"),
    [([], -1), (["12"], 12), ([" 12 "], 12), (["12", "12"], 12), (["12", "13"], -1), (["-1"], -1), (["1e3"], -1), (["٣"], -1)],
)
def test_length(values: list[str], length: int) -> None:
    assert length_of([("content-length", value) for value in values]) == length


def test_an_endless_length_fits_the_store() -> None:
    assert length_of([("Content-Length", "9" * 19)]) < 1 << 63
    assert length_of([("Content-Length", "9" * 5000)]) == -1


def test_hosts_are_trusted_until_they_lie() -> None:
    profile = SiteProfile()
    assert trusted(profile)
    profile = learn(profile, True, False)
    assert not trusted(profile)
    for _ in range(4):
        assert not trusted(profile)
        profile = learn(profile, True, True)
    assert trusted(profile)


def test_headers_that_disagree_teach_nothing() -> None:
    assert learn(SiteProfile(headers_right=3, headers_wrong=1), False, False) == SiteProfile(headers_right=3, headers_wrong=1)
    assert learn(SiteProfile(headers_right=3, headers_wrong=1), False, True) == SiteProfile(headers_right=3, headers_wrong=1)


def test_a_host_that_was_right_for_years_and_now_lies_is_found_out() -> None:
    profile = SiteProfile()
    for _ in range(1000):
        profile = learn(profile, True, True)
    lies = 0
    while trusted(profile):
        profile, lies = learn(profile, True, False), lies + 1
    assert lies <= 5


@settings(max_examples=50)
@given(st.lists(st.booleans(), max_size=200))
def test_the_record_stays_small(seen: list[bool]) -> None:
    profile = SiteProfile()
    for same in seen:
        profile = learn(profile, True, same)
        assert 0 <= profile.headers_right + profile.headers_wrong <= REMEMBERED


def test_every_tenth_visit_reads() -> None:
    unread, read = 0, []
    for number in range(30):
        if must_read(RevisitRecord(1, 2, unread=unread)):
            read.append(number)
            unread = 0
        else:
            unread += 1
    assert read == [9, 19, 29]
