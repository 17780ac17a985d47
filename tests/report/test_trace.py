from __future__ import annotations

import json

import pytest

from focuscrawl.items import Link
from focuscrawl.report.table import Table
from focuscrawl.report.trace import Trace, TraceEnded, as_json, parts
from focuscrawl.report.translation import Language
from tests.report.sample import HOSTILE


def traced() -> Trace:
    trace = Trace("http://a.example/", "from the archive")
    trace.note("dns", "192.0.2.1 when it was fetched")
    assert trace.step("decode", lambda: "text", lambda found: f"{len(found)} characters") == "text"
    links = [Link(f"http://a.example/{n}", HOSTILE, score=n / 100, parts={"url": n / 100}) for n in range(20)]
    trace.links = [
        *links,
        Link("http://a.example/x.zip", refused="file-type"),
        Link("http://a.example/y.zip", refused="file-type"),
    ]
    return trace


def test_stages_with_their_times() -> None:
    trace = traced()
    assert [stage.milliseconds is None for stage in trace.stages] == [True, False]
    text = "\n".join(part.text() if isinstance(part, Table) else part for part in parts(trace))
    for piece in ("192.0.2.1 when", "4 characters", "The 10 best links", "0.190", "refused by file-type: 2 (the extension"):
        assert piece in text
    assert "\x1b" not in text


def test_parts_of_a_score_that_are_nothing_are_not_shown() -> None:
    trace = Trace("http://a.example/", "now")
    parts_of_two = {"sky/page": 0.2, "sky/url": 0.0, "sea/page": -0.004, "overlap": -0.1}
    trace.links = [Link("http://a.example/1", score=0.1, parts=parts_of_two)]
    [table] = [part for part in parts(trace) if isinstance(part, Table) and part.title == "The 1 best links"]
    assert table.rows[0][1] == "sky: the page it is on 0.20; good for several topics, counted once -0.10"
    [table] = [part for part in parts(trace, Language("zh")) if isinstance(part, Table) and part.title == "The 1 best links"]
    assert table.rows[0][1] == "sky: 所在页面 0.20；多个主题共有，只计一次 -0.10"


def test_chinese_urls_are_shown_in_characters() -> None:
    trace = Trace("http://xn--fsq.test/%E6%98%9F", "now")
    trace.links = [Link("http://xn--fsq.test/%E6%9C%88", score=0.5)]
    text = "\n".join(part.text() if isinstance(part, Table) else part for part in parts(trace))
    assert "http://例.test/星   (now)" in text
    assert "http://例.test/月" in text
    assert as_json(trace)["url"] == "http://xn--fsq.test/%E6%98%9F"


def test_only_the_best_links_are_shown() -> None:
    assert [link.score for link in traced().best_links] == [n / 100 for n in range(19, 9, -1)]


def test_a_stage_that_fails_ends_the_trace() -> None:
    trace = Trace("http://a.example/", "now")
    with pytest.raises(TraceEnded) as end:
        trace.step("archive", lambda: [][1], str)
    assert end.value.__cause__ is not None
    assert trace.stages[0].decided == "failed: list index out of range"


def test_json_for_programs() -> None:
    told = json.loads(json.dumps(as_json(traced())))
    assert told["refused"] == {"file-type": 2}
    assert len(told["best_links"]) == 10
    assert [stage["name"] for stage in told["stages"]] == ["dns", "decode"]
