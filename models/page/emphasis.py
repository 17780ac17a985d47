"""Is the topic a subject, or a kind of page? What the crawl has seen tells, by the topic's own examples.

A crawl for a kind of page (home pages, courses, manuals) that looks for the strongest words of its examples finds pages about
the examples' subjects: these then score higher than each example does by the words of the others. So every emphasis is tried:
how surely does an example stand above a page of the crawl, by the examples of other sites? Shared words are taken where they
make it surer by MARGIN than all words do.

Pages need no labels: how many of them are relevant is the same for each emphasis. Up to 0.15 s for twelve examples of as many
sites, whenever the pages seen have doubled; nothing for examples of few sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from models.page.page_context import PageContext
from models.page.page_regression import text_of
from models.page.page_sample import Counts
from models.page.text_score import text_score
from models.topic.evidence import Emphasis, Evidence, site_of
from models.topic.weights import Idf, topic_weights

LEAST_SITES = 5
"""Sites of the examples without which there is no kind of page to be seen."""
LEAST_PAGES, MOST_PAGES = 20, 100
"""Pages of the crawl that examples are compared with."""
MARGIN = 0.2
"""A chance that shared words must add. They add up to 0.16 to topics by words, and 0.2 to 0.5 where a crawl follows the
subjects of examples that are a kind of page."""


def chosen_emphasis(evidence: Evidence, idf: Idf, min_weight: float, pages: Sequence[Counts]) -> Emphasis:
    """The emphasis under which examples stand out best among pages of the crawl."""
    sites = {site for example in evidence.examples if (site := site_of(example))}
    if len(sites) < LEAST_SITES or len(pages) < LEAST_PAGES:
        return Emphasis.ALL

    def gain(emphasis: Emphasis) -> float:
        chance = standing_out(replace(evidence, emphasis=emphasis), idf, min_weight, pages[:MOST_PAGES])
        return chance - (0.0 if emphasis is Emphasis.ALL else MARGIN)

    return max(Emphasis, key=gain)


def standing_out(evidence: Evidence, idf: Idf, min_weight: float, pages: Sequence[Counts]) -> float:
    """The chance that an example scores higher than a page (the area under the ROC curve), by a topic made of the examples of
    other sites: those of its own have the site's words in common."""
    vector = topic_weights(evidence, idf, min_weight)
    of_pages = np.array([text_score((), context, vector, idf, counts)[0] for counts, context in map(text_of, pages)])
    chances = []
    for site, examples in groupby(sorted(evidence.examples, key=site_of), key=site_of):
        others = tuple(example for example in evidence.examples if site_of(example) != site)
        vector = topic_weights(replace(evidence, examples=others), idf, min_weight)
        for example in examples:
            context = PageContext(example.title_terms, example.url_terms)
            score = text_score((), context, vector, idf, example.counts)[0]
            chances.append(float(np.mean(of_pages < score) + np.mean(of_pages == score) / 2))
    return sum(chances) / len(chances)
