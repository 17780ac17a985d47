"""What an outlook on a crawl is made of: how the last fetches went, and where relevant pages lead without being followed.

Read-only. `harvest_so_far` is cheap enough for the live table; `missed` passes over the refused links twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from focuscrawl.frontier.forecast import MOST_WAITING, WINDOW
from focuscrawl.frontier.states import State
from focuscrawl.items import LINK, SEED, whole_text
from focuscrawl.store.engines.database import IS_OWN, OPEN_STATES, Database
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.frontier.host_browsing import without_gone
from focuscrawl.store.frontier.look_ahead import best_waiting
from focuscrawl.store.pages.links import stored_links
from focuscrawl.text.stems import spellings
from focuscrawl.url.hosts import host_name
from focuscrawl.url.key import UrlId

LAST = f"""select f.priority, p.relevant, p.original from fetches f join page p on p.page_id=f.page_id
    where f.kind={LINK} and f.page_id>0 order by f.id desc limit ?"""
FOUND = f"""select 1 from fetches f join page p on p.page_id=f.page_id
    where f.kind={LINK} and p.relevant=1 and p.original is null limit 1"""
SUMS = "select coalesce(sum(pages), 0), coalesce(sum(relevant), 0) from host"
LAST_FOUND = "select page_id from page where relevant=1 and original is null order by page_id desc limit 1"
LATER = f"select 1 from lease union all select 1 from url where state={State.WAIT:d} limit 1"
OF_WAITING = f"""select priority from url
    where hid=? and uid=? and state in {OPEN_STATES}"""
LANGUAGES = "select language, count(*) from page where language<>'' group by language order by 2 desc, 1"
SINCE = "select count(*) from page where page_id>?"
BEHIND = """select count(*) from fetches f join page p on p.page_id=f.page_id
    where f.distance>0 and p.relevant=1 and p.original is null"""
TEXTS = f"""select p.url, p.title, b.text from page p join body b on b.page_id=p.page_id
    where p.relevant=? and {IS_OWN} order by p.relevance desc, p.page_id limit ?"""
WRITTEN = 30
"""Pages from which the forms of terms are taken: 20 ms."""
RARE = 10
"""If fewer than one in this many pages of a host is relevant, what tunnelling cuts there is not worth a mention."""
UNKNOWN = "not exists (select 1 from url u where u.hid=r.hid and u.uid=r.uid)"
REFUSED = f"""select r.rule, r.hid, coalesce(h.name, ''), coalesce(h.pages, 0), coalesce(h.relevant, 0), count(*),
    min(r.page_id)
    from refused r join page p on p.page_id=r.page_id left join host h on h.hid=r.hid
    where r.rule in ('host', 'include', 'exclude', 'depth') and p.relevant=1 and {UNKNOWN}
    group by r.rule, r.hid, h.name, h.pages, h.relevant order by 6 desc, 2 limit ?"""
CUT = f"""select r.rule, r.hid, h.name, h.pages, h.relevant, count(*), 0 from refused r join host h on h.hid=r.hid
    where r.rule='tunnel' and h.relevant>0 and h.relevant*{RARE}>=h.pages and {UNKNOWN}
    group by r.rule, r.hid, h.name, h.pages, h.relevant order by h.relevant desc, 2 limit ?"""
FORBIDDEN = f"""select 'robots', h.hid, h.name, h.pages, h.relevant, count(*), 0 from url u join page p on p.page_id=u.parent
    join host h on h.hid=u.hid where u.state={State.DENIED:d} and u.error='robots' and p.relevant=1
    group by h.hid, h.name, h.pages, h.relevant order by 6 desc, 2 limit ?"""
FULL = f"""select 'max_pages_per_host', h.hid, h.name, h.pages, h.relevant, count(*), 0 from host h join url u on u.hid=h.hid
    where h.pages>=? and h.relevant>0 and u.state={State.QUEUED:d}
    group by h.hid, h.name, h.pages, h.relevant order by h.relevant desc, 2 limit ?"""
HARDLY_ANY = 200
"""Bytes of a stored text, which is compressed, below which it says hardly anything: some thirty words."""
EMPTY = f"""select 'empty', h.hid, h.name, h.pages, h.relevant, count(*), 0 from host h join page p on p.hid=h.hid
    join body b on b.page_id=p.page_id
    where h.links=0 and h.pages>0 and exists (select 1 from url u where u.hid=h.hid and u.kind={SEED})
    group by h.hid, h.name, h.pages, h.relevant having max(length(b.text))<{HARDLY_ANY} order by 6 desc, 2 limit ?"""
"""Hosts of seeds whose pages have neither text nor links."""

ENDED = f"{State.REDIR:d}, {State.FILTERED:d}, {State.DENIED:d}, {State.FAILED:d}, {State.GONE:d}"
MOST_MISSED = 3
"""Hosts of each kind that are named."""
FEW = 3
"""Least number of URLs of a host that are worth a mention."""


@dataclass(frozen=True, slots=True)
class HarvestSoFar:
    """How the crawl has gone so far, over all its runs."""

    pages: int
    """Stored, duplicates too."""
    relevant: int
    since: int
    """Pages stored after the last relevant one that repeats no other; all of them where there is none."""
    last: tuple[tuple[float, bool], ...]
    """Of the last fetches that links had led to, the oldest first: priority, and whether they brought a relevant page that
    repeats no other."""
    best: tuple[float, ...]
    """The highest priorities of what waits for its turn, falling."""
    later: bool
    """Whether something is in flight, or waits for another try."""


@dataclass(frozen=True, slots=True)
class Missed:
    """URLs of one host that one rule keeps from being fetched, though relevant pages link there or lie there."""

    rule: str
    """`robots`, `max_pages_per_host`, the rule that refused the links, or `empty`: a seed's host has pages without text and
    links."""
    host: str
    urls: int
    pages: int
    """Stored of this host, without those that are gone."""
    relevant: int


def harvest_so_far(db: Database) -> HarvestSoFar:
    """How the crawl has gone so far. Reads indexes, the table of hosts, and the pages stored since the last find."""
    pages, relevant = db.execute(SUMS).fetchone()
    last_found = db.execute(LAST_FOUND).fetchone()
    since = db.execute(SINCE, (last_found[0] if last_found else 0,)).fetchone()[0]
    last = tuple(last_fetches(db, WINDOW))[::-1]
    later = db.execute(LATER).fetchone() is not None
    return HarvestSoFar(pages, relevant, since, last, tuple(best_waiting(db, MOST_WAITING)), later)


def main_language(db: Database) -> tuple[str, float]:
    """The language that most pages are in, and their share; ("", 0) if no page is in a known one."""
    counts = dict(db.execute(LANGUAGES).fetchall())
    return next(((str(language), number / sum(counts.values())) for language, number in counts.items()), ("", 0.0))


def behind_irrelevant(db: Database) -> int:
    """Relevant pages so far that links of irrelevant pages had led to: the end of tunnels."""
    return int(db.execute(BEHIND).fetchone()[0])


def missed(db: Database, most_per_host: int | None = None) -> list[Missed]:
    """The hosts that most is missed of, a few of each kind. `most_per_host`: as the crawl's `max_pages_per_host`."""
    rows = [row for each in (REFUSED, CUT, FORBIDDEN, EMPTY) for row in db.execute(each, (MOST_MISSED,))]
    if most_per_host:
        rows += db.execute(FULL, (most_per_host, MOST_MISSED))
    return [
        Missed(rule, name or _name_of(db, hid, example), urls, *without_gone(db, hid, pages, relevant, 0)[:2])
        for rule, hid, name, pages, relevant, urls, example in rows
        if urls >= FEW or rule == "empty"
    ]


