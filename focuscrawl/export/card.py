"""Makes the card of a data set, for those who train on it: its contents, origin, making, and what was left out.

The card is a README.md with a YAML head that the Hugging Face hub reads (huggingface.co/docs/hub/datasets-cards).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from focuscrawl.export.markdown_folder import yaml
from focuscrawl.export.selection import REASONS, words_of
from focuscrawl.report.plain import count, iso_time, one_line, percent
from focuscrawl.store.pages.stored import StoredPage
from focuscrawl.text.blocks import CELL
from focuscrawl.text.language_labels import code

LISTED = 20
"""Sites, licences and languages that are listed by name."""
SIZES = (
    (1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"),
)  # fmt: skip
LARGEST = "10M<n<100M"
"""The size category above the last bound."""
DIGITS = 2
"""Lengths are rounded to this many digits for the quantiles, so that these take the same memory for any number of pages."""


@dataclass(slots=True, frozen=True, kw_only=True)
class Origin:
    """How the pages were gathered. Unknown fields are empty."""

    crawl: str
    topic: str = ""
    keywords: Sequence[str] = ()
    """Keywords that the user gave for the topic."""
    terms: Sequence[str] = ()
    """Terms of the topic, largest weight first; English ones are stems."""
    seeds: Sequence[str] = ()
    strategy: str = ""
    user_agent: str = ""
    runs: int = 0
    first_at: float = 0.0
    last_at: float = 0.0
    """Beginning of the first run, and end of the last one."""
    fetched: int = 0
    """Number of pages stored with status 200, from which these were selected."""


@dataclass(slots=True)
class Tally:
    """Figures of the pages that pass through it."""

    pages: int = 0
    words: int = 0
    characters: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    """Numbers of pages by their numbers of words, rounded."""
    languages: Counter[str] = field(default_factory=Counter)
    sites: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    reserved: Counter[str] = field(default_factory=Counter)
    years: Counter[str] = field(default_factory=Counter)
    """Numbers of pages by year of publication."""
    first_at: float = 0.0
    last_at: float = 0.0
    """When the oldest and the newest of them were fetched."""

    def add(self, page: StoredPage) -> None:
        words = words_of(page)
        self.pages += 1
        self.words += words
        self.characters += len(page.text)
        self.lengths[rounded(words)] += 1
        self.languages[page.language or "unknown"] += 1
        self.sites[page.site] += 1
        self.kinds[page.kind] += 1
        self.licences[page.licence or "none stated"] += 1
        self.reserved.update(page.reserved)
        self.years[page.published[:4] or "unknown"] += 1
        self.first_at = min(self.first_at or page.fetched_at, page.fetched_at)
        self.last_at = max(self.last_at, page.fetched_at)

    def quantile(self, share: float) -> int:
        """The length in words, rounded, that this share of the pages is below."""
        left = share * self.pages
        for length in sorted(self.lengths):
            left -= self.lengths[length]
            if left <= 0:
                return length
        return max(self.lengths, default=0)


def rounded(number: int) -> int:
    """A number rounded to `DIGITS` digits: 1234 -> 1200."""
    unit: int = 10 ** max(len(str(number)) - DIGITS, 0)
    return int(round(number / unit) * unit)


def card(tally: Tally, left_out: Mapping[str, int], origin: Origin, columns: Sequence[str], conditions: str) -> str:
    """The README.md. `conditions`: the options that chose the pages, as they were typed; empty if there were none."""
    return "\n".join([*_head(tally, origin), *_body(tally, left_out, origin, columns, conditions)]) + "\n"


def _head(tally: Tally, origin: Origin) -> list[str]:
    tags = {tag for tag in tally.languages if code(tag)}
    languages = sorted({code(tag) for tag in tags})
    finer = sorted(tag for tag in tags if tag != code(tag))
    known = [name for name in tally.licences if name != "none stated"]
    licence = known[0].lower() if len(tally.licences) == 1 and known else "other" if known else "unknown"
    lines = ["---", f"pretty_name: {yaml(origin.crawl)}"]
    lines += ["language:", *(f"- {yaml(name)}" for name in languages)] if languages else []
    lines += ["language_bcp47:", *(f"- {tag}" for tag in finer)] if finer else []
    lines += [
        f"license: {yaml(licence)}",
        f"multilinguality: {'multilingual' if len(languages) > 1 else 'monolingual'}",
        f"size_categories: [{yaml(_size(tally.pages))}]",
        "source_datasets: [original]",
        "task_categories: [text-generation]",
        "tags: [web, focused-crawl]",
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: train",
        "    path: data/*.parquet",
        "---",
    ]
    return lines


def _size(pages: int) -> str:
    place = bisect_right([least for least, _ in SIZES], pages)
    return SIZES[place][1] if place < len(SIZES) else LARGEST


def _body(tally: Tally, left_out: Mapping[str, int], origin: Origin, columns: Sequence[str], conditions: str) -> Iterable[str]:
    yield from ("", f"# {_plain(origin.crawl)}", "")
    yield f"{count(tally.pages)} web pages about {_plain(origin.topic or origin.crawl)}, gathered by a focused crawl."
    yield from ("", "```python", "from datasets import load_dataset", "")
    yield from ('pages = load_dataset("parquet", data_files="data/*.parquet", split="train")', "```")
    yield from ("", "## What is in it", "")
    yield from _table(("", ""), _figures(tally))
    yield from _counted("Languages", tally.languages, tally.pages)
    yield from _counted("Sites", tally.sites, tally.pages)
    yield from _counted("Years of publication", tally.years, tally.pages)
    yield from _counted("Licences that the pages state", tally.licences, tally.pages)
    yield from _counted("Rights reserved against machines", tally.reserved, tally.pages)
    yield from () if tally.reserved else ("", "No page of the set reserves rights against machines in a form that is known.")
    yield from (
        "",
        "The texts belong to their authors: a page that states no licence is not free to use. Each row has `licence` and",
    )
    yield "`reserved`, what the page reserves against machines."
    yield from ("", "## How it was made", "")
    yield from _table(("", ""), _making(origin, conditions))
    yield from ("", "## What was left out", "")
    if left_out:
        named = [
            (REASONS.get(name, name), count(number)) for name, number in sorted(left_out.items(), key=lambda each: -each[1])
        ]
        yield from _table(("reason", "pages"), named)
        yield ""
        yield "Each page is counted once, under the first reason. Duplicates are exact or near; one of each group is kept."
    else:
        yield "Nothing."
    yield from ("", "## Columns", "", ", ".join(f"`{name}`" for name in columns) + ".")


def _figures(tally: Tally) -> list[tuple[str, str]]:
    per_page = " / ".join(count(tally.quantile(share)) for share in (0.1, 0.5, 0.9))
    return [
        ("pages", count(tally.pages)),
        ("words", count(tally.words)),
        ("characters", count(tally.characters)),
        ("words a page (10 % / median / 90 %)", per_page),
        ("kinds", ", ".join(f"{name} {count(number)}" for name, number in tally.kinds.most_common())),
        ("fetched", _span(tally.first_at, tally.last_at)),
    ]


def _making(origin: Origin, conditions: str) -> list[tuple[str, str]]:
    seeds = ", ".join(origin.seeds[:LISTED]) + (
        f" and {count(len(origin.seeds) - LISTED)} more" if origin.seeds[LISTED:] else ""
    )
    rows = [
        ("program", "focuscrawl, a focused crawler that obeys robots.txt"),
        ("topic", origin.topic),
        ("keywords", ", ".join(origin.keywords)),
        ("weightiest terms", ", ".join(origin.terms)),
        ("seeds", seeds),
        ("order strategy", origin.strategy),
        ("runs", f"{count(origin.runs)}, {_span(origin.first_at, origin.last_at)}" if origin.runs else ""),
        ("user agent", origin.user_agent),
        ("pages fetched", count(origin.fetched)),
        ("selected by", conditions or "the defaults"),
    ]
    return [(name, value) for name, value in rows if value]


def _counted(title: str, found: Counter[str], pages: int) -> Iterable[str]:
    if not found:
        return
    yield from ("", f"### {title}", "")
    rows = [(name or "none", count(number), percent(number / pages)) for name, number in found.most_common(LISTED)]
    rest = sum(found.values()) - sum(number for _, number in found.most_common(LISTED))
    if rest:
        rows.append((f"{count(len(found) - LISTED)} more", count(rest), percent(rest / pages)))
    yield from _table(("", "pages", "share"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(map(_plain, row)) + " |"


def _plain(text: str) -> str:
    """Text from pages for a cell of a table, with markup escaped and without line breaks."""
    shown = one_line(text.replace(CELL, " "))
    return "".join(f"\\{char}" if char in "\\`*_[]<|" else char for char in shown)


def _span(first: float, last: float) -> str:
    return f"{iso_time(first)[:10]} to {iso_time(last)[:10]}" if last else ""
