"""The stored pages for people who look through them: some at a time, by what they are. Reads only.

Nothing here passes over more than `LOOKED` pages: of a larger crawl the newest are shown, and the cursor leads on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from focuscrawl.store.engines.database import IS_GONE, THERE, Database, literal
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.pages.page_texts import BEST_TEXT
from focuscrawl.store.pages.stored import last_page_id

LOOKED = 200_000
"""Pages that one answer looks at: 0.3 s of a processor."""
MOST_VALUES = 12
"""Most values of a facet that are shown."""
BANDS = ("0.8", "0.6", "0.4", "0.2", "0.0")
"""Bands of relevance, each by its lower end, the best first."""
MOST_STEPS = 60
"""Most steps of a path from a seed. Longer ones are cut."""

COLUMNS = """p.page_id, p.url, p.title, p.language, p.kind, p.relevance, p.relevant, p.original is not null, p.gone,
    p.fetched_at, p.depth"""
OF_HOST = "p.hid in (select hid from host where name=?)"
HOSTS = "select name, sum(pages), sum(relevant) from host where pages>0 group by name order by 3 desc, 2 desc, 1 limit ?"
FACETS = f"""select p.language, p.kind, case when p.{IS_GONE} then 'gone' when p.relevant=0 then 'off-topic'
    when p.original is not null then 'duplicate' else 'relevant' end, {{band}}, count(*)
    from page p where p.page_id>? and p.status=200{{of_host}} group by 1, 2, 3, 4"""
BAND_OF = "case " + " ".join(f"when p.relevance>={band} then '{band}'" for band in BANDS[:-1]) + f" else '{BANDS[-1]}' end"
OF_BAND = f"{BAND_OF}=?"
CHANGED = "exists (select 1 from change g where g.hid=p.hid and g.uid=p.uid and g.kind='changed')"
CHANGES = """select count(*) from page p where p.page_id>? and p.status=200{of_host}
    and p.page_id in (select page_id from change where kind='changed')"""
CATEGORIES = """select c.category, count(*) from page p join content c on c.page_id=p.page_id
    where p.page_id>? and p.status=200 and c.category<>''{of_host} group by 1"""
OF_CATEGORY = "exists (select 1 from content c where c.page_id=p.page_id and (c.category=? or c.category like ? escape '!'))"
ONE = "select page_id, url, title, relevance, relevant, parent, depth from page where page_id=?"
ORIGINAL = "select o.page_id, o.url, o.title from page p join page o on o.page_id=p.original where p.page_id=?"
COPIES = """select p.page_id, p.url, p.title, p.original_similarity from page p
    where p.original=? and p.page_id<>? order by p.page_id limit ?"""
LINKING = """select p.page_id, p.url, p.title, p.relevance, p.relevant from inlink i join page p on p.page_id=i.page_id
    where i.hid=? and i.uid=? order by p.relevance desc, p.page_id limit ?"""
SPREAD = f"select round(100*relevance), relevant, count(*) from page where page_id>? and status=200 and {THERE} group by 1, 2"
TEXT = f"""select p.title, {BEST_TEXT} from page p join body b on b.page_id=p.page_id
    left join content c on c.page_id=p.page_id where p.page_id=?"""


class PageGroup(StrEnum):
    """Which pages to list. Each page is in exactly one of the last four groups."""

    ALL = ""
    RELEVANT = "relevant"
    OFF_TOPIC = "off-topic"
    DUPLICATE = "duplicate"
    GONE = "gone"


CONDITIONS = {
    PageGroup.ALL: "",
    PageGroup.RELEVANT: f" and p.relevant=1 and p.original is null and p.{THERE}",
    PageGroup.OFF_TOPIC: f" and p.relevant=0 and p.{THERE}",
    PageGroup.DUPLICATE: f" and p.relevant=1 and p.original is not null and p.{THERE}",
    PageGroup.GONE: f" and p.{IS_GONE}",
}


@dataclass(frozen=True, slots=True)
class PageFilter:
    """What pages to list. An empty field is no condition."""

    what: PageGroup = PageGroup.ALL
    host: str = ""
    language: str | None = None
    """"" are pages of no known language."""
    kind: str = ""
    category: str = ""
    """Of their site, as pages name it, with those below it: levels with ` / ` between them."""
    band: str = ""
    """One of `BANDS`."""
    changed: bool = False
    """Only those that were seen to change."""
    best_first: bool = False
    """Else the newest first."""


@dataclass(frozen=True, slots=True)
class ListedPage:
    page_id: int
    url: str
    title: str
    language: str
    kind: str
    relevance: float
    relevant: bool
    duplicate: bool
    gone: int
    fetched_at: float
    depth: int


Cursor = tuple[float, int]
"""Behind which page a list goes on: its relevance (0 in the order of storing) and its number."""
BEFORE_ALL: Cursor = (1e300, (1 << 62) - 1)
"""Above every relevance and every number."""


@dataclass(frozen=True, slots=True)
class Listed:
    pages: list[ListedPage]
    following: Cursor | None
    """None: there are no more."""


def listed_pages(db: Database, wanted: PageFilter, after: Cursor | None, limit: int) -> Listed:
    """The next pages. Few or none, and a cursor, mean that `LOOKED` pages were looked at and no more of them fit."""
    last = last_page_id(db)
    conditions, values = _conditions(wanted)
    if wanted.best_first:
        relevance, before = after or BEFORE_ALL
        statement = f"""select {COLUMNS} from page p where p.page_id>? and p.status=200{conditions}
            and (p.relevance<? or (p.relevance=? and p.page_id<?)) order by p.relevance desc, p.page_id desc limit ?"""
        rows = db.execute(statement, (last - LOOKED, *values, relevance, relevance, before, limit)).fetchall()
        pages = [_page(row) for row in rows]
        return Listed(pages, (pages[-1].relevance, pages[-1].page_id) if len(pages) == limit else None)
    before = min(after[1], last + 1) if after else last + 1
    lowest = before - LOOKED
    statement = f"""select {COLUMNS} from page p where p.page_id<? and p.page_id>=? and p.status=200{conditions}
        order by p.page_id desc limit ?"""
    pages = [_page(row) for row in db.execute(statement, (before, lowest, *values, limit)).fetchall()]
    if len(pages) == limit:
        return Listed(pages, (0.0, pages[-1].page_id))
    return Listed(pages, (0.0, lowest) if lowest > 1 else None)


def _conditions(wanted: PageFilter) -> tuple[str, list[str]]:
    text, values = CONDITIONS[wanted.what], []
    for condition, value in ((OF_HOST, wanted.host), ("p.kind=?", wanted.kind), (OF_BAND, wanted.band)):
        if value:
            text += f" and {condition}"
            values.append(value)
    if wanted.changed:
        text += f" and {CHANGED}"
    if wanted.category:
        text += f" and {OF_CATEGORY}"
        values += [wanted.category, f"{literal(wanted.category)} / %"]
    if wanted.language is not None:
        text += " and p.language=?"
        values.append(wanted.language)
    return text, values


def _page(row: Sequence[Any]) -> ListedPage:
    facts = dict(zip(ListedPage.__slots__, row, strict=True))
    return ListedPage(**facts | {"relevant": bool(facts["relevant"]), "duplicate": bool(facts["duplicate"])})


@dataclass(frozen=True, slots=True)
class Facets:
    """Pages by what they are, the most first; of the newest `LOOKED`."""

    whats: dict[str, int] = field(default_factory=dict)
    languages: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    categories: dict[str, int] = field(default_factory=dict)
    """By the first level of the category that a page names."""
    bands: dict[str, int] = field(default_factory=dict)
    """By relevance: the lower ends of `BANDS`."""
    changed: int = 0
    """Seen to change."""
    hosts: dict[str, int] = field(default_factory=dict)
    """Those with the most relevant pages, by all their pages."""
    cut: bool = False
    """There are more pages than were counted."""


def facets(db: Database, host: str = "") -> Facets:
    """Count the newest pages by what they are. `host`: only those of this host name, except for the list of hosts itself."""
    last = last_page_id(db)
    counts: list[Counter[str]] = [Counter(), Counter(), Counter(), Counter()]
    of_host = f" and {OF_HOST}" if host else ""
    values = (last - LOOKED, host) if host else (last - LOOKED,)
    for *names, number in db.execute(FACETS.format(band=BAND_OF, of_host=of_host), values):
        for counter, name in zip(counts, names, strict=True):
            counter[name] += number
    categories: Counter[str] = Counter()
    for category, number in db.execute(CATEGORIES.format(of_host=of_host), values):
        categories[category.partition(" / ")[0]] += number
    languages, kinds, whats, bands = (dict(counter.most_common(MOST_VALUES)) for counter in counts)
    changed = int(db.execute(CHANGES.format(of_host=of_host), values).fetchone()[0])
    hosts = {name: int(pages) for name, pages, _ in db.execute(HOSTS, (MOST_VALUES,))}
    return Facets(whats, languages, kinds, dict(categories.most_common(MOST_VALUES)), bands, changed, hosts, last > LOOKED)


@dataclass(frozen=True, slots=True)
class Step:
    """A page of a path."""

    page_id: int
    url: str
    title: str
    relevance: float
    relevant: bool
    parent: int
    depth: int


def path_to(db: Database, page_id: int) -> list[Step]:
    """The pages that led to this one, a seed first and itself last, by the links that counted when each was found."""
    path: list[Step] = []
    seen: set[int] = set()
    while page_id and page_id not in seen and len(path) < MOST_STEPS:
        row = db.execute(ONE, (page_id,)).fetchone()
        if row is None:
            break
        seen.add(page_id)
        number, url, title, relevance, relevant, page_id, depth = row
        path.append(Step(number, url, title, relevance, bool(relevant), page_id, depth))
    return path[::-1]


@dataclass(frozen=True, slots=True)
class Alike:
    """A page with nearly the same text."""

    page_id: int
    url: str
    title: str
    similarity: float
    """To the original; 1 of the original itself."""
    is_original: bool = False


def alike(db: Database, page_id: int, limit: int) -> list[Alike]:
    """The original of a page, and the other pages that repeat it."""
    original = db.execute(ORIGINAL, (page_id,)).fetchone()
    copies = db.execute(COPIES, (original[0] if original else page_id, page_id, limit)).fetchall()
    found = [Alike(number, url, title, similarity) for number, url, title, similarity in copies]
    return [Alike(original[0], original[1], original[2], 1.0, is_original=True), *found] if original else found


@dataclass(frozen=True, slots=True)
class Linking:
    page_id: int
    url: str
    title: str
    relevance: float
    relevant: bool


def linking_pages(db: Database, hid: int, uid: int, limit: int) -> list[Linking]:
    """Stored pages that link to a URL, the most relevant first."""
    return [
        Linking(page_id, url, title, relevance, bool(relevant))
        for page_id, url, title, relevance, relevant in db.execute(LINKING, (hid, uid, limit))
    ]


def title_and_text(db: Database, page_id: int) -> tuple[str, str] | None:
    """The best text that there is; None for a page that is not there."""
    row = db.execute(TEXT, (page_id,)).fetchone()
    return (row[0], unpacked_text(row[1])) if row else None


def relevance_counts(db: Database) -> list[tuple[float, bool, int]]:
    """(relevance in hundredths, whether it counts as relevant, pages) of the newest `LOOKED`, in no order."""
    last = last_page_id(db)
    return [
        (float(hundredth), bool(relevant), int(number)) for hundredth, relevant, number in db.execute(SPREAD, (last - LOOKED,))
    ]
