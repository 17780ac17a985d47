"""What must hold of a crawl that has ended, whatever happened on the way: store, WARC files and the web's own log agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from focuscrawl.frontier.states import State
from focuscrawl.items import EXAMPLE
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.leasing import HOLD
from focuscrawl.store.pages.links import decode
from focuscrawl.store.warc.file import read_record
from focuscrawl.store.warc.recovery import verify
from focuscrawl.url.hosts import hid_of, uid_of
from focuscrawl.url.normalize import split

DANGLING = {
    "body without page": "select count(*) from body where page_id not in (select page_id from page)",
    "page without body": "select count(*) from page where page_id not in (select page_id from body)",
    "in-link of no page": "select count(*) from inlink where page_id not in (select page_id from page)",
    "refusal by no page": "select count(*) from refused where page_id not in (select page_id from page)",
    "band of no page": "select count(*) from band where page_id not in (select page_id from page)",
    "page that is not in the log of fetches": "select count(*) from page where page_id not in (select page_id from fetches)",
    "duplicate of no page": "select count(*) from page where original not in (select page_id from page)",
    "lease of no live worker": "select count(*) from lease where worker not in (select id from worker where state='live')",
    "URL in no state": f"select count(*) from url where state not in ({', '.join(str(int(state)) for state in State)})",
    "URL found on no page": "select count(*) from url where parent<>0 and parent not in (select page_id from page)",
    "page of a URL that is not done": f"""select count(*) from page join url using (hid, uid)
        where state not in ({State.DONE:d}, {State.DUP:d})""",
    "done URL without page": f"""select count(*) from url left join page using (hid, uid)
        where state in ({State.DONE:d}, {State.DUP:d}) and url.kind<={EXAMPLE} and page_id is null""",
    "host with a wrong count of pages": """select count(*) from host
        where pages<>(select count(*) from page where page.hid=host.hid)""",
    "host with a wrong best URL": """select count(*) from host
        where best_priority is distinct from (select max(priority) from url where url.hid=host.hid and state=0)""",
}


@dataclass(slots=True)
class Findings:
    """Counts over one crawl directory; `problems` says in words what is wrong."""

    pages: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    """Followed links that the frontier does not know, and URLs that never came to an end."""
    stored_twice: int = 0
    """Pages with more than one row, or more than one response record in the WARC files."""
    warc_files: int = 0
    warc_records: int = 0
    refetched: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """All that must not be, in words."""
        wrong = [*self.problems, *(f"lost: {url}" for url in self.lost)]
        return [*wrong, f"{self.stored_twice} pages stored twice"] if self.stored_twice else wrong


def check(directory: Path, asked: Sequence[str], *, ended: bool = True) -> Findings:
    """Look at everything. `asked`: what the web was asked for. With `ended`, nothing may wait or be leased."""
    with closing(Crawl(directory.name, directory).open()) as db:
        found = Findings()
        _check_states(db, found, ended)
        _check_links(db, found)
        _check_warc(db, directory / "warc", found)
        found.problems += [f"{what}: {n}" for what, query in DANGLING.items() if (n := db.execute(query).fetchone()[0])]
        if db.dialect.name == "sqlite":
            found.problems += [f"integrity: {row}" for (row,) in db.execute("pragma integrity_check") if row != "ok"]
    found.refetched = len(asked) - len(set(asked))
    return found


def cost(directory: Path) -> dict[str, int]:
    """What a crawl cost that may still have work to do: links `lost`, pages stored `twice`, requests beyond the first for the
    same URL (`refetched`: tries again after a fault are meant to be)."""
    with closing(Crawl(directory.name, directory).open()) as db:
        found = Findings()
        _check_links(db, found)
        (pages,) = db.execute("select count(*) from page").fetchone()
        counts = "select count(*) as n from fetches group by hid, uid"
        (again,) = db.execute(f"select coalesce(sum(n - 1), 0) from ({counts}) as counted").fetchone()
    return {"lost": len(found.lost), "twice": pages - len(found.pages), "refetched": int(again)}


def _check_states(db: Database, found: Findings, ended: bool) -> None:
    leased = db.execute("select count(*) from url where state=1").fetchone()[0]
    leases = db.execute("select count(*) from lease where uid<>0").fetchone()[0]
    if leased != leases:
        found.problems.append(f"{leased} URLs are leased, but there are {leases} leases")
    if not ended:
        return
    if db.execute("select count(*) from lease").fetchone()[0]:
        found.problems.append("leases are left")
    held = db.execute("select count(*) from host where ready_at>? + (select max(fetched_at) from page)", (HOLD / 2,))
    if held.fetchone()[0]:
        found.problems.append("a host is on hold and nobody will free it")
    rows = db.execute("select origin || path from url join host using (hid) where state in (0, 1, 2)")
    found.lost += [url for (url,) in rows]


def _check_links(db: Database, found: Findings) -> None:
    known = set(db.execute("select hid, uid from url"))
    for url, original, links in db.execute("select url, original, links from page join body using (page_id)"):
        found.pages.add(url)
        if original is None:
            targets = {link.url for link in decode(links) if not link.refused}
            found.lost += [to for to in targets if (hid_of(split(to)[0]), uid_of(to)) not in known]


def _check_warc(db: Database, folder: Path, found: Findings) -> None:
    responses: Counter[str] = Counter()
    for path in sorted(folder.glob("*.warc.gz")):
        result = verify(path)
        found.warc_files += 1
        found.warc_records += result.records
        if not result.whole:
            found.problems.append(f"{path.name} is not whole: {result.error or f'{result.size - result.length} bytes more'}")
            continue
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                responses[record.headers["WARC-Target-URI"]] += 1
    rows = Counter(url for (url,) in db.execute("select url from page"))
    found.stored_twice = sum(n > 1 for n in rows.values()) + sum(n > 1 for n in responses.values())
    for url, status, length, warc, offset in db.execute("select url, status, length, warc, warc_offset from page"):
        stored = read_record(folder / warc, offset)
        if (stored.url, stored.status, len(stored.body)) != (url, status, length):
            found.problems.append(f"the record of {url} is another one: {stored.url} {stored.status} {len(stored.body)}")
    # Every answer is archived with the commit that logs its fetch (`store.commit`), also one that is no page: redirects, error
    # pages, other types, what no component could use. Nothing else may be in the archive.
    query = """select origin || path from fetches join url using (hid, uid) join host using (hid)
        where fetches.status>0 and page_id=0"""
    orphans = set(responses) - set(rows) - {url for (url,) in db.execute(query)}
    if orphans:
        found.problems.append(f"{len(orphans)} response records without a page or a fetch: {sorted(orphans)[:3]}")
