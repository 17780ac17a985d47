from __future__ import annotations

from typing import Any

import pytest

from focuscrawl.frontier.lanes import LANE, lifted
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import EXAMPLE, FEED, LINK, SEED, SITEMAP, Lease
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.pacing import save_robots
from focuscrawl.store.revisits.revisit_rows import WHOLE_URL, put_off, wake_unread
from focuscrawl.store.revisits.sources import (
    FIRST_HUB,
    MOST_NESTED,
    MOST_SITEMAPS,
    RELEVANT,
    find_sitemaps,
    given_hosts,
    note_sources,
    wake_sources,
)
from focuscrawl.url.hosts import hid_of, uid_of
from focuscrawl.url.key import url_key
from tests.factories import known
from tests.store.revisits.shop import WORDS, Shop

NOW = 1_790_000_000.0
PAGE = Lease(hid_of("http://a.test"), uid_of("http://a.test/p"), "http://a.test/p", depth=2, distance=1)


def sources(db: Database) -> dict[str, tuple[Any, ...]]:
    rows = db.execute(
        """select h.origin || u.path, u.kind, u.state, v.kind, v.due_at, u.depth, u.distance from url u
        join host h on h.hid=u.hid join revisit v on v.hid=u.hid and v.uid=u.uid order by h.origin, u.path"""
    )
    return {row[0]: tuple(row[1:]) for row in rows}


def host(db: Database, origin: str, relevant: int, robots: str = "") -> None:
    known(db, origin + "/p", at=NOW)
    db.execute("update host set relevant=? where origin=?", (relevant, origin))
    if robots:
        save_robots(db, hid_of(origin), origin, RobotsState("rules", 200, robots.encode(), NOW, NOW + 9))


def test_a_feed_is_visited_but_never_queued(db: Database) -> None:
    assert note_sources(db, PAGE, ["http://a.test/feed", "http://news.a.test/atom.xml"], NOW) == 2
    row = (FEED, State.DONE, FEED, NOW, 2, 0)
    assert sources(db) == {"http://a.test/feed": row, "http://news.a.test/atom.xml": row}
    assert db.execute("select origin, best_priority from host order by origin").fetchall() == [
        ("http://a.test", None),
        ("http://news.a.test", None),
    ]
    assert note_sources(db, PAGE, ["http://a.test/feed"], NOW + 9) == 0
    assert sources(db)["http://a.test/feed"] == row


@pytest.mark.parametrize(
    ("state", "error", "adopted"),
    [
        (State.QUEUED, "", True),
        (State.WAIT, "timeout", True),
        (State.FILTERED, "type", True),
        (State.FILTERED, REMOVED, False),
        (State.DONE, "", False),
        (State.LEASED, "", False),
        (State.DENIED, "robots", False),
    ],
)
def test_what_a_link_had_led_to_before(db: Database, state: State, error: str, adopted: bool) -> None:
    discover(db, [DiscoveredUrl("http://a.test/feed", 0.7), DiscoveredUrl("http://a.test/x", 0.2)], NOW)
    db.execute("update url set state=?, error=? where path='/feed'", (state, error))
    assert note_sources(db, PAGE, ["http://a.test/feed"], NOW) == adopted
    expected = (FEED, State.DONE) if adopted else (LINK, state)
    assert db.execute("select kind, state from url where path='/feed'").fetchone() == expected
    assert len(sources(db)) == adopted
    if adopted:
        assert db.execute("select best_priority from host").fetchone() == (0.2,)


def test_an_index_names_sitemaps_to_a_depth(db: Database) -> None:
    url = "http://a.test/sitemap.xml"
    for nested in range(MOST_NESTED + 2):
        index = Lease(hid_of("http://a.test"), uid_of(url), url, distance=nested, kind=SITEMAP)
        url = f"http://a.test/{nested}.xml"
        assert note_sources(db, index, [url], NOW) == (nested < MOST_NESTED)
    assert {row[0] for row in sources(db).values()} == {SITEMAP}
    assert len(sources(db)) == MOST_NESTED


