"""What can go wrong with a request, each under one short name, as in `Page.error` and `RequestOutcome.error`."""

from __future__ import annotations

import logging
from typing import Any

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    StopDownload,
)
from scrapy.http import Request
from scrapy.utils.log import failure_to_exc_info
from twisted.internet.error import ConnectError, ConnectionClosed, SSLError

logger = logging.getLogger(__name__)

INTERNAL = "internal"
"""The name of what no download can end with: a component raised."""
DROPPED = "dropped"
"""A component of the user's did not let the request, its answer or its page through."""


class Refused(IgnoreRequest):
    """A request that was not sent, or whose answer was not taken.

    rule: `address`, `port`, `scheme`, `method`, `header`, `proxy`, `host` (the guard's), `robots`, `robots-unknown`, `dns`,
    `certificate`. detail: the deciding robots line, the kind of address, `nxdomain` / `nodata` / `servfail` / `timeout` /
    `badname`, or what is wrong with the certificate.
    """

    def __init__(self, rule: str, detail: str = ""):
        super().__init__(f"{rule}: {detail}" if detail else rule)
        self.rule = rule
        self.detail = detail


NO_ANSWER = ("servfail", "timeout")
"""Details of the rule `dns` that say nothing about the host: its name may well have an address."""


class Bomb(IgnoreRequest):
    """An answer that unpacks to far more than is read of any."""


class Aborted(Exception):
    """The crawl is stopping; the URL goes back to the frontier."""


def error_name(exception: BaseException) -> str:
    """The short name of a download failure that `RequestOutcome.error` and `Page.error` use."""
    if isinstance(exception, Refused):
        silent = exception.rule == "dns" and exception.detail in NO_ANSWER
        return "dns-failed" if silent else exception.rule
    for kinds, name in _NAMES:
        if isinstance(exception, kinds):
            return _cause(exception) if name == "failed" else name
    return INTERNAL


def failure_of(failure: Any) -> tuple[Request, str]:
    """The failed request and the short name of what failed. An exception of a component is logged, because Scrapy leaves it to
    the request's errback."""
    request, error = failure.request, error_name(failure.value)
    if error == INTERNAL:
        logger.error("internal error on %s: %r", request.url, failure.value, exc_info=failure_to_exc_info(failure))
    return request, error


def _cause(exception: BaseException) -> str:
    """What ended a connection: Scrapy wraps Twisted's ResponseFailed, which holds the reasons as failures."""
    reasons = getattr(exception.__cause__, "reasons", None) or ()
    texts = " ".join(type(reason.value).__module__ + "." + type(reason.value).__name__ for reason in reasons)
    if "HeadersTooLong" in texts:
        return "headers"
    if "NoStatusLine" in texts:
        return "http-0.9"
    if "SSL" in texts or "OpenSSL" in texts:
        return "tls"
    return "reset" if "Connection" in texts else "protocol"


_NAMES: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((Aborted,), "aborted"),
    ((CannotResolveHostError,), "dns"),
    ((DownloadTimeoutError, TimeoutError), "timeout"),
    ((DownloadConnectionRefusedError,), "connect"),
    ((DownloadCancelledError,), "length"),
    ((ResponseDataLossError,), "truncated"),
    ((StopDownload,), "stopped"),
    ((DownloadFailedError,), "failed"),
    ((Bomb,), "bomb"),
    ((SSLError,), "tls"),
    ((ConnectionClosed,), "reset"),
    ((ConnectError, OSError), "connect"),
    ((IgnoreRequest,), DROPPED),
)

PROBLEMS: tuple[type[BaseException], ...] = tuple(kind for kinds, _ in _NAMES for kind in kinds)
"""All exceptions that can end a download."""
