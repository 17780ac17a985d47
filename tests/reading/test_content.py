from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from focuscrawl.reading.content import ArchivedResponse, from_plain, read_apart, read_content
from focuscrawl.text.blocks import blocks_of
from focuscrawl.text.repeated import SiteTexts
from tests.text.languages import PROSE as SENTENCES
from tests.text.languages import TRADITIONAL

PROSE = "An index is a data structure that makes queries fast, for it spares the database a look at every row. "
HTML = f"<title>t</title><nav>Home About</nav><main><h1>Indexes</h1><p>{PROSE * 3}</p><p>{PROSE * 2}</p></main>".encode()


def test_a_page_read_whole() -> None:
    content = read_content(HTML, ArchivedResponse("http://a.example/x", "text/html; charset=utf-8", language="en"))
    assert content.text.count("spares the database") == 5
    assert "About" not in content.text
    assert [block.text for block in blocks_of(content.text, content.outline)] == content.text.split("\n")
    assert content.characters == len(content.text)


def test_it_travels_between_processes_as_plain_values() -> None:
    content = read_content(HTML, ArchivedResponse("http://a.example/x", "text/html", (("ETag", "x"),)))
    content.languages, content.reserved, content.signals = ("zh-Hans", "en"), ("noai",), {"lines": 2.0}
    assert from_plain(json.loads(json.dumps(asdict(content)))) == content


def test_extractors_are_not_asked_about_a_hostile_page() -> None:
    content = read_content(b"<div>" * 9_000 + PROSE.encode(), ArchivedResponse("http://a.example/x", "text/html"))
    assert (content.text, content.extractor) == (PROSE.strip(), "fast")


def test_what_the_pages_of_a_site_share_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.text.votes.EXTRACTORS", {})
    monkeypatch.setattr("focuscrawl.reading.content._SITES", SiteTexts())
    notice = "A notice that this site has beside the text of each of its many pages, whatever they may be about at all."
    html = HTML.replace(b"<main>", f"<div><p>{notice}</p></div><div>".encode()).replace(b"</main>", b"</div>")
    pages = [html.replace(b"An index", f"Index {number}".encode()) for number in range(6)]
    found = [read_apart(page, url=f"http://a.example/{at}", content_type="text/html") for at, page in enumerate(pages)]
    assert [notice in content["text"] for content in found] == [True] * 5 + [False]
    assert notice in read_apart(html, url="http://b.example/", content_type="text/html")["text"]
    first = read_content(pages[0], ArchivedResponse("http://a.example/0", "text/html"))
    assert from_plain(json.loads(json.dumps(found[0]))) == first


def _article(*paragraphs: str) -> bytes:
    return f"<html lang=en><title>t</title><main>{''.join(f'<p>{text}</p>' for text in paragraphs)}</main>".encode()


def test_language_with_its_script_and_mixed_pages() -> None:
    answer = ArchivedResponse("http://a.example/x", "text/html; charset=utf-8", language="zh")
    traditional, mixed = (
        read_content(_article(*texts), answer) for texts in ([TRADITIONAL], [SENTENCES["zh"] * 2, SENTENCES["en"]])
    )
    assert (traditional.language, traditional.languages) == ("zh-Hant", ())
    assert (mixed.language, mixed.languages) == ("zh-Hans", ("zh-Hans", "en"))


def test_without_a_text_the_language_is_the_first_tier_s() -> None:
    assert read_content(b"", ArchivedResponse("http://a.example/x", "text/html", language="de")).language == "de"


def test_what_is_known_of_the_page() -> None:
    html = (
        b'<html lang="en"><head><title>t</title><meta name="author" content="Ada"><meta name="robots" content="noai">'
        b'<meta property="article:published_time" content="2021-03-04"><link rel="canonical" href="/y">'
        b'<link rel="license" href="https://creativecommons.org/licenses/by/4.0/"></head>'
    ) + HTML
    headers = (("TDM-Reservation", "1"), ("Content-Type", "text/html"))
    answer = ArchivedResponse("http://a.example/x", "text/html; charset=utf-8", headers, "en", 1.7e9, reserved=("ai-train=no",))
    content = read_content(html, answer)
    assert (content.author, content.published, content.canonical) == ("Ada", "2021-03-04", "http://a.example/y")
    assert content.licence == "CC-BY-4.0"
    assert content.reserved == ("noai", "tdm-reservation", "ai-train=no")
    assert content.words == len(content.text.split())
    assert 0.5 < content.quality < 1
    assert content.signals["gopher_words"] == content.words


@pytest.mark.parametrize(
    ("head", "canonical"),
    [
        (b"<link rel=canonical href=/own>", "http://a.example/own"),
        (b"<link rel=canonical href=javascript:x>", "http://a.example/x/header"),
        (b"<base href=/b/><meta property=og:url content=shared>", "http://a.example/x/header"),
    ],
)
def test_the_canonical_url_is_that_of_the_head_before_that_of_the_headers(head: bytes, canonical: str) -> None:
    headers = (("Link", "<a.css>; rel=preload"), ("link", "<header>; rel=canonical"))
    assert read_content(head + HTML, ArchivedResponse("http://a.example/x/y", "text/html", headers)).canonical == canonical


def test_a_date_after_the_fetch_is_none() -> None:
    html = b'<meta property="article:published_time" content="2021-03-04">' + HTML
    assert read_content(html, ArchivedResponse("http://a.example/x", "text/html", fetched_at=1.5e9)).published == ""


def test_a_hostile_page_is_still_described() -> None:
    html = b'<meta name="author" content="Ada">' + b"<div>" * 50_000 + PROSE.encode()
    content = read_content(html, ArchivedResponse("http://a.example/x", "text/html", language="en"))
    assert content.author == "Ada"
    assert content.words == len(PROSE.split())
    assert content.characters == len(PROSE.strip())
