from __future__ import annotations

from focuscrawl.reading.page import LENGTH, summary


def test_headings_and_bylines_are_passed_over() -> None:
    text = "What’s new in 3.1\nJun 15, 2013\nMany reference cycles have been broken up. The rest stays.\nMore"
    assert summary(text) == "Many reference cycles have been broken up. The rest stays. More"


def test_whole_chinese_sentences() -> None:
    sentence = "主题爬虫只下载与主题有关的网页，并给网页中的链接打分，然后先访问分数最高的那些链接。"
    found = summary("标题\n" + sentence * 10)
    assert found == sentence * (LENGTH // len(sentence))


def test_dots_inside_names_end_no_sentence() -> None:
    assert summary("Subclasses of unittest.TestCase with support for version 2.0.1 of it. " + "x" * 190).endswith("of it.")


def test_one_long_sentence_is_cut_at_a_word() -> None:
    found = summary("word " * 200 + ".")
    assert found.endswith("word…")
    assert len(found) <= LENGTH + 1


def test_description_when_there_is_no_prose_and_words_when_there_is_none() -> None:
    assert summary("Home\nAbout", "What the page says.") == "What the page says."
    assert summary("Home\nAbout") == "Home About"
    assert summary("") == ""


def test_huge_text_without_stops() -> None:
    assert len(summary("主题爬虫" * 500_000)) == LENGTH + 1
