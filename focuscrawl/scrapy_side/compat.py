"""All private parts of Scrapy and Twisted that this program touches, each with what it is for and what would do without.

Written against Scrapy 2.19. tests/scrapy_side/test_compat.py runs every function here against the Scrapy that is installed, and
checks that no other module reaches for an underscore; docs/scrapy-versions.md says how to try another Scrapy.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
    _LenientHTTPClientParser,
)
from scrapy.crawler import Crawler
from scrapy.statscollectors import MemoryStatsCollector
from twisted.internet.protocol import connectionDone
from twisted.protocols.policies import TimeoutMixin
from twisted.python.failure import Failure

if TYPE_CHECKING:
    from scrapy.core.engine import ExecutionEngine
    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.web.iweb import IResponse


def engine_of(crawler: Crawler) -> ExecutionEngine | None:
    """The engine, None before there is one. `Crawler.engine` raises then, and signal handlers run that early."""
    engine: ExecutionEngine | None = vars(crawler).get("_engine")
    return engine


def is_running(crawler: Crawler) -> bool:
    """Whether the engine runs: before, Scrapy's signal handlers end the process without closing the spider."""
    engine = engine_of(crawler)
    return engine is not None and bool(engine.running)


def wake_engine(crawler: Crawler) -> None:
    """Let the engine ask the scheduler at once. There is no public call for this; the engine's heartbeat would do, up to 5 s
    late (measured: 2 s in the median, against 9 ms)."""
    engine = engine_of(crawler)
    slot = engine._slot if engine is not None else None
    if slot is not None:
        slot.nextcall.schedule()


def end_idle_close(crawler: Crawler) -> None:
    """Let a close that waits for nothing any more end. Scrapy looks whether it may only behind responses: one that begins while
    items of `start` are the last in the pipelines would never end, and there is no public way to ask."""
    engine = engine_of(crawler)
    scraper: Any = engine.scraper if engine is not None else None
    slot = scraper.slot if scraper is not None else None
    if slot is not None and slot.closing is not None and not slot.closing.called:
        scraper._check_if_closing()


def is_for_parse_command(spider_class: type[Spider]) -> bool:
    """Whether `scrapy parse` runs this spider: it replaces `start` by a function of its own, and says so nowhere else."""
    return spider_class.start.__module__ == "scrapy.commands.parse"


def tls_options(handler: HTTP11DownloadHandler) -> dict[str, Any]:
    """What Scrapy's settings of TLS versions and ciphers mean for Twisted's `CertificateOptions`."""
    policy: Any = handler._contextFactory
    options: dict[str, Any] = policy._get_cert_options_kwargs()
    return options


def use_tls_policy(handler: HTTP11DownloadHandler, policy: Any) -> None:
    """Let the handler's connections be made by `policy`, an IPolicyForHTTPS. Scrapy's own setting for this is deprecated."""
    handler._contextFactory = policy


class LeanStats(MemoryStatsCollector):
    """Scrapy's counters without the look, at each call, for the deprecated argument `spider`: 0.1 µs instead of 1.5, some
    twenty times a page. Scrapy's own class would do; it also warns components that pass the argument."""

    __getattribute__ = object.__getattribute__


# Limits on answers. A server that sends header fields without end is cut off: Twisted limits one line (16 KiB) but not their
# number, and 100 000 of them would stall the event loop for a second. One that pauses within a body is cut off, too, as if it
# had closed the connection, so that what came is not lost: Scrapy's time limit throws it away.

MOST_HEADER_BYTES = 65_536
"""Of status line and header section, checked after each read."""
STATUS_LINE = b"HTTP/"
CHUNKED = b"chunked"
UNFINISHED = ("STATUS", "HEADER")
"""States of Twisted's parser before the body."""


class HeadersTooLong(Exception):
    """The header section does not end."""


class NoStatusLine(Exception):
    """The answer begins with something else: HTTP/0.9, which had no heads, or no HTTP at all."""


