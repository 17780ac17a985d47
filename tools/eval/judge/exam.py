"""What a page model is worth after so many pages of a crawl: verdicts on pages that it has not learned from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from focuscrawl.report.precision import expected_precision
from models.page.metrics import LabelledVerdict, average_precision, calibration_error, f1, precision, recall
from models.page.page_model import PageModel, make
from models.topic.evidence import Emphasis
from tools.eval.pages.measure import topic_of
from tools.eval.pages.stream import Stream, TestPage

OTHERS = 150
"""Pages of the web that were not fetched, among those that are judged."""
COLUMNS = ("AP", "precision", "recall", "F1", "ECE", "said", "true")
Row = dict[str, Any]


def halves(stream: Stream) -> tuple[list[TestPage], list[TestPage]]:
    """Of a crawl's pages every second one is learned, in the crawl's order; the others, and a few that it did not fetch, are
    judged. Both are the same whatever the model says."""
    return stream.fetched[::2], [*stream.fetched[1::2], *stream.others[:OTHERS]]


def digest(stream: Stream) -> str:
    """Of the pages and labels: results of other samples cannot be compared."""
    total = hashlib.blake2b(digest_size=8)
    for page in [*stream.fetched, *stream.others[:OTHERS]]:
        total.update(f"{page.url} {page.relevant} {len(page.words)}\n".encode())
    return total.hexdigest()


def rows(stream: Stream, name: str, model_name: str, seen: Sequence[int]) -> Iterator[Row]:
    """One row for each of the numbers of `seen`, smallest first: the model after so many pages, which it judged and learned.

    `said` is the precision that a person is told of the pages that it has called relevant on the way, `true` what it was; None
    where nothing is told (`focuscrawl.report.precision`)."""
    topic, examples = topic_of(stream, name)
    model = make(model_name, topic)
    learned, tested = ([page for page in pages if page.url not in examples] for pages in halves(stream))
    sample, on_way, begun = digest(stream), list[LabelledVerdict](), 0
    for end in sorted(seen):
        on_way += [_learned(model, page) for page in learned[begun:end]]
        begun = end
        judged = [_judged(model, page) for page in tested]
        called = [page for page in on_way if page.called]
        expected = expected_precision(len(called), sum(page.score for page in called))
        told = expected if topic.evidence.emphasis is Emphasis.ALL else None
        yield {
            "web": stream.web,
            "topic": stream.topic,
            "sample": sample,
            "set": name,
            "model": model_name,
            "seen": end,
            "AP": average_precision(judged),
            "precision": precision(judged).value,
            "recall": recall(judged).value,
            "F1": f1(judged).value,
            "ECE": calibration_error(judged),
            "said": told.middle if told else None,
            "true": fmean(page.relevant for page in called) if told else None,
            "called": len(called),
        }


def _learned(model: PageModel, page: TestPage) -> LabelledVerdict:
    judged = _judged(model, page)
    model.learn(page.words, judged.called, page.context)
    return judged


def _judged(model: PageModel, page: TestPage) -> LabelledVerdict:
    verdict = model.judge(page.words, page.context)
    return LabelledVerdict(page.relevant, verdict.relevant, verdict.relevance)
