"""A page that is fetched again and again: what the tests of revisits act on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.items import Lease, Page, Verdict
from focuscrawl.recrawl.page_signature import signature_of
from focuscrawl.recrawl.state import DAY, RevisitRecord
from focuscrawl.store.commit import Commit, Committed
from focuscrawl.store.commit import commit as commit_change
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.frontier.refused_before import Unwanted
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.revisits import revisit_rows
from focuscrawl.store.revisits.known_url import with_stored_validators
from focuscrawl.url.key import url_key
from tests.factories import limits

NOW = 1_800_000_000.0
URL = "http://a.test/page"
WORDS, OTHER, SORRY = map(
    str.split,
    (
        "many stars and planets turn around their suns in the sky of this galaxy while people look at them",
        "quite another text that speaks of ships harbors cranes cargo sailors storms maps and long voyages home",
        "sorry nothing here",
    ),
)
FINDER = DuplicateFinder(method("simhash"))
LIMITS = limits(9)


@dataclass
class Shop:
    """One URL in a store, and the answers that it gets: each is committed as a worker would commit it, under a lease in the
    upper lane, so that recrawls and first fetches look alike. Between two answers `later` lets days pass."""

    db: Database
    now: float = NOW
    url: str = URL
    unwanted: Unwanted = lambda url, depth: ""

    def later(self, days: float) -> Self:
        """The same URL so many days later."""
        self.now += days * DAY
        return self

    def leased(self) -> Lease:
        """A lease of the URL, which is made known if it is not, and queued whatever state it was in."""
        _, _, hid, uid = url_key(self.url)
        if not self.db.execute("select 1 from url where hid=? and uid=?", (hid, uid)).fetchone():
            discover(self.db, [DiscoveredUrl(self.url, lifted(0.9))], self.now)
        self.db.execute("update url set state=0, priority=? where hid=? and uid=?", (lifted(0.9), hid, uid))
        self.db.execute("update host set best_priority=?, ready_at=0 where hid=?", (lifted(0.9), hid))
        [found] = with_stored_validators(self.db, lease(self.db, 1, 1, self.now, LIMITS))
        assert found.url == self.url
        return found

    def page(self, words: list[str], status: int = 200) -> Page:
        """The answer of these words, judged relevant if the status is 200. Not committed yet."""
        page = Page(self.leased(), self.url, status, self.now, headers=(("ETag", '"7"'),), title="Title", text=" ".join(words))
        page.words, page.signature = words, signature_of("Title", words) if words else page.signature
        page.verdict = Verdict(0.6, True, 0.2) if status == 200 else None
        page.kind = "content"
        return page

    def commit(self, page: Page, found: list[DiscoveredUrl] | None = None) -> Committed:
        made = Commit(
            page, outcome_of(page, ()), self.now, 7, 1, found or [], versions=3, keys_of=FINDER.keys, unwanted=self.unwanted
        )
        return commit_change(self.db, made, lambda _: WarcLocation("a.warc.gz", 10, 20), lambda db, page: None)

    def answer(self, words: list[str], status: int = 200, **values: object) -> Committed:
        """Commit such an answer. `values`: what else is set on its page."""
        page = self.page(words, status)
        for name, value in values.items():
            setattr(page, name, value)
        return self.commit(page)

    @property
    def visit(self) -> RevisitRecord:
        """What is known of the revisits of the URL."""
        _, _, hid, uid = url_key(self.url)
        visit = revisit_rows.load_revisit(self.db, hid, uid)
        assert visit is not None
        return visit

    @property
    def log(self) -> list[tuple[str, int, int, str]]:
        """The log of changes of the whole store: kind, distance, version and detail."""
        return self.db.execute("select kind, distance, version, detail from change order by id").fetchall()

    @property
    def gone(self) -> int:
        """The state of the stored page, see `Gone`."""
        row = self.db.execute("select gone from page where url=?", (self.url,)).fetchone()
        return int(row[0])
