"""The topic as a vector of terms, and how similar a text is to it (vector space model).

Similarity is equation 2 of the customizable focused crawler:

    Sim(X) = sum_k x_k w_k / (sqrt(sum x_k^2) sqrt(sum w_k^2))

x_k = f_k log(D/h_k). The numerator sums over the topic's terms, |w| is 1, and |x| is taken over all terms of the text. If |x|
were taken over the topic's terms alone, one accidental "index" on a long page would score as high as a page about nothing else
(mean area on the two recorded webs, in an early prototype, 0.55 and 0.37 against 0.72 and 0.44).

The threshold from which a page is relevant is chosen from the topic's own texts, and explained in one sentence (`choose`).
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import neg
from statistics import median

from focuscrawl.items import Verdict
from focuscrawl.text.language_labels import asks_for
from focuscrawl.text.segment import Segmenter
from models.topic.background import Background, draw
from models.topic.evidence import NOTHING_GIVEN, Emphasis, Evidence, EvidenceText, GivenTerms, one_site
from models.topic.weights import Idf, Vector, compose, emphasized, example_vector, keyword_part, means, topic_weights

MIN_TERM_WEIGHT = 0.02
"""Default of RELEVANCE_MIN_TERM_WEIGHT: terms of the examples below it are dropped."""
FIRST_REFRESH = 25
"""Pages seen before the crawl's document frequencies are used for the first time; then again whenever these have doubled."""
MADE_UP_PAGES = 60
"""Pages about nothing, drawn from the bundled word frequencies, which show what a page reaches by chance."""
MADE_UP_SHARE = 0.01
"""Share of topic terms in a made-up page on the topic, where examples are missing. At 0.1 the verdicts of a topic of
keywords alone had a recall of 0.02 and 0.01 on the two recorded webs (precision 0.30 and 0.51), at 0.01 one of 0.48 and
0.46 (precision 0.49 and 0.62)."""
REASONS = 8
"""Terms named in a verdict."""
HELD_OUT_FACTOR = 0.7
"""The threshold as a share of the examples' median: examples are clear cases, and other relevant pages score lower."""
NOISE_FACTOR = 1.5
"""The threshold is at least this multiple of the score of pages about nothing."""
FLOOR = 0.02
"""Least threshold, whatever the texts say."""
MIN_HELD_OUT = 3
"""With fewer examples, leaving one out leaves too little to compare it with."""
MIN_NEGATIVES = 3
"""Fewer counter-examples do not count for the threshold, only for the topic's vector."""


