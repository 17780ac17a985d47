"""Does the crawl still find what was asked for? Two alarms watch the last accepted pages: one when their centre moves away
from the topic, the other when one page template floods them with nearly the same words.

While the centre is away from the topic, the page model does not learn from relevant pages that are far less similar to the
topic than the first ones were (`DriftWatch.least_similarity`). Otherwise a model that misjudges would learn its own mistakes.

What the first pages of a crawl were like is kept in the store, so that later runs and workers are measured by it, too.

Accepted pages are relevant pages that repeat no other. Vectors are TF-IDF weights by term, of length 1.
"""

from __future__ import annotations

import logging
import math
import re
from collections import Counter, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from operator import neg
from typing import NamedTuple
from urllib.parse import urlsplit

import orjson

from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.crawl.relevance.topic import SingleTopic
from focuscrawl.items import Page
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.text.stems import spellings, written
from models.topic.weights import document_vector

logger = logging.getLogger(__name__)

FIRST = 50
"""Accepted pages at the start, whose nearness to the topic is the standard for the later ones."""
WINDOW = 100
"""The last accepted pages, whose centre is compared with that of the first."""
EVERY = 10
"""Accepted pages between two judgements."""
TERMS = 40
"""Only this many terms of a page count, those with the largest weights."""
FLOOD_SHARE = 0.5
"""More pages of the window than this share from one template are a flood …"""
FLOOD_LIKENESS = 0.7
"""… if each shares at least this much of its terms (Jaccard) with the one before, on average. Manuals and encyclopedias have
one template too, but their pages have different words."""
NAMED = 3
"""Most terms that an alarm names."""
BEGINNING = 2_000
"""Characters of a page's text that are kept, to name terms as pages write them."""
STANDARDS_KEY = "drift_standards"
"""Key in `meta`: the standards of the crawl's topics by their digests."""

_digits = re.compile(r"\d+")

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Alarm:
    kind: str
    """`centre` or `flood`."""
    text: str
    """A sentence without a full stop."""


class Standard(NamedTuple):
    """What the first accepted pages of a crawl were like."""

    nearness: float
    """Similarity of their centre to the topic."""
    similarity: float
    """Mean of their similarities to the topic."""


@dataclass(frozen=True, slots=True)
class _Accepted:
    template: str
    vector: Vector
    likeness: float
    """Jaccard's coefficient with the accepted page of the same template before it."""
    text: str
    """Its beginning."""


class DriftWatch:
    """Watches one topic. Raises each kind of alarm once."""

    def __init__(self, topic: Vector, bound: float, standard: Standard | None = None) -> None:
        """Begin without a page.

        Args:
            topic: its vector at the start.
            bound: the last pages must keep this share of the first pages' nearness to it.
            standard: that of the crawl; None: the first pages are still to come.
        """
        self._topic, self._bound = dict(topic), bound
        self._window: deque[_Accepted] = deque(maxlen=WINDOW)
        self._sum = defaultdict[str, float](float)
        """Sum of the vectors in the window, which points where its centre does."""
        self._templates: Counter[str] = Counter()
        self._last: dict[str, Vector] = {}
        """By template, the vector of its latest accepted page in the window."""
        self._seen = FIRST if standard else 0
        self.standard = standard
        self._similarities = 0.0
        """Sum of the similarities of the first pages to the topic."""
        self._raised: set[str] = set()
        self._away = False

    @property
    def least_similarity(self) -> float:
        """The least similarity to the topic of a relevant page that the model learns from; 0 unless the centre is away."""
        return self._bound * self.standard.similarity if self.standard and self._away else 0.0

    def accept(self, url: str, vector: Vector, similarity: float = 0.0, text: str = "") -> list[Alarm]:
        """Add an accepted page and return new alarms. `similarity`: of page and topic, from the verdict. Takes 0.2 ms."""
        self._add(template_of(url), largest(vector), text[:BEGINNING])
        self._seen += 1
        if self._seen <= FIRST:
            self._similarities += similarity
        if self._seen == FIRST:
            self.standard = Standard(cosine(self._sum, self._topic), self._similarities / FIRST)
        if self._seen % EVERY:
            return []
        alarms = []
        if self.standard and self._seen >= FIRST + WINDOW:
            near = cosine(self._sum, self._topic)
            self._away = near < self._bound * self.standard.nearness
            if self._away and "centre" not in self._raised:
                alarms.append(Alarm("centre", self._centre(near, self.standard.nearness)))
        if len(self._window) >= WINDOW and "flood" not in self._raised and (text := self._flood()):
            alarms.append(Alarm("flood", text))
        self._raised.update(alarm.kind for alarm in alarms)
        return alarms

    def _add(self, template: str, vector: Vector, text: str) -> None:
        if len(self._window) == WINDOW:
            self._remove(self._window.popleft())
        self._window.append(_Accepted(template, vector, likeness(self._last.get(template, {}), vector), text))
        self._last[template] = vector
        self._templates[template] += 1
        for term, weight in vector.items():
            self._sum[term] += weight

    def _remove(self, old: _Accepted) -> None:
        self._templates[old.template] -= 1
        if not self._templates[old.template]:
            del self._templates[old.template], self._last[old.template]
        for term, weight in old.vector.items():
            left = self._sum[term] - weight
            if left < 1e-9:  # nothing but rounding is left
                del self._sum[term]
            else:
                self._sum[term] = left

    def _centre(self, near: float, first: float) -> str:
        new = [term for term in sorted(self._sum, key=lambda term: -self._sum[term]) if term not in self._topic]
        forms = spellings(page.text for page in self._window)
        says = f"; they speak of {', '.join(written(term, forms) for term in new[:NAMED])}" if new else ""
        return (
            f"the last {WINDOW} relevant pages are less about the topic than the first ones were"
            f" (similarity {near:.2f} after {first:.2f}){says}; nothing is learned from those that are far from it"
        )

    def _flood(self) -> str:
        [(template, count)] = self._templates.most_common(1)
        if count <= FLOOD_SHARE * len(self._window):
            return ""
        alike = [one.likeness for one in self._window if one.template == template]
        if sum(alike) / len(alike) < FLOOD_LIKENESS:
            return ""
        return f"{count} of the last {len(self._window)} relevant pages are nearly the same, from {template}"


