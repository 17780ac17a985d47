"""Selects the pages of an export: the collection without the pages that filters leave out, which are counted by reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import floor
from typing import NamedTuple

from focuscrawl.errors import BadInput
from focuscrawl.export.since import PageSet
from focuscrawl.links.page_kind import KINDS
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.content import read_whole
from focuscrawl.store.pages.stored import StoredPage, pages_by_reason, stored_pages, stored_pages_of
from focuscrawl.store.revisits.change_log import NetChange, changes_of
from focuscrawl.text.language_labels import refuse_never_given
from focuscrawl.url.hosts import host_name
from focuscrawl.url.readable import readable_host

NEW, CHANGED, GONE = "new", "changed", "gone"
ANY = "any"
BATCH = 200
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*", re.IGNORECASE)
REASONS = {
    "irrelevant": "not relevant",
    "gone": "gone",
    "duplicate": "duplicate",
    "noindex": "noindex",
    "textless": "without text",
}
"""Why pages are not in the collection, in words for people."""


class Selected(NamedTuple):
    page: StoredPage
    change: str = ""
    """In an export since an earlier one: `NEW`, `CHANGED` or `GONE`; a page that is gone comes without its text."""


@dataclass(slots=True, frozen=True, kw_only=True)
class Filters:
    """Conditions on pages; the defaults accept all pages. Of several values of one filter, a page needs to match any."""

    kinds: Sequence[str] = ()
    languages: Sequence[str] = ()
    """BCP 47 tags; `zh` also matches `zh-Hans` and `zh-Hant`."""
    hosts: Sequence[str] = ()
    """Host names; the hosts below them match, too."""
    licences: Sequence[str] = ()
    """SPDX identifiers, with or without a version; `any` matches pages that name a licence."""
    min_words: int = 0
    min_relevance: float = 0.0
    min_quality: float = 0.0
    no_reserved: bool = False

    def refuses(self, page: StoredPage) -> str:
        """The option that leaves a page out; empty if none does."""
        checks = (
            ("--host", not self.hosts or _below(page.url, self.hosts)),
            ("--kind", not self.kinds or page.kind in self.kinds),
            ("--language", not self.languages or any(is_language(page.language, wanted) for wanted in self.languages)),
            ("--min-relevance", page.relevance >= self.min_relevance),
            ("--min-quality", page.quality >= self.min_quality),
            ("--licence", not self.licences or any(licensed(page.licence, wanted) for wanted in self.licences)),
            # What the owner of a page reserves is known once it was read whole.
            ("--no-reserved", not self.no_reserved or bool(page.extractor and not page.reserved)),
            ("--min-words", not self.min_words or words_of(page) >= self.min_words),
        )
        return next((option for option, passed in checks if not passed), "")


MEASURED: dict[str, Callable[[StoredPage], float]] = {
    "--min-relevance": lambda page: page.relevance,
    "--min-quality": lambda page: page.quality,
    "--min-words": lambda page: words_of(page),
}
NAMED: dict[str, Callable[[StoredPage], str]] = {
    "--host": lambda page: readable_host(host_name(page.url)),
    "--language": lambda page: page.language,
    "--licence": lambda page: page.licence,
}
"""What the page has of what a filter asks for, as a number or a name."""
MOST_NAMED = 5


class Nearest:
    """What the pages have that filters leave out: it shows what would have passed, where nothing does."""

    def __init__(self) -> None:
        self._most: dict[str, float] = {}
        self._named: dict[str, Counter[str]] = {}

    def see(self, option: str, page: StoredPage) -> None:
        """Note what a page has that this option leaves out."""
        if measure := MEASURED.get(option):
            self._most[option] = max(measure(page), self._most.get(option, 0.0))
        elif name := NAMED.get(option):
            self._named.setdefault(option, Counter())[name(page)] += 1

    def in_words(self) -> list[str]:
        """For each option the value that keeps a page, or the values that pages have."""
        clauses = [f"{option} {floor(1000 * most) / 1000:g} keeps one" for option, most in self._most.items()]
        for option, values in self._named.items():
            some = [f"{value or 'none known'} ({count})" for value, count in values.most_common(MOST_NAMED)]
            more = f" and {len(values) - MOST_NAMED} more" if len(values) > MOST_NAMED else ""
            clauses.append(f"left out by {option} were {', '.join(some)}{more}")
        return clauses


def kinds_named(names: Sequence[str]) -> tuple[str, ...]:
    """The kinds of pages, checked; empty for `any`. Raises BadInput for an unknown kind."""
    for name in names:
        if name not in (*KINDS, ANY):
            raise BadInput(f"--kind {name!r} is not a kind of page; use {', '.join(KINDS)} or {ANY}")
    return () if ANY in names else tuple(names)


def languages_named(names: Sequence[str]) -> tuple[str, ...]:
    """The language tags, checked. Raises BadInput for an invalid tag, and for one that no page gets."""
    for name in names:
        if not _LANGUAGE.fullmatch(name):
            raise BadInput(f"--language {name!r} is not a language tag; use one such as en, zh or zh-Hant")
        try:
            refuse_never_given(name)
        except ValueError as error:
            raise BadInput(f"--language: {error}") from None
    return tuple(names)


def is_language(language: str, wanted: str) -> bool:
    """Whether a language tag is `wanted` or one below it (RFC 4647, basic filtering)."""
    tag, prefix = language.lower(), wanted.lower()
    return tag == prefix or tag.startswith(prefix + "-")


def licensed(licence: str, wanted: str) -> bool:
    """Whether a licence is the wanted one: `CC-BY` matches `CC-BY-4.0` and `CC-BY-3.0-DE`, but not `CC-BY-SA-4.0`."""
    if wanted.lower() == ANY:
        return bool(licence)
    name, prefix = licence.lower(), wanted.lower()
    return name == prefix or (name.startswith(prefix + "-") and name[len(prefix) + 1 : len(prefix) + 2].isdigit())


def words_of(page: StoredPage) -> int:
    """Number of words of the main text, which for a page that was not read whole are counted now."""
    if page.words or page.extractor or not page.text:
        return page.words
    from focuscrawl.text.language_labels import code
    from focuscrawl.text.quality import assess

    return assess(page.text.split("\n"), code(page.language)).words


class Selection:
    """An iterator over pages of a crawl, which counts the pages that it leaves out.

    Without `everything` these are the pages of the collection: relevant, no duplicates, to be indexed, not gone, with a
    text."""

    def __init__(
        self, db: Database, filters: Filters, *, everything: bool = False, topic: str = "", since: float | None = None,
        until: float = 0.0, had: PageSet | None = None, waiting: PageSet | None = None, anew: bool = False,
    ) -> None:  # fmt: skip
        """Args:
        db: The crawl's store.
        filters: Conditions on each page.
        everything: All pages with status 200.
        topic: Pages for this topic, in a crawl of several.
        since: Only pages that have changed from then on, before `until`. Pages that have left the collection, or do not pass
            the filters any more, come as `GONE`.
        had: The pages that the destination has, updated here. Without `since`, all pages are `NEW`. None if not known: pages
            that do not pass the filters are then `GONE`, whether they ever did or not.
        waiting: The pages that were not read whole yet when an earlier export came to them, updated here. Those that were read
            since come once more.
        anew: Pages were chosen otherwise before, so that those that have not changed since may be new there, or gone.
        """
        self._db, self._filters, self._everything, self._topic = db, filters, everything, topic
        self._since, self._until, self._had, self._waiting, self._anew = since, until, had, waiting, anew
        self._seen = PageSet()
        """The pages that have changed, or were read whole since."""
        self.left_out: Counter[str] = Counter()
        """Numbers of pages left out, by the names in `REASONS` or by option."""
        self.nearest = Nearest()
        """What the pages have that were left out before the first one passed."""
        self._passed = False

    def __iter__(self) -> Iterator[Selected]:
        if self._since is not None:
            yield from self._changed(self._since)
            yield from self._chosen_anew(self._had) if self._anew and self._had is not None else ()
            return
        if not self._everything:
            self.left_out.update({reason: count for reason, count in pages_by_reason(self._db, self._topic).items() if reason})
        for page in stored_pages(self._db, everything=self._everything, topic=self._topic):
            self._note(page, True)
            if self._passes(page):
                yield self._there(page, NEW) if self._had is not None else Selected(page)

    def _passes(self, page: StoredPage) -> bool:
        """Whether the page is to be exported; if not, the reason is counted."""
        refused = self._filters.refuses(page)
        if refused and not self._passed:
            self.nearest.see(refused, page)
        if not refused and not self._everything and not page.text.strip():
            refused = "textless"
        if refused:
            self.left_out[refused] += 1
            return False
        self._passed = True
        return True

    def _changed(self, since: float) -> Iterator[Selected]:
        """The pages that have changed since then, except those that may be gone, of which a later export will know."""
        changes = changes_of(self._db, since, self._until, everything=self._everything)
        confirmed = (change for change in changes if change.net is not NetChange.SUSPECT)
        while batch := list(islice(confirmed, BATCH)):
            found = stored_pages_of(self._db, [change.page_id for change in batch], self._topic)
            for change in batch:
                page = found.get(change.page_id)
                if page is None:
                    continue
                there = change.net is not NetChange.GONE and self._on_topic(page)
                self._note(page, there)
                yield from self._offered(page, there, change.net)
        waiting = iter(self._waiting or ())
        while page_ids := list(islice(waiting, BATCH)):
            for page in stored_pages_of(self._db, read_whole(self._db, page_ids), self._topic).values():
                there = self._on_topic(page)
                self._note(page, there)
                yield from self._offered(page, there, NetChange.CHANGED)

    def _chosen_anew(self, had: PageSet) -> Iterator[Selected]:
        """The pages that have not changed, but pass the filters for the first time, or no longer."""
        stored = stored_pages(self._db, everything=self._everything, topic=self._topic)
        for page in (page for page in stored if page.page_id not in self._seen):
            self._note(page, True)
            if page.page_id not in had or self._filters.refuses(page):
                yield from self._offered(page, True, NetChange.NEW)
            self._seen.set(page.page_id, True)
        left = (page_id for page_id in had if page_id not in self._seen)
        while page_ids := list(islice(left, BATCH)):
            for page in stored_pages_of(self._db, page_ids, self._topic).values():
                yield from self._offered(page, False, NetChange.NEW)

    def _on_topic(self, page: StoredPage) -> bool:
        """Whether a page that has not left the collection is for the topic that was asked for."""
        return not self._topic or page.relevant or self._everything

    def _offered(self, page: StoredPage, there: bool, net: NetChange) -> Iterator[Selected]:
        """The page as the destination is to hear of it, if it is to. `there`: whether it is in the collection."""
        self._seen.set(page.page_id, True)
        if there and self._passes(page):
            yield self._there(page, CHANGED if net is NetChange.CHANGED else NEW)
        elif self._may_be_there(page, net):
            if self._had is not None:
                self._had.set(page.page_id, False)
            yield Selected(replace(page, text="", outline=()), GONE)

    def _note(self, page: StoredPage, there: bool) -> None:
        """Note whether this page, if it is in the collection, is still to be read whole."""
        if self._waiting is not None:
            self._waiting.set(page.page_id, there and not page.extractor)

    def _may_be_there(self, page: StoredPage, net: NetChange) -> bool:
        """Whether the destination may have this page. If its pages are not known, it may have any page that is not new."""
        return page.page_id in self._had if self._had is not None else net is not NetChange.NEW

    def _there(self, page: StoredPage, change: str) -> Selected:
        """A page that the destination is to have. `change`: used if it is not known which pages the destination has."""
        if self._had is not None:
            change = CHANGED if page.page_id in self._had else NEW
            self._had.set(page.page_id, True)
        return Selected(page, change)


def _below(url: str, hosts: Sequence[str]) -> bool:
    name = host_name(url)
    return any(name == host or name.endswith("." + host) for host in hosts)
