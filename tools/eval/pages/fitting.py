"""Fits the weights of `models.page.calibration`: one logistic regression over all topics, each topic counting the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from models.page.metrics import LabelledVerdict, average_precision, calibration_error, f1
from tools.eval.pages.measure import signals
from tools.eval.pages.stream import Stream

THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
COLUMNS: dict[str, tuple[int, ...]] = {"alone": (0,), "whole": (0, 1, 2), "pages": (0, 1, 2, 3, 4)}


class Fitting:
    """Collects signals, then fits: on both webs, and on each web to be tested on the other."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[tuple[str, str], list[tuple[tuple[float, ...], bool]]]] = defaultdict(dict)

    def take(self, stream: Stream, sets: Sequence[str]) -> None:
        """Signals of one topic."""
        for name in sets:
            self._rows[name][stream.web, stream.topic] = signals(stream, name)

    def lines(self) -> Iterator[str]:
        """Weights and constant; then F1 by threshold, average precision and calibration error on what was not fitted."""
        for name, topics in [*self._rows.items()]:
            webs = sorted({web for web, _ in topics})
            for kind, columns in COLUMNS.items():
                model = fitted(list(topics.values()), columns)
                weights = [round(float(x), 2) for x in (*model.coef_[0], model.intercept_[0])]
                yield f"{name:14s} {kind:6s} fitted on {'+'.join(webs)}: {weights}"
                for tested in webs if len(webs) > 1 else ():
                    other = fitted([rows for (web, _), rows in topics.items() if web != tested], columns)
                    mine = [rows for (web, _), rows in topics.items() if web == tested]
                    yield f"{'':14s} {kind:6s} tested on {tested} only: {worth(other, mine, columns)}"


def fitted(topics: Sequence[Sequence[tuple[tuple[float, ...], bool]]], columns: Sequence[int]) -> Any:
    """The logistic regression of relevance on these signals."""
    from sklearn.linear_model import LogisticRegression

    inputs = [[values[column] for column in columns] for rows in topics for values, _ in rows]
    truth = [relevant for rows in topics for _, relevant in rows]
    weights = [1000 / len(rows) for rows in topics for _ in rows]
    return LogisticRegression(C=1.0).fit(inputs, truth, sample_weight=weights)


def worth(model: Any, topics: Sequence[Sequence[tuple[tuple[float, ...], bool]]], columns: Sequence[int]) -> str:
    """Means over topics."""
    scored = []
    for rows in topics:
        scores = model.predict_proba([[values[column] for column in columns] for values, _ in rows])[:, 1]
        pairs = zip(scores, rows, strict=True)
        scored.append([LabelledVerdict(relevant, False, float(score)) for score, (_, relevant) in pairs])
    by_threshold = []
    for limit in THRESHOLDS:
        values = [f1([replace(page, called=page.score >= limit) for page in pages]).value for pages in scored]
        by_threshold.append(f"{limit}: {sum(values) / len(values):.3f}")
    precision = sum(map(average_precision, scored)) / len(scored)
    error = sum(map(calibration_error, scored)) / len(scored)
    return f"F1 {', '.join(by_threshold)}; AP {precision:.3f}; ECE {error:.3f}"
