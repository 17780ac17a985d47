"""The words of a topic in two columns, for it and against it, for a person to weigh: each with its weight, the pages that
contain it, and quotes. A click becomes a `TermEdits`, as `scrapy topic terms` makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from focuscrawl.errors import BadInput, quoted
from focuscrawl.report.plain import one_line
from focuscrawl.text.chinese import simplified
from focuscrawl.topics.file_changes import TermEdits
from focuscrawl.topics.showing import TermRow, term_rows
from focuscrawl.topics.suggesting import RankedTerm, ranked_terms
from focuscrawl.topics.workspace import Workspace
from focuscrawl.url.hosts import host_name, registered_domain

MOST_TERMS = 30
"""Most words of the topic in a column."""
MOST_PROPOSED = 12
"""Most words that are proposed below them."""
STEP = 1.5
"""One click multiplies or divides a weight by this, so that three clicks change it about threefold."""
LARGEST = 0.9
"""Largest weight of a word. A single word of weight 1 would leave nothing of the length of the topic's vector to the others."""
QUOTES = 3
AROUND = 60
"""Characters shown on either side of a quoted word."""

Click = Literal["up", "down", "out", "for", "against"]
CLICKS: tuple[Click, ...] = ("up", "down", "out", "for", "against")


@dataclass(frozen=True, slots=True)
class Quote:
    """An occurrence of a word in a page, with the text around it."""

    before: str
    word: str
    after: str
    source: str
    """URL or file."""


@dataclass(frozen=True, slots=True)
class WeighedTerm:
    word: str
    weight: float | None
    """Weight in the present topic, between -1 and 1; None: the word is proposed, not in the topic."""
    share: float
    """Its weight as a share of the column's largest, 0 to 1."""
    origin: str
    """`keyword`, `negative`, `given`, `pages` or `proposed`."""
    picked: int
    """Number of pages of the topic that contain it."""
    rejected: int
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    picked: int
    """Number of pages of the topic whose texts are here."""
    rejected: int
    speak_for: tuple[WeighedTerm, ...]
    """Words for the topic, the largest weight first, then words proposed by their TF-IDF in the picked pages."""
    speak_against: tuple[WeighedTerm, ...]
    """Words against the topic, with proposals from the rejected pages. Words that were taken out are here at weight 0."""


def columns(workspace: Workspace) -> Columns:
    """The columns of the present topic."""
    texts = _Texts(workspace)
    rows = term_rows(workspace)
    liked = [row for row in rows if row.weight > 0]
    others = [row for row in rows if row.weight <= 0]
    known = {row.word.lower() for row in rows}
    proposed = _new(ranked_terms(workspace, MOST_TERMS), known)
    against = _new(ranked_terms(workspace, MOST_TERMS, of_rejected=True), known | {term.word.lower() for term in proposed})
    return Columns(
        len(texts.picked), len(texts.rejected),
        (*texts.column(liked[:MOST_TERMS]), *texts.proposals(proposed)),
        (*texts.column(others), *texts.proposals(against)),
    )  # fmt: skip


def _new(ranked: Sequence[RankedTerm], known: set[str]) -> list[RankedTerm]:
    return [term for term in ranked if not term.standing and term.word.lower() not in known][:MOST_PROPOSED]


class _Texts:
    """The texts of the picked and of the rejected pages, prepared for searching words."""

    def __init__(self, workspace: Workspace) -> None:
        self.picked = [(source, simplified(text)) for source, text in workspace.picked_texts()]
        self.rejected = [(source, simplified(text)) for source, text in workspace.rejected_texts()]

    def column(self, rows: Sequence[TermRow]) -> list[WeighedTerm]:
        largest = max((abs(row.weight) for row in rows), default=1.0) or 1.0
        return [self._term(row.word, row.weight, abs(row.weight) / largest, row.origin) for row in rows]

    def proposals(self, ranked: Sequence[RankedTerm]) -> list[WeighedTerm]:
        largest = max((term.weight for term in ranked), default=1.0) or 1.0
        return [self._term(term.word, None, term.weight / largest, "proposed") for term in ranked]

    def _term(self, word: str, weight: float | None, share: float, origin: str) -> WeighedTerm:
        pattern = word_pattern(word)
        picked, rejected = (
            [(source, text, at) for source, text in texts if (at := pattern.search(text))]
            for texts in (self.picked, self.rejected)
        )
        speaks_for = origin != "negative" and (weight is None or weight > 0)
        found = (picked or rejected) if speaks_for else (rejected or picked)
        quotes = tuple(_quote(source, text, at) for source, text, at in found[:QUOTES])
        return WeighedTerm(word, weight, share, origin, len(picked), len(rejected), quotes)


def word_pattern(word: str) -> re.Pattern[str]:
    """A pattern that finds a word in a text: a Latin word at the beginning of a word, whatever its case and ending; all words
    in simplified characters."""
    pattern = r"\s+".join(map(re.escape, simplified(word).split()))
    return re.compile((r"(?<![A-Za-z0-9])" if word[:1].isascii() else "") + pattern, re.IGNORECASE)


def _quote(source: str, text: str, at: re.Match[str]) -> Quote:
    """A match with the text around it on its line, without halves of words."""
    before = text[max(0, at.start() - AROUND) : at.start()].rpartition("\n")[2]
    after = text[at.end() : at.end() + AROUND].partition("\n")[0]
    if at.start() > AROUND:
        before = re.sub("^[A-Za-z0-9]+", "", before)
    return Quote(_printable(before), _printable(at[0]), _printable(re.sub(" [A-Za-z0-9]+$", " ", after)), source)


def _printable(text: str) -> str:
    """The text on one line. Spaces at its ends are kept, because they separate it from its neighbours."""
    plain = one_line(text, len(text) * 2 + 1)
    return (" " if text[:1].isspace() else "") + plain + (" " if plain and text[-1:].isspace() else "")


def clicked(workspace: Workspace, word: str, click: str) -> TermEdits:
    """What a click on a word changes: `up` and `down` change its weight by `STEP`, `out` takes it out of the topic, `for` and
    `against` make it a keyword or a word against the topic. Raises BadInput for another click or word."""
    match click:
        case "for":
            return TermEdits(keywords=[word])
        case "against":
            return TermEdits(negative=[word])
        case "out":
            return TermEdits(remove=[word])
        case "up" | "down":
            weight = next((row.weight for row in term_rows(workspace) if word in (row.word, row.term)), 0.0)
            if not weight:
                raise BadInput(f"{quoted(word)} is not in the topic, so it has no weight to change; add it as a keyword first.")
            return _weighed(workspace, word, weight * STEP if click == "up" else weight / STEP)
    raise BadInput(f"{quoted(click)} cannot be done with a word; use one of {', '.join(CLICKS)}.")


def _weighed(workspace: Workspace, word: str, weight: float) -> TermEdits:
    """Give a word this weight, or remove it if the weight is too small to count."""
    if abs(weight) < workspace.min_weight:
        return TermEdits(remove=[word])
    return TermEdits(weights={word: round(max(-LARGEST, min(LARGEST, weight)), 4)})


def only_site(sources: Iterable[str]) -> str:
    """The registered domain (or the host) that two or more pages have in common; empty if they have several, or if there are
    fewer pages."""
    hosts = [host_name(source) for source in sources if "://" in source]
    sites = set(map(registered_domain, hosts))
    return sites.pop() if len(sites) == 1 < len(hosts) else ""
