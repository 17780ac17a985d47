"""Tables of the judge's exam."""

from __future__ import annotations

from typing import Any

from tools.eval.judge.table import by_topic, differences, means


def row(topic: str, value: float, sample: str = "a", web: str = "dev") -> dict[str, Any]:
    worth = dict.fromkeys(("AP", "precision", "recall", "F1", "ECE"), value)
    return {"web": web, "topic": topic, "sample": sample, "set": "12", "seen": 100, "said": None, "true": None, **worth}


def test_means_have_standard_errors_and_leave_out_what_nobody_said() -> None:
    told = {"said": 0.5, "true": 0.75}
    text = means([row("x", 0.2), row("y", 0.4) | told])
    assert "0.300 ± 0.100" in text
    assert text.splitlines()[-1].split()[-5:] == ["0.500", "0.750", "0.250", "1.00", "1"]
    text = means([row("x", 0.2) | told, row("y", 0.4) | told | {"true": 0.0}])
    assert text.splitlines()[-1].split()[-2:] == ["0.50", "2"]
    assert by_topic([row("x", 0.2)]).splitlines()[-1].split()[-2:] == ["-", "-"]


def test_differences_are_paired_over_topics_and_all_webs() -> None:
    before = [row("x", 0.2), row("y", 0.4), row("z", 0.4, web="other")]
    after = [row("x", 0.3), row("y", 0.7), row("z", 0.4, web="other")]
    lines = [line.split() for line in differences(before, after).splitlines()]
    assert ["dev", "12", "100", "AP", "0.500", "0.300", "+0.200", "0.100", "2", "2,", "0"] in lines
    assert ["all", "webs", "12", "100", "F1", "0.467", "0.333", "+0.133", "0.088", "3", "2,", "0"] in lines


def test_other_samples_are_not_compared() -> None:
    assert "AP" not in differences([row("x", 0.2)], [row("x", 0.3, sample="b")])
