"""Who owns what: even, the same everywhere, and hardly moved by a worker more."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as some

from focuscrawl.errors import BadInput
from focuscrawl.frontier.partition import (
    BUCKETS,
    MOST_WORKERS,
    Partition,
    bucket_of,
    buckets_of,
    key_of,
    owner,
    parse_part,
    range_of,
)

COUNTS = some.integers(1, MOST_WORKERS)
NAMES = some.text("abcdefghij-.", min_size=1, max_size=30)


@pytest.mark.slow
@effort(max_examples=20, deadline=None)
@given(COUNTS)
def test_the_parts_of_any_number_of_workers_are_all_buckets_once(count: int) -> None:
    parts = [buckets_of(number, count) for number in range(1, count + 1)]
    assert sorted(bucket for part in parts for bucket in part) == list(range(BUCKETS))
    assert all(part for part in parts)


@pytest.mark.slow
@effort(max_examples=20, deadline=None)
@given(some.integers(1, MOST_WORKERS - 1))
def test_a_worker_more_takes_its_share_and_nothing_else_moves(count: int) -> None:
    moved = [bucket for bucket in range(BUCKETS) if owner(bucket, count) != owner(bucket, count + 1)]
    assert {owner(bucket, count + 1) for bucket in moved} == {count + 1}
    expected = BUCKETS / (count + 1)
    assert abs(len(moved) - expected) < 4 * expected**0.5 + 2


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_hosts_fall_evenly(count: int) -> None:
    found = Counter(owner(bucket_of(f"www.host{n}.example"), count) for n in range(20_000))
    fair = 20_000 / count
    assert all(0.75 * fair < found[number] < 1.25 * fair for number in range(1, count + 1))


@effort(max_examples=50)
@given(NAMES)
def test_a_key_always_falls_into_the_same_bucket_of_those_there_are(name: str) -> None:
    assert 0 <= bucket_of(name) < BUCKETS
    assert bucket_of(name) == bucket_of(name)


def test_the_numbers_are_those_of_every_version_of_the_program() -> None:
    """A change here would give the hosts of every running crawl to other workers."""
    assert [bucket_of(name) for name in ("a.test", "b.test", "例子.test")] == [270, 890, 69]
    assert [owner(5, count) for count in range(1, 9)] == [1, 2, 3, 3, 5, 5, 7, 7]


@pytest.mark.parametrize(
    ("grain", "url", "address", "key"),
    [
        ("host", "https://News.test:8443/a/b".lower(), "192.0.2.7", "news.test"),
        ("domain", "http://news.pku.edu.cn/a", "", "pku.edu.cn"),
        ("address", "http://a.test/", "192.0.2.7", "192.0.2.0/24"),
        ("address", "http://a.test/", "::ffff:192.0.2.7", "192.0.2.0/24"),
        ("address", "http://a.test/", "2001:db8:1:2::3", "2001:db8:1::/48"),
        ("address", "http://a.test/", "", "a.test"),
        ("address", "http://a.test/", "no address", "a.test"),
        ("path", "http://a.test/news/1.html", "", "a.test/news"),
        ("path", "http://a.test/news?page=2/3", "", "a.test/news"),
        ("path", "http://a.test/", "", "a.test/"),
        ("path", "http://a.test", "", "a.test/"),
        ("path", "http://[2001:db8::1]:8080/x/", "", "2001:db8::1/x"),
    ],
)
def test_what_stays_together(grain: str, url: str, address: str, key: str) -> None:
    assert key_of(grain, url, address) == key


def test_an_address_range_holds_its_neighbours() -> None:
    assert range_of("192.0.2.1") == range_of("192.0.2.254") != range_of("192.0.3.1")


@pytest.mark.parametrize(("text", "part"), [("1/1", (1, 1)), ("2/4", (2, 4)), (" 3 / 3 ", (3, 3)), ("64/64", (64, 64))])
def test_a_part_is_read(text: str, part: tuple[int, int]) -> None:
    assert parse_part(text) == part


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "-1/3", "1/0", "1/65", "a/b", "1/2/3", "1.5/2", "²/3", "9" * 5000])
def test_what_is_no_part_is_refused_with_one_sentence(text: str) -> None:
    with pytest.raises(BadInput, match=r"^partition: .* is not i/n .* -a partition=2/4") as refusal:
        parse_part(text)
    assert len(str(refusal.value)) < 250


def test_a_partition_knows_its_buckets() -> None:
    part = Partition(2, 3)
    assert str(part) == "2/3"
    assert all(part.owns(bucket) == (bucket in part.buckets) for bucket in range(BUCKETS))
    assert len(Partition(1, 1).buckets) == BUCKETS
