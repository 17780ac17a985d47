from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from time import thread_time

import pytest

from focuscrawl.reading.page import Reading, from_plain, read_page
from focuscrawl.reading.page_reader import PageReader
from focuscrawl.reading.worker import USUAL, Limits, WorkerProcess
from tests.text import hostile

URL = "http://a.example.com/docs/page.html"
PROSE = "A focused crawler fetches the pages of its topic first. It scores every link by the words around it. "
PAGE = (
    "<html lang=en><head><title>Focused crawling</title><meta name=robots content=noindex></head><body>"
    f"<h1>Crawling</h1><p>{PROSE * 3}</p><p>Read <a href='more.html'>more</a>.</p></body></html>"
)


def read_in_loop(body: bytes, limits: Limits = USUAL) -> tuple[Reading, float]:
    """The reading, and the longest that the event loop was at work on one thing: seconds of the processor."""

    async def main() -> tuple[Reading, float]:
        worker = WorkerProcess()
        job = asyncio.create_task(PageReader(worker, limits).read(body, "text/html", URL))
        stall, last = 0.0, thread_time()
        while not job.done():
            await asyncio.sleep(0.005)
            stall, last = max(stall, thread_time() - last), thread_time()
        await worker.close()
        return await job, stall

    return asyncio.run(main())


def test_an_ordinary_page() -> None:
    reading = read_page(PAGE.encode(), "text/html", URL)
    assert (reading.charset, reading.language, reading.title, reading.kind) == ("utf-8", "en", "Focused crawling", "content")
    assert reading.summary.startswith("A focused crawler fetches")
    assert PROSE.strip() in reading.text
    assert [link.url for link in reading.links] == ["http://a.example.com/docs/more.html"]
    assert reading.robots == [("robots", "noindex")]
    assert not reading.heavy
    assert {"decode", "parse", "meta", "text", "links"} <= set(reading.timings)


def test_without_title_and_heading_the_first_line_is_the_title() -> None:
    old = b"<title>Untitled Document</title><center><font size=5><b>Steam engines</b></font></center><p>" + b"They puff. " * 30
    assert read_page(old, "text/html", "http://a.test/x.htm").title == "Steam engines"
    assert read_page(b"<p>" + b"They puff. " * 30, "text/html", "http://a.test/x.htm").title == ""


def test_both_ways_of_reading_agree() -> None:
    loop, _ = read_in_loop(PAGE.encode())
    direct = read_page(PAGE.encode(), "text/html", URL)
    loop.timings = direct.timings = {}
    assert loop == direct


def test_a_reading_survives_its_journey_between_processes() -> None:
    reading = read_page(PAGE.encode(), "text/html", URL)
    assert from_plain(json.loads(json.dumps(asdict(reading)))) == reading


@pytest.mark.parametrize(
    ("body", "note"),
    [
        (b"", "empty"),
        (b"\n", "empty"),
        (b"<script>document.write('x')</script>", "script"),
        (b"<img src=x.png>", "no-text"),
        (b"<frameset><frame src=a.html></frameset>", "frames"),
        (b"<meta http-equiv=refresh content='0;url=/next'>", "refresh"),
        (b"<noscript><meta http-equiv=refresh content='0;url=/next'></noscript>", "refresh"),
        (b"x", ""),
    ],
)
def test_pages_without_words_say_why(body: bytes, note: str) -> None:
    reading = read_page(body, "text/html", URL)
    assert (reading.note, reading.error) == (note, "")


def test_plain_text_is_not_markup() -> None:
    reading = read_page("标题\n1 < 2, <a href=x>y</a>".encode("gbk"), "text/plain; charset=gbk", URL)
    assert (reading.title, reading.text, reading.links) == ("标题", "标题\n1 < 2, <a href=x>y</a>", [])


def test_a_local_file_has_text_and_words() -> None:
    reading = read_page(PAGE.encode(), "", "file:///tmp/example.html")
    assert PROSE.strip() in reading.text


@pytest.mark.system
@pytest.mark.parametrize("name", ["nested_div", "unclosed", "formatting", "attributes", "breaks", "links", "chinese_run"])
def test_hostile_pages_do_not_stall_the_loop(name: str) -> None:
    reading, stall = read_in_loop(hostile.page(name, 0.5).encode())
    assert reading.heavy
    assert reading.error == ""
    assert stall < 1.5  # tools/bench/stall.py measures; this one only sees seconds


@pytest.mark.system
def test_nothing_deep_is_lost() -> None:
    reading, _ = read_in_loop(hostile.page("nested_div").encode())
    assert "deepest words" in reading.text
    assert [(link.url, link.anchor) for link in reading.links] == [("http://a.example.com/deep", "deep link")]


@pytest.mark.system
def test_over_the_limit_is_an_error() -> None:
    reading, _ = read_in_loop(hostile.page("links").encode(), Limits(memory=24 << 20))
    assert (reading.error, reading.charset, reading.links) == ("parse", "utf-8", [])
