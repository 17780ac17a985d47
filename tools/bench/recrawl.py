"""What freshness costs: CPU milliseconds of the commits of a page, and of what a commit does for recrawling.

Run: `python -m tools.bench.recrawl [--pages 800]`. SQLite on a temporary disk, pages of 300 words and 60 links. The baseline is
the commit of a page that is fetched for the first time; its own cost of freshness stands in the lines below it, measured alone.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.items import Lease, Link, Page, Verdict
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.recrawl.page_signature import signature_of
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, Observation, RevisitRecord, SiteProfile
from focuscrawl.store.commit import Commit, commit
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import LeaseLimits, lease
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.revisits.known_url import with_stored_validators

NOW = 1_800_000_000.0
LIMITS = LeaseLimits(PaceSettings(0.0, 99_999), PaceSettings(0.0, 99_999, statuses=False), obey_robots=False)
SIMHASH = method("simhash")
FINDER = DuplicateFinder(SIMHASH)
WORDS, LINKS = 300, 60


@dataclass
class Shop:
    """Pages of one host, fetched again and again."""

    db: Database
    count: int

    def __post_init__(self) -> None:
        self._random = random.Random(1)
        self._lexicon = [f"word{number}" for number in range(5000)]
        self.texts = [self._random.choices(self._lexicon, k=WORDS) for _ in range(self.count)]
        discover(self.db, [DiscoveredUrl(f"http://a.test/{number}", 0.5) for number in range(self.count)], NOW)

    def leases(self, now: float) -> list[Lease]:
        self.db.execute("update url set state=case when path like '/x%' then 3 else 0 end")
        self.db.execute("update host set best_priority=case when name='a.test' then 0.5 end, ready_at=0")
        found: list[Lease] = []
        while batch := with_stored_validators(self.db, lease(self.db, 1, 64, now, LIMITS)):
            found += batch
        return sorted(found, key=lambda one: int(one.url.rpartition("/")[2]))

    def page(self, held: Lease, words: Sequence[str], now: float) -> Page:
        page = Page(
            held, held.url, 200, now, headers=(("ETag", '"7"'),), title="Title", text=" ".join(words), words=list(words)
        )
        page.signature, page.kind, page.verdict = signature_of("Title", words), "content", Verdict(0.6, True, 0.2)
        page.fingerprint = SIMHASH.fingerprint(page.text, page.words)
        page.links = [Link(f"http://b.test/x{self._random.randrange(20_000)}", score=0.3) for _ in range(LINKS)]
        return page

    def commits(self, now: float, words: Callable[[int], Sequence[str]], unread: bool = False) -> float:
        """CPU milliseconds a page."""
        pages = [self.page(held, words(number), now) for number, held in enumerate(self.leases(now))]
        began = process_time()
        for page in pages:
            if unread:
                page.status, page.unmodified = 304, "304"
            found = [] if unread else [DiscoveredUrl(link.url, link.score, 1) for link in page.links]
            keys = FINDER.keys(page.fingerprint)
            change = Commit(page, outcome_of(page, ()), now, 1, 1, found, [one.url_id for one in found], (), keys)
            change.versions, change.keys_of = 3, FINDER.keys
            with transaction(self.db):
                commit(self.db, change, lambda _: WarcLocation("a", 1, 2), lambda db, page: None)
        return 1000 * (process_time() - began) / len(pages)


def alone(work: Callable[[], object], times: int = 400) -> float:
    """CPU milliseconds."""
    work()
    began = process_time()
    for _ in range(times):
        work()
    return 1000 * (process_time() - began) / times


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=800)
    count = parser.parse_args().pages
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(connect(Path(folder) / "store.sqlite"), count)
        texts = shop.texts
        edited = [[*words[:-30], *(f"new{number}" for number in range(30))] for words in texts]
        first = shop.commits(NOW, texts.__getitem__)
        rows = [
            ("first fetch", first),
            ("again, the same", shop.commits(NOW + 9 * DAY, texts.__getitem__)),
            ("again, 304", shop.commits(NOW + 19 * DAY, texts.__getitem__, unread=True)),
            ("again, a tenth of the words is new", shop.commits(NOW + 29 * DAY, edited.__getitem__)),
        ]
    planner, visit = Planner(RecrawlSettings()), RevisitRecord(1, 2)
    known = planner.first(visit, SiteProfile(1), 0.5, NOW)
    rows += [
        ("  words and SimHash to compare by", alone(lambda: signature_of("Title", texts[0]))),
        ("  the first plan", alone(lambda: planner.first(visit, SiteProfile(1), 0.5, NOW))),
        ("  the next plan", alone(lambda: planner.plan_next(known, SiteProfile(1), Observation(NOW + DAY, 0)))),
    ]
    print(f"{'commit of a page':40} {'CPU ms':>8} {'ratio':>7}")
    for name, milliseconds in rows:
        print(f"{name:40} {milliseconds:8.3f} {milliseconds / first:7.2f}")


if __name__ == "__main__":
    main()
