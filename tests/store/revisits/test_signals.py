from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.items import FEED, SITEMAP, Lease, SourceEntry
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, RevisitRecord, SiteProfile
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.revisit_rows import load_revisit, write_profile, write_revisits
from focuscrawl.store.revisits.signals import MOST, SIGNAL, apply_signals
from focuscrawl.url.key import url_key

NOW = 1_790_000_000.0
SOURCE = Lease(*url_key("http://a.test/sitemap.xml").url_id, "http://a.test/sitemap.xml", kind=SITEMAP)


class Notice(Planner):
    """Remembers what it was told; the profile decides how much a signal says."""

    def __init__(self) -> None:
        super().__init__(RecrawlSettings())
        self.seen: list[tuple[int, float]] = []

    def signalled(self, visit: RevisitRecord, profile: SiteProfile, kind: int, modified_at: float, now: float) -> RevisitRecord:
        self.seen.append((kind, modified_at))
        return replace(visit, signal=visit.signal + 1 + profile.sitemap_right, due_at=now, value=9.0, magnitude=9.0)


def known(db: Database, url: str, checked_at: float, **facts: float) -> tuple[int, int]:
    hid, uid = url_key(url).url_id
    write_revisits(db, [replace(RevisitRecord(hid, uid, due_at=NOW + DAY, checked_at=checked_at), **facts)])  # type: ignore[arg-type]
    return hid, uid


def test_a_page_that_changed_is_due(db: Database) -> None:
    key = known(db, "http://a.test/1", NOW - 10 * DAY)
    known(db, "http://a.test/2", NOW - 1 * DAY)
    planner = Notice()
    entries = [
        SourceEntry("http://a.test/1", NOW - 5 * DAY),
        SourceEntry("http://a.test/1", NOW - 6 * DAY),
        SourceEntry("http://a.test/2", NOW - 5 * DAY),
        SourceEntry("http://a.test/unknown", NOW - 5 * DAY),
        SourceEntry("http://a.test/3"),
    ]
    assert apply_signals(db, planner, SOURCE, entries, NOW) == 1
    assert planner.seen == [(SITEMAP, NOW - 5 * DAY)]
    visit = load_revisit(db, *key)
    assert visit is not None
    assert (visit.signal, visit.signal_at, visit.signal_kind, visit.due_at) == (1.0, NOW - 5 * DAY, SITEMAP, NOW)
    assert (visit.value, visit.magnitude) == (0.0, 0.0)  # not this module's columns


def test_the_same_time_signals_once(db: Database) -> None:
    hid, uid = known(db, "http://a.test/1", NOW - 10 * DAY)
    entries, planner = [SourceEntry("http://a.test/1", NOW + 0.5 * DAY)], Notice()
    assert apply_signals(db, planner, SOURCE, entries, NOW) == 1
    assert planner.seen == [(SITEMAP, NOW)]  # a planner is told of no future
    db.execute("update revisit set checked_at=?, signal=0 where hid=? and uid=?", (NOW + 60, hid, uid))
    assert apply_signals(db, planner, SOURCE, entries, NOW + 100) == 0
    assert apply_signals(db, planner, SOURCE, [SourceEntry("http://a.test/1", NOW + 0.6 * DAY)], NOW + 100) == 1


def test_a_clock_that_is_ahead(db: Database) -> None:
    known(db, "http://a.test/1", NOW)
    assert apply_signals(db, Notice(), SOURCE, [SourceEntry("http://a.test/1", NOW + 30)], NOW + DAY) == 0


def test_what_was_never_fetched_is_due_anyway(db: Database) -> None:
    known(db, "http://a.test/child.xml", 0.0)
    assert apply_signals(db, Notice(), SOURCE, [SourceEntry("http://a.test/child.xml", NOW - DAY)], NOW) == 0


@pytest.mark.parametrize(("kind", "signals"), [(SITEMAP, 0), (FEED, 9)])
def test_a_sitemap_whose_times_are_all_of_now(db: Database, kind: int, signals: int) -> None:
    for number in range(10):
        known(db, f"http://a.test/{number}", NOW - 10 * DAY if number else NOW)
    entries = [SourceEntry(f"http://a.test/{number}", NOW - 100 if number else NOW - 9 * DAY) for number in range(10)]
    assert apply_signals(db, Notice(), replace(SOURCE, kind=kind), entries, NOW) == signals


def test_the_habit_of_the_page_s_host(db: Database) -> None:
    key = known(db, "http://www.a.test/1", NOW - 10 * DAY)
    write_profile(db, SiteProfile(key[0], sitemap_right=6))
    assert apply_signals(db, Notice(), SOURCE, [SourceEntry("http://www.a.test/1", NOW - DAY)], NOW) == 1
    visit = load_revisit(db, *key)
    assert visit is not None
    assert visit.signal == 7.0


def test_a_page_that_was_visited_in_between_is_left_alone(db: Database) -> None:
    key = known(db, "http://a.test/1", NOW)
    db.execute(SIGNAL, (1.0, NOW, SITEMAP, NOW, *key, NOW - 10 * DAY, 0.0))
    visit = load_revisit(db, *key)
    assert visit is not None
    assert visit.signal == 0.0


def test_a_large_sitemap(db: Database) -> None:
    urls = [f"http://a.test/{number}" for number in range(1200)]
    write_revisits(db, [RevisitRecord(*url_key(url).url_id, checked_at=NOW - 9 * DAY) for url in urls])
    entries = [SourceEntry(url, NOW - 2 * DAY + number) for number, url in enumerate(urls)]
    assert apply_signals(db, Notice(), SOURCE, entries, NOW) == MOST
    assert load_revisit(db, *url_key(urls[199]).url_id).signal == 0.0  # type: ignore[union-attr]
    assert load_revisit(db, *url_key(urls[200]).url_id).signal == 1.0  # type: ignore[union-attr]
    assert apply_signals(db, Notice(), SOURCE, entries, NOW) == 200
    assert apply_signals(db, Notice(), SOURCE, entries, NOW) == 0