class TopicModel:
    """One topic: weights, document frequencies, threshold. Make one by `fit` or `models.topic.json_file.load`."""

    def __init__(
        self,
        evidence: Evidence,
        background: Background,
        weights: Vector,
        threshold: Threshold,
        segmenter_name: str,
        min_weight: float = MIN_TERM_WEIGHT,
        made: str = "",
    ) -> None:
        self.evidence = evidence
        self.background = background
        self.weights = weights
        self._given = threshold if threshold.given else None
        self._chosen = None if threshold.given else threshold
        """The threshold that the topic's own texts suggest; None: not computed yet."""
        self.segmenter_name = segmenter_name
        self.min_weight = min_weight
        self.made = made
        self.languages: tuple[str, ...] = ()
        """ISO 639 codes of the languages that the user asks for; empty: any."""
        self.topic_digest = ""
        """Digest of what the user had given for the topic when it was made (`config.topic_file.topic_digest`), to see whether
        that has changed; empty if nobody asks."""
        self.revision = 0
        """Grows with every refresh, after which cached similarities are not valid any more."""
        self._next_refresh = max(FIRST_REFRESH, 2 * background.pages)

    @classmethod
    def fit(
        cls,
        segmenter: Segmenter,
        examples: Sequence[tuple[str, str]] = (),
        keywords: Sequence[str] = (),
        *,
        negatives: Sequence[tuple[str, str]] = (),
        seeds: Sequence[str] = (),
        background: Background | None = None,
        min_weight: float = MIN_TERM_WEIGHT,
        threshold: float | None = None,
        made: str = "",
        given_terms: GivenTerms = NOTHING_GIVEN,
        languages: Sequence[str] = (),
    ) -> TopicModel:
        """Learn a topic. Raises BadInput if no text and no keyword has a term.

        Args:
            segmenter: cuts texts into terms.
            examples: pairs (source, text) on the topic.
            keywords: words of the topic.
            negatives: pairs (source, text) that are not on the topic.
            seeds: URLs of the seeds; the first KEPT_SEEDS are kept with the topic.
            background: document frequencies; None: the bundled ones.
            min_weight: terms of the examples with smaller weights are dropped.
            threshold: the least similarity of a relevant page, in [0, 1]; None: chosen by the texts.
            made: the date that is kept with the topic.
            given_terms: weights that the user gave, and terms that speak against the topic.
            languages: ISO 639 codes of the languages that the user asks for; none: any.
        """
        background = background or Background()
        evidence = Evidence.read(segmenter, examples, keywords, negatives, seeds, given_terms)
        weights = topic_weights(evidence, background.idf, min_weight)
        limit = given(threshold) if threshold is not None else chosen_threshold(evidence, weights, background.idf, min_weight)
        model = cls(evidence, background, weights, limit, segmenter.name, min_weight, made)
        model.languages = tuple(languages)
        return model

    def similarity(self, words: Iterable[str]) -> float:
        """Equation 2 for a text given as terms, in [0, 1]; 0 for an empty text. 0.1 ms for a page of 500 terms."""
        return similarity(Counter(words).items(), self.weights, self.background.idf)

    def short_similarity(self, words: Iterable[str]) -> float:
        """Equation 2 with each term counted once: for anchors and URLs, which repeat words without meaning."""
        terms, idf, weights = set(words), self.background.idf, self.weights
        common = weights.keys() & terms
        if not common:  # as for most links
            return 0.0
        dot = 0.0
        for term in common:
            dot += idf(term) * weights[term]
        return min(1.0, dot / math.hypot(*map(idf, terms))) if dot > 0.0 else 0.0

    @property
    def threshold(self) -> Threshold:
        """The threshold that the user gave, or else the one that the topic's own texts suggest."""
        return self._given or self._suggested()

    @property
    def given_threshold(self) -> float | None:
        """The threshold that the user gave; None if there is none."""
        return self._given.value if self._given else None

    @property
    def own_threshold(self) -> float:
        """The cosine that the topic's own texts suggest, also where the user gave a threshold for other scores."""
        return self._suggested().value

    def _suggested(self) -> Threshold:
        """Computed on first use after a refresh, which takes 60 ms: not needed if the page model has a threshold of its own."""
        if self._chosen is None:
            self._chosen = chosen_threshold(self.evidence, self.weights, self.background.idf, self.min_weight)
        return self._chosen

    def judge(self, words: Iterable[str]) -> Verdict:
        """The verdict on a page with the terms that counted and their shares of the score (sum of all shares: 1)."""
        counts = Counter(words)
        score = similarity(counts.items(), self.weights, self.background.idf)
        if score <= 0.0:
            return Verdict(0.0, False, self.threshold.value)
        idf, weights = self.background.idf, self.weights
        parts = {term: n * idf(term) * weights[term] for term, n in counts.items() if term in weights}
        return Verdict(score, score >= self.threshold.value, self.threshold.value, reasons(parts), score)

    def asks_for(self, language: str) -> bool:
        """Whether pages in this language are wanted: see `language_labels.asks_for`."""
        return asks_for(self.languages, language)

    def in_language(self, verdict: Verdict, language: str) -> Verdict:
        """A page model's verdict on a page in this language: a page in a language that the user does not ask for is not
        relevant, whatever its text says. Its similarity stays, because its links may lead to its translation."""
        return verdict if self.asks_for(language) else replace(verdict, relevance=0.0, relevant=False)

    @property
    def due(self) -> bool:
        """Whether enough pages were counted, here or elsewhere, for the topic to be refreshed."""
        return self.background.pages >= self._next_refresh

    def learn(self, words: Iterable[str], relevant: bool) -> bool:
        """Count a page that was seen in the document frequencies; true if the topic was refreshed (about 10 ms)."""
        self.background.observe(words, relevant)
        if not self.due:
            return False
        self.refresh()
        return True

    def refresh(self) -> None:
        """Compute the weights again with the document frequencies as they are now; the threshold when it is asked for."""
        self._next_refresh = max(FIRST_REFRESH, 2 * self.background.pages)
        self.background.refresh()
        self._weigh()

    def emphasize(self, emphasis: Emphasis) -> None:
        """Compute the weights again with this emphasis."""
        if emphasis is not self.evidence.emphasis:
            self.evidence = replace(self.evidence, emphasis=emphasis)
            self._weigh()

    def _weigh(self) -> None:
        self.weights = topic_weights(self.evidence, self.background.idf, self.min_weight)
        self._chosen = None
        self.revision += 1


def similarity(counts: Iterable[tuple[str, int]], weights: Vector, idf: Idf) -> float:
    """Cosine of a text, given as (term, occurrences), and a topic vector of length 1."""
    dot = squares = 0.0
    for term, n in counts:
        x = n * idf(term)
        squares += x * x
        if term in weights:
            dot += x * weights[term]
    return min(1.0, dot / math.sqrt(squares)) if dot > 0.0 else 0.0


