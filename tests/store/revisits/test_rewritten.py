"""What a page that was rewritten leaves behind: its copies, its counts, its place in the duplicate index, and its links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.items import Link, Page
from focuscrawl.store.commit import Commit, Committed, commit
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.frontier.discover import DiscoveredUrl
from tests.store.revisits.shop import FINDER, OTHER, WORDS, Shop

SIMHASH = method("simhash")


class Shelf(Shop):
    """A page whose text is looked up among those that are stored."""

    def page(self, words: list[str], status: int = 200, links: Sequence[str] = ()) -> Page:
        page = super().page(words, status)
        page.links = [Link(url, "next") for url in links]
        if status == 200:
            page.fingerprint = SIMHASH.fingerprint(page.text, page.words)
        return page

    def commit(self, page: Page, found: list[DiscoveredUrl] | None = None) -> Committed:
        keys = FINDER.keys(page.fingerprint) if page.status == 200 else ()
        inlinks = [link.key.url_id for link in page.links]
        change = Commit(page, outcome_of(page, ()), self.now, 7, 1, [], inlinks, keys=keys, keys_of=FINDER.keys)
        return commit(self.db, change, lambda _: WarcLocation("a.warc.gz", 10, 20), FINDER)

    def later(self, days: float) -> Self:
        """The host's pages for missing URLs were looked at just then."""
        super().later(days)
        self.db.execute("insert into site_profile(hid) select hid from host where hid not in (select hid from site_profile)")
        self.db.execute("update site_profile set soft404_probed_at=?", (self.now,))
        return self


def shelves(db: Database) -> tuple[Shelf, Shelf]:
    return Shelf(db, url="http://a.test/page"), Shelf(db, url="http://b.test/page")


def counts(db: Database) -> list[tuple[int, int]]:
    return db.execute("select pages, duplicates from host order by name").fetchall()


def test_copies_of_a_page_that_comes_back_with_another_text_are_due(db: Database) -> None:
    original, copy = shelves(db)
    original.answer(WORDS)
    copy.answer(WORDS)
    assert original.later(1).answer([], 404).revisit_result == "suspect"
    assert original.later(2).answer(OTHER).revisit_result == "back"
    assert (copy.visit.unread, copy.visit.due_at) == (10, original.now)


def test_copies_are_counted_as_they_become_and_cease_to_be_copies(db: Database) -> None:
    one, other = shelves(db)
    one.answer(WORDS)
    other.answer(OTHER)
    other.later(2).answer(WORDS)
    assert counts(db) == [(1, 0), (1, 1)]
    other.later(2).answer(OTHER)
    assert counts(db) == [(1, 0), (1, 0)]
    other.later(2).answer(WORDS)
    one.now = other.now
    assert [one.later(days).answer([], 410).revisit_result for days in (1, 2)] == ["suspect", "gone"]
    assert counts(db) == [(1, 0), (1, 0)]


def test_a_page_whose_numbers_change_stands_once_in_the_duplicate_index(db: Database) -> None:
    one, _ = shelves(db)
    for number in range(5):
        one.answer([*WORDS, str(1000 + 37 * number), str(5000 + number * number)])
        one.later(1)
    assert db.execute("select count(*) from band").fetchone() == (len(FINDER.keys(SIMHASH.fingerprint("", ["x"]))),)


def test_links_that_a_page_has_no_more_do_not_count(db: Database) -> None:
    one, _ = shelves(db)
    one.commit(one.page(WORDS, links=["http://c.test/left", "http://c.test/stays"]))
    one.later(2)
    one.commit(one.page([*WORDS, "epilogue"], links=["http://c.test/stays", "http://c.test/new"]))
    assert db.execute("select count(*) from inlink").fetchone() == (2,)
