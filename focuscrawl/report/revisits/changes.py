"""Shows what is new to people: a table for each kind of change, with one line for each page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from focuscrawl.errors import in_shell
from focuscrawl.frontier.states import REMOVED
from focuscrawl.recrawl.gone import ANOTHER
from focuscrawl.recrawl.state import MATERIAL
from focuscrawl.report.plain import count, moment, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.revisits.change_log import JOINED, LEFT, NetChange, PageChange
from focuscrawl.url.readable import readable

TITLES = {
    NetChange.NEW: "New", NetChange.CHANGED: "Changed", NetChange.GONE: "Gone",
    NetChange.SUSPECT: "Missing at the last visit, not yet confirmed",
}  # fmt: skip
"""The kinds of changes, each of which is a list of its own."""
WORDS = {
    "back": "was gone, is back",
    JOINED: "was known, belongs to the collection now",
    LEFT: "is there, but belongs to the collection no more",
    REMOVED: "taken out by an operator",
}


@dataclass(slots=True, frozen=True)
class ChangeLists:
    """The changes of a period, by kind, the latest first."""

    crawl: str
    since: float
    until: float
    shown: Mapping[NetChange, list[PageChange]] = field(default_factory=dict)
    """The first changes of each kind."""
    counts: Mapping[NetChange, int] = field(default_factory=dict)
    """Number of changes of each kind, whether they are shown or not."""
    cut: bool = False
    """Whether not all changes were read, so that there may be more than the counts say."""

    @property
    def empty(self) -> bool:
        return not any(self.counts.values())


def gather(changes: Iterable[PageChange], crawl: str, since: float, until: float, limit: int, most: int = 0) -> ChangeLists:
    """Count the changes, which come the latest first, and keep the first of each kind.

    Args:
        changes: what has changed from `since` until `until`, in epoch seconds.
        crawl: name of the crawl.
        limit: how many of each kind are kept; 0: all.
        most: how many are read in all; 0: all.
    """
    shown: dict[NetChange, list[PageChange]] = {net: [] for net in NetChange}
    counts = dict.fromkeys(NetChange, 0)
    for place, change in enumerate(changes):
        if most and place >= most:
            return ChangeLists(crawl, since, until, shown, counts, cut=True)
        counts[change.net] += 1
        if not limit or len(shown[change.net]) < limit:
            shown[change.net].append(change)
    return ChangeLists(crawl, since, until, shown, counts)


def changes_parts(lists: ChangeLists) -> list[str | Table]:
    """What `report.table.show` prints."""
    parts: list[str | Table] = [in_words(lists)]
    for net in NetChange:
        if rows := lists.shown.get(net):
            parts.append(_table(net, rows, lists.counts[net]))
    if any(lists.counts[net] > len(lists.shown[net]) for net in lists.shown):
        parts.append("--limit N shows more of each list, --limit 0 all.")
    changed = next((change for change in lists.shown.get(NetChange.CHANGED, ()) if change.version), None)
    if changed:
        parts.append(f"Diffs: scrapy why URL --diff --crawl {in_shell(lists.crawl)}")
    return parts


def in_words(lists: ChangeLists) -> str:
    """`3 new, 2 changed, 1 gone since 2026-11-20 14:00:00 UTC.`"""
    more = "at least " if lists.cut else ""
    words = [f"{count(lists.counts.get(net, 0))} {net.value}" for net in (NetChange.NEW, NetChange.CHANGED, NetChange.GONE)]
    suspects = lists.counts.get(NetChange.SUSPECT, 0)
    tail = f"; {plural(suspects, 'page')} {'is' if suspects == 1 else 'are'} missing, to be confirmed" if suspects else ""
    return f"{more}{', '.join(words)} since {moment(lists.since)}{tail}."


def what(change: PageChange) -> str:
    """What has happened to a page, in a few words; empty if the list that it is in says all."""
    if change.net is NetChange.GONE:
        moved = f"moved to {change.moved_to}" if change.moved_to else "moved"
        gone = f"answers {change.status}" if change.status >= 400 else "answers as if it were not there (soft 404)"
        return {"gone": gone, "moved": moved, **WORDS}[change.reason]
    words = size(change) if change.net is NetChange.CHANGED else WORDS.get(change.reason, "")
    missing = "missing at the last visit" if change.suspect and change.net is not NetChange.SUSPECT else ""
    return ", ".join(filter(None, (words, missing)))


def size(change: PageChange) -> str:
    """How large a change was: `12 words added, 3 gone; 2 links added`, or roughly if the former version was not kept."""
    if not change.version:
        return "a lot" if change.distance >= ANOTHER else "by some words" if change.distance > MATERIAL else "a little"
    words = _added_gone(change.words_added, change.words_gone, "word")
    links = _added_gone(len(change.links_added), len(change.links_gone), "link")
    return "; ".join(filter(None, (words, links))) or "order of words"


def _added_gone(added: int, gone: int, noun: str) -> str:
    if added and gone:
        return f"{plural(added, noun)} added, {count(gone)} gone"
    return f"{plural(added, noun)} added" if added else f"{plural(gone, noun)} gone" if gone else ""


def _table(net: NetChange, rows: list[PageChange], total: int) -> Table:
    columns = [Column("when", whole=True), Column("page", width=100), Column("title", width=50, spare=True)]
    texts = [what(row) for row in rows]
    with_words = any(texts)
    if with_words:
        columns.append(Column("what", width=70, ours=True))
    lines = [
        (moment(row.at)[:16], readable(row.url), row.title, *((words,) if with_words else ()))
        for row, words in zip(rows, texts, strict=True)
    ]
    of = f"{count(len(rows))} of {count(total)}" if len(rows) < total else count(total)
    return Table(columns, lines, f"{TITLES[net]} ({of})")
