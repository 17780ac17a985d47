"""The collection in figures: tables for a terminal, plain values for JSON. The report file shows the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from focuscrawl.report.plain import count, moment, percent, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.engines.records import iso_time
from focuscrawl.store.pages.collection import Collection, Judged, Part
from focuscrawl.url.readable import readable_host

MOST = 12
"""Rows of a table on a terminal; what is left is told in the last one."""
BAR = 24
"""Terminal columns of the longest bar."""
UNKNOWN = "(unknown)"


@dataclass(slots=True, frozen=True)
class Breakdown:
    """The collection divided in one way: its largest parts, of years the newest."""

    title: str
    noun: str
    parts: list[Part]
    rest: int = 0
    """Parts that are not shown."""
    rest_pages: int = 0
    rest_words: int = 0

    @property
    def most(self) -> int:
        """Pages of the largest part."""
        return max(part.pages for part in self.parts)

    def shown(self, part: Part) -> str:
        """Its name as it is read: hosts in their own script, large numbers grouped."""
        if self.noun == "site":
            return readable_host(part.name)
        return count(int(part.name)) if self.title == "Lengths: words" else part.name


def groups(found: Collection) -> list[Breakdown]:
    """Those that have parts."""
    every = (
        _group("Languages", "language", found.languages),
        _group("Kinds", "kind", found.kinds),
        _group("Content types", "type", found.content_types),
        _group("Sites", "site", found.largest_sites, (found.sites, found.pages, found.words)),
        _group("Published", "year", found.years, newest=True),
        _group("Categories of the sites", "category", found.categories),
        _group("Licences", "licence", found.licences),
        _group("Reserved", "term", found.reserved),
        _group("Lengths: words", "from", found.lengths),
        _group("Quality: share of the rules passed", "from", found.quality[::-1]),
    )
    return [group for group in every if group.parts]


def _group(
    title: str, noun: str, parts: Sequence[Part], all_of_them: tuple[int, int, int] | None = None, newest: bool = False
) -> Breakdown:
    """`all_of_them`: number, pages and words of all parts, where `parts` need not have all."""
    shown = list(parts[-MOST:] if newest else parts[:MOST])
    number, pages, words = all_of_them or _sums(parts)
    _, told, told_words = _sums(shown)
    return Breakdown(title, noun, shown, number - len(shown), pages - told, words - told_words)


def _sums(parts: Sequence[Part]) -> tuple[int, int, int]:
    return len(parts), sum(part.pages for part in parts), sum(part.words for part in parts)


def collection_parts(found: Collection, name: str) -> list[str | Table]:
    """What `report.table.show` prints."""
    if not found.pages:
        return [_figures(found, name)]
    tables = [_table(group, found) for group in groups(found)]
    rules = [_rules(found.rules)] if found.rules else []
    return [_figures(found, name), *([_quantiles(found)] if found.word_quantiles else []), *tables, *rules]


def as_json(found: Collection, name: str) -> dict[str, object]:
    """For programs; times are ISO 8601 in UTC, quantiles by their share."""
    values = asdict(found)
    times = {key: iso_time(values[key]) if values[key] is not None else None for key in ("first_fetched", "last_fetched")}
    shares = {key: {str(share): value for share, value in values[key]} for key in ("word_quantiles", "quality_quantiles")}
    return {"crawl": name, **values, **times, **shares}


def _figures(found: Collection, name: str) -> Table:
    out = found.left_out
    rows = [
        ("pages", f"{count(found.pages)} of {plural(found.hosts, 'host')}, {plural(found.sites, 'site')}"),
        ("words", f"{count(found.words)} in {count(found.characters)} characters, {percent(found.code_share)} of them code"),
        ("bodies", f"{found.bytes / 1e6:,.1f} MB"),
        ("fetched", _span(found)),
        ("left out", f"{count(out.off_topic)} off topic, {count(out.duplicates)} duplicates, {count(out.noindex)} noindex,"
         f" {count(out.gone)} gone"),
        ("known", f"author of {_of(found.with_author, found)}, date of {_of(found.with_date, found)},"
         f" licence of {_of(found.with_licence, found)}"),
        ("reserved", f"rights of {plural(found.with_reserved, 'page')}"),
    ]  # fmt: skip
    if found.read < found.pages:
        unread = found.pages - found.read
        rows.append(("not read yet", f"{plural(unread, 'page')}: scrapy extract {name} --missing"))
    return Table([Column(""), Column("")], rows, f"Collection {name}")


def _span(found: Collection) -> str:
    if found.first_fetched is None or found.last_fetched is None:
        return "–"
    return f"{moment(found.first_fetched)[:10]} to {moment(found.last_fetched)[:10]}"


def _of(pages: int, found: Collection) -> str:
    return percent(pages / found.read) if found.read else "–"


def _table(group: Breakdown, found: Collection) -> Table:
    rows = [(*_cells(part, found, group.shown(part)), bar(part.pages / group.most)) for part in group.parts]
    if group.rest:
        rows.append((*_cells(Part("", group.rest_pages, group.rest_words), found, f"{count(group.rest)} more"), ""))
    figures = [Column(name, True) for name in ("pages", "share", "words")]
    return Table([Column(group.noun, width=44), *figures, Column("", bar=True, spare=True)], rows, group.title)


def _cells(part: Part, found: Collection, name: str) -> tuple[str, ...]:
    return name or UNKNOWN, count(part.pages), percent(part.pages / found.pages), count(part.words)


def bar(share: float) -> str:
    """A bar of the share of `BAR`; at least a thin one, for something is there."""
    eighths = max(round(8 * BAR * share), 1)
    whole, part = divmod(eighths, 8)
    return "█" * whole + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[part]


def _rules(rules: Sequence[Judged]) -> Table:
    rows = [
        (rule.signal, count(rule.judged), percent(rule.passed / rule.judged), bar(rule.passed / rule.judged))
        for rule in rules
        if rule.judged
    ]
    columns = [Column("rule"), Column("pages judged", True), Column("pass", True), Column("", bar=True, spare=True)]
    return Table(columns, rows, "Quality rules")


def _quantiles(found: Collection) -> Table:
    columns = [Column("of the pages have at most"), *(Column(percent(share), True) for share, _ in found.word_quantiles)]
    rows = [
        ("words", *(count(value) for _, value in found.word_quantiles)),
        ("of the quality rules", *(f"{value:.2f}" for _, value in found.quality_quantiles)),
    ]
    return Table(columns, rows, "Lengths and quality")
