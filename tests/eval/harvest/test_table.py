from __future__ import annotations

from typing import Any

import pytest

from tools.eval.harvest.measure import drawn_examples
from tools.eval.harvest.recorded import Truth
from tools.eval.harvest.table import check, columns, mean, print_web


def row(topic: str, ours: float, web: str = "w", **references: float) -> dict[str, Any]:
    facts = dict.fromkeys(("precision", "recall", "fetched", "ms_per_page", "tunnel", "moved"), 1.0)
    return {"web": web, "topic": topic, "areas": {"ours": ours, **references}, "runs": [{"column": "ours", **facts}]}


def test_above_every_mean_and_never_the_worst_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row("a", 0.9, one=0.8, two=0.1, bfs=0.0, oracle=1.0), row("b", 0.5, one=0.4, two=0.6, bfs=0.0, oracle=1.0)]
    assert check(rows, "ours") == 0
    print_web("w", rows)
    said = capsys.readouterr().out
    assert "best reference one 0.600" in said
    assert "below the best of all: b 0.500 (two 0.600)" in said
    assert "mean  0.700" in said


@pytest.mark.parametrize(
    "rows",
    [
        [row("a", 0.5, one=0.6, bfs=0.0)],
        [row("a", 0.9, one=0.1, two=0.2, bfs=0.3), row("b", 0.3, one=0.4, two=0.4, bfs=0.0)],
        [row("a", 0.9, one=0.1, bfs=0.0), row("a", 0.2, web="v", one=0.1, bfs=0.4)],
    ],
    ids=["below a mean", "worst on a topic", "below on one web"],
)
def test_worse_is_not(rows: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    assert check(rows, "ours") == 1
    assert check(rows, "not measured") == 0
    assert capsys.readouterr().out


def test_bounds_come_last_and_are_no_rivals() -> None:
    rows = [row("a", 0.9, oracle=1.0, nb_link_truth=0.95, bfs=0.1)]
    assert columns(rows) == ["ours", "bfs", "nb_link_truth", "oracle"]
    assert mean(rows, "oracle") == 1.0
    assert check(rows, "ours") == 0


def test_only_references_of_all_topics_are_compared() -> None:
    assert check([row("a", 0.1, oracle=1.0)], "ours") == 0
    assert check([row("a", 0.1, one=0.5), row("b", 0.1)], "ours") == 0


TRUTH = Truth("t", "T", ["k"], [0], list(range(12)), list(range(100, 140)), 500, {})


def test_examples_are_drawn_by_seed_and_never_looked_for() -> None:
    assert drawn_examples(TRUTH, 12, 0) == TRUTH
    assert drawn_examples(TRUTH, 1, 0).examples[0] == 0
    others = drawn_examples(TRUTH, 1, 1)
    assert sorted(others.examples) == TRUTH.examples
    assert others.examples != TRUTH.examples
    more = drawn_examples(TRUTH, 20, 1)
    assert (len(more.examples), len(more.relevant)) == (20, 32)
    assert not set(more.examples) & set(more.relevant)
    assert drawn_examples(TRUTH, 20, 1) == more != drawn_examples(TRUTH, 20, 2)
