"""Gives stored pages other verdicts than those that they were stored with: because a topic came later or says something else
now, or because the name of their site is known now. What a person says of a page (`labels`) counts in the same way, by
`set_best`.

A topic of several (`topic`: its name) has its own verdict on each page. In a crawl of one (`topic`: empty) there is only the
verdict that counts, and `meta` notes when all follow the present definition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import orjson

from focuscrawl.items import EXAMPLE, LINK, OF_SITE, Lease, Link, Page, Verdict
from focuscrawl.store.engines.database import THERE, Database, literal
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import HostChanges, HostCounts
from focuscrawl.store.pages.links import decode, set_links
from focuscrawl.store.pages.stored import last_page_id
from focuscrawl.store.pages.verdicts import JUDGED, best_of, store_verdicts, verdicts_of
from focuscrawl.store.revisits.change_log import JOINED, LEFT, ChangeKind, ObservedChange, log_change

PAGE = f"""select hid, uid, url, relevant, original is null and noindex=0 and status=200 and {THERE} from page
    where page_id=?"""
SET_BEST = "update page set relevance=?, relevant=?, threshold=?, terms=?, similarity=? where page_id=?"


def set_best(db: Database, page_id: int, best: Verdict, run: int, now: float, hosts: HostChanges) -> None:
    """Let this verdict count for the page, and log whether the page joins or leaves the collection by it."""
    hid, uid, url, relevant, collected = db.execute(PAGE, (page_id,)).fetchone()
    terms = orjson.dumps(best.terms).decode()
    db.execute(SET_BEST, (best.relevance, int(best.relevant), best.threshold, terms, best.similarity, page_id))
    if change := int(best.relevant) - relevant:
        hosts.count(hid, HostCounts(relevant=change))
        if collected:
            crossing = JOINED if best.relevant else LEFT
            log_change(db, now, run, (hid, uid, page_id, url), ObservedChange(ChangeKind.CHANGED, detail=crossing))


STORED = f"""select p.page_id, p.url, p.title, p.language, p.kind, p.example, b.text, b.links
    from page p join body b on b.page_id=p.page_id
    where p.status=200 and p.{THERE} and p.page_id>? and {{}} order by p.page_id limit ?"""


class JudgeablePage(NamedTuple):
    page_id: int
    page: Page
    """What it is judged by, and whether it is an example."""


def _stored_pages(db: Database, condition: str, values: Sequence[object], after: int, count: int) -> list[JudgeablePage]:
    """The next stored pages behind `after` (page_id) for which this condition on `page p` holds."""
    found = []
    rows = db.execute(STORED.format(condition), (after, *values, count))
    for page_id, url, title, language, kind, example, text, links in rows:
        lease = Lease(0, 0, url, kind=EXAMPLE if example else LINK)
        page = Page(lease, url, 200, title=title, language=language, kind=kind, text=unpacked_text(text), links=decode(links))
        found.append(JudgeablePage(page_id, page))
    return found


def store_again(db: Database, topic: str, verdicts: Sequence[tuple[int, Verdict]], run: int, now: float) -> None:
    """Let these verdicts, with the number of the page before each, count from now on. `topic`: empty in a crawl of one."""
    hosts = HostChanges()
    for page_id, verdict in verdicts:
        best = verdict
        if topic:
            store_verdicts(db, page_id, {topic: verdict})
            best = best_of(verdicts_of(db, page_id))
        set_best(db, page_id, best, run, now, hosts)
    hosts.write(db, now)


ON_HOST = "p.hid in (select hid from host where name in (?, ?)) and p.example=0"
KNOWN_AS_NAME = "{0}.terms like ? escape '!'"
CALLED_BY_NAME = f"{{0}}.relevant=1 and {{0}}.relevance>={{0}}.threshold and not {KNOWN_AS_NAME}"
OF_TOPIC = "exists (select 1 from verdict v where v.page_id=p.page_id and v.topic=? and {})"


def judged_by_name(
    db: Database, topic: str, host: str, is_name: Mapping[str, bool], after: int, count: int
) -> list[JudgeablePage]:
    """The next stored pages of a host, with or without `www.`, that were judged before it was known of these words whether they
    are in the name of the site, without examples. For a word that is: those that were called relevant with it. For one that
    is not: those that were judged without it. `topic`: empty in a crawl of one."""
    condition = f"({' or '.join(CALLED_BY_NAME if of_name else KNOWN_AS_NAME for of_name in is_name.values())})"
    said = [f"%{literal(orjson.dumps(OF_SITE + word).decode())}%" for word in is_name]
    names = host, f"www.{host}"
    if topic:
        of_topic = OF_TOPIC.format(condition.format("v"))
        return _stored_pages(db, f"{ON_HOST} and {of_topic}", (*names, topic, *said), after, count)
    return _stored_pages(db, f"{ON_HOST} and {condition.format('p')}", (*names, *said), after, count)


FORMER = "judged_by_former_topic"
"""Key in `meta`: last page that a former definition of the only topic, or another page model, has judged."""
UNJUDGED = """select p.page_id, p.url, p.title, p.language, p.kind, b.text, b.links, p.original is not null,
    p.depth, p.example
    from page p join body b on b.page_id=p.page_id where p.status=200 and p.page_id>?
    and case when ?='' then p.page_id<=? else not exists (select 1 from verdict v where v.page_id=p.page_id and v.topic=?) end
    order by p.page_id limit ?"""
NO_EXAMPLE = "update page set example=0 where page_id=?"
NO_EXAMPLE_URL = f"""update url set kind={LINK} where kind={EXAMPLE}
    and exists (select 1 from page p where p.page_id=? and p.hid=url.hid and p.uid=url.uid)"""


@dataclass(slots=True, frozen=True)
class StoredText:
    """A stored page as a topic judges it."""

    page_id: int
    url: str
    title: str
    language: str
    kind: str
    text: str
    links: list[Link]
    duplicate: bool
    depth: int
    example: bool
    """Whether it was fetched as an example page, or because one redirected to it."""


@dataclass(slots=True)
class NewlyJudgedPage:
    """A stored page that was judged for a new topic, and what of it is to be written."""

    page_id: int
    verdict: Verdict
    links: list[Link] | None = None
    """All of its links, where some of them have been scored again."""
    discovered: Sequence[DiscoveredUrl] = ()
    """Those that enter the frontier, or are lifted there."""
    no_example: bool = False
    """Whether it was an example page, and is none of this topic's."""


