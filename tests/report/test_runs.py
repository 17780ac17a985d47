from __future__ import annotations

from dataclasses import replace

from focuscrawl.report.runs import RunLine, as_json, runs_table
from focuscrawl.report.translation import Language
from focuscrawl.store.workers.runs import RunRow

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
    assert "revisited" not in [column.title for column in table.columns]
    assert [row[0] for row in table.rows] == ["new", "old"]
    assert table.rows[1][-4:-1] == ("–", "–", "–")


def test_the_reason_is_told_with_its_figures() -> None:
    run = replace(RUN, reason="edge", why="for 500 pages nothing was promised", stats={"drift": ["they speak of shops"]})
    [row] = runs_table([RunLine("demo", run, False, 2000.0)]).rows
    assert (row[4], row[-1]) == (
        "edge",
        "the edge of the topic was reached: no waiting URL promises a relevant page (for 500 pages nothing was promised)",
    )
    [chinese] = runs_table([RunLine("demo", run, False, 2000.0)], Language("zh")).rows
    assert chinese[-1].startswith("到达主题边缘")
    assert as_json(RunLine("demo", run, False, 2000.0))["why"] == "for 500 pages nothing was promised"
    assert run.drift == ("they speak of shops",)
    assert runs_table([RunLine("demo", RUN, False, 2000.0)]).rows[0][-1] == "no waiting URL falls due soon"


def test_a_recrawl_is_judged_by_what_became_of_pages() -> None:
    stats: dict[str, object] = {
        "counts": {"requests": 70, "errors": 9}, "recrawl/same_count": 50, "recrawl/changed_count": 4, "recrawl/new_count": 2,
        "recrawl/gone_count": 3, "politeness/answer_count/2xx": 60, "politeness/answer_count/4xx": 5,
        "politeness/failure_count/dns": 1, "downloader/response_status_count/404": 4, "downloader/response_status_count/403": 1,
    }  # fmt: skip
    again = RunLine("demo", replace(RUN, id=3, started_at=1500.0, arguments={"mode": "recrawl"}, stats=stats), False, 2000.0)
    going = RunLine("demo", replace(again.run, id=4, started_at=1700.0, ended_at=None, reason="", stats={}), True, 2000.0)
    table = runs_table([RunLine("demo", RUN, False, 2000.0), again, going])
    titles = [column.title for column in table.columns]
    at = slice(titles.index("pages"), titles.index("why"))
    assert titles[at] == ["pages", "relevant", "harvest", "revisited", "changed", "new", "gone", "requests", "errors"]
    assert [row[at] for row in table.rows] == [
        ("–",) * 9,
        ("–", "–", "–", "57", "4", "2", "3", "66", "2"),
        ("10", "4", "40 %", "–", "–", "–", "–", "12", "1"),
    ]
    told = as_json(again)
    assert [told[name] for name in ("mode", "harvest_rate", "revisited", "changed", "new", "gone")] == [
        "recrawl",
        None,
        57,
        4,
        2,
        3,
    ]
    told = as_json(RunLine("demo", RUN, False, 2000.0))
    assert (told["mode"], told["revisited"], told["why"]) == ("crawl", None, "no waiting URL falls due soon")
    assert (as_json(going)["why"], as_json(going)["revisited"]) == ("", None)
