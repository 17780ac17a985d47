from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.dedup.simhash import distance as bits
from focuscrawl.items import PageSignature
from focuscrawl.recrawl.page_signature import (
    LEAST_RUNS,
    REWRITTEN,
    RUN,
    STEMS,
    changed,
    distance,
    lasting,
    signature_of,
    undated,
)
from focuscrawl.recrawl.state import DIGEST, MATERIAL, NUMBERS, RUNS, RevisitRecord
from focuscrawl.text.segment import Segmenter
from tests.linear_time import linear

SEGMENTER = Segmenter()
ENGLISH = """%Y-%m-%d|%d %B %Y|%B %d, %Y|%b %d|%-d %b|%b %-d|%A, %B %-d|%a %-d %b %Y|%a, %b %-d, %Y %-I:%M %p|%-m/%-d/%Y
%-d.%-m.%Y|%-H:%M:%S|%-I:%M%p|%A %-d|%a, %d %b %Y %H:%M:%S GMT|%Y-%m-%dT%H:%M:%SZ|%b. %-d, %Y|%d-%b-%Y|%-dth of %B
%A at %-I:%M %p|(%b %-d)|%-I:%M a.m. on %A, %B %-d|%d %b, %Y / %A""".replace("\n", "|").split("|")
CHINESE = """%Y年%m月%d日|%Y年%-m月%-d日|%-m月%-d日|%-m月%-d日 星期W|%Y-%m-%d 星期W|星期W %-m月%-d日|周W %-H:%M|%-m月%-d日周W
%-H时%-M分|上午%-I点%M分|%m/%d 周W|NNNN年MM月DD日|NNNN年MM月DD日 星期W|MM月DD日|（%-m月%-d日）|今天是%Y年%-m月%-d日 星期W
%Y/%-m/%-d %H:%M:%S|%-d日|%Y年%-m月%-d日（星期W）|第%-d期|農曆%-m月|禮拜W %-H點""".replace("\n", "|").split("|")
DIGITS = "〇一二三四五六七八九"
AROUND = {"en": ("The crawler keeps its frontier small", "and visits pages"), "zh": ("爬虫访问网页", "记者发现变化")}


def numeral(number: int) -> str:
    tens, ones = divmod(number, 10)
    return (DIGITS[tens] if tens > 1 else "") + ("十" if tens else "") + (DIGITS[ones] if ones or not tens else "")


def written(form: str, day: int) -> str:
    """A time of the day in a form; W, NNNN, MM and DD are Chinese numbers."""
    at = datetime(2026, 1, 1, 0, 7) + timedelta(hours=29 * day, minutes=7 * day)
    year = "".join(DIGITS[int(digit)] for digit in str(at.year))
    for name, number in (
        ("NNNN", year),
        ("MM", numeral(at.month)),
        ("DD", numeral(at.day)),
        ("W", "一二三四五六日"[at.weekday()]),
    ):
        form = form.replace(name, number)
    return at.strftime(form)


def mark(text: str, title: str = "") -> PageSignature:
    whole = f"{title}\n{text}"
    return signature_of(title, SEGMENTER.terms(whole), whole)


def left(text: str) -> list[str]:
    return lasting(SEGMENTER.terms(text), text)


@pytest.mark.parametrize(("language", "form"), [("en", form) for form in ENGLISH] + [("zh", form) for form in CHINESE])
@pytest.mark.parametrize("gap", ["\n", " "])
def test_another_date_is_no_change_in_the_text_nor_in_the_title(language: str, form: str, gap: str) -> None:
    before, after = AROUND[language]
    dates = [written(form, day) for day in range(0, 400, 3)]
    assert len({mark(f"{before}{gap}{date}{gap}{after}") for date in dates}) == 1
    assert len({mark("text", f"{before} {date} {after}") for date in dates}) == 1


@pytest.mark.parametrize(
    "forms",
    [
        ("3 hours ago", "59 minutes ago", "2 days ago", "12 weeks ago", "1 year ago", "just now"),
        ("5 分钟前", "12分钟前", "3小时前", "23小时前", "3天前", "2 周前", "4个月前", "1年前", "刚刚"),
        ("1,234 views", "9 views", "1.2k views", "12345678 views", "3.5K views"),
        ("9views", "1234views"),
        ("阅读(9)", "阅读(1234)", "阅读9999", "阅读1.2万", "阅读：123456"),
        ("Views123", "Views9", "Views123456"),
        ("农历丙午年 十月初八", "农历丙午年 腊月廿九", "農曆正月初一", "农历闰四月三十", "农历冬月十二"),
        ("您是第 1234 位访问者", "您是第 9 位访问者"),
        ("Updated: yesterday, 11:30 p.m.", "Updated: Thursday, 1:05 a.m.", "Updated: Sat 21st Nov 2026 at 10.32am"),
        ("Processed in 0.02 second(s), 9 queries", "Processed in 1.15 second(s), 12 queries"),
        ("Mon May 4 10:11:12 2026", "Tue Jun 16 10:11:12 2026"),
        ("9999次浏览", "8次浏览", "1.2万次浏览", "12万次浏览", "三百五十次浏览"),
        ("(9) comments", "12 comments", "1 comment"),
    ],
)
def test_another_number_is_no_change(forms: tuple[str, ...]) -> None:
    assert len({mark(f"The crawler keeps\n{form}\nits 网页爬虫 small") for form in forms}) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Closed on Sunday, open in April", ["close", "sunday", "open", "april"]),
        ("the march of the crawlers today", ["march", "crawler", "today"]),
        ("一年 万一 千万 五四运动", ["一年", "万一", "千万", "五四运动"]),
        ("今天的会议在星期六举行", ["今天", "会议", "星期六", "举行"]),
        ("mp3 and python3", ["mp", "python"]),
        ("in 5 days the week begins", ["day", "week", "begin"]),
    ],
)
def test_names_of_times_stay_where_no_number_is(text: str, words: list[str]) -> None:
    assert left(text) == words


