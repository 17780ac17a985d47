from __future__ import annotations

import logging
from typing import Any

import pytest
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Request
from twisted.python.failure import Failure

from focuscrawl.scrapy_side.failures import failure_of


def failure_with(error: Exception) -> Any:
    """As Scrapy hands it to the errback of a request."""
    try:
        raise error
    except Exception:
        failure: Any = Failure()  # type: ignore[no-untyped-call]
    failure.request = Request("http://a.test/")
    return failure


def test_the_log_tells_of_a_component_that_raised(caplog: pytest.LogCaptureFixture) -> None:
    """A middleware's exception goes to the errback of its request, and Scrapy does not log it."""
    request, name = failure_of(failure_with(KeyError("mine")))
    assert (request.url, name) == ("http://a.test/", "internal")
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.getMessage() == "internal error on http://a.test/: KeyError('mine')"
    assert record.exc_info is not None
    assert "failure_with" in logging.Formatter().formatException(record.exc_info)


def test_a_failed_download_is_no_error_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    assert failure_of(failure_with(DownloadTimeoutError("late")))[1] == "timeout"
    assert caplog.records == []
