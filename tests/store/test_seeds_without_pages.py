"""Why a crawl has no page: what became of its seeds."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.items import SEED
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.pacing import save_robots
from focuscrawl.store.overview import why_no_seed_gave_a_page
from focuscrawl.url.hosts import hid_of, host_name
from tests.report import sample


def add_seed(db: Database, origin: str, state: State, error: str = "") -> None:
    sample.insert(db, "host", hid=hid_of(origin), origin=origin, name=host_name(origin), site=host_name(origin))
    sample.add_url(db, f"{origin}/", state, kind=SEED, error=error)


@pytest.mark.parametrize(
    ("seeds", "why"),
    [
        ({}, ""),
        ({"a": (State.GONE, "http-404"), "b": (State.GONE, "http-404"), "c": (State.DENIED, "robots")}, "http-404"),
        ({"a": (State.FAILED, "timeout"), "b": (State.WAIT, "http-500"), "c": (State.FAILED, "timeout")}, "timeout"),
        ({"a": (State.GONE, "http-404"), "b": (State.DONE, "")}, ""),
        ({"a": (State.GONE, "http-404"), "b": (State.REDIR, "")}, ""),
        ({"a": (State.GONE, "http-404"), "b": (State.QUEUED, "")}, ""),
        ({"a": (State.GONE, "http-404"), "b": (State.FILTERED, "")}, ""),
    ],
)
def test_why_no_seed_gave_a_page(db: Database, seeds: dict[str, tuple[State, str]], why: str) -> None:
    for name, (state, error) in seeds.items():
        add_seed(db, f"http://{name}.test", state, error)
    assert why_no_seed_gave_a_page(db) == why


def test_a_seed_whose_robots_txt_could_not_be_read_gave_no_page(db: Database) -> None:
    add_seed(db, "http://a.test", State.QUEUED)
    save_robots(db, hid_of("http://a.test"), "http://a.test", RobotsState("wait", 0, b"", 1.0, 2.0, error="connect"))
    assert why_no_seed_gave_a_page(db) == "connect"


def test_where_pages_are_stored_the_seeds_do_not_matter(sampled: Database) -> None:
    sampled.execute("update url set state=10, error='http-404' where kind between 1 and 2")
    assert why_no_seed_gave_a_page(sampled) == ""
