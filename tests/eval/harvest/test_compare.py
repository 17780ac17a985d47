from __future__ import annotations

from typing import Any

import pytest

from tools.eval.harvest.compare import BEST, comparison, difference, stream_noise, values


def row(topic: str, areas: list[float], web: str = "w", **references: float) -> dict[str, Any]:
    """A topic with a run of ours a stream; curves of 30 points that grow as the area says."""
    mean = sum(areas) / len(areas)
    curves = {
        name: [round(10 * value * point) for point in range(1, 31)] for name, value in {"ours": mean, **references}.items()
    }
    runs = [{"column": "ours", "seed": seed, "area": area} for seed, area in enumerate(areas)]
    return {"web": web, "topic": topic, "areas": {"ours": mean, **references}, "curves": curves, "runs": runs}


def test_differences_are_paired_over_the_topics_that_both_have() -> None:
    found = difference({("w", "a"): 0.5, ("w", "b"): 0.7, ("w", "c"): 0.9}, {("w", "a"): 0.4, ("w", "b"): 0.4, ("v", "c"): 0.0})
    assert (found.topics, found.better, found.worse) == (2, 2, 0)
    assert found.mean == pytest.approx(0.2)
    assert found.error == pytest.approx(0.1)


def test_the_best_reference_is_chosen_by_topic_and_is_told_no_labels() -> None:
    rows = [row("a", [0.5], one=0.2, two=0.6, oracle=1.0), row("b", [0.5], one=0.7, two=0.1, oracle=1.0)]
    assert values(rows, BEST, "area") == {("w", "a"): 0.6, ("w", "b"): 0.7}
    assert values(rows, "one", "harvest at 100") == {("w", "a"): 0.2, ("w", "b"): 0.7}


def test_the_noise_of_streams_shrinks_with_topics() -> None:
    one = stream_noise([row("a", [0.4, 0.6])], "ours")
    four = stream_noise([row(name, [0.4, 0.6]) for name in "abcd"], "ours")
    assert one == pytest.approx(0.02**0.5)
    assert four == pytest.approx(0.02**0.5 / 2)
    assert stream_noise([row("a", [0.4])], "ours") is None


def test_tables_within_a_file_and_between_two() -> None:
    before = [row("a", [0.4, 0.5], one=0.2), row("b", [0.6, 0.6], web="v", one=0.7)]
    after = [row("a", [0.6, 0.6], one=0.2), row("b", [0.7, 0.7], web="v", one=0.7)]
    within, between = comparison([before], "ours"), comparison([before, after], "ours")
    assert "area: ours - one" in within
    assert "harvest at 250: ours - best reference" in within
    assert "+0.125" in between
    assert "all webs" in between
    assert "0.035" in within