def test_sitemaps_that_robots_txt_names(db: Database) -> None:
    lines = [
        "Sitemap: /s.xml",
        "sitemap: http://maps.a.test/t.xml.gz",
        "Sitemap: http://b.test/u.xml",
        "Sitemap: ftp://a.test/",
    ]
    host(db, "http://a.test", 1, "\n".join(["User-agent: *", "Disallow: /x", *lines]))
    assert find_sitemaps(db, NOW) == 2
    assert set(sources(db)) == {"http://a.test/s.xml", "http://maps.a.test/t.xml.gz"}
    assert sources(db)["http://a.test/s.xml"] == (SITEMAP, State.DONE, SITEMAP, NOW, 0, 0)
    assert find_sitemaps(db, NOW + 1) == 0


def test_the_usual_address_where_none_is_named(db: Database) -> None:
    host(db, "http://a.test", 5, "User-agent: *\nDisallow: /sitemap-of-old/")
    host(db, "http://b.test", 4)
    host(db, "http://c.test", 9, "Sitemap: http://elsewhere.test/s.xml")
    host(db, "http://d.test", 0, "Sitemap: /s.xml")
    assert find_sitemaps(db, NOW) == 2
    assert set(sources(db)) == {"http://a.test/sitemap.xml", "http://c.test/sitemap.xml"}


def test_hostile_lines(db: Database) -> None:
    host(db, "http://a.test", 1, "\n".join(f"Sitemap: /{n}.xml" for n in range(2000)))
    host(db, "http://b.test", 1, "Sitemap: http://[::\nSitemap: javascript:x\nSitemap:\n")
    assert find_sitemaps(db, NOW) == MOST_SITEMAPS


def test_scope_is_asked(db: Database) -> None:
    host(db, "http://a.test", 9)
    host(db, "http://b.test", 9)
    assert find_sitemaps(db, NOW, lambda url: "b.test" in url) == 1
    assert set(sources(db)) == {"http://b.test/sitemap.xml"}


def test_many_hosts(db: Database) -> None:
    discover(db, [DiscoveredUrl(f"http://h{n}.test/", 0.5) for n in range(450)], NOW)
    db.execute("update host set relevant=5")
    assert find_sitemaps(db, NOW) == 450


# --- visits in an ordinary crawl ---------------------------------------------------------------------------------------------


def waiting(db: Database) -> list[str]:
    rows = db.execute(
        "select h.origin || u.path from url u join host h on h.hid=u.hid where u.state=? and u.priority>=? order by u.path",
        (State.QUEUED, LANE),
    )
    return [url for (url,) in rows]


def test_sources_of_a_host_wait_before_all_links(db: Database) -> None:
    host(db, "http://a.test", RELEVANT, "Sitemap: http://a.test/s.xml\nSitemap: http://other.test/s.xml")
    note_sources(db, PAGE, ["http://a.test/feed", "http://news.a.test/feed"], NOW)
    assert wake_sources(db, hid_of("http://a.test"), 5, NOW, depth=2) == 2
    assert db.execute("select depth from url where path='/s.xml'").fetchone() == (2,)
    assert waiting(db) == ["http://a.test/feed", "http://a.test/s.xml"]
    assert db.execute("select best_priority from host where origin='http://a.test'").fetchone() == (lifted(1.0),)
    assert wake_sources(db, hid_of("http://a.test"), 5, NOW) == 0


@pytest.mark.parametrize(("relevant", "pages", "good"), [(5, 25, True), (5, 26, False), (4, 4, False), (20, 100, True)])
def test_a_host_looks_good_by_its_relevant_pages(db: Database, relevant: int, pages: int, good: bool) -> None:
    host(db, "http://a.test", relevant)
    db.execute("update host set pages=?", (pages,))
    assert wake_sources(db, hid_of("http://a.test"), 5, NOW) == (1 if good else None)
    assert len(sources(db)) == good


def test_a_host_without_another_way_in_need_not_look_good(db: Database) -> None:
    host(db, "http://a.test", 0)
    db.execute("update host set pages=1")
    assert wake_sources(db, hid_of("http://a.test"), 5, NOW) is None
    assert wake_sources(db, hid_of("http://a.test"), 5, NOW, only_way=True) == 1
    assert waiting(db) == ["http://a.test/sitemap.xml"]


