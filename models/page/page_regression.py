"""What the pages of this crawl say about the topic: a regression over all their words, fitted to a sample of them.

The topic's vector knows the words of its own texts. The crawl's pages show which words go together there, which stand on every
page of a site, and which of the examples' words are the topic's. So relevance is regressed on

- the words of text, title and URL, each a TF-IDF vector of its own, document frequencies being those of the sample's irrelevant
  pages (else words of the topic would be common as soon as a crawl finds it), and
- latent dimensions: the directions in which the sample's pages differ most (latent semantic analysis: Deerwester et al. 1990),
  so that pages are near each other that share no word, but words that go together.

Nobody has labelled these pages. Examples count as relevant, counter-examples as not, and a page of the crawl counts as relevant
with the probability that its text alone has. With three examples or more, only the pages teach that are hardly relevant by
their text: what examples have and such pages lack is learned, and what the topic's vector takes for relevant confirms nothing
(learning from positive and unlabelled pages by reliable negatives: Liu, Dai, Li, Lee and Yu 2003, "Building Text Classifiers
Using Positive and Unlabeled Examples"). Nor do those teach whose URL says that they may well be relevant: once a crawl is on a
site about the topic, more and more of what it fetches is relevant without saying so in the topic's words.

With fewer examples, the topic's vector counts as one more, and all pages teach. The values of pages without any of its words
are then low, so that they may have a scale of their own, which follows from the pages that are surely relevant.

Examples also tell how many of the pages are relevant: if hardly any page scores as high as half of the examples do, few can
be. That share is estimated with each fit (`relevant_share`).

The squared error with these targets is least at the weights of a kernel ridge regression, in closed form; singular vectors come
from the same kernel. NumPy does both: scikit-learn would give the same (a test compares them), and would cost a crawl 200 MB
and 3 s. docs/measured.md has the figures, docs/experiments.md what was tried.

Cost: 0.1 s of CPU a fit, most of it without the interpreter's lock; 0.1 ms a page; about 15 MB while it is fitted, 4 MB then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from models.page.page_sample import TITLE, URL, Counts, with_fields
from models.topic.evidence import LEAST_EXAMPLES, Emphasis, Evidence, EvidenceText, GivenTerms
from models.topic.weights import Vector

FIELDS = (1.0, 0.5, 0.5)
"""Lengths of the vectors of text, title and URL. With 1 for each, average precision is the same within noise."""
DIMENSIONS = 64
"""Latent dimensions; 32 and 128 give the same within .02."""
LATENT = 2.0
"""Weight of the latent dimensions' kernel; 0.5 to 3 give the same within .02."""
RIDGE = 0.3
"""Penalty of large weights; 0.1 and 1 give the same within .01."""
EXAMPLE_SHARE = 0.3
"""Share of examples and counter-examples in all weights, however few there are; 0.1 to 0.5 give the same within .02."""
LEAST_ROW = 0.01
"""Given terms with a smaller share of an example teach nothing: their row would hardly change the fit."""
POSSIBLE = 0.2
"""With so many examples, pages from this probability on do not teach: too many of them are relevant. 0.15 to 0.4 give the same
within .01 (docs/experiments.md)."""
LEAST_TAUGHT = 40
"""With fewer such pages there is no regression, and if fewer are so by their URL, too, URLs do not matter. A crawl that begins
on a site about the topic has seen hardly another page, so that lists are what would teach, and everything in sentences would
look relevant (docs/experiments.md)."""
FEW_TAUGHT = 10
"""Where the words count that examples of many sites share, no more are waited for, and so many teach in any case, the least
probable ones. Such words stand on most pages: of a hundred, 20 to 63 are hardly relevant (docs/experiments.md)."""
LEAST_SHARE, MOST_SHARE = 0.05, 0.98
"""Bounds of the estimated share of relevant pages, since a dozen examples tell no more."""
CLEAR = 3.0
"""Examples whose mean is so many spreads (theirs and the pages' added) above the median page stand clear of most pages; 2.5 to
4 are alike."""
NORMAL = 1.48
"""The standard deviation of normal values, in medians of their distances from the median."""
LEAST_SCALE = 0.15
"""Least scale of standings, so that not every page stands out if the examples are hardly nearer to each other than to other
pages."""
LEAST_WORDLESS_PAGES = 150
"""With fewer pages, pages without a word of the topic have no scale of their own: the first fits hardly tell sure pages from
others. On a synthetic web of 320 pages 10 articles off the topic would be relevant, instead of 5."""
LEAST_WORDLESS_SCALE = 0.4
"""Least scale of the standings of these pages; the gain of F1 on made news is larger by .01 to .02 at 0.35, and smaller by .01
to .03 at 0.5."""
WORDLESS_SHARE = 0.25
"""Those pages have a scale of their own where at least this share of what looks relevant is theirs. From three keywords it is
0.32 or more on a made web of news, most of whose relevant pages have none, and 0.21 or less on recorded manuals, most of whose
have one (docs/experiments.md)."""
LOWEST, HIGHEST = -1.0, 3.0
"""Bounds of a standing."""
SURE = 0.5
"""Pages with at least this probability are sure. A word goes with the topic …"""
LEAST_SURE, COMMON = 3, 0.1
"""… if at least this many of the sure pages have it, and this share of them …"""
COMPANY = 2.0
"""… and if a page with the word is sure this many times as often as any page."""
LEAST_HOLDERS = 2
"""Pages of the sample that must have a term for it to count, unless an example has it."""

