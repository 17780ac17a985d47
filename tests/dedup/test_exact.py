from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.dedup.tokens import digest, normalized


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Hello World", "hello   world\n"),
        ("ＡＢＣ１２３", "abc123"),
        ("主题\u200b爬虫", "主题爬虫"),
        ("soft\u00adhyphen", "softhyphen"),
        ("\ufeffstart", "start"),
        ("Straße", "STRASSE"),
        ("ﬁne", "fine"),
        ("a\u00a0b", "a b"),
        ("Cafe\u0301", "café"),
    ],
)
def test_the_same_text_in_other_dress(text: str, same: str) -> None:
    assert digest(text) == digest(same)


@pytest.mark.parametrize(
    ("text", "other"), [("price 10", "price 11"), ("ab c", "a bc"), ("主题", "主体"), ("2024-01-01", "2024-01-02")]
)
def test_different_texts(text: str, other: str) -> None:
    assert digest(text) != digest(other)


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "\u3000"])
def test_nothing_to_compare_has_no_digest(text: str) -> None:
    assert digest(text) == b""


def test_sixteen_bytes_and_surrogates_do_no_harm() -> None:
    assert len(digest("x")) == 16
    assert len(digest("\ud800x")) == 16


@settings(max_examples=50, deadline=None)
@given(st.text())
def test_white_space_never_counts(text: str) -> None:
    assert normalized(f"  {text}\n") == normalized(text)