def _name_of(db: Database, hid: int, page_id: int) -> str:
    """The name of a host that the crawl knows only from refused links of this page."""
    return next((host_name(link.url) for link in stored_links(db, page_id) if link.key.url_id[0] == hid), "")


def page_count(db: Database) -> int:
    """Stored pages."""
    return int(db.execute("select count(*) from page where status=200").fetchone()[0])


def last_fetches(db: Database, limit: int) -> Iterator[tuple[float, bool]]:
    """The last fetches that links had led to, the latest first: priority, and whether the fetch brought a relevant page that
    repeats no other."""
    return ((priority, bool(hit) and original is None) for priority, hit, original in db.execute(LAST, (limit,)))


def links_found_relevant(db: Database) -> bool:
    """Whether links have led to a relevant page so far."""
    return db.execute(FOUND).fetchone() is not None


def unfetched(db: Database, keys: Iterable[UrlId]) -> dict[UrlId, float]:
    """The priorities of those of the URLs that wait; 10 µs each."""
    rows = ((key, db.execute(OF_WAITING, key).fetchone()) for key in keys)
    return {key: row[0] for key, row in rows if row is not None}


def lowest_priority(db: Database) -> float:
    """The lowest priority of what waits for its turn; 0 if nothing does."""
    return float(db.execute(f"select coalesce(min(priority), 0) from url where state={State.QUEUED:d}").fetchone()[0])


def ended_without_page(db: Database) -> set[UrlId]:
    """URLs that were fetched or refused, and of which nothing was stored."""
    return {(hid, uid) for hid, uid in db.execute(f"select hid, uid from url where state in ({ENDED})")}


def term_forms(db: Database, *texts: str) -> dict[str, str]:
    """How these texts and the best relevant pages write the terms that are stems, see `text.stems`."""
    return spellings([*texts, *(text for _, text in texts_by_verdict(db, True, WRITTEN))])


def texts_by_verdict(db: Database, relevant: bool, limit: int) -> list[tuple[str, str]]:
    """(URL, title and main text) of the relevant or the irrelevant pages with the highest relevance; repeats are left out."""
    rows = db.execute(TEXTS, (int(relevant), limit))
    return [(url, whole_text(title, unpacked_text(text))) for url, title, text in rows]
