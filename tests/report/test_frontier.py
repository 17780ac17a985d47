from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.states import State
from focuscrawl.report.frontier import stats_parts, waiting_table, waits_for
from focuscrawl.report.table import Table
from focuscrawl.store.frontier.leasing import HOLD
from focuscrawl.store.frontier.listing import FrontierStats, HostWaiting
from focuscrawl.store.frontier.waiting import Waiting

NOW = 1000.0
QUEUED = Waiting(
    "http://xn--fiq228c.com/%E6%90%9C", "xn--fiq228c.com", State.QUEUED, 0.5, 1, 0, 0.0, "", 0,
    ready_at=NOW - 1, robots_until=NOW + 9, held=False, robots="rules", worker=None, leased_at=None,
)  # fmt: skip
RETRY = replace(QUEUED, state=State.WAIT, error="http-503", due_at=NOW + 90)


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (QUEUED, "its turn"),
        (replace(QUEUED, robots_until=0.0), "robots.txt, then its turn"),
        (replace(QUEUED, robots="wait", ready_at=NOW + 60), "robots.txt, asked again in 1 min"),
        (replace(QUEUED, robots_until=0.0, ready_at=NOW + 3), "robots.txt, then its turn"),
        (replace(QUEUED, ready_at=NOW + 3), "the host's delay, in 3.0 s"),
        (replace(QUEUED, ready_at=NOW + HOLD), "the host's answer to another request"),
        (replace(QUEUED, held=True, ready_at=NOW + HOLD), "the host's release"),
        (RETRY, "http-503: again in 1 min 30 s"),
        (replace(RETRY, tries=1, due_at=NOW - 1), "http-503: again now, 1 try failed"),
        (replace(RETRY, held=True), "the host's release"),
        (replace(QUEUED, state=State.LEASED, worker=3, leased_at=NOW - 2, held=True), "its answer (worker 3, 2.0 s)"),
        (replace(QUEUED, state=State.LEASED), "its answer"),
        (replace(QUEUED, state=State.FILTERED), "nothing: an operator removed it"),
    ],
)
def test_what_a_url_waits_for(one: Waiting, words: str) -> None:
    assert waits_for(one, NOW) == words


def test_chinese_addresses_are_readable() -> None:
    assert waiting_table([QUEUED], NOW).text().splitlines()[1].split() == [
        "0.500",
        "queued",
        "its",
        "turn",
        "http://中文.com/搜",
    ]


def test_values_of_a_recrawl_are_shown_however_small() -> None:
    scores = (lifted(0.25), lifted(2.1e-7), 0.0, 4e-5)
    rows = waiting_table([replace(QUEUED, priority=score) for score in scores], NOW).rows
    assert [row[0] for row in rows] == ["recrawl 0.250", "recrawl 2.1e-07", "0.000", "4.0e-05"]


def test_stats_in_words() -> None:
    hosts = [HostWaiting("a.test", 5, 2, 0.7, NOW + HOLD, False), HostWaiting("b.test", 0, 1, 0.0, NOW + 5, True)]
    stats = FrontierStats({State.QUEUED: 5, State.WAIT: 3, State.FILTERED: 2}, 1, hosts, 9, [], NOW + 4, NOW + 60)
    parts = [part.text() if isinstance(part, Table) else part for part in stats_parts(stats, NOW, "news")]
    assert "  10  in all (1 removed)" in parts[0]
    assert parts[1] == "The next host may be asked in 4.0 s, the next retry is due in 1 min."
    assert parts[2].splitlines()[0] == "Hosts with the most waiting URLs (of 9)"
    assert [line.split()[-1] for line in parts[2].splitlines()[2:]] == ["answer", "held"]
    shown = stats_parts(FrontierStats({State.DONE: 60}, 0, sources=82), NOW, "news")[0]
    assert isinstance(shown, Table)
    assert [tuple(row) for row in shown.rows] == [
        ("60", "fetched and stored"), ("82", "sitemaps, feeds and probes, visited or for later"), ("142", "in all")
    ]  # fmt: skip
    assert stats_parts(FrontierStats({}, 0), NOW, "news")[1] == "Nothing waits that falls due by time."