def test_only_the_name_beside_the_number_goes() -> None:
    assert left("April wrote on April 5 in a letter that April is here") == ["april", "wrote", "letter", "april"]


@pytest.mark.parametrize("raw", STEMS)
def test_names_are_known_as_the_segmenter_stems_them(raw: str) -> None:
    assert SEGMENTER.terms(raw) == [STEMS[raw]]
    assert left(f"on {raw} 5") == []


def test_a_title_is_compared_by_its_letters() -> None:
    assert mark("a text", "(12) Inbox") == mark("a text", "(3) Inbox") == mark("a text", "Inbox")
    assert mark("a text", "網頁 Crawler!") == mark("a text", "网页: crawler")
    assert changed(mark("a text", "Of the Inbox"), mark("a text", "Of an Inbox"))  # stop words are no words of the text
    assert distance(mark("a text", "Of the Inbox"), mark("a text", "Of an Inbox")) == 0
    assert undated("(12) news of saturday, 21 november 2026").split() == ["(", ")", "news", "of"]


def test_the_order_counts_and_is_no_distance() -> None:
    one, other = mark("crawler frontier\nvisits pages"), mark("visits pages\ncrawler frontier")
    assert changed(one, other)
    assert distance(one, other) == 0


def test_a_page_without_words() -> None:
    assert signature_of("", []) == signature_of("12", ["2026", "11"]) == PageSignature()
    assert not changed(PageSignature(), PageSignature())
    assert changed(PageSignature(), mark("a crawler"))
    assert distance(PageSignature(), mark("a crawler")) > MATERIAL
    assert signature_of("only", []).digest
    assert signature_of("\ud800 broken", ["\ud800"]).digest


@settings(max_examples=100)
@given(st.text(max_size=200), st.text(max_size=60))
def test_nothing_breaks_it(text: str, title: str) -> None:
    found = mark(text, title)
    assert found == mark(text, title)
    assert len(found.digest) in (0, DIGEST)
    assert RevisitRecord(1, 2).signed(found).signature == found
    assert 0 <= found.simhash < 1 << 64


@pytest.mark.parametrize(
    "filler", ["on may 5, monday ", "1月5日星期一 ", "today 9 ", "monday " * 5, "5 " * 20, "ago ", "nov " * 30 + "5 "]
)
def test_time_is_linear(filler: str) -> None:
    text = (filler * (500_000 // len(filler)))[:500_000]
    words = SEGMENTER.terms(text)
    with linear():
        signature_of(text[:1000], words, text)


WORDS = [f"w{letter}{other}" for letter in "abcdefgh" for other in "abcdefgh"]


def test_a_text_rewritten_in_its_own_words_is_a_change_that_counts() -> None:
    sentences = [WORDS[at : at + 8] for at in range(0, 64, 8)]
    mixed = [word for words in zip(*sentences, strict=True) for word in words]
    one, other = signature_of("", WORDS), signature_of("", mixed)
    assert one.simhash == other.simhash
    assert distance(one, other) == distance(other, one) == REWRITTEN
    assert distance(one, signature_of("", WORDS[24:] + WORDS[:24])) == 0


def test_a_version_without_a_sketch_is_compared_by_its_words_alone() -> None:
    mixed = sorted(WORDS, key=lambda word: word[::-1])
    assert distance(replace(signature_of("", WORDS), runs=b""), signature_of("", mixed)) == 0
    assert signature_of("", WORDS[: LEAST_RUNS + RUN - 2]).runs == b""
    assert len(signature_of("", WORDS[: LEAST_RUNS + RUN - 1]).runs) == RUNS


@settings(max_examples=100)
@given(st.lists(st.sampled_from(WORDS), max_size=80), st.lists(st.sampled_from(WORDS), max_size=80))
def test_the_distance_is_one_and_at_least_that_of_the_simhashes(some: list[str], others: list[str]) -> None:
    one, other = signature_of("", some), signature_of("", others)
    assert distance(one, one) == 0
    assert distance(one, other) == distance(other, one)
    assert bits(one.simhash, other.simhash) <= distance(one, other) <= max(bits(one.simhash, other.simhash), REWRITTEN)


@pytest.mark.parametrize("numbers", [b"", b"n" * NUMBERS])
@pytest.mark.parametrize("runs", [b"", b"r" * RUNS])
def test_a_record_keeps_every_part(runs: bytes, numbers: bytes) -> None:
    found = PageSignature(b"d" * DIGEST, 5, runs, numbers)
    assert RevisitRecord(1, 2).signed(found).signature == found
    assert RevisitRecord(1, 2).signed(PageSignature()).signature == PageSignature()
