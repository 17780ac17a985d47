"""Knows when to stop: the stop rules over what this process fetches and over what waits, and the drift alarms."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator

from focuscrawl.engine.options import Options
from focuscrawl.engine.topic import TopicMaker
from focuscrawl.engine.topics import CrawlTopic, SharedTopics
from focuscrawl.frontier.drift import DriftWatch
from focuscrawl.frontier.stopping import Stop, StopRules, StopWatch
from focuscrawl.items import Page, Verdict
from focuscrawl.store.crawl import CrawlStore
from focuscrawl.topicfile import Job
from models.weights import document_vector

logger = logging.getLogger(__name__)

LOOK_PAGES = 50
"""Pages between two looks at what waits."""
BEST = 100
"""Waiting URLs that are looked at."""


class Watching:
    """One process's part. `alarms` holds the sentences of all drift alarms."""

    def __init__(self, job: Job, options: Options, topic: CrawlTopic, focused: bool) -> None:
        at_edge = options.edge if focused and job.arguments.at_edge != "go-on" else 0.0
        rules = StopRules(options.stop_harvest, options.stop_window, options.stop_promise, at_edge, options.edge_window)
        self._watch = StopWatch(rules)
        self._options, self._topic = options, topic
        self._drift: dict[str, DriftWatch] = {}
        self._looked_at = 0
        self.alarms: list[str] = []

    def record(self, page: Page, relevant: bool) -> Stop | None:
        """A page was stored. Returns why the crawl is to stop, if it is."""
        stop = self._watch.record(page.lease.score, relevant)
        before = len(self.alarms)
        if page.words and not page.duplicate and self._options.drift_bound:
            for name, maker, verdict in self._verdicts(page):
                if verdict.relevant:
                    self._accept(name, maker, page)
        if len(self.alarms) > before and self._options.stop_on_drift:
            return Stop("drift", self.alarms[-1])
        return stop

    async def look(self, store: CrawlStore) -> Stop | None:
        """Judge what waits, when enough has been fetched since the last time."""
        if self._watch.pages < self._looked_at + LOOK_PAGES:
            return None
        self._looked_at = self._watch.pages
        return self._watch.look(await store.best_waiting(BEST))

    def places(self, wanted: int) -> int:
        """See `StopWatch.places`."""
        return self._watch.places(wanted)

    def _verdicts(self, page: Page) -> Iterator[tuple[str, TopicMaker, Verdict]]:
        if isinstance(self._topic, SharedTopics):
            for name, verdict in page.verdicts.items():
                yield name, self._topic.makers[name], verdict
        elif page.verdict:
            yield "", self._topic, page.verdict

    def _accept(self, name: str, maker: TopicMaker, page: Page) -> None:
        model = maker.model
        watch = self._drift.get(name)
        if watch is None:
            watch = self._drift[name] = DriftWatch(model.weights, self._options.drift_bound)
        vector = document_vector(Counter(page.words), model.background.idf)
        for alarm in watch.accept(page.url, vector):
            text = f"topic {name}: {alarm.text}" if name else alarm.text
            self.alarms.append(text)
            logger.warning("the crawl drifts: %s", text)
