from __future__ import annotations

from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from focuscrawl.frontier.outcome import UNFETCHED
from focuscrawl.scrapy_side.failures import Aborted, error_name
from middlewares.operator import OperatorMiddleware
from tests.factories import lease

LEASE = lease("http://a.test/")


def middleware(refuses: bool) -> OperatorMiddleware:
    crawler = get_crawler()
    vars(crawler)["focuscrawl"] = SimpleNamespace(control=SimpleNamespace(refuses=lambda lease: refuses))
    return OperatorMiddleware.from_crawler(crawler)


def test_what_an_operator_does_not_want_goes_back_unfetched() -> None:
    operator = middleware(refuses=True)
    with pytest.raises(Aborted) as refusal:
        operator.process_request(Request(LEASE.url, meta={"lease": LEASE}))
    assert error_name(refusal.value) in UNFETCHED
    assert operator.stats.get_value("frontier/recalled_count") == 1


def test_everything_else_passes() -> None:
    middleware(refuses=False).process_request(Request(LEASE.url, meta={"lease": LEASE}))
    middleware(refuses=True).process_request(Request("http://a.test/"))  # without a lease, nothing to give back


def test_it_is_off_where_there_is_no_crawl() -> None:
    with pytest.raises(NotConfigured):
        OperatorMiddleware.from_crawler(get_crawler())