Floats = npt.NDArray[np.float64]


class PageRegression:
    """A fitted regression, which does not change afterwards."""

    def __init__(
        self,
        topic: Vector,
        evidence: Evidence,
        pages: Sequence[Counts],
        probabilities: Sequence[float],
        with_url: Sequence[float] | None = None,
    ) -> None:
        """Fit it to the topic's vector and texts, and to pages of the crawl with their probabilities of being relevant: by
        their text alone, and by text and URL (None: the same).

        The rows of the fit are the topic's vector, if examples are few, or else what the user has decided about terms, which
        nothing else here knows; the examples; the counter-examples; and the pages, in this order. There are far fewer rows than
        terms, so everything is computed from the inner products of rows (the kernel)."""
        liked = [_of_document(document) for document in evidence.examples]
        rejected = [_of_document(document) for document in evidence.negatives]
        own = liked + rejected
        few = len(liked) < LEAST_EXAMPLES
        self._columns, self._fields = _vocabulary(pages, own, range(len(FIELDS)) if few else _usual_fields(liked))
        self._idf = _idf(self._columns, pages, probabilities)
        vectors = [_Row(topic, 1.0)] if few else _given_rows(evidence.given, topic, self._columns)
        targets = np.array([each.target for each in vectors] + [1.0] * len(liked) + [0.0] * len(rejected) + [*probabilities])
        shares = np.array([each.share for each in vectors] + [1.0] * len(own))
        teaching = np.arange(len(pages)) if few else _irrelevant(probabilities, with_url or probabilities)
        taught = np.concatenate((np.arange(len(shares)), len(shares) + teaching))
        fitted = self._fit(self._inputs(vectors, [*own, *pages]), len(vectors), targets, shares, taught)
        of_liked, of_pages = fitted[len(vectors) : len(vectors) + len(liked)], fitted[len(shares) :]
        self.companions = self._companions(pages, probabilities)
        """Words that go with the topic in this crawl, though it does not have them."""
        self._usual = median(of_pages.tolist())  # np.median loads numpy.ma, 2 MB
        self._of_topic = {field + term for term in topic for field in ("", TITLE, URL)}
        self.share = None if few else relevant_share(of_liked, of_pages, self._usual)
        """The estimated share of relevant pages; None: the examples are too few, or do not tell."""
        if few:
            self._scale = 1.0
            self._scale_of_wordless = self._wordless_scale(pages, np.array(probabilities), of_pages - self._usual)
        else:
            self._scale = self._scale_of_wordless = max(LEAST_SCALE, float(of_liked.mean()) - self._usual)

    def _inputs(self, vectors: Sequence[_Row], texts: Sequence[Counts]) -> npt.NDArray[np.float32]:
        """The rows of the fit, a column for each term."""
        inputs = np.zeros((len(vectors) + len(texts), len(self._columns)), np.float32)
        for row, each in enumerate(vectors):
            inputs[row] = self._row_of(each.vector)
        for row, counts in enumerate(texts, len(vectors)):
            _, columns, values = self._vector(counts)
            inputs[row, columns] = values
        return inputs

    def _fit(
        self, inputs: npt.NDArray[np.float32], vectors: int, targets: Floats, shares: Floats, taught: npt.NDArray[np.intp]
    ) -> Floats:
        """Learn the weights of terms. Returns the value of each row by a fit without it. `vectors`: how many rows, the first
        ones, are no texts, and say nothing of how terms go together. The others: see `_duals`."""
        texts = inputs[vectors:]
        kernel = (inputs @ inputs.T).astype(np.float64)
        directions = _directions(kernel[vectors:, vectors:])
        latent = _unit(kernel[:, vectors:] @ directions)
        duals, fitted = _duals(kernel + LATENT * latent @ latent.T, targets, shares, taught)
        self._weights = inputs.T @ duals.astype(np.float32)
        self._usual_parts = self._field_means(texts)
        self._constant = float(duals.sum())
        self._directions = (texts.T @ directions.astype(np.float32)).astype(np.float32)
        self._latent_weights = self._directions @ (LATENT * (latent.T @ duals)).astype(np.float32)
        """By term, what it adds to a page by the latent dimensions, before that is divided by the page's length in these."""
        return fitted

    def standing(self, counts: Mapping[str, int]) -> tuple[float, dict[str, float]]:
        """How relevant the page is by the regression, and the contribution of each term.

        The standing lies in [-1, 3]: 0 is the crawl's median page, 1 the mean of the examples, each left out of the fit. With
        fewer than LEAST_EXAMPLES examples the scale is that of the targets, but pages without a word of the topic may have one
        of their own, on which 1 is the mean of the sure pages. Takes 0.1 ms for 300 terms."""
        known, columns, values = self._vector(counts)
        latent = values @ self._directions.take(columns, axis=0)
        length = max(1e-9, float(np.sqrt(latent @ latent)))
        terms = values * (self._weights[columns] + self._latent_weights[columns] / length)
        missing = np.bincount(self._fields[columns], minlength=len(FIELDS)) == 0
        value = self._constant + float(terms.sum()) + float(self._usual_parts[missing].sum())
        scale = self._scale_of_wordless if self._wordless(counts) else self._scale
        parts = dict(zip(known, (terms / scale).tolist(), strict=True))
        return max(LOWEST, min(HIGHEST, (value - self._usual) / scale)), parts

    def _wordless(self, counts: Mapping[str, int]) -> bool:
        """Whether the page has no word of the topic in text, title or URL."""
        return self._of_topic.isdisjoint(counts)

    def _wordless_scale(self, pages: Sequence[Counts], probabilities: Floats, above: Floats) -> float:
        """The scale of the standings of pages without a word of the topic. `above`: by page, its value by a fit without it,
        less that of the median page.

        By their text all these pages have the same low probability, relevant or not, and that is what the regression learns of
        them. The sure pages show what value a relevant page has: their mean is the scale (Elkan and Noto 2008, "Learning
        Classifiers from Only Positive and Unlabeled Data": a classifier that took unlabelled pages for irrelevant is divided by
        its mean over labelled ones). On that scale a page looks relevant as far as it stands above the median page, at most
        once. Where next to nothing that looks relevant lacks a word, the text tells enough: the scale stays that of the
        targets."""
        sure = probabilities >= SURE
        if len(pages) < LEAST_WORDLESS_PAGES or sure.sum() < LEAST_SURE:
            return 1.0
        scale = max(LEAST_WORDLESS_SCALE, float(above[sure].mean()))
        likely = np.clip(above / scale, 0.0, 1.0)
        wordless = [self._wordless(page) for page in pages]
        return scale if likely[wordless].sum() >= WORDLESS_SHARE * likely.sum() else 1.0

    def _companions(self, pages: Sequence[Counts], probabilities: Sequence[float]) -> frozenset[str]:
        """Words that many sure pages have and few others. This expansion of the topic cannot drift far, because it is the
        topic's own vector that makes pages sure."""
        sure = [page for page, probability in zip(pages, probabilities, strict=True) if probability >= SURE]
        holders, everywhere = Counter[str](), Counter[str]()
        for page in sure:
            holders.update(page.keys())
        for page in pages:
            everywhere.update(page.keys())
        least, company = max(LEAST_SURE, COMMON * len(sure)), COMPANY * len(sure) / max(1, len(pages))
        common = {term for term, n in holders.items() if n >= least and n >= company * everywhere[term] and ":" not in term}
        speaks_for = self._weights + self._latent_weights
        return frozenset(term for term in common if speaks_for[self._columns[term]] > 0)

    def _field_means(self, inputs: npt.NDArray[np.float32]) -> Floats:
        """What the terms of each field add to the value of a page on average, used for pages without a known term in that
        field."""
        means = self._weights * inputs.mean(axis=0)
        return np.bincount(self._fields, means, len(FIELDS)).astype(np.float64)

    def _vector(self, counts: Mapping[str, int]) -> tuple[list[str], npt.NDArray[np.intp], npt.NDArray[np.float32]]:
        """The terms of a page that have a column, their columns, and their values, scaled so that each field has its length."""
        known = [term for term in counts if term in self._columns]
        columns = np.fromiter(map(self._columns.__getitem__, known), np.intp, len(known))
        occurrences = np.fromiter(map(counts.__getitem__, known), np.float32, len(known))
        values = (1 + np.log(occurrences)) * self._idf[columns]
        fields = self._fields[columns]
        squares = np.bincount(fields, values * values, len(FIELDS))
        scale = np.array(FIELDS) / np.sqrt(np.maximum(squares, 1e-12))
        return known, columns, (values * scale[fields]).astype(np.float32)

    def _row_of(self, vector: Vector) -> npt.NDArray[np.float32]:
        """A vector of terms as the row of a page."""
        row = np.zeros(len(self._columns), np.float32)
        for term, weight in vector.items():
            if (column := self._columns.get(term)) is not None:
                row[column] = weight
        return row / max(1e-6, float(np.linalg.norm(row)))


