from __future__ import annotations

import pytest

from focuscrawl.search.query import parse
from focuscrawl.search.snippets import COLUMNS, Snippet, SnippetPiece, marked_tokens, snippet
from focuscrawl.search.terms import Analyzer

FILLER = "Nothing of interest stands in this sentence, which is long. " * 20
填充 = "这一句话里没有任何有意思的内容，只是用来占地方的。" * 20


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer()


def cut(analyzer: Analyzer, query: str, text: str) -> Snippet:
    return snippet(text, marked_tokens(parse(query), analyzer), analyzer)


def test_it_is_cut_where_most_of_the_words_stand(analyzer: Analyzer) -> None:
    text = f"A mirror. {FILLER}The telescope has a mirror\nof glass. {FILLER}A telescope."
    found = cut(analyzer, "telescope mirrors", text)
    assert found.text.startswith("…The telescope has a mirror of glass. ")
    assert [piece.text for piece in found.pieces if piece.marked] == ["telescope", "mirror"]
    assert found.text.endswith(" …")
    assert len(found.text) <= COLUMNS + 3


def test_chinese_takes_half_the_characters(analyzer: Analyzer) -> None:
    found = cut(analyzer, "望远镜", f"{填充}用望遠鏡看星星。{填充}")
    assert found.text.startswith("…用望遠鏡看星星。")
    assert [piece.text for piece in found.pieces if piece.marked] == ["望遠鏡"]
    assert COLUMNS / 2 - 20 < len(found.text) <= COLUMNS / 2 + 3


def test_a_text_without_the_words_shows_its_beginning(analyzer: Analyzer) -> None:
    assert cut(analyzer, "telescope", "Short text.") == Snippet((SnippetPiece("Short text."),))
    assert cut(analyzer, "telescope", "") == Snippet()
    assert cut(analyzer, "telescope", FILLER).text.startswith("Nothing of interest")


def test_what_is_marked(analyzer: Analyzer) -> None:
    assert marked_tokens(parse("the telescopes -mirror site:a.example"), analyzer) == {"telescop"}
    assert marked_tokens(parse("猫"), analyzer) == {"猫"}
    assert marked_tokens(parse('"搜索引擎" "the telescopes"'), analyzer) == {"搜索引擎", "telescop"}
    assert {"搜索", "引擎", "搜索引擎"} <= marked_tokens(parse("搜索引擎"), analyzer)


def test_a_hostile_page_gives_no_markup(analyzer: Analyzer) -> None:
    found = cut(analyzer, "alert", "<script>alert(1)</script> <mark>x</mark> & 'q'")
    assert found.html == ("&lt;script&gt;<mark>alert</mark>(1)&lt;/script&gt; &lt;mark&gt;x&lt;/mark&gt; &amp; &#x27;q&#x27;")
