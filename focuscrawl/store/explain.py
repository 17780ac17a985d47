"""Everything the store knows about one URL: the facts that `scrapy why` puts into words. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from focuscrawl.frontier.states import State
from focuscrawl.graph.page_weight import Standing
from focuscrawl.items import FEED, LINK, SITEMAP, Content, Link, Verdict
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store.engines.database import OPERATOR, Database
from focuscrawl.store.engines.records import term_pairs
from focuscrawl.store.frontier.host_browsing import without_gone
from focuscrawl.store.frontier.pacing import load_robots
from focuscrawl.store.frontier.searches import FoundBySearch, found_by
from focuscrawl.store.pages.content import content_of
from focuscrawl.store.pages.links import stored_links
from focuscrawl.store.pages.standing import standing_of
from focuscrawl.store.pages.verdicts import verdicts_of
from focuscrawl.store.revisits.change_log import ChangeKind
from focuscrawl.store.revisits.labels import PersonsLabel, labels_on
from focuscrawl.store.revisits.new_home import MOVED, NAMED, OTHERWISE
from focuscrawl.store.revisits.revisit_rows import RevisitHistory, freshness_of
from focuscrawl.url.key import url_key

SOME = 5
"""Pages that link to a URL which are named."""

HOST = "select origin, name, site, ip_address, ready_at, requests, pages, relevant, errors, pace, held from host where hid=?"
URL = """select state, priority, due_at, depth, distance, tries, crashes, hops, kind, parent, status, error, priority_parts
    from url where hid=? and uid=?"""
PAGE = """select p.page_id, p.url, p.fetched_at, p.latency, p.title, p.language, p.kind, p.relevance, p.relevant, p.threshold,
        p.terms, p.depth, p.distance, p.priority, p.example, p.noindex, o.url, p.original_similarity, p.warc, p.warc_offset,
        p.certificate
    from page p left join page o on o.page_id=p.original where p.hid=? and p.uid=?"""
ARCHIVED = "select count(*) from page where hid=? and uid=? and warc<>''"
MET = "select (select count(*) from url where hid=? and uid=?)+(select count(*) from refused where hid=? and uid=?)"
PARENT = "select p.page_id, p.url, p.title, p.relevance, p.relevant from page p where p.page_id=?"
REDIRECTS = """select h.origin, u.path, f.redirect from fetches f join url u on u.hid=f.hid and u.uid=f.uid
    join host h on h.hid=f.hid where f.parent=? and f.redirect<>''"""
"""The redirects that links of a page led to, as (origin, path, target). Reads the whole log of fetches."""
TARGET = f"""select redirect from (select at, redirect from fetches where hid=? and uid=? and redirect<>''
    union all select at, detail from change where hid=? and uid=? and kind='{ChangeKind.MOVED}') as targets
    order by at desc limit 1"""
"""Where a URL redirected at last: a link, or a stored page that has moved. Reads the whole logs of fetches and changes."""
INLINKS = """select p.url from inlink i join page p on p.page_id=i.page_id where i.hid=? and i.uid=?
    order by p.relevance desc, p.page_id limit ?"""
ANNOUNCING = f"""select h.origin, u.path from revisit v join url u on u.hid=v.hid and u.uid=v.uid join host h on h.hid=v.hid
    where v.hid=? and v.kind in ({SITEMAP}, {FEED}) and v.checked_at>0 order by u.path limit ?"""
AHEAD = f"select count(case when priority>? then 1 end), count(*) from url where state={State.QUEUED:d}"
"""How many queued URLs are ahead, and how many there are, by one pass."""


@dataclass(slots=True, frozen=True)
class HostFacts:
    origin: str
    name: str
    site: str
    ip_address: str
    ready_at: float
    requests: int
    pages: int
    """Without those that are gone, as the next one."""
    relevant: int
    errors: int
    pace: str
    """JSON of `politeness.pace.Pace`; empty before the first request."""
    held: int = 0
    """1: an operator holds it."""


@dataclass(slots=True, frozen=True)
class UrlFacts:
    state: State
    priority: float
    due_at: float
    depth: int
    distance: int
    tries: int
    crashes: int
    hops: int
    kind: int
    """As in items: link, seed, example, sitemap, feed, probe."""
    parent: int
    status: int
    error: str
    priority_parts: tuple[tuple[str, float], ...] = ()
    """Parts of the priority that it was given after it was found; empty: that of its link holds."""


@dataclass(slots=True, frozen=True)
class PageFacts:
    page_id: int
    url: str
    fetched_at: float
    latency: float
    title: str
    language: str
    kind: str
    relevance: float
    relevant: bool
    threshold: float
    terms: tuple[tuple[str, float], ...]
    depth: int
    distance: int
    priority: float
    example: bool
    noindex: bool
    duplicate_of: str
    similarity: float
    warc: str
    warc_offset: int
    certificate: str
    """As `focuscrawl.items.Page` has it."""


@dataclass(slots=True, frozen=True)
class ParentFacts:
    """A page that links to the URL, or to one that redirected there, and the link as it read and scored it."""

    page_id: int
    url: str
    title: str
    relevance: float
    relevant: bool
    link: Link | None
    """Its URL is another one if redirects led from there. None when the page's links no longer hold it."""


