"""A page that has moved is fetched at its new home, whatever the crawl knew of that URL, and the new home of one that does not
redirect is no copy, on both engines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.states import MIRROR, REMOVED, REPEATS, State
from focuscrawl.items import Duplicate, Link
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.state import DAY
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import explain
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.revisits.new_home import REDIRECTED_HERE, may_be_home
from focuscrawl.url.key import url_key
from tests.report.sample import empty_crawl
from tests.store.revisits.shop import NOW, OTHER, WORDS, Shop

HOME = "http://a.test/home"
FIRST = lifted(1.0)


@pytest.fixture
def shop(db: Database) -> Shop:
    return Shop(db)


def home(shop: Shop) -> tuple[State, float, int]:
    """State, priority and parent of the home's URL."""
    state, priority, parent = shop.db.execute("select state, priority, parent from url where path='/home'").fetchone()
    return State(state), priority, parent


def known_as(shop: Shop, state: State, error: str = "") -> None:
    """The home is known by a link, and has this state."""
    discover(shop.db, [DiscoveredUrl(HOME, 0.3, parent=1)], NOW)
    shop.db.execute("update url set state=?, error=? where path='/home'", (int(state), error))


def has_moved(shop: Shop, status: int = 301) -> None:
    shop.answer(WORDS)
    shop.later(5).answer([], status, redirect=HOME)


@pytest.mark.parametrize(
    ("state", "error"),
    [
        (State.QUEUED, ""),
        (State.REDIR, ""),
        (State.GONE, "http-404"),
        (State.FAILED, "timeout"),
        (State.FILTERED, REPEATS),
        (State.FILTERED, MIRROR),
    ],
)
def test_a_home_of_which_nothing_is_stored_is_fetched_first(shop: Shop, state: State, error: str) -> None:
    known_as(shop, state, error)
    has_moved(shop)
    assert home(shop) == (State.QUEUED, FIRST, 0)
    facts = explain(shop.db, HOME)
    assert facts.entry is not None
    assert facts.entry.priority_parts == (("moved", 1.0),)
    assert facts.announced_by == ()


@pytest.mark.parametrize("state", [State.LEASED, State.WAIT])
def test_a_home_that_is_on_the_way_may_be_fetched_whatever_links_bring_there(shop: Shop, state: State) -> None:
    known_as(shop, state)
    has_moved(shop)
    assert home(shop) == (state, FIRST, 0)


@pytest.mark.parametrize(("state", "error"), [(State.FILTERED, REMOVED), (State.FILTERED, "type"), (State.DENIED, "robots")])
def test_a_home_that_a_rule_or_an_operator_refused_stays_refused(shop: Shop, state: State, error: str) -> None:
    known_as(shop, state, error)
    has_moved(shop)
    assert home(shop) == (state, 0.3, 1)


def test_a_page_that_may_come_back_does_not_ask_elsewhere(shop: Shop) -> None:
    known_as(shop, State.REDIR)
    has_moved(shop, 302)
    assert home(shop) == (State.REDIR, 0.3, 1)


def test_a_page_that_has_moved_and_returns_is_due_at_once(shop: Shop) -> None:
    shop.answer(WORDS)
    shop.later(5).answer([], 301, redirect=HOME)
    moved = Shop(shop.db, shop.now, HOME)
    moved.answer(WORDS)
    assert shop.visit.due_at > shop.later(20).now
    moved.later(20).answer([], 308, redirect=shop.url)
    assert (shop.visit.due_at, moved.gone) == (moved.now, Gone.MOVED)
    assert shop.answer(WORDS).revisit_result == "back"


def test_two_urls_that_redirect_to_each_other_are_not_asked_in_turn(shop: Shop) -> None:
    shop.answer(WORDS)
    other = Shop(shop.db, shop.now, HOME)
    other.answer(WORDS)
    shop.later(5).answer([], 301, redirect=HOME)
    other.later(5).answer([], 301, redirect=shop.url)
    shop.later(1).answer([], 301, redirect=HOME)
    assert (shop.gone, other.gone) == (Gone.MOVED, Gone.MOVED)
    assert home(shop)[0] is State.REDIR
    assert other.visit.due_at > shop.now + 80 * DAY


SORTED, TURNED = "http://a.test/page?sort=a", "http://a.test/page?sort=b"