def note_former(db: Database) -> None:
    """Note that all pages that are stored now were judged by a former topic, or by another page model."""
    set_meta(db, FORMER, str(last_page_id(db)))


def judged_by_former(db: Database) -> int:
    """Number of the last page that was judged by a former definition of the topic, or another page model; 0: none was, or all
    were judged again. In a crawl of several topics pages are judged again when a definition changes."""
    return int(read_meta(db, FORMER) or 0)


def follow(db: Database, digest: str) -> bool:
    """Whether all stored pages of a crawl of one topic were judged by the one of this digest."""
    return read_meta(db, JUDGED) == digest


def begin_topic(db: Database, topic: str, digest: str) -> bool:
    """Whether stored pages may have no verdict by the topic as this digest has it. Verdicts of a topic of several that follow
    another digest are forgotten."""
    follows = read_meta(db, JUDGED + topic) == digest
    if not topic:
        again = not follows and judged_by_former(db) > 0
        set_meta(db, JUDGED, "" if again else digest)  # while some are judged again, they follow no one digest
        return again
    if not follows:
        db.execute("delete from verdict where topic=?", (topic,))
        set_meta(db, JUDGED + topic, digest)
    return True


def end_topic(db: Database, topic: str, digest: str) -> None:
    """Note that all stored pages follow the topic as this digest has it, if it is the only one."""
    if not topic:
        set_meta(db, JUDGED, digest)
        set_meta(db, FORMER, "0")


def unjudged(db: Database, topic: str, after: int, count: int) -> list[StoredText]:
    """The next stored pages behind `after` (page_id) without a verdict for the topic; of the only topic those that a former one
    has judged, while other workers store pages that they judge by the present one."""
    rows = db.execute(UNJUDGED, (after, topic, judged_by_former(db), topic, count))
    return [
        StoredText(page_id, url, title, language, kind, unpacked_text(text), decode(links), bool(copy), depth, bool(example))
        for page_id, url, title, language, kind, text, links, copy, depth, example in rows
    ]


def store_judged(db: Database, topic: str, pages: Sequence[NewlyJudgedPage], run: int, now: float) -> int:
    """Keep verdicts and links of `pages`, and log which of them join or leave the collection. Returns the number of URLs that
    are new in the frontier."""
    hosts = HostChanges()
    discovered: list[DiscoveredUrl] = []
    for page in pages:
        verdicts = {topic: page.verdict}
        if topic:
            store_verdicts(db, page.page_id, verdicts)
            verdicts = verdicts_of(db, page.page_id)
        elif page.no_example:
            db.execute(NO_EXAMPLE, (page.page_id,))
            db.execute(NO_EXAMPLE_URL, (page.page_id,))
        set_best(db, page.page_id, best_of(verdicts), run, now, hosts)
        if page.links is not None:
            set_links(db, page.page_id, page.links)
        for item in page.discovered:
            item.parent = page.page_id
        discovered += page.discovered
    new = discover(db, discovered, now, lift=True, hosts=hosts)
    hosts.write(db, now)
    return new
