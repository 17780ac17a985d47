"""What operators want of this process, as of its last heartbeat: run, wait or end, leave a host alone, forget a URL."""

from __future__ import annotations

import logging

from focuscrawl.errors import in_shell
from focuscrawl.items import Lease
from focuscrawl.report.plain import moment, plural
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.operator_changes import held_hosts
from focuscrawl.store.workers.control import Control, Orders, WantedState, read_orders
from focuscrawl.url.hosts import host_name

logger = logging.getLogger(__name__)


class OperatorControl:
    """The latest orders of operators. While `waits`, nothing is leased; leases that it `refuses` are given back unsent."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._orders = Orders()

    @property
    def wanted(self) -> WantedState:
        return self._orders.control.state

    @property
    def waits(self) -> bool:
        """Whether nothing may be leased now."""
        return self.wanted is not WantedState.RUN

    @property
    def notice(self) -> str:
        """A sentence for the person who watches the crawl; empty unless it is paused."""
        return paused(self._name, self._orders.control) if self.wanted is WantedState.PAUSE else ""

    @property
    def why(self) -> str:
        """The reason of a stop."""
        return stopped(self._name, self._orders.control)

    @property
    def held_origins(self) -> frozenset[str]:
        """The origins that must not be asked."""
        return self._orders.held_origins

    def refuses(self, lease: Lease) -> bool:
        """Whether a request that has not been sent yet must not be sent."""
        if self.waits:
            return True
        orders = self._orders
        if lease.url_id in orders.removed:
            return True
        return bool(orders.held) and host_name(lease.url) in orders.held

    async def refresh(self, store: CrawlStore) -> bool:
        """Read what operators want, and log what is new. Returns whether they have queued URLs since the last call."""
        before, self._orders = self._orders, await store.call(read_orders, store.worker)
        self._log_changes(before, self._orders)
        return self._orders.added != before.added

    async def held_back(self, store: CrawlStore) -> str:
        """What a crawl that ends leaves waiting on held hosts, as the end of a sentence; empty if nothing."""
        if not self._orders.held:
            return ""
        waiting = sum(host.waiting for host in await store.call(held_hosts))
        return f"; {plural(waiting, 'URL')} more on hosts that an operator holds" if waiting else ""

    def _log_changes(self, before: Orders, now: Orders) -> None:
        if now.control.state is not before.control.state:
            if now.control.state is WantedState.PAUSE:
                logger.warning("%s", self.notice)
            elif now.control.state is WantedState.RUN:
                logger.info("an operator%s lets the crawl run again", _by(now.control))
        for name in sorted(now.held - before.held):
            logger.info("an operator holds the host %s: no requests are sent to it until `scrapy frontier release`", name)
        for name in sorted(before.held - now.held):
            logger.info("the host %s is released", name)
        if new := now.removed - before.removed:
            logger.info("an operator removed %s that this process had in hand", plural(len(new), "URL"))


def paused(name: str, control: Control) -> str:
    """A sentence without a full stop."""
    when = f" since {moment(control.at)}" if control.at else ""
    return f"paused by an operator{_by(control)}{when}: nothing is fetched until `scrapy resume {in_shell(name)}`"


def stopped(name: str, control: Control) -> str:
    """A sentence without a full stop."""
    when = f" at {moment(control.at)}" if control.at else ""
    return f"an operator{_by(control)} stopped the crawl{when}; `scrapy resume {in_shell(name)}` resumes it"


def _by(control: Control) -> str:
    return f" ({control.by})" if control.by else ""
