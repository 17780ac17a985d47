"""The collection in figures, as tables for a terminal and plain values for JSON. The report file shows the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from focuscrawl.errors import in_shell
from focuscrawl.report.plain import count, iso_time, moment, percent, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.store.pages.collection import Collection, Part, RuleResult
from focuscrawl.url.readable import readable_host

MOST = 12
"""Most rows of a table on a terminal. One more row sums up the rest."""
BAR = 24
"""Terminal columns of the longest bar."""
UNKNOWN = "(unknown)"


@dataclass(slots=True, frozen=True)
class Breakdown:
    """The collection divided in one way: its largest parts, or for years the newest."""

    title: str
    noun: str
    parts: list[Part]
    rest: int = 0
    """Number of parts that are not shown."""
    rest_pages: int = 0
    rest_words: int = 0

    @property
    def most(self) -> int:
        """Number of pages in the largest part."""
        return max(part.pages for part in self.parts)

    def shown(self, part: Part) -> str:
        """The name of a part for display: hosts in their own script, large numbers with separators."""
        if self.noun == "site":
            return readable_host(part.name)
        return count(int(part.name)) if self.title == "Lengths: words" else part.name


def groups(collection: Collection) -> list[Breakdown]:
    """The ways to divide the collection that have any parts."""
    every = (
        _group("Languages", "language", collection.languages),
        _group("Kinds", "kind", collection.kinds),
        _group("Content types", "type", collection.content_types),
        _group("Sites", "site", collection.largest_sites, (collection.sites, collection.pages, collection.words)),
        _group("Published", "year", collection.years, newest=True),
        _group("Categories of the sites", "category", collection.categories),
        _group("Licences", "licence", collection.licences),
        _group("Reserved", "term", collection.reserved),
        _group("Lengths: words", "from", collection.lengths),
        _group("Quality: share of the rules passed", "from", collection.quality[::-1]),
    )
    return [group for group in every if group.parts]


def _group(
    title: str, noun: str, parts: Sequence[Part], all_of_them: tuple[int, int, int] | None = None, newest: bool = False
) -> Breakdown:
    """A breakdown of these parts. `all_of_them`: number, pages and words of all parts, if `parts` may not contain all."""
    shown = list(parts[-MOST:] if newest else parts[:MOST])
    number, pages, words = all_of_them or _sums(parts)
    _, shown_pages, shown_words = _sums(shown)
    return Breakdown(title, noun, shown, number - len(shown), pages - shown_pages, words - shown_words)


def _sums(parts: Sequence[Part]) -> tuple[int, int, int]:
    return len(parts), sum(part.pages for part in parts), sum(part.words for part in parts)


def collection_parts(collection: Collection, name: str, _: Language = ENGLISH) -> list[str | Table]:
    """What `report.table.show` prints. `_`: the language of cells with figures; `report.table.said` says the rest in it."""
    if not collection.pages:
        return [_figures(collection, name, _)]
    tables = [_table(group, collection, _) for group in groups(collection)]
    rules = [_rules(collection.rules)] if collection.rules else []
    return [_figures(collection, name, _), *([_quantiles(collection)] if collection.word_quantiles else []), *tables, *rules]


def as_json(collection: Collection, name: str) -> dict[str, object]:
    """The collection as plain values, for programs. Times are ISO 8601 in UTC; quantiles are by their share."""
    values = asdict(collection)
    times = {key: iso_time(values[key]) if values[key] is not None else None for key in ("first_fetched", "last_fetched")}
    shares = {key: {str(share): value for share, value in values[key]} for key in ("word_quantiles", "quality_quantiles")}
    return {"crawl": name, **values, **times, **shares}


def _figures(collection: Collection, name: str, _: Language) -> Table:
    out, hosts, sites = collection.left_out, _(plural(collection.hosts, "host")), _(plural(collection.sites, "site"))
    rows = [
        ("pages", _("{n} of {hosts}, {sites}", n=count(collection.pages), hosts=hosts, sites=sites)),
        ("words", _("{n} in {characters} characters, {share} of them code", n=count(collection.words),
                    characters=count(collection.characters), share=percent(collection.code_share))),
        ("bodies", f"{collection.bytes / 1e6:,.1f} MB"),
        ("fetched", _span(collection, _)),
        ("left out", _("{n} off topic, {duplicates} duplicates, {noindex} noindex, {gone} gone", n=count(out.off_topic),
                       duplicates=count(out.duplicates), noindex=count(out.noindex), gone=count(out.gone))),
        ("known", _("author of {author}, date of {date}, licence of {licence}", author=_of(collection.with_author, collection),
                    date=_of(collection.with_date, collection), licence=_of(collection.with_licence, collection))),
        ("reserved", _("rights of {pages}", pages=_(plural(collection.with_reserved, "page")))),
    ]  # fmt: skip
    if collection.read < collection.pages:
        unread = collection.pages - collection.read
        rows.append(("not read yet", f"{_(plural(unread, 'page'))}: scrapy extract {in_shell(name)} --missing"))
    return Table([Column("", ours=True), Column("")], rows, f"Collection {name}")


def _span(collection: Collection, _: Language) -> str:
    if collection.first_fetched is None or collection.last_fetched is None:
        return "–"
    first, last = (moment(at)[:10] for at in (collection.first_fetched, collection.last_fetched))
    return _("{first} to {last}", first=first, last=last)


def _of(pages: int, collection: Collection) -> str:
    return percent(pages / collection.read) if collection.read else "–"


def _table(group: Breakdown, collection: Collection, _: Language) -> Table:
    rows = [(*_cells(part, collection, _name(group, part, _)), bar(part.pages / group.most)) for part in group.parts]
    if group.rest:
        rows.append((*_cells(Part("", group.rest_pages, group.rest_words), collection, _("{n} more", n=count(group.rest))), ""))
    figures = [Column(name, True) for name in ("pages", "share", "words")]
    return Table([Column(group.noun, width=44), *figures, Column("", bar=True)], rows, group.title)


def _name(group: Breakdown, part: Part, _: Language) -> str:
    name = group.shown(part)
    return _(name or UNKNOWN) if group.noun == "kind" or not name else name


def _cells(part: Part, collection: Collection, name: str) -> tuple[str, ...]:
    return name, count(part.pages), percent(part.pages / collection.pages), count(part.words)


def bar(share: float) -> str:
    """A bar that takes this share of `BAR` columns, but is never empty, because the part is not."""
    eighths = max(round(8 * BAR * share), 1)
    whole, part = divmod(eighths, 8)
    return "█" * whole + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[part]


def _rules(rules: Sequence[RuleResult]) -> Table:
    rows = [
        (rule.signal, count(rule.judged), percent(rule.passed / rule.judged), bar(rule.passed / rule.judged))
        for rule in rules
        if rule.judged
    ]
    columns = [Column("rule"), Column("pages judged", True), Column("pass", True), Column("", bar=True)]
    return Table(columns, rows, "Quality rules")


def _quantiles(collection: Collection) -> Table:
    columns = [
        Column("of the pages have at most", ours=True),
        *(Column(percent(share), True) for share, _ in collection.word_quantiles),
    ]
    rows = [
        ("words", *(count(value) for _, value in collection.word_quantiles)),
        ("of the quality rules", *(f"{value:.2f}" for _, value in collection.quality_quantiles)),
    ]
    return Table(columns, rows, "Lengths and quality")
