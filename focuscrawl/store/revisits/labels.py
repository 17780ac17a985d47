"""What a person says of pages: a label holds for the stored page, whatever the page model says.

A label is of one topic and one URL. It also holds for pages that say the same (an original and its copies), unless they have a
label of their own. The labels of a topic are kept under `labels/TOPIC` in `meta`, so that every worker, recrawls and the
commands that explain know them without the topic's files. A verdict keeps the page model's relevance and threshold beside what
the label made of it: so a label that is taken back leaves the page as the model had judged it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import orjson

from focuscrawl.items import Verdict
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.engines.records import term_pairs
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.pages.verdicts import best_of, store_verdicts, topics_of, verdicts_of
from focuscrawl.store.revisits.later_verdicts import set_best
from focuscrawl.url.key import url_key

KEY = "labels/"
"""In `meta` before the topic's name, which is empty in a crawl of one topic."""
AT = "select page_id, url, coalesce(original, page_id) from page where hid=? and uid=?"
SAME_TEXT = "select url from page where page_id=? or original=? order by page_id"
VERDICT = "select relevance, relevant, threshold, terms, similarity, example from page where page_id=?"


@dataclass(slots=True, frozen=True)
class HeldLabels:
    """The labels of one topic, as the store keeps them."""

    given: Mapping[str, bool] = field(default_factory=dict)
    """By URL, the latest last: whether a person says that the page belongs to the topic."""
    copies: Mapping[str, str] = field(default_factory=dict)
    """The labelled URL by that of another page with the same text, which has no label of its own."""

    def by_url(self) -> dict[str, bool]:
        """What holds for each page, with those that say the same."""
        return {url: self.given[labelled] for url, labelled in self.copies.items()} | dict(self.given)


class _LabelledPage(NamedTuple):
    page_id: int
    url: str
    original: int
    """Its own number unless it is a copy."""


@dataclass(slots=True, frozen=True)
class PersonsLabel:
    """Why a person's word decides on a page."""

    relevant: bool
    of: str
    """URL of the page with the same text that was labelled; empty: the page itself was."""


def held_labels(db: Database, topic: str) -> HeldLabels:
    """The labels of a topic; none until `follow_labels` was called."""
    kept = read_meta(db, KEY + topic)
    return HeldLabels(**orjson.loads(kept)) if kept else HeldLabels()


def labels_by_url(db: Database, topic: str) -> dict[str, bool]:
    """What a person says of the pages of a topic."""
    return held_labels(db, topic).by_url()


def labels_on(db: Database, url: str) -> dict[str, PersonsLabel]:
    """What a person says of the page of this URL, by topic; under the empty name in a crawl of one."""
    found = {}
    for topic in topics_of(db) or ("",):
        held = held_labels(db, topic)
        of = url if url in held.given else held.copies.get(url)
        if of is not None:
            found[topic] = PersonsLabel(held.given[of], "" if of == url else of)
    return found


def follow_labels(db: Database, topic: str, given: Mapping[str, bool] | None, run: int, now: float) -> int:
    """Make these the labels of the topic, and let the verdicts of stored pages follow them; returns how many pages became
    relevant or irrelevant to the topic. Pages that join or leave the collection by that are in the log of changes.

    `given`: by URL, the latest last; None: those that the store has, because copies may have been stored since."""
    before = held_labels(db, topic)
    given = before.given if given is None else given
    if not given and not before.given:
        return 0
    held = HeldLabels(given, _copies(db, given))
    # Written first, so that of workers that begin at once one changes the pages, and the others find them changed.
    set_meta(db, KEY + topic, orjson.dumps({"given": held.given, "copies": held.copies}).decode())
    labels, hosts, changed = held.by_url(), HostChanges(), 0
    pages = {page.page_id: page.url for url in {**before.by_url(), **labels} if (page := _page_at(db, url))}
    for page_id, url in sorted(pages.items()):
        changed += _judge(db, page_id, topic, labels.get(url), run, now, hosts)
    hosts.write(db, now)
    return changed


def _page_at(db: Database, url: str) -> _LabelledPage | None:
    row = db.execute(AT, url_key(url).url_id).fetchone()
    return _LabelledPage(*row) if row else None


def _copies(db: Database, given: Mapping[str, bool]) -> dict[str, str]:
    """The pages without a label that say the same as a labelled one, which is named. Of several labelled ones the original
    decides, or else the one that was labelled last."""
    labelled = [page for url in given if (page := _page_at(db, url))]
    deciding = {page.original: page.url for page in sorted(labelled, key=lambda page: page.page_id == page.original)}
    return {
        url: by
        for original, by in deciding.items()
        for (url,) in db.execute(SAME_TEXT, (original, original))
        if url not in given
    }


def _judge(db: Database, page_id: int, topic: str, label: bool | None, run: int, now: float, hosts: HostChanges) -> bool:
    """Let the page's verdict follow its label, or without one the page model; returns whether it changed."""
    relevance, relevant, threshold, terms, similarity, example = db.execute(VERDICT, (page_id,)).fetchone()
    own = {"": Verdict(relevance, bool(relevant), threshold, term_pairs(terms), similarity)}
    verdicts = verdicts_of(db, page_id) if topic else own
    verdict = verdicts.get(topic)
    if verdict is None:
        return False  # it is judged for this topic later, with its label
    by_model = verdict.relevance >= verdict.threshold or (bool(example) and not topic)
    followed = replace(verdict, relevant=by_model if label is None else label)
    if followed == verdict:
        return False
    if topic:
        store_verdicts(db, page_id, {topic: followed})
    set_best(db, page_id, best_of(verdicts | {topic: followed}), run, now, hosts)
    return True
