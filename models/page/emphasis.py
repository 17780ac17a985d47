"""Is the topic a subject, or a kind of page? Its examples are compared with the pages that the crawl has seen.

A crawl for a kind of page (home pages, courses, manuals) that looks for the strongest words of its examples finds pages about
the examples' subjects: these then score higher than each example does by the words of the others. So every emphasis is tried:
how surely does an example stand above a page of the crawl, by the examples of other sites? Shared words are taken where they
make it surer by MARGIN than all words do, and kept as long as they do so by LASTING_MARGIN.

Pages need no labels: how many of them are relevant is the same for each emphasis. 0.04 s for twelve examples of as many
sites, 0.1 s for 24, whenever the pages seen have doubled; nothing for examples of few sites.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from models.page.page_context import PageContext
from models.page.page_sample import Counts, text_of
from models.page.text_score import text_score
from models.topic.evidence import Emphasis, Evidence, EvidenceText, site_of
from models.topic.weights import Idf, Vector, compose, emphasized, example_vector, keyword_part, mean, means

Text = tuple[Counts, PageContext]
"""A page's terms, and those of its title and URL."""
LEAST_SITES = 5
"""Sites of the examples without which there is no kind of page to be seen."""
LEAST_PAGES, MOST_PAGES = 20, 100
"""Pages of the crawl that examples are compared with."""
MARGIN = 0.2
"""A chance that shared words must add. They add up to 0.16 to topics by words, and 0.2 to 0.5 where a crawl follows the
subjects of examples that are a kind of page."""
LASTING_MARGIN = 0.1
"""The same where shared words count already. Such a crawl meets fewer pages about the examples' subjects, so that all words
seem to tell more than they did; without it, all words came back after 100 or 200 pages (docs/experiments.md)."""


def chosen_emphasis(evidence: Evidence, idf: Idf, min_weight: float, pages: Sequence[Counts]) -> Emphasis:
    """The emphasis under which examples stand out best among pages of the crawl."""
    sites = {site for example in evidence.examples if (site := site_of(example))}
    if len(sites) < LEAST_SITES or len(pages) < LEAST_PAGES:
        return Emphasis.ALL
    topic = _topics(evidence, idf, min_weight)
    texts = [text_of(page) for page in pages[:MOST_PAGES]]
    margin = MARGIN if evidence.emphasis is Emphasis.ALL else LASTING_MARGIN

    def gain(emphasis: Emphasis) -> float:
        return standing_out(evidence.examples, partial(topic, emphasis), idf, texts) - (emphasis is not Emphasis.ALL) * margin

    return max(Emphasis, key=gain)


def _topics(evidence: Evidence, idf: Idf, min_weight: float) -> Callable[[Emphasis, Sequence[EvidenceText]], Vector]:
    """The topic's vector as a function of an emphasis and of the examples that count; each example is weighed once
    for each emphasis."""
    # By identity, because texts hold dictionaries and have no hash.
    vectors = {
        (id(example), emphasis): example_vector(example, idf, emphasis)
        for example in evidence.examples
        for emphasis in Emphasis
    }
    negatives, keyword_direction = means(evidence.negatives, idf), keyword_part(evidence, idf)

    def topic(emphasis: Emphasis, examples: Sequence[EvidenceText]) -> Vector:
        liked = emphasized(mean([vectors[id(example), emphasis] for example in examples]), examples, emphasis)
        return evidence.given.apply(compose(liked, negatives, keyword_direction, min_weight))

    return topic


def standing_out(
    examples: Sequence[EvidenceText], topic: Callable[[Sequence[EvidenceText]], Vector], idf: Idf, pages: Sequence[Text]
) -> float:
    """The chance that an example scores higher than a page (the area under the ROC curve), by a topic made of the examples of
    other sites: those of its own have the site's words in common."""
    vector = topic(examples)
    of_pages = np.array([text_score((), context, vector, idf, counts)[0] for counts, context in pages])
    chances = []
    for site, own in groupby(sorted(examples, key=site_of), key=site_of):
        vector = topic([example for example in examples if site_of(example) != site])
        for example in own:
            context = PageContext(example.title_terms, example.url_terms)
            score = text_score((), context, vector, idf, example.counts)[0]
            chances.append(float(np.mean(of_pages < score) + np.mean(of_pages == score) / 2))
    return sum(chances) / len(chances)
