"""Fetching a robots.txt: a lease like any other, its redirects followed, its answer kept in the store."""

from __future__ import annotations

import logging
from typing import Any

from scrapy.http import Request, Response

from focuscrawl.engine.failures import error_name
from focuscrawl.engine.session import CrawlSession
from focuscrawl.items import Lease
from focuscrawl.politeness import retry_after
from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.politeness.robots_state import MAX_REDIRECTS, RobotsAnswer, decide
from focuscrawl.url.normalize import normalize, split

logger = logging.getLogger(__name__)


class RobotsFetch:
    """Turns answers to robots requests into states of the store."""

    def __init__(self, session: CrawlSession, agent: str = "focuscrawl") -> None:
        self._session = session
        self._agent = agent

    async def answered(self, response: Response) -> Request | None:
        """Keep the answer, or return the next request of a redirect (RFC 9309 section 2.3.1.2)."""
        request = response.request
        assert request is not None
        lease: Lease = request.meta["lease"]
        hops: int = request.meta.get("robots_hops", 0)
        location = response.headers.get("Location")
        if 300 <= response.status < 400 and location and hops < MAX_REDIRECTS:
            target = normalize(location.decode("utf-8", "replace"), response.url)
            if target:
                meta = {"lease": lease, "robots_hops": hops + 1}
                return Request(target, meta=meta, dont_filter=True)
        wait = retry_after.parse((response.headers.get("Retry-After") or b"").decode("latin-1"), self._now())
        await self._keep(lease, RobotsAnswer(response.status, response.body, wait))
        return None

    async def unreachable(self, lease: Lease, failure: Any) -> None:
        """No answer came."""
        error = error_name(failure.value)
        if error == "aborted":
            self._done(lease)
            await self._session.store.release([lease])
            return
        logger.info("robots.txt unreachable (%s): %s waits", error, lease.url)
        self._session.inc(f"robots/unreachable_count/{error}")
        await self._keep(lease, RobotsAnswer())

    async def _keep(self, lease: Lease, answer: RobotsAnswer) -> None:
        session, origin = self._session, split(lease.url)[0]
        await session.robots.load([Lease(lease.hid, -1, lease.url)])
        state = decide(answer, self._now(), session.robots.state(origin))
        delay = RobotsFile.parse(state.body).crawl_delay(self._agent) if state.state == "rules" else None
        session.robots.put(origin, state)
        session.inc(f"robots/state_count/{state.state}")
        await session.store.save_robots(lease, origin, state, delay)
        self._done(lease)

    def _done(self, lease: Lease) -> None:
        scheduler: Any = self._session.crawler.engine.scheduler if self._session.crawler.engine else None
        if scheduler is not None:
            scheduler.done(lease)

    def _now(self) -> float:
        return self._session.store.clock()
