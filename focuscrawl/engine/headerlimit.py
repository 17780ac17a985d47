"""A limit on the header section of an answer: a server that sends header fields without end is cut off.

Twisted limits one line (16 KiB) but not their number, and 100 000 of them would stall the event loop for a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import _LenientHTTP11ClientFactory, _LenientHTTP11ClientProtocol
from twisted.python.failure import Failure

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.web.iweb import IResponse

MAX_BYTES = 65_536
"""Of status line and header section, looked at after each read."""
UNFINISHED = ("STATUS", "HEADER")
"""States of Twisted's parser before the body."""


class HeadersTooLong(Exception):
    """The header section does not end."""


class LimitedProtocol(_LenientHTTP11ClientProtocol):
    """Scrapy's protocol that gives up on a header section of more than `MAX_BYTES`."""

    _head = 0

    def request(self, request: Any) -> Deferred[IResponse]:
        self._head = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  (Twisted's name)
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if self._parser is None or self._parser.state not in UNFINISHED:
            return
        self._head += len(data)
        if self._head > MAX_BYTES:
            error = HeadersTooLong(f"more than {MAX_BYTES} bytes of header fields")
            self._giveUp(Failure(error))  # type: ignore[no-untyped-call]


class LimitedFactory(_LenientHTTP11ClientFactory):
    """Builds protocols with the limit; for `HTTPConnectionPool._factory`, as Scrapy does with its own."""

    def buildProtocol(self, addr: IAddress | None) -> LimitedProtocol:  # noqa: N802  (Twisted's name)
        return LimitedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