class _Row(NamedTuple):
    """A vector of terms from which the regression learns as from an example."""

    vector: Vector
    target: float
    share: float = 1.0
    """How much it teaches, relative to an example."""


def _given_rows(given: GivenTerms, topic: Vector, known: Collection[str]) -> list[_Row]:
    """What the user has decided about terms: what speaks for the topic, and what against it. There is none where no page and no
    example has such a term. It teaches as much as its largest weight is worth beside the largest of the topic, which is that of
    negative terms."""
    most = max(topic.values(), default=0.0)
    liked = {term: weight for term, weight in given.weights if weight > 0}
    disliked = {term: -weight for term, weight in given.weights if weight < 0} | dict.fromkeys(given.negative, most)
    rows = [
        _Row(vector, target, min(1.0, max(vector.values()) / most))
        for vector, target in ((liked, 1.0), (disliked, 0.0))
        if most > 0 and not vector.keys().isdisjoint(known)
    ]
    return [row for row in rows if row.share >= LEAST_ROW]


def _of_document(document: EvidenceText) -> Counts:
    return with_fields(dict(document.counts), document.title_terms, document.url_terms)


def _usual_fields(examples: Sequence[Counts]) -> set[int]:
    """The fields that at least half of the examples have. If URLs counted where examples are files, having one would speak
    against a page."""
    holders = Counter(field for counts in examples for field in {_field(term) for term in counts})
    return {field for field, n in holders.items() if 2 * n >= len(examples)}


