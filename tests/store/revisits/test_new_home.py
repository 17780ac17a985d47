"""A page that has moved is fetched at its new home, whatever the crawl knew of that URL, on both engines."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.states import MIRROR, REMOVED, REPEATS, State
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.state import DAY
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import explain
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from tests.store.revisits.test_revisit import NOW, WORDS, Shop

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