def test_the_feeds_nearest_to_the_seeds_come_first(db: Database) -> None:
    host(db, "http://a.test", RELEVANT, "Sitemap: http://other.test/s.xml")
    for depth in (3, 1, 2):
        lease = Lease(hid_of("http://a.test"), depth, f"http://a.test/{depth}", depth=depth)
        note_sources(db, lease, [f"http://a.test/feed{depth}"], NOW)
    assert wake_sources(db, hid_of("http://a.test"), 3, NOW) == 3
    db.execute("update url set state=?", (State.DONE,))
    assert wake_sources(db, hid_of("http://a.test"), 2, NOW) == 2
    assert waiting(db) == ["http://a.test/feed1", "http://a.test/sitemap.xml"]


def test_sitemaps_come_before_feeds_up_to_a_limit(db: Database) -> None:
    host(db, "http://a.test", RELEVANT)
    note_sources(db, PAGE, ["http://a.test/feed"], NOW)
    assert wake_sources(db, hid_of("http://a.test"), 1, NOW) == 1
    assert waiting(db) == ["http://a.test/sitemap.xml"]


def test_a_source_that_is_refused_is_not_visited(db: Database) -> None:
    host(db, "http://a.test", RELEVANT)
    assert wake_sources(db, hid_of("http://a.test"), 5, NOW, admits=lambda url: False) == 0
    assert sources(db) == {}


def test_only_sources_that_were_never_visited_are_woken(db: Database) -> None:
    urls = [f"http://a.test/{number}" for number in range(1, 6)]
    note_sources(db, PAGE, urls, NOW)
    keys = [url_key(url).url_id for url in urls]
    db.execute("update revisit set checked_at=? where hid=? and uid=?", (NOW, *keys[0]))
    db.execute("update url set state=? where hid=? and uid=?", (State.LEASED, *keys[1]))
    db.execute("update url set state=? where hid=? and uid=?", (State.FAILED, *keys[4]))
    assert wake_unread(db, [*keys, keys[3], (1, 2)], 1) == 1
    assert waiting(db) == ["http://a.test/3"]
    assert wake_unread(db, keys, 9) == 1
    assert waiting(db) == ["http://a.test/3", "http://a.test/4"]


def test_of_a_hosts_sources_that_are_found_together_the_first_counts_most(db: Database) -> None:
    note_sources(db, PAGE, ["http://a.test/3", "http://b.test/1", "http://a.test/1", "http://a.test/3", "http://a.test/2"], NOW)
    hubs = db.execute(f"select {WHOLE_URL}, v.weight, v.hub from revisit v order by 1").fetchall()
    assert hubs == [
        ("http://a.test/1", FIRST_HUB / 2, FIRST_HUB / 2),
        ("http://a.test/2", FIRST_HUB / 3, FIRST_HUB / 3),
        ("http://a.test/3", FIRST_HUB, FIRST_HUB),
        ("http://b.test/1", FIRST_HUB, FIRST_HUB),
    ]


def test_what_was_not_visited_rests_again_and_stays_unvisited(db: Database) -> None:
    host(db, "http://a.test", RELEVANT)
    wake_sources(db, hid_of("http://a.test"), 5, NOW)
    put_off(db, 10)
    assert waiting(db) == []
    assert sources(db)["http://a.test/sitemap.xml"][1] == State.DONE
    assert wake_sources(db, hid_of("http://a.test"), 5, NOW) == 1


def test_only_hosts_of_given_pages_that_may_have_sources_are_looked_at(db: Database) -> None:
    """A million seeds have as many hosts, and most of them have no sitemap and no feed."""
    named = "Sitemap: http://x.test/s.xml"
    robots = {"plain": "User-agent: *\nDisallow: /private", "names": named, "linked": named, "unread": named}
    kinds = {"names": EXAMPLE, "linked": LINK}
    for name in ("plain", "silent", "names", "relevant", "feed", "read", "linked"):
        url = f"http://{name}.test/p"
        Shop(db, NOW, url).answer(WORDS)
        db.execute("update url set kind=? where hid=? and uid=?", (kinds.get(name, SEED), *url_key(url).url_id))
    for name in ("plain", "silent", "names", "relevant", "feed", "read", "linked", "unread"):
        host(db, f"http://{name}.test", RELEVANT if name == "relevant" else RELEVANT - 1, robots.get(name, ""))
    note_sources(db, PAGE, ["http://feed.test/feed", "http://read.test/feed"], NOW)
    db.execute("update revisit set checked_at=? where hid=?", (NOW, hid_of("http://read.test")))
    assert sorted(given_hosts(db)) == sorted(hid_of(f"http://{name}.test") for name in ("names", "relevant", "feed"))
