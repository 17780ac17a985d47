"""The topic as the crawl has it: words with their weights, the threshold, and the distribution of pages around it."""

from __future__ import annotations

from collections.abc import Mapping

from focuscrawl.crawl.relevance.stored_topic import StoredTopic, load_topic
from focuscrawl.crawl.start.stored_job import given_words
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.outlook import term_forms
from focuscrawl.store.overview import last_threshold
from focuscrawl.store.pages.browsing import relevance_counts
from focuscrawl.store.pages.verdicts import topics_of
from focuscrawl.text.stems import written

MOST_TERMS = 60
BINS = 20


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The crawl's topics, one or several. Raises BadInput if one is damaged."""
    labels = topics_of(db) or [""]
    found = [stored for label in labels if (stored := load_topic(db, label))]
    forms = term_forms(db, given_words(db))
    topics = [_topic(stored, forms) for stored in found if isinstance(stored.content, dict)]
    return {"topics": topics, "spread": spread(relevance_counts(db)), "threshold": last_threshold(db)}


def _topic(stored: StoredTopic, forms: Mapping[str, str]) -> dict[str, object]:
    content = stored.content
    evidence, threshold = content.get("evidence", {}), content.get("threshold", {})
    return {
        "name": stored.label, "made": content.get("made", ""), "keywords": content.get("keywords", []),
        "threshold": threshold.get("value", 0.0), "explanation": threshold.get("explanation", ""),
        "terms": [row | {"term": written(row["term"], forms)} for row in content.get("terms", [])[:MOST_TERMS]],
        "more_terms": max(len(content.get("terms", [])) - MOST_TERMS, 0),
        "negative_terms": [written(term, forms) for term in evidence.get("negative_terms", [])],
        "synonyms": evidence.get("synonyms", []),
        "examples": len(evidence.get("examples", [])), "negative_examples": len(evidence.get("negative_examples", [])),
        "taught": stored.taught is not None,
    }  # fmt: skip


def spread(counts: list[tuple[float, bool, int]]) -> list[dict[str, float]]:
    """A histogram of pages by relevance with `BINS` bins: how many are relevant and how many are not."""
    bins = [{"from": place / BINS, "relevant": 0, "other": 0} for place in range(BINS)]
    for hundredth, relevant, pages in counts:
        place = min(max(int(hundredth * BINS / 100), 0), BINS - 1)
        bins[place]["relevant" if relevant else "other"] += pages
    return bins if counts else []