def _vocabulary(
    pages: Sequence[Counts], own: Sequence[Counts], counted: Collection[int]
) -> tuple[dict[str, int], npt.NDArray[np.int8]]:
    """Column of each term of the fields that are counted; by column, its field."""
    holders: Counter[str] = Counter()
    for counts in (*pages, *own):
        holders.update(counts.keys())
    known = {term for counts in own for term in counts}
    terms = [term for term, n in holders.items() if (n >= LEAST_HOLDERS or term in known) and _field(term) in counted]
    return {term: column for column, term in enumerate(terms)}, np.array([_field(term) for term in terms], np.int8)


def _idf(columns: Mapping[str, int], pages: Sequence[Counts], probabilities: Sequence[float]) -> npt.NDArray[np.float32]:
    """By column, the inverse document frequency among irrelevant pages: each page counts as far as it looks like one."""
    irrelevant = 1.0 - np.array(probabilities)
    holders = np.zeros(len(columns))
    for counts, weight in zip(pages, irrelevant, strict=True):
        holders[[columns[term] for term in counts if term in columns]] += weight
    idf: npt.NDArray[np.float32] = (np.log((1 + irrelevant.sum()) / (1 + holders)) + 1).astype(np.float32)
    return idf


def _field(term: str) -> int:
    """Which of FIELDS the term belongs to."""
    return 1 if term.startswith(TITLE) else 2 if term.startswith(URL) else 0


