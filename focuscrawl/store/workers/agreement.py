"""Do all workers of a crawl judge pages by the same topic and page model, follow the same links, and order them alike? One that
says something else may not start beside them. It would judge the pages that are stored by then again, and queue the links that
they had refused; the others would go on to judge and refuse as before, and no later run would find out. Verdicts of two page
models are on different scales, and so are priorities of two order strategies, or of one with other weights, by which no common
queue can be sorted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import orjson

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.workers.runs import object_of
from focuscrawl.store.workers.status import RUNNING, OccupiedError, RunningProcess, roster, running_process

LINKS, MODEL, ORDER, TOPIC = "links", "page model", "order", "topic "
"""What workers agree on: which links are followed, what judges pages, what orders URLs, and each topic, by its name; that is
empty in a crawl of one topic."""
AGREED = "agreed on by run "
"""Prefix of a key in `meta`; the number of the run follows."""
FORGET_ENDED = f"""delete from meta where key like ?
    and cast(substr(key, {len(AGREED) + 1}) as integer) not in (select run from worker where state='live')"""


class DisagreementError(OccupiedError):
    """Another worker goes by something else."""

    def __init__(self, worker: RunningProcess, on: str) -> None:
        super().__init__(worker)
        self.on = on


def note_agreed(db: Database, run: int, says: Mapping[str, str]) -> None:
    """Note what the worker of a run goes by, in place of what those went by that have ended."""
    db.execute(FORGET_ENDED, (f"{AGREED}%",))
    set_meta(db, f"{AGREED}{run}", orjson.dumps(_digests(says)).decode())


def check_agreed(db: Database, says: Mapping[str, str], now: float) -> None:
    """Raises DisagreementError if a running worker goes by something else than this. What only one of the two says does not
    count. `now`: as `store_now` gives it. Two that start at the same moment see each other as by
    `status.check_alone`."""
    own = _digests(says)
    for worker in roster(db, now):
        if worker.health in RUNNING:
            theirs = object_of(read_meta(db, f"{AGREED}{worker.run}") or "")
            for on in own.keys() & theirs.keys():
                if own[on] != theirs[on]:
                    raise DisagreementError(running_process(db, worker), on)


def _digests(says: Mapping[str, str]) -> dict[str, str]:
    return {on: hashlib.blake2b(text.encode(), digest_size=16).hexdigest() for on, text in says.items()}
