"""Why a URL waits behind everything else, or was refused: the part of the web, and what it brought."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from focuscrawl.crawl.link_rules import YIELDS_LOG
from focuscrawl.frontier.fetch_yield import FetchYield
from focuscrawl.frontier.lanes import is_behind
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.inspect.explained import explained
from focuscrawl.report.summary import summarize
from focuscrawl.report.why import sentence
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.barren import set_back
from focuscrawl.store.workers import models
from focuscrawl.store.workers.runs import keep_conditions
from focuscrawl.store.workers.shared_logs import append
from focuscrawl.url.hosts import hid_of
from tests.factories import NOW, known
from tests.report import sample

HOST, DULL = "http://a.test", "http://a.test/dull/x"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def learned(db: Database, share: float = 0.2) -> YieldLimit:
    """A crawl that has shared what it knows of a barren directory, and of one where every tenth page is relevant."""
    limit = YieldLimit(share)
    for number in range(60):
        limit.record(FetchYield(f"{HOST}/good/{number}", HOST + "/", relevant=True))
        limit.record(FetchYield(f"{HOST}/dull/{number}", HOST + "/"))
        limit.record(FetchYield(f"{HOST}/poor/{number}", HOST + "/", relevant=number % 10 == 0))
    append(db, YIELDS_LOG, 1, 1, models.pack([orjson.loads(orjson.dumps(part)) for part in limit.take()]), NOW)
    return limit


def test_what_waits_behind_everything_else_says_for_which_part(db: Database) -> None:
    limit = learned(db)
    known(db, DULL, f"{HOST}/good/x", priority=0.5)
    assert set_back(db, hid_of(HOST), lambda url, _: limit.set_back(url, HOST + "/"), NOW).behind == 1
    facts = explained(db, DULL)
    assert facts.entry is not None
    assert is_behind(facts.entry.priority)
    told = sentence(facts, NOW)
    assert "Everything else comes first: it lies in a part of the web that brought next to nothing (http://a.test/dull/" in told
    assert ": 0 of the last 60 pages brought something" in told


def test_what_waits_in_its_turn_names_no_part(db: Database) -> None:
    learned(db)
    known(db, f"{HOST}/good/x", priority=0.5)
    assert explained(db, f"{HOST}/good/x").part == ""


def test_a_part_is_judged_by_the_share_that_the_last_run_had(db: Database) -> None:
    limit = learned(db, 0.9)
    url = f"{HOST}/poor/x"
    assert limit.set_back(url, HOST + "/")
    assert not learned(db).set_back(url, HOST + "/")
    known(db, url, priority=0.5)
    set_back(db, hid_of(HOST), lambda url, _: limit.set_back(url, HOST + "/"), NOW)
    assert explained(db, url).part == ""
    for run, settings in ((1, {}), (2, {"FRONTIER_BARREN_SHARE": "0.9"})):
        db.execute("insert into run (id, started_at, arguments) values (?, ?, '{}')", (run, NOW))
        keep_conditions(db, run, {"settings": settings})
    assert explained(db, url).part.startswith("http://a.test/poor/")


def test_terms_are_shown_as_pages_write_them(tmp_path: Path) -> None:
    store = sample.empty_crawl(tmp_path / "stems")
    sample.add_page(store, 1, DULL, "", 0.5, 1, 0, None, "en", at=1.0, text="Telescopes see galaxies. Telescopes!")
    store.execute("update page set terms=?", ('[["telescop",0.4],["url:galaxi",0.3],["orbit",0.1]]',))
    shown = (("telescopes", 0.4), ("url:galaxies", 0.3), ("orbit", 0.1))
    page = explained(store, DULL).page
    assert page is not None
    assert page.terms == shown
    assert summarize(store, "stems", "", NOW).best[0].terms == shown
    store.close()
