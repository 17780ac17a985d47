"""How many of the pages that a crawl calls relevant really are: an estimate without labels, as figures and as a sentence.

It is the mean of the calibrated page model's probabilities; no other model gives any. It was compared with labels
(`python -m tools.eval.judge`, columns `said` and `true`): for a single topic it is often far off, however many pages there are,
and the range says how far. Of topics that are a kind of page (`models.page.emphasis`) it was far off on every kind of web,
nearly always too high. So of these no figure is told (docs/measured.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.verdicts import called_relevant, judge_name

CALIBRATED = "calibrated"
LEAST_JUDGED = 25
"""With fewer pages called relevant nothing is said. So many must be seen before a kind of page is recognized."""
SPREAD = 0.36
"""The true share was within this of the estimate in four of five cases (topics of twelve examples, three and eight keywords; 50
to 400 pages), each kind of web counting alike. Chosen on the other kinds of web, it is 0.33 to 0.37. It does not shrink as
pages are added."""
UNTOLD = (
    "How many of the pages called relevant really are cannot be told: the examples are a kind of page, and of such topics the"
    " estimate was far off."
)


@dataclass(frozen=True, slots=True)
class Precision:
    """How many of the pages that were called relevant should be, as shares."""

    pages: int
    """Number of pages that were called relevant."""
    middle: float
    """The share of them that should be relevant …"""
    low: float
    high: float
    """… and the bounds between which it is in four of five such crawls."""
    of_kind: bool = False
    """The topic is a kind of page, so that the figures do not hold."""


def precision_of(db: Database, topic: str = "", *, of_kind: bool) -> Precision | None:
    """The estimate for a crawl, or for one of its topics; None before LEAST_JUDGED pages, or if the page model gives no
    probabilities. `of_kind`: whether the topic is a kind of page."""
    if judge_name(db) != CALIBRATED:
        return None
    expected = expected_precision(*called_relevant(db, topic))
    return replace(expected, of_kind=of_kind) if expected else None


def expected_precision(pages: int, probability_sum: float) -> Precision | None:
    """The estimate for this many pages with this sum of probabilities; None before LEAST_JUDGED pages."""
    if pages < LEAST_JUDGED:
        return None
    mean = probability_sum / pages
    return Precision(pages, mean, max(0.0, mean - SPREAD), min(1.0, mean + SPREAD))


def precision_in_words(precision: Precision) -> str:
    """The estimate as a sentence, or why there is none."""
    if precision.of_kind:
        return UNTOLD
    middle, low, high = (round(100 * share) for share in (precision.middle, precision.low, precision.high))
    return (
        f"Of 100 pages called relevant about {middle} should really be so; it was {low} to {high} in four of five such crawls."
    )