@pytest.mark.parametrize(
    ("other", "refused", "aside", "asked"),
    [
        (TURNED, "yield", False, True),
        (TURNED, "", True, True),
        (TURNED, "scope", False, False),
        ("http://a.test/other?sort=b", "yield", False, False),
    ],
)
def test_another_address_of_a_page_that_is_gone_is_fetched(
    shop: Shop, other: str, refused: str, aside: bool, asked: bool
) -> None:
    page = shop.page(WORDS)
    page.links = [Link(SORTED), Link(other, refused=refused)]
    number = shop.commit(page).page_id
    if aside:
        discover(shop.db, [DiscoveredUrl(other, 0.3, parent=number)], NOW)
        shop.db.execute("update url set state=?, error=? where path='/page?sort=b'", (int(State.FILTERED), REPEATS))
    gone = Shop(shop.db, shop.now, SORTED)
    gone.answer([*WORDS, "sorted"])
    shop.db.dialect.insert_inlinks(shop.db, [url_key(SORTED).url_id], number)
    gone.later(5).answer([], 410)
    gone.later(5).answer([], 410)
    assert gone.gone == Gone.GONE
    found = shop.db.execute("select state, priority, parent from url where path like '%sort=b'").fetchall()
    assert found == ([(State.QUEUED, FIRST, 0)] if asked else [])


def test_what_redirected_to_a_page_that_is_gone_is_asked_again(shop: Shop) -> None:
    """`/old` led to `/home`, later to `/newer`: the page was gone, and its new home was not found."""
    shop.answer([], 301, redirect=HOME)
    moved = Shop(shop.db, shop.now, HOME)
    moved.answer(WORDS)
    discover(shop.db, [DiscoveredUrl("http://a.test/elsewhere", 0.3)], NOW)
    shop.db.execute("update url set state=? where path='/elsewhere'", (int(State.REDIR),))
    moved.later(5).answer([], 410)
    moved.later(5).answer([], 410)
    assert moved.gone == Gone.GONE
    states = dict(shop.db.execute("select path, state from url").fetchall())
    assert (states["/page"], states["/elsewhere"]) == (State.QUEUED, State.REDIR)
    newer = Shop(shop.db, moved.now, "http://a.test/newer")
    shop.later(10).answer([], 301, redirect=newer.url)
    assert shop.db.execute("select state, priority from url where path='/newer'").fetchall() == [(State.QUEUED, lifted(0.9))]
    newer.answer(WORDS)
    assert (newer.gone, shop.db.execute("select state from url where path='/page'").fetchone()[0]) == (0, State.REDIR)


def test_a_redirect_that_still_leads_to_a_page_that_is_gone_is_not_asked_in_turn(shop: Shop) -> None:
    shop.answer([], 301, redirect=HOME)
    moved = Shop(shop.db, shop.now, HOME)
    moved.answer(WORDS)
    moved.later(5).answer([], 410)
    moved.later(5).answer([], 410)
    shop.later(11).answer([], 301, redirect=HOME)
    assert dict(shop.db.execute("select path, state from url").fetchall()) == {"/page": State.REDIR, "/home": State.GONE}
    assert moved.visit.due_at > moved.now + 80 * DAY


def test_what_redirected_to_a_page_that_is_gone_is_not_asked_outside_of_the_scope_of_today(shop: Shop) -> None:
    shop.answer([], 301, redirect="http://b.test/home")
    moved = Shop(shop.db, shop.now, "http://b.test/home", lambda url, depth: "scope" if "a.test" in url else "")
    moved.answer(WORDS)
    moved.later(5).answer([], 410)
    moved.later(5).answer([], 410)
    assert moved.gone == Gone.GONE
    assert shop.db.execute("select state from url where path='/page'").fetchone() == (State.REDIR,)


def test_redirects_to_a_page_are_found_by_an_index(tmp_path: Path) -> None:
    db = empty_crawl(tmp_path / "web")
    assert "fetch_redirect" in str(db.execute(f"explain query plan {REDIRECTED_HERE}", ("", 1)).fetchall())
    db.close()


def stored_at(shop: Shop, name: str, words: list[str], original: int = 0) -> int:
    """A page on the host of this name, or a copy of the page `original`; returns its number."""
    there = Shop(shop.db, shop.now, f"http://{name}.test/page")
    page = there.page(words)
    page.fingerprint = replace(page.fingerprint, digest=" ".join(words).encode()[:16])
    page.duplicate = Duplicate(original, shop.url, "exact", 1.0) if original else None
    return there.commit(page).page_id


def test_the_only_copy_of_a_page_may_be_its_new_home(shop: Shop) -> None:
    original = stored_at(shop, "a", WORDS)
    first = stored_at(shop, "b", WORDS, original)
    assert may_be_home(shop.db, first)
    second = stored_at(shop, "c", WORDS, original)
    assert (may_be_home(shop.db, second), may_be_home(shop.db, original)) == (False, False)


@pytest.mark.parametrize(
    ("gone", "home"),
    [(Gone.LIVE, False), (Gone.SUSPECT, False), (Gone.GONE, True), (Gone.MOVED, True), (Gone.REMOVED, False)],
)
def test_a_page_with_the_text_of_one_that_is_gone_may_be_its_new_home(shop: Shop, gone: Gone, home: bool) -> None:
    old = stored_at(shop, "a", WORDS)
    shop.db.execute("update page set gone=? where page_id=?", (int(gone), old))
    assert may_be_home(shop.db, stored_at(shop, "b", WORDS)) == home
    assert not may_be_home(shop.db, stored_at(shop, "c", OTHER))
