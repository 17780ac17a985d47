from __future__ import annotations

import logging

import pytest
from scrapy import Request, Spider
from scrapy.http import Response

from focuscrawl.scrapy_side.log_format import QuietLogFormatter, url_of
from focuscrawl.store.engines.writer import StorageError
from tests import factories

URL = "http://a.example/"
ROW = {"url": URL, "text": "long text\nof a page"}
PAGE = factories.page(URL, 0, body=b"<html>")


@pytest.mark.parametrize("item", [ROW, PAGE])
def test_lines_are_one_line_and_quiet(item: object) -> None:
    formatter, spider = QuietLogFormatter(), Spider("topic")
    response = Response(URL)
    lines = [
        formatter.crawled(Request(URL), response, spider),
        formatter.scraped(item, response, spider),
        formatter.dropped(item, ValueError("duplicate"), response, spider),
    ]
    for line in lines:
        text = line["msg"] % line["args"]
        assert line["level"] == logging.DEBUG
        assert URL in text
        assert "\n" not in text


def test_an_error_names_the_page_and_holds_no_content() -> None:
    line = QuietLogFormatter().item_error(PAGE, ValueError("x"), None, Spider("topic"))
    assert line["level"] == logging.ERROR
    assert line["msg"] % line["args"] == f"internal error on {URL}: ValueError('x')"
    assert url_of(object()) == "object"
    full = QuietLogFormatter().item_error(PAGE, StorageError("the disk is full"), None, Spider("topic"))
    assert full["level"] == logging.DEBUG, "the scheduler tells of it, without a traceback for each page"
