"""Searches the web for the topic while the crawl runs: `-a discover=URL`, the URL of a SearXNG instance.

Links lead only to what somebody has linked. What a search engine finds for the topic's own words enters the frontier, too, so
that parts of the web are found that no link of the crawl leads to. One worker of a crawl searches; when it is gone, the next.

Invariant: whatever the instance does, the crawl goes on. A search and what it found are written in one transaction.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from focuscrawl.crawl.counting import Counting
from focuscrawl.crawl.lease_buffer import LeaseBuffer
from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.crawl.operator_control import OperatorControl
from focuscrawl.crawl.order import Ordering
from focuscrawl.crawl.recrawl import Recrawling
from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.crawl.relevance.topic import SingleTopic
from focuscrawl.crawl.runner import Runner
from focuscrawl.crawl.stopping import Stopping
from focuscrawl.errors import BadInput
from focuscrawl.frontier.search_times import MOST_FAILURES, SearchTimes
from focuscrawl.items import Lease, Link, Page, Verdict
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.frontier.searches import SearchHitUrl, keep_search, made_lately
from focuscrawl.store.outlook import term_forms
from focuscrawl.text.stems import JOINT, written
from focuscrawl.topics.searxng import SearchHit, request_url, results, unanswered
from focuscrawl.topics.web_queries import TopicWords, WebSearch, web_searches
from models.link.link_score import DIGITS
from models.order.combined import merged

logger = logging.getLogger(__name__)

OWNER = "searcher"
"""Key in `meta`: the worker that searches."""
LOOK_SECONDS = 1.0
"""Between two looks whether a search is due."""
MOST_HITS = 50
"""Hits that are taken from one answer."""
MOST_IN_VAIN = 5
"""Searches in a row without a new URL that end a crawl which has nothing else to do."""
MOST_TERMS = 12
"""Strongest terms of a topic, among which there may be some whose written form is not known."""
PART_NAMES = {"page": "search", "context": "snippet", "anchor": "title", "url": "url"}
"""Parts of the link score, as they are called where a search stands for the page and a hit for the link."""


@dataclass(slots=True, kw_only=True)
class Discovery:
    """The searches of one process."""

    instance: str
    """Its normal URL, which has no password."""
    store: CrawlStore
    topic: CrawlTopic
    rules: LinkRules
    ordering: Ordering
    leases: LeaseBuffer
    control: OperatorControl
    recrawling: Recrawling
    stopping: Stopping
    counting: Counting
    runner: Runner
    _times: SearchTimes = field(default_factory=SearchTimes, init=False)
    _made: set[str] = field(default_factory=set, init=False)
    """Keys of the searches of this run."""
    _warned: bool = field(default=False, init=False)
    """Whether the log has a warning about the instance."""
    _one_at_once: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def search_periodically(self) -> None:
        """Search whenever a search is due, and let the crawl search before it ends for want of URLs. Returns when this run
        searches no more."""
        self.stopping.find_more = self.find_more
        while not self._times.over:
            await asyncio.sleep(LOOK_SECONDS)
            counts = self.counting.counts
            if counts.requests and self._times.is_due(counts.pages):  # the first request shows that the runner has begun
                await self._search()

    async def find_more(self) -> bool:
        """Search until there are new URLs, because nothing else is left to do. Returns whether there are."""
        for _ in range(MOST_IN_VAIN):
            new = await self._search(early=True)
            if new or new is None:
                return bool(new)
        return False

    async def _search(self, *, early: bool = False) -> int | None:
        """Make the next search. Returns how many new URLs it brought; None if nothing could be asked or came.

        `early`: before it is due."""
        async with self._one_at_once:
            # Not asked before, because the search that was waited for may have failed.
            if not (self._times.may_be_early if early else self._times.is_due(self.counting.counts.pages)):
                return None
            search = await self._next()
            if search is None:
                return None
            await asyncio.sleep(self._times.wait(_now()))
            if not self._may_ask:
                return None
            self._times.sent(self.counting.counts.pages)
            self.counting.request("search")
            found = await self._ask(search)
            self.stopping.requested()
            return None if found is None else await self._take(search, found)

    @property
    def _may_ask(self) -> bool:
        """Whether the crawl may send a request for a search now."""
        busy = self.topic.busy or self.control.waits or self.recrawling.on
        return not (busy or self.stopping.reason or self.leases.room <= 0)

    async def _next(self) -> WebSearch | None:
        """The next search; None if this worker has none to make now."""
        if not self._may_ask:
            return None
        pages = self.counting.counts.pages
        if not await self.store.claim(OWNER):
            self._times.nothing_to_ask(pages)
            return None
        forms, lately = await self.store.call(_forms_and_searches, now=self.store.clock())
        searches = web_searches([_words_of(topic, forms) for topic in self.topic.by_name.values()])
        search = next((search for search in searches if search.key not in self._made | lately), None)
        if search is None:
            self._times.nothing_to_ask(pages, soon=not searches)  # the next pages may say how the topic's terms are written
        return search

    async def _ask(self, search: WebSearch) -> list[SearchHit] | None:
        """The hits; None if there is no valid answer, which is logged once a run."""
        answer = await self.runner.ask(request_url(self.instance, search.query, search.page))
        try:
            if answer.error:
                raise BadInput(unanswered(self.instance, answer.error))
            found = results(self.instance, answer.status, answer.body, MOST_HITS)
        except BadInput as problem:
            self._times.ended(_now(), failed=True)
            self._failed(str(problem))
            return None
        self._times.ended(_now(), failed=False)
        return found

    def _failed(self, problem: str) -> None:
        if self.stopping.reason:
            return  # the crawl has broken it off
        self.counting.inc("discover/failed_count")
        if not self._warned:
            logger.warning("a search of the web failed, the crawl goes on: %s", problem)
            self._warned = True
        if self._times.failures == MOST_FAILURES:
            logger.warning("%d searches in a row have failed: this run searches the web no more", MOST_FAILURES)

    async def _take(self, search: WebSearch, found: Sequence[SearchHit]) -> int:
        """Write what a search found. Returns the number of new URLs."""
        hits = list(self._hits(found))
        store = self.store
        new = await store.call(keep_search, key=search.key, query=search.query, hits=hits, now=store.clock(),
            grain=store.limits.grain, only=store.only)  # fmt: skip
        self._made.add(search.key)
        self.counting.inc("discover/search_count")
        self.counting.inc("discover/hit_count", len(found))
        self.counting.inc("discover/new_count", new)
        logger.info("searched the web for %r, page %d: hits %d, new %d", search.query, search.page, len(found), new)
        if new:
            self.leases.retry_now()
        return new

    def _hits(self, found: Sequence[SearchHit]) -> Iterator[SearchHitUrl]:
        """The hits that no rule refuses, each with its priority. They have depth and distance 0, as seeds have."""
        page = Page(Lease(0, 0, self.instance), self.instance, fetched_at=self.store.clock())
        for number, hit in enumerate(found):
            link = Link(hit.url, hit.title, hit.snippet)
            if rule := self.rules.link_rule(link, page):
                self.counting.inc(f"links/refused_count/{rule}")
                continue
            self._score(link)
            discovered = DiscoveredUrl(link.url, self.ordering.start_priority(link.score, number), key=link.key)
            yield SearchHitUrl(discovered, orjson.dumps(list(link.parts.items())).decode(), hit.title)

    def _score(self, link: Link) -> None:
        """Score a hit as a link on a page that just reaches the threshold. The engine has found the words, which says more than
        a link on any page, and less than one on a page that was read and found to be on the topic."""
        scores: list[float] = []
        parts: dict[str, float] = {}
        for name, topic in self.topic.by_name.items():
            threshold = topic.model.own_threshold
            topic.scorer.score(link, Page(Lease(0, 0, ""), "", verdict=Verdict(threshold, True, threshold, (), threshold)))
            scores.append(link.score)
            parts |= {f"{name}/{new}" if name else new: link.parts[old] for old, new in PART_NAMES.items()}
        link.score, link.parts = round(merged(scores), DIGITS), parts


def _forms_and_searches(db: Database, now: float) -> tuple[dict[str, str], set[str]]:
    """How the crawl's pages write the terms that are stems, and the keys of the searches that need not be made again yet."""
    return term_forms(db), made_lately(db, now)


