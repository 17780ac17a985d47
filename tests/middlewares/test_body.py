"""What is taken of a body, by the signals and responses that Scrapy gives."""

from __future__ import annotations

import gzip

import pytest
from scrapy import Request
from scrapy.exceptions import StopDownload
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from focuscrawl.scrapy_side.failures import Bomb
from focuscrawl.scrapy_side.responses import CODING, LATE, MOST_BYTES, STOPPED, UNTIL
from middlewares.body import LEAST, BodyMiddleware, most_bytes

TEXT = b"<html><title>stars</title>" + b"stars and planets " * 2000
MOST = 100_000


def middleware(keeps_beginnings: bool = True, now: float = 0.0) -> BodyMiddleware:
    return BodyMiddleware(MemoryStatsCollector(get_crawler()), MOST, keeps_beginnings, lambda: now)


def answered(body: bytes, coding: str, made: BodyMiddleware | None = None, *flags: str) -> Response:
    request = Request("http://a.test/")
    response = Response(request.url, 200, {"Content-Encoding": coding}, body, list(flags), request)
    return (made or middleware()).process_response(request, response)


def test_codings_are_undone_and_the_label_is_kept_for_the_archive() -> None:
    response = answered(gzip.compress(TEXT), "GZIP, identity")
    assert (response.body, response.flags, type(response)) == (TEXT, [], HtmlResponse)
    assert "Content-Encoding" not in response.headers
    assert response.headers["X-Archive-Orig-Content-Encoding"] == b"GZIP, identity"


def test_of_codings_that_are_not_known_the_outer_ones_are_undone() -> None:
    response = answered(gzip.compress(TEXT), "sdch, gzip")
    assert (response.body, response.headers["Content-Encoding"]) == (TEXT, b"sdch")


def test_an_empty_answer_is_not_cut() -> None:
    assert answered(b"", "gzip").flags == []


def test_what_broke_off_is_flagged_unless_we_did_it() -> None:
    cut = gzip.compress(TEXT)[:-20]
    made = middleware()
    assert answered(cut, "gzip", made).flags == [CODING]
    assert made.stats.get_value("body/broken_count/cut") == 1
    assert answered(cut, "gzip", made, STOPPED).flags == [STOPPED]


def test_long_bodies_and_bombs() -> None:
    long = gzip.compress(bytes(range(256)) * 4000)
    assert answered(long, "gzip").flags == [STOPPED]
    assert len(answered(long, "gzip").body) == MOST
    with pytest.raises(Bomb):
        answered(gzip.compress(bytes(50 * MOST)), "gzip")
    with pytest.raises(Bomb):  # another spider takes an answer whole or not at all
        answered(long, "gzip", middleware(False))


def received(made: BodyMiddleware, request: Request, pieces: int) -> int:
    """The number of pieces of 10 000 bytes until the download was ended; 0 if it was not."""
    made.process_request(request)
    for number in range(1, pieces + 1):
        try:
            made.bytes_received(b"x" * 10_000, request)
        except StopDownload:
            return number
    return 0


def test_a_download_ends_when_there_is_enough() -> None:
    made = middleware()
    request = Request("http://a.test/")
    assert received(made, request, 10) == 0
    assert received(made, request, 20) == 11
    assert not request.meta[LATE]
    assert received(made, Request(request.url, meta={MOST_BYTES: 15_000}), 20) == 2
    assert received(middleware(False), request, 1000) == 0


def test_when_its_time_is_over_an_answer_that_still_comes_is_kept() -> None:
    request = Request("http://a.test/", meta={UNTIL: 5.0})
    assert received(middleware(now=4.0), request, 9) == 0
    made = middleware(now=6.0)
    assert received(made, request, 9) == LEAST // 10_000
    response = made.process_response(request, Response(request.url, flags=[STOPPED], request=request))
    assert response.flags == [STOPPED, LATE]


@pytest.mark.parametrize(
    ("largest", "of_crawl", "most"), [(0, True, 500), (100, True, 100), (900, True, 500), (900, False, 900)]
)
def test_the_lower_of_two_limits_holds_for_pages(largest: int, of_crawl: bool, most: int) -> None:
    assert most_bytes(Settings({"DOWNLOAD_MAXSIZE": largest, "ARCHIVE_BODY_BYTES": 500}), of_crawl) == most
