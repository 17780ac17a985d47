"""Verdicts by topic: written, read back, exported, and filled in for a topic that joins later."""

from __future__ import annotations

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.items import Link, Verdict
from focuscrawl.report.html import render
from focuscrawl.report.summary import summarize
from focuscrawl.report.summary_in_words import in_words
from focuscrawl.report.table import Table
from focuscrawl.report.terminal import closing
from focuscrawl.report.why import details
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.explain import explain
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.links import decode
from focuscrawl.store.pages.stored import stored_pages
from focuscrawl.store.pages.verdicts import (
    best_of,
    check_topic,
    set_topics,
    shared_pages,
    store_verdicts,
    topics_of,
    totals_by_topic,
    verdicts_of,
)
from focuscrawl.store.revisits import later_verdicts
from focuscrawl.store.revisits.change_log import changes_of
from focuscrawl.store.revisits.later_verdicts import NewlyJudgedPage, judged_by_former, note_former
from tests.report import sample

YES, NO = Verdict(0.9, True, 0.5, (("search", 1.0),), 0.31), Verdict(0.1, False, 0.5)
NEW = "http://news.example.com/new"


@pytest.fixture
def db(sampled: Database) -> Database:
    """Pages 1 and 2 are relevant to `search`, 2 and its copy 3 to `<b>music`."""
    set_topics(sampled, ["search", "<b>music"])
    for page_id, search, music in ((1, YES, NO), (2, YES, YES), (3, NO, YES), (4, NO, NO)):
        store_verdicts(sampled, page_id, {"search": search, "<b>music": music})
    return sampled


def test_verdicts_by_topic_replace_those_before(db: Database) -> None:
    assert verdicts_of(db, 1) == {"search": YES, "<b>music": NO}
    store_verdicts(db, 1, {"search": NO})
    assert verdicts_of(db, 1)["search"] == NO
    db.execute("delete from meta where key='topics'")
    assert verdicts_of(db, 1) == {}


def test_totals(db: Database) -> None:
    assert [(row.name, row.pages, row.relevant, row.distinct) for row in totals_by_topic(db)] == [
        ("search", 4, 2, 2),
        ("<b>music", 4, 2, 1),
    ]
    assert shared_pages(db) == 1


def test_pages_of_one_topic_with_its_verdict(db: Database) -> None:
    (page,) = stored_pages(db, topic="<b>music")
    assert (page.page_id, page.relevance, page.threshold, page.terms) == (2, 0.9, 0.5, (("search", 1.0),))
    assert page.topics == (("<b>music", 0.9), ("search", 0.9))
    assert [page.relevant for page in stored_pages(db, topic="<b>music", everything=True)] == [False, True, True, False]
    assert [dict(page.topics) for page in stored_pages(db, everything=True)][3] == {}


def test_topics_that_were_left_out_stay_readable(db: Database) -> None:
    set_topics(db, ["new", "search"])
    assert topics_of(db) == ("new", "search", "<b>music")
    with pytest.raises(BadInput, match="the crawl has new, search, <b>music"):
        check_topic(db, "other")


def test_a_crawl_of_one_topic_has_none(db: Database) -> None:
    db.execute("delete from meta where key='topics'")
    assert (topics_of(db), totals_by_topic(db)) == ((), [])
    with pytest.raises(BadInput, match="leave --topic out"):
        check_topic(db, "search")


def test_a_new_definition_forgets_the_verdicts_and_the_pages_are_judged_again(db: Database) -> None:
    later_verdicts.begin_topic(db, "search", "first")
    assert [page.page_id for page in later_verdicts.unjudged(db, "search", 0, 9)] == [1, 2, 3, 4]
    later_verdicts.begin_topic(db, "search", "first")
    pages = later_verdicts.unjudged(db, "search", 1, 2)
    assert [(page.page_id, page.duplicate, len(page.links)) for page in pages] == [(2, False, 0), (3, True, 0)]
    links = [Link(NEW)]
    judged = [
        NewlyJudgedPage(2, NO, links, [DiscoveredUrl(NEW, 0.7, 3), DiscoveredUrl(sample.WAITING, 0.9, 3)]),
        NewlyJudgedPage(3, NO),
    ]
    assert later_verdicts.store_judged(db, "search", judged, 2, sample.NOW) == 1
    assert [page.page_id for page in later_verdicts.unjudged(db, "search", 0, 9)] == [1, 4]
    assert decode(db.execute("select links from body where page_id=2").fetchone()[0]) == links
    waiting = db.execute("select priority from url where path in ('/new', '/search/c.html') order by 1").fetchall()
    assert waiting == [(0.7,), (0.9,)]


