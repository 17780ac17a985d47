"""How fresh is one page: when it was looked at and how, how often it changes, when it is looked at next and why."""

from __future__ import annotations

from dataclasses import asdict

from focuscrawl.frontier.states import State
from focuscrawl.recrawl.change import MATERIAL
from focuscrawl.recrawl.gone import Gone, state_of
from focuscrawl.recrawl.state import Visit
from focuscrawl.report.causes import cause
from focuscrawl.report.next_visit import WOKEN, has_failed, next_visit, resting
from focuscrawl.report.plain import count, moment, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.explain import PageFacts, UrlFacts
from focuscrawl.store.freshness import Freshness
from focuscrawl.store.versions import Version

HOW: dict[str, str] = {
    "304": "the server answered 304: not modified",
    "headers": "its headers were those of the stored version, so the body was not read",
    "unread": "the body was not read, for nothing had changed",
    "body": "its body was read",
    "gone": "nothing was found there{answer}",
    "moved": "it had moved for good{answer}",
}
GONE: dict[Gone, str] = {
    Gone.SUSPECT: "It may be gone: {visits} found nothing there, the first at {since}{exported}.",
    Gone.GONE: "It is gone, since {since}: it is in no export any more.",
    Gone.MOVED: "It has moved for good, since {since}: it is in no export any more.",
}


def gone_words(freshness: Freshness | None, page: PageFacts | None = None) -> str:
    """A sentence where a page is not simply there; else empty."""
    state = state_of(freshness.visit) if freshness else Gone.LIVE
    if freshness is None or state is Gone.LIVE:
        return ""
    visit = freshness.visit
    visits = "a visit" if visit.gone == 1 else f"{count(visit.gone)} visits in a row"
    exported = "; it is exported until that is confirmed" if page and is_exported(page) else ""
    return GONE[state].format(visits=visits, since=moment(visit.gone_at), exported=exported)


def is_exported(page: PageFacts) -> bool:
    """As long as it is not gone."""
    return page.relevant and not page.noindex and not page.duplicate_of


def kept_words(freshness: Freshness | None, page: PageFacts | None) -> str:
    """What becomes of a stored page whose visits say nothing or find nothing; empty where none is stored, or it is gone."""
    if freshness is None or page is None or state_of(freshness.visit) >= Gone.GONE:
        return ""
    exported = " and exported" if is_exported(page) else ""
    return f"; the stored version of {moment(page.fetched_at)} is kept{exported}"


def freshness_parts(
    freshness: Freshness | None, entry: UrlFacts | None, now: float, policy: str = "optimal"
) -> list[str | Table]:
    """The record of what was fetched or asked for, and its former versions. `policy`: the setting RECRAWL_POLICY."""
    if freshness is None or entry is None or not (freshness.visit.checked_at or freshness.visit.first_at):
        return []
    rows = _rows(freshness.visit, entry, now, policy)
    parts: list[str | Table] = [Table([Column(""), Column("", width=180)], rows, "Freshness")]
    if freshness.versions:
        parts.append(versions_table(freshness.versions))
    return parts


def _rows(visit: Visit, entry: UrlFacts, now: float, policy: str) -> list[tuple[str, str]]:
    rows = [("first fetched" if visit.checked_at else "first asked for", moment(visit.first_at))]
    if visit.checked_at:
        rows.append(("last looked at", f"{moment(visit.checked_at)}: {_looked(visit, entry)}"))
    if has_failed(visit, entry):
        rows.append(("last try", _failure(entry)))
    if visit.gone:
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
    """Of the last visit. While another one is on the way, the error may be that of its last try."""
    words = cause(entry.error).words if entry.error else f"it redirects ({entry.status}), which may be for a time only"
    return f"it could not be looked at: {words}"


def _found_gone(visit: Visit) -> str:
    state = state_of(visit)
    if state is Gone.SUSPECT:
        return f"first at {moment(visit.gone_at)}, by {plural(visit.gone, 'visit')} so far"
    return f"{'moved' if state is Gone.MOVED else 'first'} at {moment(visit.gone_at)}, and still at {moment(visit.checked_at)}"


def _changed(visit: Visit, entry: UrlFacts) -> str:
    if visit.visits:
        return f"on {count(visit.changes)} of {plural(visit.visits, 'visit')} by more than {MATERIAL} bits"
    if visit.gone:
        return "no visit has found it there again"
    return "no visit has seen it again" if has_failed(visit, entry) else "not visited again yet"


def _looked(visit: Visit, entry: UrlFacts) -> str:
    """What the last visit found that said something."""
    found = HOW[how(visit, entry)]
    known = not has_failed(visit, entry) and entry.state not in WOKEN and entry.status  # else it is another visit's
    soft = known and entry.status == 200 and entry.error
    answer = f": the server answered {entry.status}" if known and not soft else ""
    return found.format(answer=f": {cause(entry.error).words}" if soft else answer)


def how(visit: Visit, entry: UrlFacts) -> str:
    """What told the last visit that said something: `304`, `headers` or `body`; `unread` where a later failure hides which of
    the first two; `gone` or `moved` when there was no page."""
    if visit.gone:
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
    """The latest first."""
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


def freshness_json(freshness: Freshness, entry: UrlFacts | None) -> dict[str, object]:
    """The record for programs: times in seconds, rates per day."""
    visit, values = freshness.visit, asdict(freshness)
    for name in ("hid", "uid", "words"):
        del values["visit"][name]
    values["visit"]["mark"] = f"{visit.mark:016x}"
    values["state"] = state_of(visit).name.lower()
    values["how"] = how(visit, entry) if entry else "body"
    values["changes_per_day"] = visit.shape / visit.exposure if visit.exposure > 0 else None
    return values
