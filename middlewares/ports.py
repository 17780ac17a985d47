"""What the middlewares need from the crawl around them, as protocols: so that they can be tested without one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request

    from focuscrawl.items import Lease
    from focuscrawl.politeness.pace import RequestOutcome
    from focuscrawl.politeness.robots import RobotsFile


class RobotsSource(Protocol):
    """The store's robots rules."""

    def rules(self, origin: str) -> RobotsFile | None:
        """Rules of `http://host[:port]`; None while they are unknown or the origin must not be asked."""


class PaceSink(Protocol):
    """The pace of hosts and IP addresses, which the frontier keeps."""

    def report(self, lease: Lease, outcome: RequestOutcome) -> None:
        """Note that a request under this lease has just ended."""

    async def claim(self, lease: Lease, ip_address: str) -> float:
        """Ask whether a request may be sent to `ip_address` now. Returns 0 if it may, else the seconds until it may be."""


class ControlSource(Protocol):
    """What operators want."""

    def refuses(self, lease: Lease) -> bool:
        """Whether a request under this lease must not be sent any more."""


class AddressSource(Protocol):
    """The guarded resolver."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Counters of the process."""

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Checked addresses; LookupFailed or AddressRefused where there are none."""

    def knows(self, host: str) -> bool:
        """Whether `addresses` answers at once."""

    def prefer(self, host: str, ip_address: str) -> None:
        """Note that `ip_address` has answered for `host`, so that it is tried first from now on."""


def lease_of(request: Request) -> Lease | None:
    """The lease under which a request is made; None for one that does not come from the frontier."""
    return cast("Lease | None", request.meta.get("lease"))
