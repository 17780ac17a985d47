"""What text score a relevant page of this topic has: the examples tell, each judged by the topic made without it."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from models.page.page_context import NO_CONTEXT, PageContext
from models.page.text_score import text_score
from models.topic.evidence import LEAST_EXAMPLES, Evidence, one_site
from models.topic.vsm import left_out, made_up_pages, quantile
from models.topic.weights import Idf, topic_weights

USUAL_SCORE = 8.2
"""Text score of the examples of a usual topic."""
LOW_SCORE = 5.0
"""Examples that score lower share few words, and pages like them would never count as relevant."""
PRIOR_EXAMPLES = 3
"""Examples of the usual score that are added to those of a narrow topic, because three examples say little about it."""
NOISE_RATIO = 1.3
"""Examples must score this many times as high as made-up pages about nothing; at 1, these would count half."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What text score a relevant page of this topic has: 4 if its examples have many subjects, 14 if it is narrow.

    Scores relative to this recognize relevant pages before any page was seen (docs/experiments.md, *Weights and scales*).
    Beside the page regression, the scores of topics whose examples score low are raised instead, all by the same amount."""

    usual: float = 0.0
    """Median text score of the examples, each with the topic made without it; 0: there are too few examples."""

    def ratio(self, text: float) -> float:
        """The text score as it would be if this were a usual topic."""
        return text * USUAL_SCORE / self.usual if self.usual else text

    def raised(self, text: float, least: float) -> float:
        """The text score and what the topic's own usual score lacks of `least`. 0 stays 0."""
        return text + max(0.0, least - self.usual) if text and self.usual else text


def own_scale(evidence: Evidence, idf: Idf, min_weight: float) -> Scale:
    """The scale of this topic. Takes 10 ms, and 20 ms more if the examples share few words."""
    if len(evidence.examples) < LEAST_EXAMPLES:
        return Scale()
    usual = median(
        text_score((), PageContext(document.title_terms, document.url_terms), vector, idf, document.counts)[0]
        for document, vector in left_out(evidence, idf, min_weight)
    )
    if usual < LOW_SCORE:
        vector = topic_weights(evidence, idf, min_weight)
        noise = quantile(
            [text_score(page, NO_CONTEXT, vector, idf)[0] for page in made_up_pages(round(evidence.han_share, 2))], 0.95
        )
        usual = max(usual, NOISE_RATIO * noise, 1.0)
    if one_site(evidence):
        return Scale(min(usual, USUAL_SCORE))
    if usual > USUAL_SCORE:
        examples = len(evidence.examples)
        usual = (examples * usual + PRIOR_EXAMPLES * USUAL_SCORE) / (examples + PRIOR_EXAMPLES)
    return Scale(usual)