def _directions(kernel: Floats) -> Floats:
    """The DIMENSIONS largest right singular vectors of the matrix of pages, each as the coefficients, (pages, dimensions), with
    which the pages are added up to it. `kernel`: inner products of the pages; its eigenvectors are the left singular vectors,
    and its eigenvalues the squares of the singular values."""
    values, vectors = np.linalg.eigh(kernel)
    kept = slice(-1, -1 - min(DIMENSIONS, len(values)), -1)
    directions: Floats = vectors[:, kept] / np.sqrt(np.maximum(values[kept], 1e-9))
    return directions


def _unit(rows: Floats) -> Floats:
    """The rows scaled to length 1."""
    unit: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return unit


def teach(evidence: Evidence, probabilities: Sequence[float]) -> bool:
    """Whether pages with these probabilities are enough to learn from."""
    if len(evidence.examples) < LEAST_EXAMPLES or evidence.emphasis is not Emphasis.ALL:
        return True
    return sum(probability < POSSIBLE for probability in probabilities) >= LEAST_TAUGHT


def _irrelevant(probabilities: Sequence[float], with_url: Sequence[float]) -> npt.NDArray[np.intp]:
    """Places of the pages that teach what is not relevant, in their order: those that are hardly relevant by text and URL, or
    by their text alone where these are too few."""
    values = np.array(probabilities)
    hardly = np.flatnonzero(values < POSSIBLE)
    sure = np.flatnonzero(np.maximum(values, with_url) < POSSIBLE)
    if len(sure) >= LEAST_TAUGHT:
        return sure
    return hardly if len(hardly) >= FEW_TAUGHT else np.sort(np.argsort(values, kind="stable")[:FEW_TAUGHT])


def relevant_share(examples: Floats, pages: Floats, usual: float) -> float | None:
    """The share of relevant pages, estimated from the values of examples, each left out of the fit, and of pages, whose median
    is `usual`. None where the examples stand clear of most pages: then those that stand with them are relevant, however few
    they are.

    If relevant pages have values like those of the examples, a third of them lie above the value that a third of the examples
    exceed. So the share of pages above it, divided by a third, is the share of relevant pages, or too large if others lie
    there, too. Of these quotients, one for each value of the middle half of the examples, the least counts (Blanchard, Lee and
    Scott 2010, "Semi-Supervised Novelty Detection"); farther out a single example would decide."""
    spread = float(examples.std(ddof=1)) + NORMAL * median(np.abs(pages - usual).tolist())
    if examples.mean() - usual > CLEAR * spread:
        return None
    n, ranked = len(examples), np.sort(examples)
    middle = np.arange(n // 4, 3 * n // 4 + 1)
    above = (pages >= ranked[middle, None]).sum(axis=1)
    shares = (above + 1) / (len(pages) + 1) * (n + 1) / (n - middle)  # one more each, for counts of 0
    return max(LEAST_SHARE, min(MOST_SHARE, float(shares.min())))


def _duals(kernel: Floats, targets: Floats, shares: Floats, taught: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Weighted kernel ridge regression on the rows `taught`: the dual weights, 0 for other rows, and the value of each row by a
    fit without that row.

    The first rows have EXAMPLE_SHARE of the weight, divided among them by `shares`; the mean weight is 1. The constant is
    penalized like the other weights: it is the weight of an input that is 1 in every row, which adds 1 to the kernel. One
    inverse gives the values of all fits without a row (Rasmussen and Williams 2006, equation 5.12)."""
    rows, own = len(taught), len(shares)
    weights = np.full(rows, (1 - EXAMPLE_SHARE) * rows / max(1, rows - own))
    weights[:own] = EXAMPLE_SHARE * rows * shares / shares.sum()
    inverse = np.linalg.inv(kernel[np.ix_(taught, taught)] + 1.0 + np.diag(RIDGE / weights))
    duals = np.zeros(len(targets))
    duals[taught] = inverse @ targets[taught]
    values = (kernel + 1.0) @ duals
    values[taught] = targets[taught] - duals[taught] / np.diag(inverse)
    return duals, values
