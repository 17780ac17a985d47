from __future__ import annotations

from dataclasses import replace

from focuscrawl.report.runs import RunLine, as_json, runs_table
from focuscrawl.store.overview import RunRow

RUN = RunRow(2, 1000.0, 1060.0, "empty", {}, {"counts": {"requests": 12, "errors": 1}}, 10, 4, 0, 1050.0)


def test_a_finished_run() -> None:
    line = RunLine("demo", RUN, False, 2000.0)
    assert (line.seconds, line.reason, line.requests, line.errors) == (60.0, "empty", 12, 1)
    told = as_json(line)
    assert (told["harvest_rate"], told["started_at"], told["seconds"]) == (0.4, "1970-01-01T00:16:40.000Z", 60.0)


def test_a_run_that_goes_on_and_one_that_crashed() -> None:
    open_run = replace(RUN, ended_at=None, reason="", stats={})
    going, crashed = RunLine("demo", open_run, True, 2000.0), RunLine("demo", open_run, False, 2000.0)
    assert (going.reason, going.seconds) == ("running", 1000.0)
    assert (crashed.reason, crashed.seconds, crashed.requests) == ("crashed", 50.0, None)
    assert as_json(crashed)["ended_at"] is None


def test_newest_first_and_nothing_invented() -> None:
    old = RunLine("old", replace(RUN, started_at=1.0, ended_at=2.0, pages=0, relevant=0, stats={}), False, 2000.0)
    table = runs_table([old, RunLine("new", RUN, False, 2000.0)])
    assert [row[0] for row in table.rows] == ["new", "old"]
    assert table.rows[1][-4:-1] == ("–", "–", "–")


def test_the_reason_is_told_with_its_figures() -> None:
    run = replace(RUN, reason="edge", why="for 500 pages nothing was promised", stats={"drift": ["they speak of shops"]})
    [row] = runs_table([RunLine("demo", run, False, 2000.0)]).rows
    assert (row[4], row[-1]) == (
        "edge",
        "the edge of the topic's pages was reached: nothing that waits promises one (for 500 pages nothing was promised)",
    )
    assert as_json(RunLine("demo", run, False, 2000.0))["why"] == "for 500 pages nothing was promised"
    assert run.drift == ("they speak of shops",)
    assert runs_table([RunLine("demo", RUN, False, 2000.0)]).rows[0][-1] == "nothing was left to fetch that falls due soon"
