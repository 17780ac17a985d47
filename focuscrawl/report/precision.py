"""How many of the pages that were called relevant are so? By the probabilities of the calibrated page model.

The mean of the probabilities is what the model promises. What it is worth was measured where labels tell (`python -m
tools.eval.judge`, columns `said` and `true`): in half of the crawls the share was within BELOW and ABOVE of the promise. No
other page model gives probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.verdicts import called_relevant, judge_name

CALIBRATED = "calibrated"
LEAST = 20
"""Pages called relevant without which nothing is said."""
BELOW, ABOVE = 0.07, 0.22
"""Quartiles of the share of relevant pages less the promise."""
SHIFT = 0.0


@dataclass(frozen=True, slots=True)
class Precision:
    """Shares of the pages that were called relevant."""

    pages: int
    """That were."""
    middle: float
    """So many of them should be relevant …"""
    low: float
    high: float
    """… and in half of such crawls between these."""


def precision_of(db: Database, topic: str = "") -> Precision | None:
    """Of a crawl, or of one of its topics. None before LEAST pages, and where the page model gives no probabilities."""
    if judge_name(db) != CALIBRATED:
        return None
    return expected(*called_relevant(db, topic))


def expected(pages: int, probabilities: float) -> Precision | None:
    """Of so many pages with this sum of probabilities."""
    if pages < LEAST:
        return None
    said = probabilities / pages
    low, middle, high = (min(1.0, max(0.0, said + shift)) for shift in (-BELOW, SHIFT, ABOVE))
    return Precision(pages, middle, low, high)


def in_words(precision: Precision) -> str:
    """A sentence."""
    middle, low, high = (round(100 * share) for share in (precision.middle, precision.low, precision.high))
    return f"Of 100 pages called relevant about {middle} should be so; of half of such crawls {low} to {high} are."
