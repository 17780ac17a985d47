"""The collection in figures: what `scrapy export` writes, counted by the store.

Plain SQL that any engine understands; each statement is one pass over `page` and the short columns of `content`, none reads
texts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import orjson

from focuscrawl.store.engines.database import IS_OWN, Database
from focuscrawl.store.pages.stored import BATCH, pages_by_reason
from focuscrawl.text.sniff import media_type

MOST_PARTS = 1_000
"""Most sites, licences and so on that are listed one by one."""
LENGTHS = (1, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""Words from which a bin of the lengths begins."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
SOURCE = f"""from page p left join content c on c.page_id=p.page_id left join host h on h.hid=p.hid
    where p.status=200 and p.relevant=1 and {IS_OWN}"""
TOTALS = f"""select count(*), count(c.page_id), count(distinct p.hid), count(distinct h.site), coalesce(sum(c.words), 0),
    coalesce(sum(c.characters), 0), coalesce(sum(p.length), 0), min(p.fetched_at), max(p.fetched_at),
    count(nullif(c.author, '')), count(nullif(c.published, '')), count(nullif(c.licence, '')), count(nullif(c.reserved, '[]')),
    coalesce(sum(c.characters * c.code_share), 0) {SOURCE}"""
SIGNALS = f"select p.page_id, c.language, c.signals {SOURCE} and c.words>0 and p.page_id>? order by p.page_id limit ?"
DIVISIONS = {
    "language": "",
    "kind": "",
    "content_type": "",
    "site": "",
    "year": "where year<>''",
    "category": "where category<>''",
    "licence": "where licence<>''",
    "reserved": "where reserved<>'[]'",
    "words": "where words>0",
    "quality": "where words>0",
}
"""By what the collection is divided, and what is left out of it."""
_EACH = """select * from (select '{name}' as division, cast({name} as text) as name, count(*) as pages,
    coalesce(sum(words), 0) as words from kept {condition} group by {name} order by 3 desc, 2 limit {most}) as part"""
DIVIDED = f"""with kept as materialized (select coalesce(nullif(c.language, ''), p.language) as language, p.kind as kind,
    p.content_type as content_type,
    coalesce(h.site, '') as site, coalesce(substr(c.published, 1, 4), '') as year, coalesce(c.licence, '') as licence,
    coalesce(c.category, '') as category,
    coalesce(c.reserved, '[]') as reserved, c.words as words, c.quality as quality {SOURCE})
    """ + " union all ".join(
    _EACH.format(name=name, condition=condition, most=MOST_PARTS if name not in ("words", "quality") else 1_000_000)
    for name, condition in DIVISIONS.items()
)
"""(division, name, pages, words) of each part. The pages are looked at once, which takes half the time of once a division,
and 100 bytes of memory a page."""


@dataclass(slots=True, frozen=True)
class Part:
    """The pages of a collection that have something in common."""

    name: str
    """Empty where it is not known."""
    pages: int
    words: int = 0


@dataclass(slots=True, frozen=True)
class LeftOut:
    """Stored pages that do not belong to the collection, each under the first reason that holds."""

    off_topic: int = 0
    duplicates: int = 0
    noindex: int = 0
    gone: int = 0


@dataclass(slots=True, frozen=True)
class RuleResult:
    """How a collection does by one quality rule."""

    signal: str
    judged: int
    """Pages in whose language the rule holds."""
    passed: int


@dataclass(slots=True, frozen=True, kw_only=True)
class Collection:
    """A collection in figures. Lists are in the order of their pages, the most first, unless they say otherwise."""

    pages: int = 0
    read: int = 0
    """Pages that were read whole: only of these is known what follows after `last_fetched`."""
    hosts: int = 0
    sites: int = 0
    words: int = 0
    characters: int = 0
    bytes: int = 0
    """Of the decoded bodies."""
    first_fetched: float | None = None
    last_fetched: float | None = None
    with_author: int = 0
    with_date: int = 0
    with_licence: int = 0
    with_reserved: int = 0
    code_share: float = 0.0
    """Of all characters, those in code."""
    left_out: LeftOut = field(default_factory=LeftOut)
    languages: list[Part] = field(default_factory=list)
    kinds: list[Part] = field(default_factory=list)
    content_types: list[Part] = field(default_factory=list)
    largest_sites: list[Part] = field(default_factory=list)
    """At most `MOST_PARTS`, as all lists."""
    years: list[Part] = field(default_factory=list)
    """Of publication, in order."""
    categories: list[Part] = field(default_factory=list)
    """Of their sites, as the pages say."""
    licences: list[Part] = field(default_factory=list)
    reserved: list[Part] = field(default_factory=list)
    """By term: see `focuscrawl.politeness.reserved`. A page may have several."""
    word_quantiles: tuple[tuple[float, float], ...] = ()
    """(share of the pages, words that no more than this share have)."""
    lengths: list[Part] = field(default_factory=list)
    """By words, in order: `200` is from 200 to under the next of `LENGTHS`."""
    quality_quantiles: tuple[tuple[float, float], ...] = ()
    quality: list[Part] = field(default_factory=list)
    """By tenth of the rules passed, in order: `0.9` is from 0.9 to under 1.0."""
    rules: list[RuleResult] = field(default_factory=list)
    """Where they were asked for."""


def collection_of(db: Database, *, rules: bool = False) -> Collection:
    """All figures. `rules`: those of each quality rule, too, for which the signals of all pages are read."""
    *totals, in_code = db.execute(TOTALS).fetchone()
    names = (
        "pages", "read", "hosts", "sites", "words", "characters", "bytes", "first_fetched", "last_fetched", "with_author",
        "with_date", "with_licence", "with_reserved",
    )  # fmt: skip
    known = dict(zip(names, totals, strict=True))
    reasons = pages_by_reason(db)
    divided: dict[str, list[Part]] = {division: [] for division in DIVISIONS}
    for division, *part in db.execute(DIVIDED):
        divided[division].append(Part(*part))
    lengths, quality = (sorted((float(part.name), part) for part in divided[name]) for name in ("words", "quality"))
    return Collection(
        **known,
        code_share=in_code / known["characters"] if known["characters"] else 0.0,
        left_out=LeftOut(*(reasons.get(name, 0) for name in ("irrelevant", "duplicate", "noindex", "gone"))),
        languages=_largest(divided["language"]),
        kinds=_largest(divided["kind"]),
        content_types=_renamed(divided["content_type"], lambda header: [media_type(header)]),
        largest_sites=_largest(divided["site"]),
        years=sorted(divided["year"], key=lambda part: part.name),
        categories=_largest(divided["category"]),
        licences=_largest(divided["licence"]),
        reserved=_renamed(divided["reserved"], orjson.loads),
        word_quantiles=quantiles(lengths, QUANTILES),
        lengths=_lengths(lengths),
        quality_quantiles=quantiles(quality, QUANTILES),
        quality=_tenths(quality),
        rules=_rule_results(db) if rules else [],
    )


def _rule_results(db: Database) -> list[RuleResult]:
    """By each rule, in the order of `focuscrawl.text.quality.RULES`."""
    from focuscrawl.text.language_labels import code
    from focuscrawl.text.quality import RULES, failed_rules

    languages, failed = Counter[str](), Counter[str]()
    last = 0
    while rows := db.execute(SIGNALS, (last, BATCH)).fetchall():
        last = rows[-1][0]
        for _, language, signals in rows:
            spoken = code(language)
            languages[spoken] += 1
            failed.update(rule.signal for rule in failed_rules(orjson.loads(signals), spoken))
    judged = {rule.signal: sum(pages for spoken, pages in languages.items() if rule.holds_for(spoken)) for rule in RULES}
    return [RuleResult(signal, pages, pages - failed[signal]) for signal, pages in judged.items()]


def _largest(parts: Iterable[Part]) -> list[Part]:
    return sorted(parts, key=lambda part: (-part.pages, part.name))


def quantiles(histogram: Sequence[tuple[float, Part]], shares: Iterable[float]) -> tuple[tuple[float, float], ...]:
    """(share, the least value that at least this share of the pages do not exceed); empty for an empty histogram, which has the
    pages of each value, in order."""
    total, found = sum(part.pages for _, part in histogram), []
    for share in shares:
        below = 0
        for value, part in histogram:
            below += part.pages
            if below >= share * total:
                found.append((share, value))
                break
    return tuple(found)


def _lengths(histogram: Iterable[tuple[float, Part]]) -> list[Part]:
    """All bins from the first with pages to the last, so that a gap is seen."""
    pages, words = [0] * len(LENGTHS), [0] * len(LENGTHS)
    for value, part in histogram:
        place = bisect_right(LENGTHS, value) - 1
        pages[place] += part.pages
        words[place] += part.words
    used = [place for place, number in enumerate(pages) if number]
    return [Part(str(LENGTHS[at]), pages[at], words[at]) for at in range(used[0], used[-1] + 1)] if used else []


def _tenths(histogram: Iterable[tuple[float, Part]]) -> list[Part]:
    tenths: dict[int, Part] = {}
    for value, part in histogram:
        tenth = int(10 * value + 1e-9)
        before = tenths.get(tenth, Part("", 0))
        tenths[tenth] = Part(f"{tenth / 10:.1f}", before.pages + part.pages, before.words + part.words)
    return [tenths[tenth] for tenth in sorted(tenths)]


def _renamed(parts: Iterable[Part], names: Callable[[str], Iterable[str]]) -> list[Part]:
    """The parts by the names that a part's own name stands for, one or several, the largest first."""
    found: dict[str, Part] = {}
    for part in parts:
        for name in names(part.name):
            before = found.get(name, Part(name, 0))
            found[name] = Part(name, before.pages + part.pages, before.words + part.words)
    return _largest(found.values())
