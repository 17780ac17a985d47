"""Fetching a robots.txt: under a lease like any other. Its redirects are followed at the hosts' pace, its answer is stored."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter

from scrapy.http import Request, Response

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.frontier.outcome import FILTER_ERRORS
from focuscrawl.items import Lease
from focuscrawl.politeness import pace
from focuscrawl.politeness.robots import MAX_BYTES, RobotsFile
from focuscrawl.politeness.robots_state import RobotsAnswer, RobotsState, decide
from focuscrawl.report.reasons import cause
from focuscrawl.scrapy_side.responses import HOPS, MOST_BYTES, WAIT, robots_answer, robots_redirect
from focuscrawl.store.overview import NO_HOST
from focuscrawl.url.hosts import hid_of, host_name
from focuscrawl.url.normalize import split

logger = logging.getLogger(__name__)

ROBOTS_OF = "robots_of"
"""Key in request.meta of the lease for which a redirected request is made."""
NAMED = 5
"""Hosts without an answer that the log names, for each kind of failure."""
PATIENCE = 60.0
"""Seconds that a redirect waits until it may ask another host. After that the robots.txt counts as unreachable."""
MOST_WAITING = 4
"""Redirects that wait for one host at once. Thousands of parked domains may lead to one host: the others are put off, each to a
turn of its own, and hold up nobody."""
MOST_TURNS = 1000
"""Hosts for which such turns are remembered."""
REFUSED_LIFE = 60.0
"""After the guard refused a robots.txt, its origin has no rules for this many seconds."""


class RobotsFetch:
    """Turns answers to requests for robots.txt into the state that the store keeps of each origin."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl = crawl
        self._agent = crawl.options.robotstxt_user_agent
        self._unreachable: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        """Redirects that wait, by the name of the host they lead to."""
        self._turns: dict[str, float] = {}
        """By the name of a host for which too many wait: when the last of those that were put off comes again."""

    async def answered(self, response: Response) -> Request | None:
        """Keep the answer, or return the next request of a redirect (RFC 9309 section 2.3.1.2)."""
        request = response.request
        assert request is not None
        lease = robots_lease_of(request)
        if target := robots_redirect(response):
            return await self._hop(lease, target, request.meta.get(HOPS, 0) + 1)
        wait = pace.retry_after_seconds((response.headers.get("Retry-After") or b"").decode("latin-1"), self._now())
        answer = robots_answer(response, wait)
        if answer.cut:
            self._crawl.counting.inc("robots/cut_count")
        await self._keep(lease, answer)
        return None

    async def unreachable(self, request: Request, error: str) -> Request | None:
        """Handle a request without an answer. Returns the request to try next if only the IP address of a redirect was busy."""
        lease, wait = robots_lease_of(request), float(request.meta.get(WAIT) or 0.0)
        if error == "address-busy" and HOPS in request.meta:
            return await self._hop(lease, request.url, request.meta[HOPS], wait)
        if error == "aborted" and HOPS in request.meta and not (self._crawl.stopping.reason or self._crawl.control.waits):
            error = "unreachable"  # an operator holds the host of the redirect: another try at once would lead there again
        if error in ("aborted", "address-busy"):
            await self._crawl.leases.give_back(lease, wait)
            return None
        self._log(error, lease.url)
        self._crawl.counting.inc(f"robots/unreachable_count/{error}")
        if error in FILTER_ERRORS and HOPS not in request.meta:
            # The guard refuses the pages, too, each with its reason: so nothing is fetched without rules.
            now = self._now()
            await self._save(lease, RobotsState("allow", 0, b"", now, now + REFUSED_LIFE), None)
        else:
            if error in NO_HOST:
                self._crawl.counting.counts.errors += 1  # none of its pages will be asked for
            await self._keep(lease, RobotsAnswer(error=error))
        return None

    def _log(self, error: str, url: str) -> None:
        """Log the first few hosts of a kind, then the 10th, 100th …, because there may be thousands of dead hosts."""
        self._unreachable[error] += 1
        number = self._unreachable[error]
        if number <= NAMED:
            logger.info("robots.txt unreachable (%s: %s): %s", error, cause(error).words, url)
        elif number == 10 ** (len(str(number)) - 1):
            logger.info("robots.txt unreachable (%s) of %d hosts so far, the last: %s", error, number, url)

    async def _hop(self, lease: Lease, target: str, hops: int, wait: float = 0.0) -> Request | None:
        """Wait until the host of a redirect may be asked, and return the request; None if that takes too long."""
        origin, began = split(target)[0], self._now()
        name = host_name(origin)
        if self._crawl.leases.room < 0:  # one more request would be one too many
            await self._crawl.leases.give_back(lease)
            return None
        while True:
            wait = wait or await self._crawl.store.reserve(origin)
            if not wait:
                step = Lease(hid_of(origin), 0, target, robots=True)
                return Request(
                    target, meta={"lease": step, ROBOTS_OF: lease, HOPS: hops, MOST_BYTES: MAX_BYTES}, dont_filter=True
                )
            if self._now() + wait - began > PATIENCE:
                await self._keep(lease, RobotsAnswer())
                return None
            if self._waiting[name] >= MOST_WAITING:
                await self._crawl.leases.give_back(lease, self._turn(name, wait))
                return None
            self._waiting[name] += 1
            try:
                with contextlib.suppress(TimeoutError), self._crawl.long_work.waiting_for_host():
                    await asyncio.wait_for(self._crawl.stopping.aborting.wait(), wait)
                    await self._crawl.leases.give_back(lease)  # the crawl stops, which says nothing about the host
                    return None
            finally:
                self._waiting[name] -= 1
                self._waiting += Counter()  # drops what is 0
            wait = 0.0

    def _turn(self, name: str, wait: float) -> float:
        """Seconds until a redirect to this host may come again, each behind the one before. `wait`: those until the host may be
        asked now."""
        now = self._now()
        if len(self._turns) >= MOST_TURNS:
            self._turns = {each: at for each, at in self._turns.items() if at > now}
        delay = max(wait, self._crawl.store.limits.host.delay)
        self._turns[name] = max(self._turns.get(name, now), now) + delay
        return self._turns[name] - now

    async def _keep(self, lease: Lease, answer: RobotsAnswer) -> None:
        crawl, origin = self._crawl, split(lease.url)[0]
        # The rules so far, which may still hold. A lease of a page stands in: rules are not loaded for a robots.txt's own.
        await crawl.robots.load([Lease(lease.hid, -1, lease.url)])
        state = decide(answer, self._now(), crawl.robots.state(origin))
        delay = self._delay_of(state.body) if state.state == "rules" else None
        await self._save(lease, state, delay)

    async def _save(self, lease: Lease, state: RobotsState, delay: float | None) -> None:
        crawl, origin = self._crawl, split(lease.url)[0]
        crawl.robots.put(origin, state)
        crawl.counting.inc(f"robots/state_count/{state.state}")
        await crawl.store.save_robots(lease, origin, state, delay, self._delay_of)
        crawl.leases.done(lease)

    def _delay_of(self, body: bytes) -> float | None:
        """The Crawl-delay for us in a robots.txt."""
        return RobotsFile.parse(body).crawl_delay(self._agent)

    def _now(self) -> float:
        return self._crawl.store.clock()


def robots_lease_of(request: Request) -> Lease:
    """The lease of the robots.txt that this request is made for."""
    lease: Lease = request.meta.get(ROBOTS_OF) or request.meta["lease"]
    return lease
