"""How many hosts have stopped serving, of those that have given pages?"""

from __future__ import annotations

import pytest

from focuscrawl.politeness.pace import Pace, PaceSettings
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import dump_pace
from focuscrawl.store.frontier.silence import silent_hosts
from tests.factories import NOW

OPEN = PaceSettings().breaker_fails


def test_hosts_that_fail_again_and_again_count_where_urls_wait_once_for_each_name(db: Database) -> None:
    assert silent_hosts(db) == (0, 0)
    origins = (
        "http://down.test",
        "https://down.test",
        "http://slow.test",
        "http://up.test",
        "http://new.test",
        "http://done.test",
    )
    discover(db, [DiscoveredUrl(f"{origin}/1", 0.5) for origin in origins], NOW)
    db.execute("update host set pages=3 where origin in ('http://down.test', 'http://slow.test', 'http://up.test')")
    db.execute("update host set pages=1, best_priority=null where name='done.test'")
    db.execute("update url set error='connect'")
    for name, fails in (("down", OPEN), ("slow", OPEN - 1), ("up", 0), ("new", OPEN), ("done", OPEN)):
        db.execute("update host set pace=? where name=?", (dump_pace(Pace(fails=fails)), f"{name}.test"))
    assert silent_hosts(db) == (1, 4)


@pytest.mark.parametrize(
    ("errors", "silent"),
    [(("connect", ""), 1), (("http-500", "timeout"), 1), (("http-502", ""), 1), (("http-500", "http-500"), 0), (("", ""), 0)],
)
def test_a_host_that_answers_with_errors_of_single_pages_is_not_silent(
    db: Database, errors: tuple[str, str], silent: int
) -> None:
    discover(db, [DiscoveredUrl(f"http://a.test/{number}", 0.5) for number in range(2)], NOW)
    db.execute("update host set pages=3, pace=?", (dump_pace(Pace(fails=OPEN)),))
    for number, error in enumerate(errors):
        db.execute("update url set error=? where path=?", (error, f"/{number}"))
    assert silent_hosts(db) == (silent, 1)


@pytest.mark.parametrize(("status", "error", "silent"), [(0, "timeout", 1), (504, "", 1), (500, "", 0), (200, "", 0)])
def test_a_host_that_does_not_give_its_robots_txt_is_silent(db: Database, status: int, error: str, silent: int) -> None:
    """No page is asked for before, so that no URL has an error."""
    discover(db, [DiscoveredUrl("http://a.test/", 0.5)], NOW)
    db.execute("update host set pages=3, pace=?", (dump_pace(Pace(fails=OPEN)),))
    db.execute(
        "insert into robots(origin, state, status, body, fetched_at, expires_at, error) values(?, 'wait', ?, ?, 0, 0, ?)",
        ("http://a.test", status, b"", error),
    )
    assert silent_hosts(db) == (silent, 1)
