from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.report.table import Table
from focuscrawl.report.workers import WorkerLine, as_json, trouble, workers_parts
from focuscrawl.store.workers.status import Health, WorkerRow

LIVE = WorkerRow(
    3,
    1,
    "node-1",
    4711,
    Health.LIVE,
    0.4,
    5,
    2,
    "",
    True,
    False,
    stats={"pages": 1200, "pages_per_minute": 61.5, "trouble": ""},
)


@pytest.mark.parametrize(
    ("worker", "words"),
    [
        (LIVE, ""),
        (replace(LIVE, stats={"trouble": "database or disk is full"}), "database or disk is full"),
        (replace(LIVE, health=Health.SILENT, silence=20.0), "no heartbeat comes: it hangs, or its store or network does"),
        (replace(LIVE, health=Health.SILENT, stats={"trouble": "locked"}), "locked"),
        (replace(LIVE, health=Health.DEAD), "its process has ended; the next worker takes over what it held"),
        (
            replace(LIVE, health=Health.DEAD, there=True),
            "no heartbeat comes: it hangs, or its store or network does; the next worker takes over what it held",
        ),
        (replace(LIVE, health=Health.DEAD, taken_back=True), ""),
        (replace(LIVE, health=Health.GONE, stats={"trouble": "disk full"}), ""),
    ],
)
def test_what_is_wrong_with_a_worker(worker: WorkerRow, words: str) -> None:
    assert trouble(worker) == words


def test_the_table_has_only_columns_in_which_something_stands() -> None:
    table, *sentences = workers_parts([WorkerLine("news", LIVE)], with_crawl=False)
    assert isinstance(table, Table)
    assert [column.title for column in table.columns] == [
        "id", "state", "machine", "pid", "pages", "/min", "hosts", "leases", "heard",
    ]  # fmt: skip
    assert table.cells() == [["3", "live", "node-1", "4711", "1,200", "62", "2", "5", "0.4 s"]]
    assert sentences == []


def test_trouble_stands_below_with_the_name_of_the_crawl() -> None:
    silent = replace(LIVE, health=Health.SILENT, stats={"trouble": "locked\x1b[31m", "partition": "1/2"})
    table, sentence = workers_parts([WorkerLine("新闻", silent)], with_crawl=True)
    assert isinstance(table, Table)
    assert (table.cells()[0][0], table.cells()[0][-1]) == ("新闻", "1/2")
    assert sentence == "Worker 3 of 新闻: locked [31m."


def test_json_has_the_state_once() -> None:
    values = as_json(WorkerLine("news", LIVE))
    assert (values["crawl"], values["state"], "health" in values) == ("news", "live", False)


def test_a_worker_that_ended_normally_is_not_gone_as_a_page_is() -> None:
    table, *_ = workers_parts([WorkerLine("news", replace(LIVE, health=Health.GONE))], with_crawl=False)
    assert isinstance(table, Table)
    assert table.cells()[0][1] == "ended"
    assert as_json(WorkerLine("news", replace(LIVE, health=Health.GONE)))["state"] == "gone"
