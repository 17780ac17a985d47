from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.text.blocks import Block, blocks_of, markdown, outline, plain

LINES = st.text(st.characters(exclude_characters="\n\t"), min_size=1, max_size=20)
BLOCKS = st.lists(
    st.one_of(
        st.builds(Block, st.sampled_from(["paragraph", "quote"]), LINES),
        st.builds(Block, st.just("heading"), LINES, st.integers(1, 6)),
        st.builds(Block, st.just("code"), st.lists(LINES, min_size=1, max_size=4).map("\n".join)),
    )
)


@given(BLOCKS)
def test_the_outline_cuts_the_plain_text_into_the_same_blocks(blocks: list[Block]) -> None:
    assert blocks_of(plain(blocks), outline(blocks)) == (blocks or [])


def test_without_an_outline_every_line_is_a_paragraph() -> None:
    assert blocks_of("one\n二", ()) == [Block("paragraph", "one"), Block("paragraph", "二")]


def test_markdown() -> None:
    blocks = [
        Block("heading", "Indexes", 2),
        Block("paragraph", "An *index* is <fast>."),
        Block("item", "one"),
        Block("item", "two", 1),
        Block("code", "a = `b`\n```\nc"),
        Block("table", "name\tvalue\na|b\t1"),
        Block("quote", "said"),
    ]
    assert markdown(blocks) == (
        "## Indexes\n\nAn \\*index\\* is \\<fast>.\n\n- one\n  - two\n\n````\na = `b`\n```\nc\n````\n\n"
        "| name | value |\n| --- | --- |\n| a\\|b | 1 |\n\n> said\n"
    )
    assert markdown([]) == ""


@pytest.mark.parametrize("text", ["# no heading", "- no item", "> no quote", "1. no list", "--- no rule"])
def test_a_paragraph_stays_one(text: str) -> None:
    assert markdown([Block("paragraph", text)]).startswith("\\")


def test_the_lines_of_a_stanza_are_kept_in_markdown() -> None:
    assert (
        markdown([Block("paragraph", "one\n- two"), Block("quote", "three\nfour")]) == "one\\\n\\- two\n\n> three\\\n> four\n"
    )
