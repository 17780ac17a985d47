"""The weights by which the calibrated page model adds up its signals, by how much evidence the topic is made from.

`python -m tools.eval.pages --fit` fits them on labelled recorded webs, each tested on the others (docs/measured.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from models.topic.evidence import LEAST_EXAMPLES, Emphasis, Evidence, one_site

MOST_LOG_ODDS = 8.0
"""Probabilities stay between 0.0003 and 0.9997, whatever the sums say."""
EVEN_SHARE = 0.62
"""The estimated share of relevant pages that changes no probability; fitted together with its weight."""


class Signals(NamedTuple):
    """What is known of a page: the inputs of the logistic regression."""

    text: float
    """The scaled text score."""
    url_words: float
    """Log odds of the words of its URL."""
    recent: float
    """Log odds of the recent share of relevant pages."""
    standing: float
    """By the page regression; 0 before there is one."""
    share: float
    """Log odds of the share of relevant pages that the page regression estimates, against those of EVEN_SHARE."""


class Weights(NamedTuple):
    """A weight for each of the `Signals`, and the constant."""

    text: float
    url_words: float
    recent: float
    standing: float
    share: float
    constant: float

    def log_odds(self, signals: Signals, shift: float) -> float:
        """The log odds that a page of these signals is relevant. `shift`: added to the constant."""
        return (
            self.text * signals.text
            + self.url_words * signals.url_words
            + self.recent * signals.recent
            + self.standing * signals.standing
            + self.share * signals.share
            + (self.constant + shift)
        )


@dataclass(frozen=True, slots=True)
class Calibration:
    """The weights of three logistic regressions."""

    text_only: tuple[float, float]
    """On the text alone: its weight, and the constant."""
    without_regression: Weights
    """On all signals before there is a page regression (`models.page.page_regression`)."""
    with_regression: Weights
    """On all signals with it."""
    threshold: float
    """Relevant from this probability on: half of the best F1 that such topics reach, which is where F1 of calibrated
    probabilities is largest (Lipton, Elkan, Naryanaswamy 2014)."""


FROM_EXAMPLES = Calibration(
    (0.90, -4.76), Weights(0.50, 0.25, 0.20, 0.0, 0.0, -5.10), Weights(0.20, 0.10, 0.25, 1.20, 0.20, -3.70), 0.20
)
FROM_ONE_SITE = replace(FROM_EXAMPLES, without_regression=Weights(0.50, 0.25, 0.20, 0.0, 0.0, -4.60))
"""For examples of one site. Words of their site do not count, and what is left of the examples scores low on other sites."""
FROM_SHARED_WORDS = replace(FROM_EXAMPLES, with_regression=Weights(0.40, 0.20, 0.50, 2.40, 0.40, -5.50), threshold=0.38)
"""For examples that are a kind of page: shared words tell such pages apart, but score low on all of them. With the regression,
the log odds are twice those of FROM_EXAMPLES, and 1.9 more. Fitted on crawls of one made web, tested on another
(docs/experiments.md, *Topics that are a kind of page*)."""
FROM_KEYWORDS = Calibration(
    (0.84, -3.06), Weights(0.50, 0.50, 0.90, 0.0, 0.0, -2.80), Weights(0.46, 0.35, 0.40, 1.50, 0.0, -1.60), 0.30
)
FROM_FEW_KEYWORDS = Calibration(
    (0.68, -2.30), Weights(0.50, 0.40, 0.90, 0.0, 0.0, -1.90), Weights(0.42, 0.30, 0.40, 1.50, 0.0, -1.50), 0.30
)
FROM_FEW_PAGES = Calibration(
    (0.37, -2.74), Weights(0.25, 0.20, 0.80, 0.0, 0.0, -2.40), Weights(0.13, 0.20, 0.60, 5.00, 0.0, -2.90), 0.20
)
"""One or two pages only. In all calibrations but FROM_SHARED_WORDS the words of URLs and the recent share weigh less than
fitted: the best weights for recorded crawls lose elsewhere and gain next to nothing (docs/experiments.md, *Weights and
scales*)."""
MANY_KEYWORDS = 6
"""From so many keywords on, as from LEAST_EXAMPLES examples on, a topic has the weights of a well described one."""


def calibration(evidence: Evidence) -> Calibration:
    """The weights for a topic, by how much evidence it is made from."""
    if len(evidence.examples) >= LEAST_EXAMPLES:
        if evidence.emphasis is not Emphasis.ALL:
            return FROM_SHARED_WORDS
        return FROM_ONE_SITE if one_site(evidence) else FROM_EXAMPLES
    if evidence.keyword_terms:
        return FROM_KEYWORDS if len(evidence.keyword_words) >= MANY_KEYWORDS else FROM_FEW_KEYWORDS
    return FROM_FEW_PAGES


def log_odds(probability: float) -> float:
    """The log odds of a probability in (0, 1)."""
    return math.log(probability / (1 - probability))


def probability(log_odds: float) -> float:
    """The probability of these log odds, kept away from 0 and 1."""
    return 1 / (1 + math.exp(-max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, log_odds))))
