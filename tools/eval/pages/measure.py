"""Verdicts of page models on a stream of pages, and what they are worth."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any

from models.page.calibrated import CalibratedModel
from models.page.metrics import LabelledVerdict, accuracy, average_precision, calibration_error, f1, precision, recall
from models.page.page_model import PageModel, make
from models.topic.evidence import GivenTerms
from models.topic.vsm import TopicModel
from tools.eval.pages.stream import Stream, TestPage

SETS: dict[str, tuple[int, int | None]] = {
    "1": (1, 0),
    "3": (3, 0),
    "10": (10, 0),
    "12": (12, 0),
    "100": (100, 0),
    "3 keywords": (0, 3),
    "8 keywords": (0, 8),
    "keywords": (0, None),
    "12 + keywords": (12, None),
}
"""What a topic is made of: examples, and keywords (None: all of them)."""
COLUMNS = ("accuracy", "precision", "recall", "F1", "AP", "ECE", "random FP", "ms")
Row = dict[str, Any]


def topic_of(stream: Stream, name: str) -> tuple[TopicModel, set[str]]:
    """The topic made of this set, and its examples' URLs."""
    examples, keywords = SETS[name]
    taken = stream.pool[:examples]
    given = GivenTerms.read(stream.segmenter, negative=stream.negative)
    topic = TopicModel.fit(stream.segmenter, taken, stream.keywords[:keywords], given_terms=given)
    return topic, {source for source, _ in taken}


def possible(stream: Stream, names: Sequence[str]) -> list[str]:
    """Those of the sets that this topic can be made of. A sentence on stderr names the others."""
    without = [name for name in names if SETS[name][1] != 0 and not stream.keywords]
    if without:
        print(f"  {stream.web} {stream.topic} has no keywords, and is left out of: {', '.join(without)}.", file=sys.stderr)
    return [name for name in names if name not in without]


def row(stream: Stream, name: str, model_name: str) -> Row:
    """One model on one topic. Fetched pages are judged, then learned, one after the other; the random ones at the end.

    `random FP`: share of the irrelevant random pages that are called relevant. `ms`: of a page judged and learned."""
    topic, examples = topic_of(stream, name)
    model = make(model_name, topic)
    began = process_time()
    judged = list(_crawl(model, [page for page in stream.fetched if page.url not in examples]))
    took = process_time() - began
    rest = [_judge(model, page) for page in stream.others if not page.relevant]
    return {
        "web": stream.web,
        "topic": stream.topic,
        "set": name,
        "model": model_name,
        "accuracy": accuracy(judged).value,
        "precision": precision(judged).value,
        "recall": recall(judged).value,
        "F1": f1(judged).value,
        "AP": average_precision(judged),
        "ECE": calibration_error(judged),
        "random FP": sum(page.called for page in rest) / max(1, len(rest)),
        "ms": 1000 * took / max(1, len(judged)),
    }


def _crawl(model: PageModel, pages: Sequence[TestPage]) -> Iterator[LabelledVerdict]:
    for page in pages:
        judged = _judge(model, page)
        yield judged
        model.learn(page.words, judged.called, page.context)


def _judge(model: PageModel, page: TestPage) -> LabelledVerdict:
    verdict = model.judge(page.words, page.context)
    return LabelledVerdict(page.relevant, verdict.relevant, verdict.relevance)


def signals(stream: Stream, name: str) -> list[tuple[tuple[float, ...], bool]]:
    """What the calibrated model weighs on each fetched page, and the truth: what a calibration is fitted on."""
    topic, examples = topic_of(stream, name)
    model = CalibratedModel(topic)
    rows: list[tuple[tuple[float, ...], bool]] = []
    for page in stream.fetched:
        if page.url not in examples and page.words:
            rows.append((model.signals(page.words, page.context), page.relevant))
            model.learn(page.words, model.judge(page.words, page.context).relevant, page.context)
    return rows
