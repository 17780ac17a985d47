"""Do all workers of a crawl judge pages by the same topic? One that comes with another definition of it may not start beside
them: its topic would judge the pages that are stored by then, theirs would go on to judge those that come, and nobody would
judge these again."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.workers.runs import object_of
from focuscrawl.store.workers.status import RUNNING, OccupiedError, roster, running_process

DEFINITIONS = "topics of run "
"""Prefix of a key in `meta`; the number of the run follows."""


class OtherTopicError(OccupiedError):
    """Another worker judges pages by another topic."""


def note_topics(db: Database, run: int, definitions: Mapping[str, str]) -> None:
    """Note by which definition of each topic, by its name, the worker of a run judges pages. The name is empty in a crawl of
    one topic."""
    set_meta(db, f"{DEFINITIONS}{run}", orjson.dumps(dict(definitions)).decode())


def check_topics(db: Database, definitions: Mapping[str, str], now: float) -> None:
    """Raises OtherTopicError if a running worker judges pages by another definition of one of these topics. `now`: as
    `store_now` gives it. Two that start at the same moment see each other as by `status.check_alone`."""
    for worker in roster(db, now):
        if worker.health in RUNNING:
            theirs = object_of(read_meta(db, f"{DEFINITIONS}{worker.run}") or "")
            if any(theirs.get(name, own) != own for name, own in definitions.items()):
                raise OtherTopicError(running_process(db, worker))
