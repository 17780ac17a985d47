"""What can keep an answer from us: one short name for everything, as `Page.error` and the pace's outcome hold it."""

from __future__ import annotations

import zlib
from gzip import BadGzipFile

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
from twisted.internet.error import ConnectError, ConnectionClosed, SSLError


class Refused(IgnoreRequest):
    """A request that was not sent, or whose answer was not taken.

    rule: `address`, `port`, `scheme`, `method`, `header`, `proxy`, `host` (the guard's), `robots`, `robots-unknown`,
    `dns`. detail: the deciding robots line, the kind of address, or `nxdomain` / `nodata` / `servfail` / `timeout` /
    `badname`.
    """

    def __init__(self, rule: str, detail: str = ""):
        super().__init__(f"{rule}: {detail}" if detail else rule)
        self.rule = rule
        self.detail = detail


class Aborted(Exception):
    """The crawl is stopping; the URL goes back to the frontier."""


def error_name(exception: BaseException) -> str:
    """The short name of a download failure that `RequestOutcome.error` and `Page.error` use."""
    if isinstance(exception, Refused):
        return exception.rule
    for kinds, name in _NAMES:
        if isinstance(exception, kinds):
            return _cause(exception) if name == "failed" else name
    return "internal"


def _cause(exception: BaseException) -> str:
    """What ended a connection: Scrapy wraps Twisted's ResponseFailed, which holds the reasons as failures."""
    reasons = getattr(exception.__cause__, "reasons", None) or ()
    texts = " ".join(type(reason.value).__module__ + "." + type(reason.value).__name__ for reason in reasons)
    if "HeadersTooLong" in texts:
        return "headers"
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
    ((BadGzipFile, zlib.error, EOFError), "coding"),
    ((IgnoreRequest,), "bomb"),  # Scrapy's own: the body unpacks to more than DOWNLOAD_MAXSIZE
    ((SSLError,), "tls"),
    ((ConnectionClosed,), "reset"),
    ((ConnectError, OSError), "connect"),
)

PROBLEMS: tuple[type[BaseException], ...] = tuple(kind for kinds, _ in _NAMES for kind in kinds)
"""All that can end a download."""