def template_of(url: str) -> str:
    """The URL's host and the shape of its path: numbers become `0`, the last segment `*`; the query keeps only names."""
    parts = urlsplit(url)
    folder = _digits.sub("0", parts.path.rpartition("/")[0])
    names = sorted(field.partition("=")[0] for field in parts.query.split("&") if field)
    return f"{parts.netloc}{folder}/*" + (f"?{'&'.join(names)}" if names else "")


def largest(vector: Vector) -> Vector:
    """The TERMS terms with the largest weights; of equal weights the first by name."""
    if len(vector) <= TERMS:
        return vector
    return {term: -weight for weight, term in sorted(zip(map(neg, vector.values()), vector, strict=True))[:TERMS]}


def likeness(one: Vector, other: Vector) -> float:
    """Jaccard's coefficient of the terms; 0 for two empty pages."""
    return len(one.keys() & other.keys()) / max(1, len(one.keys() | other.keys()))


def cosine(one: Vector, other: Vector) -> float:
    """In [0, 1] for weights that are not negative; 0 if one is empty."""
    dot = sum(weight * other.get(term, 0.0) for term, weight in one.items())
    lengths = math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return dot / lengths if lengths else 0.0


class DriftAlarms:
    """The watches of all topics of a crawl, over the pages that this process stores."""

    def __init__(self, topic: CrawlTopic, bound: float) -> None:
        """`bound`: RELEVANCE_DRIFT_BOUND, see `DriftWatch`; 0 switches the alarms off."""
        self._topic, self._bound = topic, bound
        self._watches: dict[str, DriftWatch] = {}
        self._standards: dict[str, Standard] = {}
        """By the digest of the topic, those of the crawl and those that this process has found."""
        self._unwritten = False
        self.sentences: list[str] = []
        """One for each alarm so far, without a full stop."""

    async def open(self, store: CrawlStore) -> None:
        """Take over the standards that the crawl has. Called before the first page is recorded."""
        self._standards = await store.call(_kept_standards)

    async def keep(self, store: CrawlStore) -> None:
        """Write the standards that were found since the last call."""
        if self._unwritten:
            self._unwritten = False
            await store.call(_keep_standards, standards=self._standards)

    def record(self, page: Page) -> int:
        """Note that a page was stored; returns how many alarms it raised."""
        before = len(self.sentences)
        if page.words and not page.duplicate and not page.outgrown and self._bound:
            for name, topic in self._topic.by_name.items():
                verdict = page.verdicts.get(name) if name else page.verdict
                if verdict and verdict.relevant:
                    self._accept(name, topic, page, verdict.similarity)
        return len(self.sentences) - before

    def _accept(self, name: str, topic: SingleTopic, page: Page, similarity: float) -> None:
        model = topic.model
        watch = self._watches.get(name)
        if watch is None:
            watch = self._watches[name] = DriftWatch(model.weights, self._bound, self._standards.get(model.topic_digest))
        vector = document_vector(Counter(page.words), model.background.idf)
        alarms = watch.accept(page.url, vector, similarity, page.whole)
        topic.least_similarity = watch.least_similarity
        if watch.standard and model.topic_digest not in self._standards:
            self._standards[model.topic_digest], self._unwritten = watch.standard, True
        for alarm in alarms:
            text = f"topic {name}: {alarm.text}" if name else alarm.text
            self.sentences.append(text)
            logger.warning("the crawl drifts: %s", text)


def _kept_standards(db: Database) -> dict[str, Standard]:
    kept = orjson.loads(read_meta(db, STANDARDS_KEY) or "{}")
    return {digest: Standard(*values) for digest, values in kept.items()}


def _keep_standards(db: Database, standards: Mapping[str, Standard]) -> None:
    """Those that are there already stay: another worker was first."""
    kept = {digest: tuple(standard) for digest, standard in {**standards, **_kept_standards(db)}.items()}
    set_meta(db, STANDARDS_KEY, orjson.dumps(kept).decode())
