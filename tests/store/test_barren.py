"""What waits in barren parts waits behind everything else, what repeats is put aside; an operator can take both back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from focuscrawl.frontier.lanes import LANE, behind, lifted
from focuscrawl.frontier.states import MIRROR, REPEATS, State
from focuscrawl.items import SEED
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier import barren
from focuscrawl.store.frontier.barren import LetBack, SetBack, is_wanted, let_back, set_back
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored, discover, rescore
from focuscrawl.store.frontier.operator_changes import Added, add
from focuscrawl.store.revisits.revisit_rows import write_revisits
from focuscrawl.url.hosts import hid_of, uid_of
from focuscrawl.url.key import BEFORE_ALL, UrlId, url_key
from tests.factories import NOW, known, leased, limits

HID = hid_of("http://a.test")
DAY, NEWS, OTHER, GIVEN = "http://a.test/cal/1", "http://a.test/news", "http://b.test/cal/1", "http://a.test/cal/seed"


def rule(url: str, parent: str) -> str:
    return "yield" if "/cal/" in url else ""


def priority_of(db: Database, url: str) -> float:
    return float(db.execute("select priority from url where uid=?", (uid_of(url),)).fetchone()[0])


def test_only_links_that_are_refused_wait_behind_everything_else(db: Database) -> None:
    for url, priority in ((DAY, 0.9), ("http://a.test/cal/2", 0.8), (OTHER, 0.9), (NEWS, 0.1)):
        known(db, url, priority=priority)
    known(db, GIVEN, kind=SEED)
    assert set_back(db, HID, rule, NOW) == SetBack(behind=2)
    assert priority_of(db, DAY) == behind(0.9)
    assert (priority_of(db, NEWS), priority_of(db, OTHER)) == (0.1, 0.9)
    assert set_back(db, HID, rule, NOW) == SetBack()
    order = [one.url for one in leased(db)]
    assert set(order[:3]) == {NEWS, GIVEN, OTHER}
    assert set(order[3:]) == {DAY, "http://a.test/cal/2"}  # nothing is lost


def test_what_the_order_learns_does_not_lift_it_but_a_better_link_does(db: Database) -> None:
    known(db, DAY, priority=0.3)
    set_back(db, HID, rule, NOW)
    assert rescore(db, [Rescored((HID, uid_of(DAY)), 0.8)]) == 0
    assert priority_of(db, DAY) == behind(0.3)
    known(db, DAY, priority=0.4)
    assert priority_of(db, DAY) == 0.4


def test_what_waits_on_a_mirror_is_named_on_its_original(db: Database) -> None:
    """The home page of a site for phones, read after that of the site, was a copy whose links were not followed. Then the site
    turned out to be the mirror of the one for phones, and 34 of its URLs were put aside: a crawl ended after 130 requests."""
    known(db, "http://a.test/book/2", NEWS, priority=0.4, depth=3)
    known(db, "http://a.test/book/3", NEWS)
    twin = {"http://a.test/book/2": "http://m.a.test/book/2"}
    done = set_back(db, HID, lambda url, parent: MIRROR if "/book/" in url else "", NOW, lambda url, parent: twin.get(url, ""))
    assert [(one.url, one.priority, one.depth) for one in done.twins] == [("http://m.a.test/book/2", 0.4, 3)]
    assert done.aside == 2


@pytest.mark.parametrize("error", [MIRROR, REPEATS])
def test_what_is_there_already_is_put_aside(db: Database, error: str) -> None:
    known(db, "http://a.test/copy/1", NEWS)
    assert set_back(db, HID, lambda url, parent: error if "/copy/" in url else "", NOW) == SetBack(aside=1)
    assert db.execute("select distinct state, error from url where error<>''").fetchall() == [(State.FILTERED, error)]
    known(db, "http://a.test/copy/1")  # a link to it queues it no more
    assert [one.url for one in leased(db)] == [NEWS]
    assert add(db, ["http://a.test/copy/1"], 0.8, NOW) == Counter({Added.AGAIN: 1})


@pytest.mark.parametrize("error", [MIRROR, REPEATS])
def test_what_was_put_aside_comes_back_where_its_part_has_turned_out_to_be_good(db: Database, error: str) -> None:
    """It never did."""
    copies, elsewhere = ("http://a.test/copy/1", "http://a.test/copy/2", "http://a.test/other/3"), "http://b.test/copy/4"
    for url in (*copies, elsewhere, NEWS):
        known(db, url, priority=0.5)
    for origin in ("http://a.test", "http://b.test"):
        set_back(db, hid_of(origin), lambda url, parent: error if "/copy/" in url or "/other/" in url else "", NOW)
    still = {"http://a.test/copy/2": REPEATS, "http://a.test/other/3": "yield"}
    assert let_back(db, "a.test", lambda url, parent: still.get(url, ""), NOW) == LetBack(2, None)
    waiting = db.execute(f"select path, priority from url where state={State.QUEUED:d} and error=''").fetchall()
    assert sorted(waiting) == [("/copy/1", 0.5), ("/news", 0.5), ("/other/3", behind(0.5))]
    assert let_back(db, "a.test", lambda url, parent: REPEATS, NOW) == LetBack(0, None)


@pytest.mark.parametrize(("most", "hosts"), [(2, 9), (9, 1), (1, 1)])
def test_all_that_was_put_aside_on_a_site_is_judged_however_much_stays_aside(
    db: Database, monkeypatch: pytest.MonkeyPatch, most: int, hosts: int
) -> None:
    """Only the best ones of a site were: what lay behind those stayed put aside for good."""
    monkeypatch.setattr(barren, "MOST_ASIDE", most)
    monkeypatch.setattr(barren, "MOST_HOSTS", hosts)
    stay, back = [f"http://a.test/copy/{n}" for n in range(5)], ["http://a.test/own/1", "http://b.a.test/own/2"]
    for url in (*stay, *back):
        known(db, url, priority=0.9 if url in stay else 0.1)
    for origin in ("http://a.test", "http://b.a.test"):
        set_back(db, hid_of(origin), lambda url, parent: REPEATS, NOW)
    after: UrlId | None = BEFORE_ALL
    while after:
        after = let_back(db, "a.test", lambda url, parent: REPEATS if url in stay else "", NOW, after).after
    assert {one.url for one in leased(db)} == set(back)


def test_the_best_priority_of_the_host_follows(db: Database) -> None:
    known(db, DAY, priority=0.9)
    known(db, NEWS, priority=0.4)
    set_back(db, HID, rule, NOW)
    assert db.execute("select best_priority from host where hid=?", (HID,)).fetchone() == (0.4,)


def test_a_host_is_wanted_if_its_best_url_is(db: Database) -> None:
    assert is_wanted(db, HID, rule)  # nothing waits: nobody knows
    known(db, DAY, priority=0.9)
    assert not is_wanted(db, HID, rule)
    known(db, NEWS, priority=0.95)
    assert is_wanted(db, HID, rule)


def test_a_host_on_which_only_barren_parts_are_left_is_wanted_when_it_comes_up(db: Database) -> None:
    known(db, DAY, priority=0.9)
    set_back(db, HID, rule, NOW)
    assert is_wanted(db, HID, rule)


def test_what_turned_out_to_copy_is_set_back_further_before_it_is_fetched(db: Database) -> None:
    known(db, DAY, priority=0.9)
    set_back(db, HID, rule, NOW)
    assert not is_wanted(db, HID, lambda url, parent: "last")
    assert set_back(db, HID, lambda url, parent: "last", NOW) == SetBack(behind=1)
    assert is_wanted(db, HID, lambda url, parent: "last")
    assert is_wanted(db, HID, rule)


def test_an_operator_takes_it_back_for_good(db: Database) -> None:
    known(db, DAY, parent=7)
    set_back(db, HID, rule, NOW)
    assert add(db, [DAY], 0.8, NOW) == Counter({Added.WAITING: 1})
    assert priority_of(db, DAY) == 0.8
    assert set_back(db, HID, lambda url, parent: "yield" if parent else "", NOW) == SetBack()  # nobody named it: it was given


def test_of_what_a_recrawl_queues_only_new_links_are_set_back(db: Database) -> None:
    revisited = "http://a.test/cal/known"
    known(db, DAY, revisited, priority=lifted(0.5))
    write_revisits(db, [RevisitRecord(HID, uid_of(revisited), first_at=NOW, read_at=NOW)])
    assert set_back(db, HID, rule, NOW) == SetBack(behind=1)
    assert priority_of(db, DAY) < 0 < LANE < priority_of(db, revisited)
    assert is_wanted(db, HID, rule)  # its robots.txt is fetched for the revisit


async def test_what_cannot_be_queued_on_the_original_is_not_put_aside_on_the_mirror(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror, original = "http://m.test/1", "http://o.test/1"

    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("the process ends here")

    store = CrawlStore(tmp_path, "x", limits(99), "{}")
    await store.add_seeds([DiscoveredUrl("http://start.test/", 0.9)])
    await store.call(lambda db: discover(db, [DiscoveredUrl(mirror, 0.5)], NOW))
    monkeypatch.setattr("focuscrawl.store.crawl_store.discover", crash)
    with pytest.raises(RuntimeError):
        await store.set_back(url_key(mirror).hid, lambda url, parent: MIRROR, lambda url, parent: original)
    rows = await store.call(lambda db: db.execute("select path, state from url where path='/1'").fetchall())
    store.close("empty", "{}")
    assert [(str(path), int(state)) for path, state in rows] == [("/1", State.QUEUED)]
