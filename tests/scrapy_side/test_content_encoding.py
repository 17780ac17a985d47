from __future__ import annotations

import gzip
import os

from scrapy.http import Request, Response

from focuscrawl.scrapy_side.responses import is_cut, keep_encoded

BODY = os.urandom(1000) + b"telescope" * 4000
ENCODED = gzip.compress(BODY)


def asked(encoded: bytes, coding: str = "gzip") -> Request:
    request = Request("http://a.example/")
    keep_encoded(request, Response("http://a.example/", headers={"Content-Encoding": coding}, body=encoded))
    return request


def test_a_whole_body_is_not_cut() -> None:
    assert not is_cut(asked(ENCODED), len(BODY))


def test_a_body_that_breaks_off_is_cut() -> None:
    assert is_cut(asked(ENCODED[:700]), 600)


def test_garbage_behind_the_end_is_no_cut() -> None:
    assert not is_cut(asked(ENCODED + b"garbage"), len(BODY))


def test_a_wrong_checksum_is_no_cut() -> None:
    assert not is_cut(asked(ENCODED[:-8] + bytes(8)), len(BODY))


def test_plain_answers_are_not_kept() -> None:
    assert not is_cut(asked(BODY, "identity"), len(BODY))
