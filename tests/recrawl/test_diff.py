from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.recrawl.diff import LONGEST, OMITTED, diff, word_change
from tests.linear_time import linear

TEXTS = st.lists(st.sampled_from(["crawler ", "the ", "网页", "变化", "\n", "。", " ", "frontier "]), max_size=40).map("".join)


def shown(old: str, new: str) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for piece in diff(old, new)]


def test_words_within_a_paragraph() -> None:
    assert shown("The crawler visits pages often.", "The crawler visits hosts often.") == [
        ("kept", "The crawler visits "), ("removed", "pages"), ("added", "hosts"), ("kept", " often.\n"),
    ]  # fmt: skip
    assert shown("搜索引擎的爬虫会定期访问网页", "搜索引擎的爬虫会经常访问网页") == [
        ("kept", "搜索引擎的爬虫会"), ("removed", "定期"), ("added", "经常"), ("kept", "访问网页\n"),
    ]  # fmt: skip


def test_paragraphs() -> None:
    assert shown("one\ntwo\nthree", "one\nthree\nfour") == [
        ("kept", "one\n"), ("removed", "two\n"), ("kept", "three\n"), ("added", "four\n"),
    ]  # fmt: skip
    assert shown("", "new") == [("added", "new\n")]
    assert shown("old", "") == [("removed", "old\n")]
    assert shown("same", "same") == []


def test_much_that_was_added_hides_not_what_was_kept() -> None:
    assert [kind for kind, _ in shown("The crawler visits pages.", "The crawler visits pages." + " And much else." * 20)] == [
        "kept", "added", "kept",
    ]  # fmt: skip


def test_letters_in_common_by_chance_are_no_kept_pieces() -> None:
    old = "We say that the old crawler of this house visits all of its pages again."
    new = "We say that a new robot in this garden looks at all of its pages again."
    kinds = [kind for kind, _ in shown(old, new)]
    assert kinds == ["kept", "removed", "added", "kept"]
    assert shown("全都换成了别的内容", "这里是另外一段文字") == [
        ("removed", "全都换成了别的内容\n"),
        ("added", "这里是另外一段文字\n"),
    ]


def test_what_was_kept_is_shortened_to_what_stands_around_changes() -> None:
    long = "word " * 1000
    first, *_, last = diff(f"{long}old{long}", f"{long}new{long}", context=20)
    assert first.text == OMITTED + "word " * 4
    assert first.left_out == len(long) - 20
    assert last.text.endswith(OMITTED)
    assert len(last.text) == 20 + len(OMITTED)
    assert [piece.text for piece in diff("a long beginning " + long + "end", "new " + long + "end", context=18)][-1] == (
        " word word word " + OMITTED
    )
    assert diff("很长的开头" * 30 + "旧", "很长的开头" * 30 + "新", context=7)[0].text == OMITTED + "开头很长的开头"
    [removed] = diff("x " * LONGEST, "")
    assert (len(removed.text), removed.left_out) == (LONGEST + len(OMITTED), LONGEST + 1)


@pytest.mark.slow
@settings(max_examples=150)
@given(TEXTS, TEXTS)
def test_the_pieces_make_both_texts(old: str, new: str) -> None:
    pieces = diff(old, new, context=10_000)
    assert (pieces == ()) == (old == new)
    if pieces:
        for text, other in ((old, "added"), (new, "removed")):
            assert "".join(piece.text for piece in pieces if piece.kind != other).rstrip("\n") == text.rstrip("\n")


@pytest.mark.slow
@pytest.mark.parametrize(("gap", "size"), [(" ", 170_000), ("\n", 60_000), ("", 60_000)])
def test_a_megabyte_does_not_stall(gap: str, size: int) -> None:
    draw = random.Random(1)
    words = [f"词{draw.randrange(5000)}" if gap == "" else f"w{draw.randrange(5000)}" for _ in range(size)]
    other = [word if draw.random() < 0.95 else "new" for word in words]
    with linear():
        for changed in (other, sorted(words), [*words[:1000], "new", *words[1000:]]):
            assert diff(gap.join(words), gap.join(changed))
            word_change(gap.join(words), gap.join(changed))


def test_word_change_counts_words_wherever_they_stand() -> None:
    assert word_change("one two two", "two one three") == (1, 1)
    assert word_change("", "网页 changed") == (3, 0)
    assert word_change("The End", "the end") == (0, 0)
    assert word_change("", "") == (0, 0)