class TransferParser(_LenientHTTPClientParser):
    """Scrapy's parser that takes every Transfer-Encoding as browsers do: Twisted knows `chunked` alone and gives up on any
    other. `identity` says nothing; what else is named is left to who undoes a Content-Encoding."""

    def allHeadersReceived(self) -> None:  # noqa: N802  (Twisted's name)
        head: Any = self
        named = b",".join(head.connHeaders.getRawHeaders(b"Transfer-Encoding", [])).lower()
        codings = [name for part in named.split(b",") if (name := part.strip()) not in (b"", b"identity")]
        head.connHeaders.removeHeader(b"Transfer-Encoding")
        if CHUNKED in codings:
            head.connHeaders.addRawHeader(b"Transfer-Encoding", CHUNKED)
        for name in codings:
            if name != CHUNKED:
                head.headers.addRawHeader(b"Content-Encoding", name)
        super().allHeadersReceived()  # type: ignore[no-untyped-call]


class LimitedProtocol(_LenientHTTP11ClientProtocol, TimeoutMixin):
    """Scrapy's protocol that gives up on a header section of more than `MOST_HEADER_BYTES`, and on an answer without a status
    line at its first bytes: Twisted waits for the end of the line, which may never come. A body that pauses for `silence`
    seconds ends there."""

    _head = 0
    _begun = False

    def __init__(self, quiescent: Any, silence: float):
        super().__init__(quiescent)  # type: ignore[no-untyped-call]
        self._silence = silence

    def request(self, request: Any) -> Deferred[IResponse]:
        self._head, self._begun = 0, False
        answer = super().request(request)
        parser: Any = self._parser
        if parser is not None:
            parser.__class__ = TransferParser  # as Scrapy gives it its own class
            parser.lineLengthExceeded = self._line_too_long  # Twisted would only close the connection
        return answer

    def _line_too_long(self, line: bytes) -> None:
        self._giveUp(Failure(HeadersTooLong(f"a header line of {len(line)} bytes or more")))  # type: ignore[no-untyped-call]

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  (Twisted's name)
        begins, self._begun = self._parser is not None and not self._begun, True
        if begins and not data.startswith(STATUS_LINE[: len(data)]):
            self._giveUp(Failure(NoStatusLine(data[:20])))  # type: ignore[no-untyped-call]
            return
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if self._parser is None or self._parser.state not in UNFINISHED:
            self.setTimeout(self._silence if self._parser is not None else None)  # type: ignore[no-untyped-call]
            return
        self._head += len(data)
        if self._head > MOST_HEADER_BYTES:
            error = HeadersTooLong(f"more than {MOST_HEADER_BYTES} bytes of header fields")
            self._giveUp(Failure(error))  # type: ignore[no-untyped-call]

    def timeoutConnection(self) -> None:  # noqa: N802  (Twisted's name)
        """The body pauses: it ends as if the server had closed the connection before all had come."""
        decoder = getattr(self._parser, "bodyDecoder", None)
        if decoder is not None and getattr(decoder, "contentLength", 0) is None:
            decoder.contentLength = 1  # where only its end would have told its length, Twisted would take it for whole
        assert self.transport is not None
        self.transport.abortConnection()

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802  (Twisted's name)
        self.setTimeout(None)  # type: ignore[no-untyped-call]
        super().connectionLost(reason)  # type: ignore[no-untyped-call]


class LimitedFactory(_LenientHTTP11ClientFactory):
    """Builds protocols with the limits."""

    def __init__(self, quiescent: Any, metadata: Any, silence: float):
        super().__init__(quiescent, metadata)  # type: ignore[no-untyped-call]
        self._silence = silence

    def buildProtocol(self, addr: IAddress | None) -> LimitedProtocol:  # noqa: N802  (Twisted's name)
        return LimitedProtocol(self._quiescentCallback, self._silence)


def limit_answers(handler: HTTP11DownloadHandler, silence: float) -> None:
    """Give the handler's connections the limits, by the way in which Scrapy gives them its own protocol. `silence`: most
    seconds that a body may pause."""
    pool: Any = handler._pool
    pool._factory = partial(LimitedFactory, silence=silence)