def test_pages_of_one_topic_are_judged_again_when_it_has_changed(db: Database) -> None:
    db.execute("delete from meta where key='topics'")
    db.execute("delete from verdict")
    assert not later_verdicts.begin_topic(db, "", "first"), "no former topic has judged any"
    note_former(db)
    assert not later_verdicts.begin_topic(db, "", "first"), "another page model has judged them"
    assert later_verdicts.begin_topic(db, "", "second")
    assert [page.page_id for page in later_verdicts.unjudged(db, "", 1, 9)] == [2, 3, 4]
    later_verdicts.store_judged(db, "", [NewlyJudgedPage(4, YES)], 2, sample.NOW)
    assert db.execute("select relevance, relevant from page where page_id=4").fetchone() == (0.9, 1)
    assert db.execute("select count(*) from verdict").fetchone() == (0,)
    assert later_verdicts.begin_topic(db, "", "second"), "not all were judged"
    assert later_verdicts.begin_topic(db, "", "first"), "not all follow the former one any more"
    set_meta(db, later_verdicts.FORMER, "3")
    assert [page.page_id for page in later_verdicts.unjudged(db, "", 1, 9)] == [2, 3], "another worker has stored page 4 since"
    later_verdicts.end_topic(db, "", "second")
    assert (later_verdicts.begin_topic(db, "", "second"), judged_by_former(db)) == (False, 0)


def test_what_speaks_for_a_page_follows_its_verdicts(db: Database) -> None:
    hid = db.execute("select hid from page where page_id=4").fetchone()[0]
    later_verdicts.store_judged(db, "search", [NewlyJudgedPage(4, YES)], 2, sample.NOW)
    row = db.execute("select relevance, relevant, threshold, similarity from page where page_id=4").fetchone()
    assert row == (0.9, 1, 0.5, 0.31)
    assert verdicts_of(db, 4)["search"] == YES
    assert db.execute("select relevant from host where hid=?", (hid,)).fetchone() == (1,)
    later_verdicts.store_judged(db, "search", [NewlyJudgedPage(4, NO)], 2, sample.NOW)
    assert db.execute("select relevant from host where hid=?", (hid,)).fetchone() == (0,)


def test_pages_that_a_later_topic_lets_join_or_leave_are_told(db: Database) -> None:
    def told(at: float) -> list[tuple[str, str]]:
        return [(str(change.net), change.reason) for change in changes_of(db, at, at + 1)]

    later_verdicts.store_judged(db, "search", [NewlyJudgedPage(1, YES), NewlyJudgedPage(4, YES)], 2, sample.NOW)
    assert told(sample.NOW) == [("new", "joined")], "page 1 was in the collection"
    (row,) = db.execute("select run, page_id, url from change where at=?", (sample.NOW,)).fetchall()
    assert row == (2, 4, db.execute("select url from page where page_id=4").fetchone()[0])
    later_verdicts.store_judged(db, "search", [NewlyJudgedPage(4, NO)], 2, sample.NOW + 9)
    assert told(sample.NOW + 9) == [("gone", "left")]


@pytest.mark.parametrize("outside", ["gone=2", "noindex=1", "original=1"])
def test_pages_that_stay_outside_for_another_reason_are_not_told(db: Database, outside: str) -> None:
    db.execute(f"update page set {outside} where page_id=4")
    later_verdicts.store_judged(db, "search", [NewlyJudgedPage(4, YES)], 2, sample.NOW)
    assert db.execute("select relevant from page where page_id=4").fetchone() == (1,)
    assert db.execute("select count(*) from change where at=?", (sample.NOW,)).fetchone() == (0,)


def test_a_relevant_verdict_comes_before_a_larger_score() -> None:
    outside = Verdict(0.95, False, 0.5)
    assert best_of({"a": outside, "b": YES}) == YES
    assert best_of({"a": NO, "b": outside}) == outside


def test_summary_and_report_tell_topics_apart(db: Database) -> None:
    summary = summarize(db, "two", "crawls/two", sample.NOW + 100)
    assert "By topic: search 2 (50 %), <b>music 2 (50 %); 1 page for more than one." in in_words(summary)
    (table,) = [part for part in closing(summary) if isinstance(part, Table) and part.title == "Topics"]
    assert table.rows[0] == ("search", "2", "2", "50 %")
    html = render(summary)
    assert "&lt;b&gt;music" in html
    assert "<b>music" not in html


def test_why_shows_every_topic(db: Database) -> None:
    store_verdicts(db, 1, {"<b>music": Verdict(0.8, False, 0.5), "search": Verdict(0.1, True, 0.5)})
    facts = explain(db, sample.SEED)
    (table,) = [part for part in details(facts, sample.NOW) if isinstance(part, Table) and part.title == "For each topic"]
    assert [row[3] for row in table.rows] == ["relevant: an example", "outside its scope"]
