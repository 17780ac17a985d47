from __future__ import annotations

import pytest

from focuscrawl.text.extract import best_text, fast_text

PROSE = "A focused crawler fetches pages about its topic and leaves the others alone. It reads each page and scores its links. "
CHINESE = "主题爬虫只下载与主题有关的网页，其余的网页不去访问。它阅读每个网页，并给网页中的链接打分，然后先访问分数高的链接。"


def article(text: str) -> str:
    links = "".join(f"<li><a href='/{number}'>menu entry {number}</a></li>" for number in range(30))
    return (
        f"<html><body><nav><ul>{links}</ul></nav><article><h1>Heading here</h1>"
        f"<p>{text * 2}</p><p>{text}</p></article><footer>all rights reserved</footer></body></html>"
    )


@pytest.mark.parametrize(("text", "language"), [(PROSE, "en"), (CHINESE, "zh"), (CHINESE, "en"), (PROSE, "zh"), (PROSE, "")])
def test_both_tiers_find_the_article_alone(text: str, language: str) -> None:
    html = article(text)
    for found in (fast_text(html), best_text(html, language, "http://a.example/x")):
        assert text.strip() in found
        assert "menu entry" not in found
        assert "all rights reserved" not in found


def test_blocks_are_lines() -> None:
    assert len(fast_text(article(PROSE)).split("\n")) == 3


def test_a_list_of_links_gives_its_words() -> None:
    html = "<ul>" + "".join(f"<li><a href='/{number}'>crawler article {number}</a></li>" for number in range(30)) + "</ul>"
    assert "crawler article 29" in fast_text(html)


@pytest.mark.parametrize(
    "html", ["", "x", "<", "<script>1</script>", "\x0c<<<>", "<img src=x>", "<frameset><frame src=a></frameset>"]
)
@pytest.mark.parametrize("language", ["", "zh"])
def test_next_to_nothing(html: str, language: str) -> None:
    assert len(fast_text(html)) <= 5
    assert best_text(html, language, fast="kept") == "kept"


def test_an_xml_declaration_does_not_disturb() -> None:
    html = "<?xml version='1.0' encoding='gbk'?>" + article(CHINESE)
    assert CHINESE in best_text(html, "zh")
    assert CHINESE in best_text(html)


def test_heavy_pages_keep_the_fast_text() -> None:
    assert best_text("<div>" * 5_000 + PROSE, "en", fast="kept") == "kept"
    assert best_text(article("x" * 300_000), "en", fast="kept") == "kept"