def reasons(parts: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """The REASONS terms that counted most in a score, each with its share of the sum of all parts; none if that is not above
    0."""
    whole = sum(parts.values())
    best = sorted(zip(map(neg, map(abs, parts.values())), parts, strict=True))[:REASONS]  # of equals the first by name
    return tuple((term, round(parts[term] / whole, 4)) for _, term in best) if whole > 0 else ()


@dataclass(frozen=True, slots=True)
class Threshold:
    """A similarity in (0, 1] and why it was chosen."""

    value: float
    explanation: str
    given: bool = False


def given(value: float) -> Threshold:
    """A threshold that the user gave."""
    return Threshold(value, f"{value:g} was given by the user.", given=True)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies (nearest rank); 0 for no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def choose(
    held_out: Sequence[float], noise: Sequence[float], made_up: Sequence[float] = (), negatives: Sequence[float] = ()
) -> Threshold:
    """The threshold, with its explanation, chosen from similarities.

    Args:
        held_out: similarity of each example to the topic made of the other examples.
        noise: those of pages about nothing, nearly all of which are to stay below the threshold.
        made_up: those of made-up pages on the topic, used if there are fewer than three examples.
        negatives: those of counter-examples. Their median counts, because a page on the topic that somebody rejected for
            another reason, or by mistake, must not lift the threshold above the examples.
    """
    enough = len(held_out) >= MIN_HELD_OUT
    middle = median(held_out if enough else made_up) if (enough or made_up) else 0.0
    about_nothing = quantile(noise, 0.99)
    rejected = median(negatives) if len(negatives) >= MIN_NEGATIVES else 0.0
    loudest = max(about_nothing, rejected)
    low, high = HELD_OUT_FACTOR * middle, NOISE_FACTOR * loudest
    value = round(max(low, high, FLOOR), 4)
    likeness = (
        f"the median similarity of the {len(held_out)} examples, each compared with the topic made of the others"
        if enough
        else "the median similarity of made-up pages on the topic"
    )
    unlike = "what pages about nothing reach" if about_nothing >= rejected else "the median similarity of the counter-examples"
    of_examples = f"{HELD_OUT_FACTOR:g} times {likeness} ({middle:.3f})"
    of_others = f"{NOISE_FACTOR:g} times {unlike} ({loudest:.3f})"
    if value == round(low, 4):
        reason = f"{of_examples}; {of_others} is less"
    elif value == round(high, 4):
        reason = f"{of_others}; {of_examples} is less"
    else:
        reason = f"the least that a threshold may be; {of_examples} is less; {of_others} is less, too"
    if not enough:
        reason += f"; {MIN_HELD_OUT} examples or more from several sites would take the place of made-up pages"
    return Threshold(value, f"{value:g}: {reason}.")


def chosen_threshold(evidence: Evidence, weights: Vector, idf: Idf, min_weight: float) -> Threshold:
    """The threshold that the topic's own texts and made-up pages suggest; the same for the same input."""
    pages, rng = made_up_pages(round(evidence.han_share, 2)), random.Random(7)
    noise = [similarity(Counter(page).items(), weights, idf) for page in pages]
    negatives = [similarity(document.counts.items(), weights, idf) for document in evidence.negatives]
    made_up = []
    liked = {term: weight for term, weight in weights.items() if weight > 0}
    for page in pages if liked else ():
        topic_terms = rng.choices(list(liked), weights=list(liked.values()), k=round(MADE_UP_SHARE * len(page)))
        made_up.append(similarity(Counter(page[len(topic_terms) :] + topic_terms).items(), weights, idf))
    return choose([] if one_site(evidence) else held_out(evidence, idf, min_weight), noise, made_up, negatives)


@lru_cache(maxsize=4)
def made_up_pages(han_share: float) -> tuple[list[str], ...]:
    """Pages about nothing, the same at every call."""
    rng = random.Random(7)
    return tuple(draw(rng, han_share) for _ in range(MADE_UP_PAGES))


def held_out(evidence: Evidence, idf: Idf, min_weight: float) -> list[float]:
    """Similarity of each example to the topic made without it; empty for a single example."""
    return [similarity(document.counts.items(), vector, idf) for document, vector in left_out(evidence, idf, min_weight)]


def left_out(evidence: Evidence, idf: Idf, min_weight: float) -> Iterator[tuple[EvidenceText, Vector]]:
    """Each example with the topic made without it; nothing for a single example."""
    examples = evidence.examples
    if len(examples) < 2:
        return
    mean, keywords = means(examples, idf, evidence.emphasis), keyword_part(evidence, idf)
    negatives = means(evidence.negatives, idf)
    for document in examples:
        rest = [example for example in examples if example is not document]
        others = _without(mean, example_vector(document, idf, evidence.emphasis), len(examples))
        liked = emphasized(others, rest, evidence.emphasis)
        yield document, evidence.given.apply(compose(liked, negatives, keywords, min_weight))


def _without(mean: Vector, own: Vector, size: int) -> Vector:
    """The mean of `size` vectors without this one."""
    return {term: (weight * size - own.get(term, 0.0)) / (size - 1) for term, weight in mean.items()}