def _words_of(topic: SingleTopic, forms: Mapping[str, str]) -> TopicWords:
    """The topic's words as people write them, other than those that the user gave only as far as `forms` has them."""
    model, given = topic.model, topic.job.topic
    synonyms = [word for group in given.synonyms for word in group if word not in given.keywords]
    strongest = sorted(model.weights, key=lambda term: -model.weights[term])[: MOST_TERMS + len(model.evidence.keyword_terms)]
    own = {*model.evidence.keyword_terms, *topic.segmenter.terms(" ".join(synonyms))}
    terms = [term for term in strongest if term not in own and model.weights[term] > 0]
    idf = model.background.idf
    companions = sorted(set(topic.page_model.companions) - own, key=lambda term: (-idf(term), term))
    return TopicWords(given.keywords, (*synonyms, *_written(terms, forms)), tuple(_written(companions, forms)))


def _written(terms: Sequence[str], forms: Mapping[str, str]) -> list[str]:
    """The terms in their written forms. Those without one are left out, because a stem is no word to search for; Chinese terms
    are words."""

    def known(term: str) -> bool:
        return all(not word.isascii() or word in forms for word in term.split(JOINT))

    return [written(term, forms) for term in terms if known(term) and not term.isdecimal()]


def _now() -> float:
    return asyncio.get_running_loop().time()