@dataclass(slots=True, frozen=True)
class QueuePosition:
    """Where a waiting URL stands: 1 is next."""

    rank: int
    of: int
    host_rank: int
    host_of: int


@dataclass(slots=True, frozen=True)
class Refusal:
    rule: str
    parent: ParentFacts | None


@dataclass(slots=True, frozen=True)
class Explanation:
    url: str
    """Normalized."""
    host: HostFacts | None
    """None: no URL of this origin has been met."""
    entry: UrlFacts | None
    """None: the URL is not in the frontier."""
    page: PageFacts | None
    parent: ParentFacts | None
    place: QueuePosition | None
    leased_at: float | None
    """Since when a worker holds it; None when none does."""
    refusal: Refusal | None
    robots: RobotsState | None
    inlinks: int
    linked_from: tuple[str, ...]
    """Some of the pages that link there, the most relevant first."""
    near: tuple[str, ...]
    """Spellings of the URL that are known, when it is not itself."""
    announced_by: tuple[str, ...] = ()
    """If no page led to the URL: some of the sitemaps and feeds of its host that were read, one of which announced it."""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    """Those on a stored page by topic, in a crawl of several."""
    labels: dict[str, PersonsLabel] = field(default_factory=dict)
    """What a person says of the page, by topic; under the empty name in a crawl of one."""
    other_languages: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The topics that do not ask for the language of the page, under the empty name in a crawl of one, with the languages that
    they ask for; see `focuscrawl.inspect.explained`."""
    content: Content | None = None
    """What was read of the page, without its text; None if it was not read whole."""
    freshness: RevisitHistory | None = None
    """None before the first fetch."""
    host_before: int = 0
    """Pages of its host that were stored before it; 0 if it is not a stored page."""
    search: FoundBySearch | None = None
    """The search of the web that found it before any link did."""
    standing: Standing | None = None
    """None if the weight of the page was not computed yet."""
    part: str = ""
    """The part of the web for which it was refused or waits behind everything else, with what that brought, as a sentence
    without a full stop; see `focuscrawl.inspect.explained`."""
    redirects_to: str = ""
    """The URL to which it redirected when it was last asked for; empty if it did not."""

    @property
    def found_on(self) -> ParentFacts | None:
        """The page on which the URL was found, or, if it is not in the frontier, which has a refused link to it."""
        return self.parent if self.entry else self.refusal.parent if self.refusal else None


def has_archived(db: Database, url: str) -> bool:
    """Whether the crawl can show the page at this URL, in normal form, from its archive."""
    return bool(db.execute(ARCHIVED, url_key(url).url_id).fetchone()[0])


def has_met(db: Database, url: str) -> bool:
    """Whether this URL, in normal form, is in the frontier or was refused."""
    key = url_key(url).url_id
    return bool(db.execute(MET, (*key, *key)).fetchone()[0])


def explain(db: Database, url: str) -> Explanation:
    """The facts on a normalized URL."""
    origin, _, hid, uid = url_key(url)
    host = _host(db, hid)
    row = db.execute(URL, (hid, uid)).fetchone()
    entry = _entry(row) if row else None
    refusal = _refusal(db, hid, uid, url)
    (inlinks,) = db.execute("select count(*) from inlink where hid=? and uid=?", (hid, uid)).fetchone()
    page, search = _page(db, hid, uid), found_by(db, (hid, uid))
    explained = entry is not None and any(name in (OPERATOR, MOVED, NAMED, OTHERWISE) for name, _ in entry.priority_parts)
    unlinked = entry is not None and entry.kind == LINK and not entry.parent and not explained
    return Explanation(
        url=url,
        host=host,
        entry=entry,
        page=page,
        content=content_of(db, page.page_id) if page else None,
        verdicts=verdicts_of(db, page.page_id) if page else {},
        labels=labels_on(db, url) if page else {},
        parent=parent_of(db, entry.parent, url, redirects=True) if entry and entry.parent else None,
        place=_queue_position(db, hid, entry.priority) if entry and entry.state is State.QUEUED else None,
        leased_at=_leased_at(db, hid, uid),
        refusal=refusal,
        robots=load_robots(db, [origin]).get(origin),
        inlinks=inlinks,
        linked_from=tuple(linking for (linking,) in db.execute(INLINKS, (hid, uid, SOME))),
        near=() if entry or refusal else _near(db, url),
        announced_by=_announced_by(db, hid) if unlinked and not search else (),
        host_before=_host_before(db, hid, page.page_id) if page else 0,
        search=search,
        standing=standing_of(db, page.page_id) if page else None,
        freshness=freshness_of(db, hid, uid, page.page_id if page else 0),
        redirects_to=_target(db, hid, uid) if entry and 300 <= entry.status < 400 else "",
    )


def _target(db: Database, hid: int, uid: int) -> str:
    row = db.execute(TARGET, (hid, uid, hid, uid)).fetchone()
    return str(row[0]) if row else ""


def _entry(row: tuple[Any, ...]) -> UrlFacts:
    facts = dict(zip(UrlFacts.__slots__, row, strict=True))
    return UrlFacts(**facts | {"state": State(facts["state"]), "priority_parts": term_pairs(facts["priority_parts"])})


def parent_of(db: Database, page_id: int, url: str, *, redirects: bool = False) -> ParentFacts | None:
    """The page and its best link to `url`. `redirects`: if none was followed, its best link to a URL that led there counts."""
    row = db.execute(PARENT, (page_id,)).fetchone()
    if row is None:
        return None
    links = stored_links(db, page_id)
    best = _best(links, {url})
    if redirects and (best is None or best.refused):
        best = _best(links, _leading_to(db, page_id, url))
    page_id, page_url, title, relevance, relevant = row
    return ParentFacts(page_id, page_url, title, relevance, bool(relevant), best)


def _best(links: Iterable[Link], urls: Container[str]) -> Link | None:
    return max((link for link in links if link.url in urls), key=lambda link: (not link.refused, link.score), default=None)


def _leading_to(db: Database, page_id: int, url: str) -> set[str]:
    """`url`, and the URLs from which redirects led there, one after the other, when links of the page were followed."""
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for origin, path, target in db.execute(REDIRECTS, (page_id,)):
        sources[target].add(origin + path)
    found, ends = {url}, [url]
    while ends:
        before = sources[ends.pop()] - found
        found |= before
        ends += before
    return found


def _page(db: Database, hid: int, uid: int) -> PageFacts | None:
    row = db.execute(PAGE, (hid, uid)).fetchone()
    if row is None:
        return None
    facts = dict(zip(PageFacts.__slots__, row, strict=True))
    facts |= {"terms": term_pairs(facts["terms"]), "duplicate_of": facts["duplicate_of"] or ""}
    facts |= {name: bool(facts[name]) for name in ("relevant", "example", "noindex")}
    return PageFacts(**facts)


def connection_of(db: Database, page_id: int) -> tuple[str, float]:
    """From which IP address a stored page came ("" if that is not known), and the seconds until its answer began."""
    ip_address, latency = db.execute("select ip_address, latency from page where page_id=?", (page_id,)).fetchone()
    return ip_address, latency


def _host(db: Database, hid: int) -> HostFacts | None:
    row = db.execute(HOST, (hid,)).fetchone()
    if row is None:
        return None
    facts = HostFacts(*row)
    pages, relevant, _ = without_gone(db, hid, facts.pages, facts.relevant, 0)
    return replace(facts, pages=pages, relevant=relevant)


def _host_before(db: Database, hid: int, page_id: int) -> int:
    return int(db.execute("select count(*) from page where hid=? and page_id<?", (hid, page_id)).fetchone()[0])


def _refusal(db: Database, hid: int, uid: int, url: str) -> Refusal | None:
    row = db.execute("select rule, page_id from refused where hid=? and uid=?", (hid, uid)).fetchone()
    return Refusal(row[0], parent_of(db, row[1], url)) if row else None


def _leased_at(db: Database, hid: int, uid: int) -> float | None:
    row = db.execute("select leased_at from lease where hid=? and uid=?", (hid, uid)).fetchone()
    return row[0] if row else None


def _queue_position(db: Database, hid: int, priority: float) -> QueuePosition:
    ahead, queued = db.execute(AHEAD, (priority,)).fetchone()
    ahead_on_host, queued_on_host = db.execute(f"{AHEAD} and hid=?", (priority, hid)).fetchone()
    return QueuePosition(rank=ahead + 1, of=queued, host_rank=ahead_on_host + 1, host_of=queued_on_host)


def _announced_by(db: Database, hid: int) -> tuple[str, ...]:
    return tuple(origin + path for origin, path in db.execute(ANNOUNCING, (hid, SOME)))


def _near(db: Database, url: str) -> tuple[str, ...]:
    found = []
    for other in _spellings(url):
        if db.execute("select 1 from url where hid=? and uid=?", url_key(other).url_id).fetchone():
            found.append(other)
    return tuple(found)


def _spellings(url: str) -> list[str]:
    """What people mean when they leave something out: the other scheme, `www.`, a final slash, the query."""
    scheme, _, rest = url.partition("://")
    schemes = [f"{other}://{rest}" for other in ("http", "https") if other != scheme]
    hosts = [f"{scheme}://{rest[4:]}" if rest.startswith("www.") else f"{scheme}://www.{rest}"]
    slashes = [url[:-1] if url.endswith("/") else url + "/"] if rest.rstrip("/").count("/") and "?" not in rest else []
    queries = [url.partition("?")[0]] if "?" in rest else []
    return schemes + hosts + slashes + queries
