from __future__ import annotations

import random

import pytest

from focuscrawl.dedup.confirm import (
    SPREAD,
    THRESHOLD,
    different_numbers,
    different_subjects,
    same_page,
    same_text,
    says_more,
    shared,
)
from focuscrawl.dedup.simhash import simhash64
from focuscrawl.dedup.tokens import plain_words

DRAW = random.Random(3)
VOCABULARY = [f"word{number}" for number in range(500)] + [chr(0x4E00 + n) + chr(0x5E00 + n) for n in range(500)]
PAGE = DRAW.choices(VOCABULARY, k=400)


def edited(words: list[str], share: float) -> list[str]:
    changed = list(words)
    for place in DRAW.sample(range(len(words)), int(share * len(words))):
        changed[place] = "changed"
    return changed


@pytest.mark.parametrize(
    "copy",
    [
        PAGE,
        ["2024", "5", "17", *PAGE],
        [*PAGE[:120], *("buy", "now", "best", "offer", "of", "the", "week", "ever"), *PAGE[120:]],
        [*PAGE, "share", "facebook", "twitter", "email", "print"],
        edited(PAGE, 0.02),
        PAGE[200:] + PAGE[:200],
    ],
    ids=["itself", "date", "advertisement", "share bar", "edits", "order"],
)
def test_copies_are_the_same_page(copy: list[str]) -> None:
    assert same_text(PAGE, copy) >= THRESHOLD
    assert same_text(PAGE, copy) == same_text(copy, PAGE)


@pytest.mark.parametrize(
    "other",
    [
        DRAW.choices(VOCABULARY, k=400),
        PAGE[:200] + DRAW.choices(VOCABULARY, k=200),
        PAGE[:100],
        PAGE * 1 + DRAW.choices(VOCABULARY, k=400),
        [],
    ],
    ids=["stranger", "half", "excerpt", "quoted", "empty"],
)
def test_others_are_not(other: list[str]) -> None:
    assert same_text(PAGE, other) < THRESHOLD


def test_equal_simhash_but_another_text_is_not_lost() -> None:
    other = DRAW.sample(PAGE, len(PAGE))
    assert simhash64(other) == simhash64(PAGE)
    assert same_text(PAGE, other) < 0.1


def test_manual_pages_of_two_functions_are_two_pages() -> None:
    frame = ["returns", "an", "array", "of", "values", "or", "false", "when", "it", "is", "empty"] * 2
    text = "The function {0} takes four arrays . " + " ".join(frame) + " . See the manual for {0} in the list ."
    pages = [text.format(name).split() + PAGE[:60] for name in ("trader_kicking", "trader_bop")]
    assert shared(*pages) >= THRESHOLD
    assert different_subjects(*pages)
    assert same_text(*pages) < THRESHOLD


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (["2023", "12:05"], ["2024", "9:15"]),
        (["win", "win"], ["fly", "fly"]),
        (["tiger", "lion"], ["bear", "wolf"]),
    ],
    ids=["dates", "advertisements", "once each"],
)
def test_what_copies_differ_in_is_no_subject(own: list[str], other: list[str]) -> None:
    if own[0].isdigit():
        pages = [[*extra, *PAGE, *extra] for extra in (own, other)]
    else:
        pages = [[*PAGE[:90], *extra, *PAGE[90:]] for extra in (own, other)]
    assert not different_subjects(*pages)
    assert same_text(*pages) >= THRESHOLD


@pytest.mark.parametrize(
    ("page", "other"),
    [
        ("海淀 2室 101平米二手房_北京房网\n海淀 2室\n面积 101㎡", "海淀 2室 54平米二手房_北京房网\n海淀 2室\n面积 54㎡"),
        ("dask.array.log10 — Dask 2023.1\nThe log10 of x.", "dask.array.log2 — Dask 2023.1\nThe log2 of x."),
        ("Engine no. 12 | Shed\nNo. 12 is for sale.", "Engine no. 7 | Shed\nNo. 7 is for sale."),
    ],
)
def test_offers_with_other_numbers_in_title_and_text_are_different(page: str, other: str) -> None:
    assert different_numbers(page, other)


@pytest.mark.parametrize(
    ("page", "other"),
    [
        ("Field names — Django 3.2 documentation\nIn 3.2", "Field names — Django 4.0 documentation\nIn 4.0"),
        ("Engine no. 12\nThe engine, 3 April", "Engine no. 12\nThe engine, 4 April"),
        ("Engine (12)\nThe engine.", "Engine (13)\nThe engine."),
        ("Engine 12\nAs engine 7, number 12", "Engine 7\nAs engine 12, number 7"),
        ("Engine 12\nEngine 12", "Boiler 7\nBoiler 7"),
        ("", ""),
    ],
    ids=["version of the site", "date in the text", "counter", "both say both", "other words", "nothing"],
)
def test_other_numbers_are_no_difference(page: str, other: str) -> None:
    assert not different_numbers(page, other)


def test_one_page_with_more_to_say_is_a_copy_still() -> None:
    longer = ["sponsor", *PAGE, "sponsor"]
    assert len(PAGE) > SPREAD
    assert same_text(PAGE, longer) >= THRESHOLD


def test_nothing_is_no_copy_of_nothing() -> None:
    assert same_text([], []) == 0.0


def reply(own: list[str], quoted: str) -> str:
    """A message that says this and quotes another one, line by line."""
    return "\n".join([" ".join(own), "", *(f"> {line}" for line in quoted.split("\n"))])


def test_a_reply_is_no_copy_of_what_it_quotes_if_it_says_something_itself() -> None:
    first = " ".join(PAGE)
    second = reply(DRAW.choices(VOCABULARY, k=40), first)
    third = reply(DRAW.choices(VOCABULARY, k=40), second)
    assert same_page(second, third) < THRESHOLD
    assert same_text(plain_words(second), plain_words(third)) >= THRESHOLD
    assert same_page(third, f"Archived on Monday\n{third}") >= THRESHOLD
    assert same_page(reply(["I", "agree"], second), second) >= THRESHOLD


ENTRY = [f"entry{number}" for number in range(30)]


@pytest.mark.parametrize(
    ("page", "other", "more"),
    [
        (["2.1", *ENTRY, *PAGE], ["2.0", *PAGE], True),
        (["2.0", *PAGE], ["2.1", *ENTRY, *PAGE], False),
        (PAGE, PAGE, False),
        ([*PAGE, *ENTRY[:15]], PAGE, False),
        ([*PAGE, *ENTRY], [*PAGE, *(f"other{number}" for number in range(30))], False),
    ],
    ids=["a further entry", "one less", "itself", "an advertisement", "other links to related pages"],
)
def test_a_page_says_more_if_it_has_all_of_the_other_and_its_own(page: list[str], other: list[str], more: bool) -> None:
    texts = " ".join(page), " ".join(other)
    assert same_page(*texts) >= THRESHOLD
    assert says_more(*texts) is more


def test_a_page_in_simplified_and_in_traditional_characters_is_one() -> None:
    texts = "网络爬虫从种子开始，按照链接逐页抓取，并且记录页面。", "網絡爬蟲從種子開始，按照鏈接逐頁抓取，並且記錄頁面。"
    assert same_page(*texts) == 1.0
