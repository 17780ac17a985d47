"""The freshness of one page: when and how it was revisited, how often it changes, when it is revisited next and why;
and what is different between two versions of it."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TextIO

from focuscrawl.frontier.lanes import is_lifted
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import FEED
from focuscrawl.recrawl.diff import DiffPiece
from focuscrawl.recrawl.gone import LONGEST_DELAY, Gone, state_of
from focuscrawl.recrawl.state import DAY, MATERIAL, RevisitRecord
from focuscrawl.report.plain import count, duration, moment, one_line, plural, printable
from focuscrawl.report.reasons import cause
from focuscrawl.report.table import Column, Table
from focuscrawl.store.explain import PageFacts, UrlFacts
from focuscrawl.store.revisits.revisit_rows import RevisitHistory
from focuscrawl.store.revisits.versions import Version, VersionDiff

# --- when a page is revisited next, and why then ---------------------------------------------------------------------------

WOKEN = (State.QUEUED, State.LEASED, State.WAIT)
"""States of a URL that a recrawl is about to revisit."""
NEXT: dict[Gone, str] = {
    Gone.SUSPECT: "to see whether it is gone",
    Gone.GONE: "to see whether it is back",
    Gone.MOVED: "to see whether it still redirects",
    Gone.REMOVED: "because an operator takes it back",
}
FAILED = "a quarter of the time since it was last seen, 1 to 30 days, after the last try, which said nothing about the page"
"""The next revisit after a failed one, as `recrawl.gone.failed` plans it."""
CRASHED = f"{LONGEST_DELAY / DAY:.0f} days after the crawler stopped for the third time while it read it"
"""The next revisit of a page that crashed the crawler, as `store.frontier.lease_ends` plans it."""
BY_POLICY: dict[str, str] = {
    "uniform": "as every page (RECRAWL_POLICY uniform){period}",
    "batch": "at the beginning of a round, when all pages are due (RECRAWL_POLICY batch){period}",
    "nutch": "by its own period, shorter after each change and longer after a visit without (RECRAWL_POLICY nutch){period}",
    "similarity": "by its own period, longer the more alike its versions are (RECRAWL_POLICY similarity){period}",
}
"""When a page is revisited under each policy that does not weigh pages."""
PERIODS: dict[str, str] = {"uniform": "once in {}", "batch": "rounds of {}"}
MARKS = {"removed": ("[-", "-]"), "added": ("{+", "+}"), "kept": ("", "")}
STYLES = {"removed": "red strike", "added": "green", "kept": ""}


def resting(visit: RevisitRecord, entry: UrlFacts) -> State:
    """The state of the URL after its last ended visit, whether a recrawl is about to revisit it or not."""
    return State(visit.rest) if entry.state in WOKEN else entry.state


def has_failed(visit: RevisitRecord, entry: UrlFacts) -> bool:
    """Whether the last visit said nothing about the page: no answer, an error, robots.txt, a temporary redirect, or anything
    while most requests to its host failed. (A page that was missing before is assumed to be still missing.)"""
    state = resting(visit, entry)
    if state is State.FILTERED:
        return entry.error != REMOVED
    if state is State.REDIR:
        return state_of(visit) is not Gone.MOVED
    return state in (State.FAILED, State.DENIED) or (state is State.GONE and state_of(visit) is Gone.LIVE)


def next_visit(visit: RevisitRecord, entry: UrlFacts, now: float, policy: str = "optimal") -> str:
    """When the page is revisited next, and why then. `policy`: the setting RECRAWL_POLICY."""
    if entry.state is State.FILTERED and entry.error == REMOVED:
        return "never, for an operator removed it; `scrapy frontier add` takes it back"
    if is_lifted(entry.priority) and entry.state in WOKEN:
        when = "in this run"
    elif visit.due_at <= now:
        when = f"due since {moment(visit.due_at)}"
    else:
        when = f"{moment(visit.due_at)} (in {duration(visit.due_at - now)})"
    return f"{when}, {_why(visit, entry, policy)}"


def _why(visit: RevisitRecord, entry: UrlFacts, policy: str) -> str:
    state = state_of(visit)
    if visit.asked_for:
        return "because an operator asked for it (`scrapy frontier add`)"
    if resting(visit, entry) is State.FAILED and entry.error == "crash":
        return CRASHED
    if has_failed(visit, entry):
        return FAILED
    if state is not Gone.LIVE:
        return NEXT[state]
    if policy in BY_POLICY:
        period = PERIODS.get(policy, "{} now").format(duration(visit.period * DAY)) if visit.period > 0 else ""
        return BY_POLICY[policy].format(period=f": {period}" if period else "")
    return _by_value(visit)


def _by_value(visit: RevisitRecord) -> str:
    if visit.signal > 0 and visit.signal_at > visit.checked_at:
        source = "feed" if visit.signal_kind == FEED else "sitemap"
        return f"earlier, because a {source} says that it changed at {moment(visit.signal_at)}"
    rate = "by how often it changes" if visit.visits else "by how often pages of its site change"
    hub = f", {visit.hub:.2f} of it for the new pages that it leads to" if visit.hub >= 0.005 else ""
    period = f", {duration(visit.period * DAY)} after the last one" if visit.period > 0 else ""
    return f"{rate} and what it is worth ({visit.weight:.2f}{hub}){period}"


HOW: dict[str, str] = {
    "304": "the server answered 304: not modified",
    "headers": "its headers were those of the stored version, so the body was not read",
    "unread": "the body was not read, because nothing had changed",
    "body": "its body was read",
    "gone": "nothing was found there{answer}",
    "moved": "it had moved for good{answer}",
}
GONE: dict[Gone, str] = {
    Gone.SUSPECT: "It may be gone: {visits} found nothing there, the first at {since}{exported}.",
    Gone.GONE: "It is gone, since {since}: it is in no export any more.",
    Gone.MOVED: "It has moved for good, since {since}: it is in no export any more.",
    Gone.REMOVED: "An operator took it out of the collection at {since}: it is in no export any more.",
}


def gone_words(freshness: RevisitHistory | None, page: PageFacts | None = None) -> str:
    """A sentence on a page that is gone, has moved or may be gone; empty for any other."""
    state = state_of(freshness.revisit) if freshness else Gone.LIVE
    if freshness is None or state is Gone.LIVE:
        return ""
    visit = freshness.revisit
    visits = "a visit" if visit.gone == 1 else f"{count(visit.gone)} visits in a row"
    exported = "; it is exported until that is confirmed" if page and is_exported(page) else ""
    return GONE[state].format(visits=visits, since=moment(visit.gone_at), exported=exported)


def is_exported(page: PageFacts) -> bool:
    """Whether the page is part of an export, as long as it is not gone."""
    return page.relevant and not page.noindex and not page.duplicate_of


def kept_words(freshness: RevisitHistory | None, page: PageFacts | None) -> str:
    """What becomes of the stored version of a page whose visits fail or find nothing; empty if no version is stored, or the
    page is gone."""
    if freshness is None or page is None or state_of(freshness.revisit) >= Gone.GONE:
        return ""
    exported = " and exported" if is_exported(page) else ""
    return f"; the stored version of {moment(page.fetched_at)} is kept{exported}"


def freshness_parts(
    freshness: RevisitHistory | None, entry: UrlFacts | None, now: float, policy: str = "optimal"
) -> list[str | Table]:
    """Tables of the revisits of a page, or of a URL that was asked for, and of its former versions. `policy`: the setting
    RECRAWL_POLICY."""
    if freshness is None or entry is None or not (freshness.revisit.checked_at or freshness.revisit.first_at):
        return []
    rows = _rows(freshness.revisit, entry, now, policy)
    parts: list[str | Table] = [Table([Column("", ours=True), Column("", width=180, ours=True)], rows, "Freshness")]
    if freshness.versions:
        parts.append(versions_table(freshness.versions))
    return parts


def _rows(visit: RevisitRecord, entry: UrlFacts, now: float, policy: str) -> list[tuple[str, str]]:
    rows = [("first fetched" if visit.checked_at else "first asked for", moment(visit.first_at))]
    if visit.checked_at:
        rows.append(("last visited", f"{moment(visit.checked_at)}: {_looked(visit, entry)}"))
    if has_failed(visit, entry):
        rows.append(("last try", _failure(entry)))
    if state_of(visit) is Gone.REMOVED:
        rows.append(("taken out by an operator", moment(visit.gone_at)))
    elif visit.gone:
        rows.append(("found gone", _found_gone(visit)))
    if visit.unread:
        rows.append(("its body was last read", f"{moment(visit.read_at)}; {plural(visit.unread, 'visit')} since without it"))
    elif visit.gone and visit.read_at:
        rows.append(("its body was last read", moment(visit.read_at)))
    if visit.changed_at:
        rows.append(("last change that was seen", moment(visit.changed_at)))
    if visit.checked_at:
        rows.append(("changed", _changed(visit, entry)))
    if visit.exposure > 0:
        rows.append(("changes, as estimated", every(visit.exposure / visit.shape) if visit.shape else "never"))
    if visit.due_at:
        rows.append(("next visit", next_visit(visit, entry, now, policy)))
    return rows


def _failure(entry: UrlFacts) -> str:
    """Why the last visit failed. While another one is under way, the error may be that of its last try."""
    words = cause(entry.error).words if entry.error else f"it redirects ({entry.status}), which may be for a time only"
    return f"it could not be visited: {words}"


def _found_gone(visit: RevisitRecord) -> str:
    state = state_of(visit)
    if state is Gone.SUSPECT:
        return f"first at {moment(visit.gone_at)}, by {plural(visit.gone, 'visit')} so far"
    return f"{'moved' if state is Gone.MOVED else 'first'} at {moment(visit.gone_at)}, and still at {moment(visit.checked_at)}"


def _changed(visit: RevisitRecord, entry: UrlFacts) -> str:
    if visit.visits:
        return f"on {count(visit.changes)} of {plural(visit.visits, 'visit')} by more than {MATERIAL} bits"
    if visit.gone and state_of(visit) is not Gone.REMOVED:
        return "no visit has found it there again"
    return "no visit has seen it again" if has_failed(visit, entry) else "not visited again yet"


def _looked(visit: RevisitRecord, entry: UrlFacts) -> str:
    """What the last visit that did not fail found."""
    found = HOW[how(visit, entry)]
    known = (
        not has_failed(visit, entry) and entry.state not in WOKEN and entry.status
    )  # else the status is that of a later visit
    soft = known and entry.status == 200 and entry.error
    answer = f": the server answered {entry.status}" if known and not soft else ""
    return found.format(answer=f": {cause(entry.error).words}" if soft else answer)


def how(visit: RevisitRecord, entry: UrlFacts) -> str:
    """How the last visit that did not fail learned its result: `304`, `headers` or `body`; `unread` if a later failure hides
    which of the first two it was; `gone` or `moved` if there was no page."""
    if visit.gone and state_of(visit) is not Gone.REMOVED:
        return "moved" if state_of(visit) is Gone.MOVED else "gone"
    if not visit.unread:
        return "body"
    hidden = has_failed(visit, entry) or resting(visit, entry) is State.GONE
    return "unread" if hidden else {304: "304", 200: "headers"}.get(entry.status, "unread")


def every(days: float) -> str:
    """`about every 9 days`."""
    for size, name in ((365.25, "year"), (1.0, "day"), (1 / 24, "hour"), (1 / 1440, "minute")):
        number = round(days / size)
        if number > 1 or (number == 1 and name != "year"):
            return (
                f"about every {count(number)} {name}s" if number > 1 else f"about once {'an' if name == 'hour' else 'a'} {name}"
            )
    return "all the time"


def versions_table(versions: tuple[Version, ...]) -> Table:
    """A table of former versions, the latest first."""
    rows = [
        (
            str(version.number), moment(version.read_at), moment(version.replaced_at), str(version.distance),
            f"+{count(version.words_added)} -{count(version.words_gone)}",
            f"+{count(len(version.links_added))} -{count(len(version.links_gone))}", version.title,
        )
        for version in reversed(versions)
    ]  # fmt: skip
    columns = [
        Column("version", True), Column("read", whole=True, spare=True), Column("replaced", whole=True), Column("bits", True),
        Column("words", True), Column("links", True), Column("title", width=40, spare=True),
    ]  # fmt: skip
    return Table(columns, rows, "Former versions, and what changed then (--diff shows it)")


def freshness_json(freshness: RevisitHistory, entry: UrlFacts | None) -> dict[str, object]:
    """The freshness of a page as plain values, for programs; times are epoch seconds, rates are per day."""
    visit, values = freshness.revisit, asdict(freshness)
    for name in ("hid", "uid", "signature_digest"):
        del values["revisit"][name]
    values["revisit"]["signature_simhash"] = f"{visit.signature_simhash:016x}"
    values["state"] = state_of(visit).name.lower()
    values["how"] = how(visit, entry) if entry else "body"
    values["changes_per_day"] = visit.shape / visit.exposure if visit.exposure > 0 else None
    return values


def head_of(diff: VersionDiff) -> str:
    """A sentence on which versions are compared, with their titles if these differ."""
    following = f"version {diff.following}" if diff.following else "the stored version"
    text = f"From version {diff.number} to {following}"
    if diff.old_title != diff.new_title:
        text += f"; its title was “{one_line(diff.old_title, 80)}”, then “{one_line(diff.new_title, 80)}”"
    return text + (":" if diff.pieces else ". The main text is the same.")


def show_diff(diff: VersionDiff, out: TextIO) -> None:
    """Print a diff, in color if `out` is a terminal and NO_COLOR is not set."""
    colored = out.isatty() and not os.environ.get("NO_COLOR")
    if not colored:
        out.write(f"{head_of(diff)}\n\n{''.join(map(_marked, diff.pieces))}".rstrip() + "\n")
        out.flush()
        return
    from rich.console import Console
    from rich.text import Text

    text = Text.assemble(*((printable(piece.text), STYLES[piece.kind]) for piece in diff.pieces))
    console = Console(file=out, highlight=False)
    console.print(Text(head_of(diff) + "\n"))
    console.print(text, end="")


def _marked(piece: DiffPiece) -> str:
    """The text of a piece between its marks, with the line ends at its end after the closing mark."""
    start, end = MARKS[piece.kind]
    text = printable(piece.text)
    bare = text.rstrip("\n")
    return start + bare + end + text[len(bare) :]
