from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.items import PageSignature
from focuscrawl.recrawl.page_signature import (
    LEAST_NUMBERS,
    REWRITTEN,
    WORDS_TO_A_NUMBER,
    changed,
    distance,
    signature_of,
    table_numbers,
)
from focuscrawl.recrawl.state import MATERIAL
from focuscrawl.text.segment import Segmenter
from tests.linear_time import linear

SEGMENTER = Segmenter()
PRICES = "\n".join(f"Apples of kind {letter} {7 * at + 3}.50 -{at}" for at, letter in enumerate("abcdefghijkl"))


def mark(text: str, title: str = "Prices") -> PageSignature:
    whole = f"{title}\n{text}"
    return signature_of(title, SEGMENTER.terms(whole), whole)


def table(line: str, rows: int = LEAST_NUMBERS) -> str:
    """Rows that end alike, each with a number that no other has."""
    return "\n".join(f"apple {13 * row + 5} each {line}" for row in range(rows))


def test_the_numbers_of_a_table_in_their_order() -> None:
    found = table_numbers("Club 3.5 -2 1,234\n价格12.80元 mp3 h264 r-9\n" + "1 5 2 9 " * 3, 6)
    assert found == ["3.5", "-2", "1,234", "12.80", "9", *["1", "5", "2", "9"] * 3]


def test_a_table_has_many_numbers_and_few_words_to_each() -> None:
    assert len(table_numbers(table(""), LEAST_NUMBERS * WORDS_TO_A_NUMBER)) == LEAST_NUMBERS
    assert table_numbers(table(""), LEAST_NUMBERS * WORDS_TO_A_NUMBER + 1) == []
    assert table_numbers(table("", LEAST_NUMBERS - 1), 0) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2026-11-09", "2026-11-10"),
        ("2026-11-09T10:32:07Z", "2027-01-02T00:00:59Z"),
        ("9.11.2026", "10.11.2026"),
        ("11/21 10:32:07", "1/2 9:05:00"),
        ("11-21 10:32", "12-02 08:10"),
        ("Nov 5, 2026", "Dec 12, 2026"),
        ("5th of November 2026, 9 pm", "16 June 2026, 10:15 am"),
        ("3 hours ago", "12 days ago"),
        ("3h ago", "2d ago"),
        ("2026年11月9日 8点15分", "2026年12月10日 17点40分"),
        ("5分钟前", "3天前"),
        ("1,234 views", "999k views"),
        ("views12 comments 9", "views1244 comments 14"),
        ("0.9 million visits", "12.5 million visits"),
        ("阅读(1234) 评论 9", "阅读(1260) 评论 14"),
        ("9999次浏览", "1.2万次浏览"),
        ("(12)", "(1,260)"),
        ("done in 0.02 seconds", "done in 1.15 seconds"),
    ],
)
def test_dates_and_counters_are_no_numbers_of_a_table(one: str, other: str) -> None:
    assert table_numbers(table(one), 12) == table_numbers(table(other), 12) == table_numbers(table(""), 12) != []


@pytest.mark.parametrize(
    ("one", "other"), [("3:1", "2:1"), ("12 °C", "-12 °C"), ("1.20", "1.30"), ("12%", "13%"), ("Monday 5", "Monday 7")]
)
def test_other_numbers_are(one: str, other: str) -> None:
    assert table_numbers(table(one), 12) != table_numbers(table(other), 12)
    assert len(table_numbers(table(one), 12)) == 2 * LEAST_NUMBERS


def test_the_number_before_the_name_of_a_counter_stays_where_its_own_comes_behind_it() -> None:
    numbers = "\n".join(f"苹果 {7 * row}.5 评论：{row}" for row in range(LEAST_NUMBERS))
    assert table_numbers(numbers, 12) == [f"{7 * row}.5" for row in range(LEAST_NUMBERS)]


@pytest.mark.parametrize("heads", ["Topic Replies Views", "Title\tDownloads", "主题 作者 回复 查看"])
def test_columns_of_counters_are_no_table(heads: str) -> None:
    assert table_numbers(f"{heads}\n{table('9')}", 12) == []
    assert table_numbers(f"Fruit Price\n{table('9')}", 12) != []
    assert table_numbers(f"{table('9')}\n{heads}\nby 5 others", 12) == table_numbers(table("9"), 12)


def test_a_calendar_is_no_table() -> None:
    days = " ".join(map(str, range(1, 31)))
    assert table_numbers(f"Mon Tue Wed Thu Fri Sat Sun {days}", 7) == []
    assert table_numbers(f"{table('')}\n{days}", 12) == table_numbers(table(""), 12)
    assert len(table_numbers("1 2 3 9 " * 3, 0)) == 12
    assert len(table_numbers(f"{'9' * 5000} 1{'0' * 4999} " * 6, 0)) == 12


def test_numbers_are_compared_where_both_versions_are_tables() -> None:
    before, one = mark(PRICES), mark(PRICES.replace("17.50", "18.50"))
    assert changed(before, one)
    assert 0 == distance(before, one) <= MATERIAL
    all_new = mark(PRICES.replace(".50", ".90"))
    assert (before.digest, before.simhash) == (all_new.digest, all_new.simhash)
    assert MATERIAL < distance(before, all_new) <= REWRITTEN
    prose = signature_of("Prices", SEGMENTER.terms(f"Prices\n{PRICES}"))  # as one that was stored before numbers counted
    assert prose.numbers == b""
    assert not changed(prose, all_new)


def test_a_number_in_the_title_is_none_of_the_table() -> None:
    assert mark(PRICES, "(3) Prices") == mark(PRICES, "(12) Prices") == mark(PRICES)
    assert mark(PRICES, "3 Prices") == mark(PRICES, "12 Prices") == mark(PRICES)


def test_a_table_without_any_word_is_a_page() -> None:
    found = mark("2.5 " * LEAST_NUMBERS, "")
    assert found.digest
    assert changed(found, mark("2.6 " * LEAST_NUMBERS, ""))


@settings(max_examples=100)
@given(st.text(max_size=300), st.integers(0, 100))
def test_any_text_has_an_answer(text: str, words: int) -> None:
    found = table_numbers(text, words)
    assert not found or len(found) >= max(LEAST_NUMBERS, words / WORDS_TO_A_NUMBER)
    assert all(number.strip("-−.,:") for number in found)


@pytest.mark.parametrize(
    "filler", ["1.1", "1,", "2026-", "(1", "1-1-", "views\n", "january 1", "comments 5\n", "a回复\n", "12:30 "]
)
def test_time_is_linear(filler: str) -> None:
    with linear():
        table_numbers(filler * (200_000 // len(filler)) + "1" * 200_000, 10)
