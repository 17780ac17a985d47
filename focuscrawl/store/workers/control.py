"""What operators want of a crawl: that it runs, waits or stops. Kept in the store, so that it holds over a restart and for
every worker; workers read it with each heartbeat."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum

import orjson

from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta

KEY = "control"
"""In `meta`: JSON of Control."""
HELD = "select distinct name from host where held=1"
REMOVED = """select l.hid, l.uid from lease l join url u on u.hid=l.hid and u.uid=l.uid
    where l.worker=? and u.state<>?"""


class WantedState(StrEnum):
    RUN = "run"
    PAUSE = "pause"
    STOP = "stop"


@dataclass(slots=True, frozen=True)
class Control:
    """The last word of an operator."""

    state: WantedState = WantedState.RUN
    at: float = 0.0
    """When it was said; 0: nobody has said anything yet."""
    by: str = ""
    """User and machine, as they were found."""


@dataclass(slots=True, frozen=True)
class Orders:
    """All that operators want, as far as it concerns one worker."""

    control: Control = Control()
    held: frozenset[str] = frozenset()
    """Host names that nothing may be asked of."""
    removed: frozenset[tuple[int, int]] = frozenset()
    """hid and uid of leased URLs of this worker that were removed since."""


def read_control(db: Database) -> Control:
    """`run` where nobody has said anything, and for what cannot be read."""
    try:
        values = orjson.loads(read_meta(db, KEY) or "{}")
        return Control(WantedState(values["state"]), float(values["at"]), str(values["by"]))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return Control()


def write_control(db: Database, wanted: WantedState, now: float, by: str) -> Control:
    """What was wanted until now. The same word again leaves time and author as they are."""
    before = read_control(db)
    if before.state is not wanted:
        set_meta(db, KEY, orjson.dumps(asdict(Control(wanted, now, by))).decode())
    return before


def read_orders(db: Database, worker: int) -> Orders:
    """For a worker's heartbeat. The hosts that are held are found by an index of those alone."""
    held = frozenset(name for (name,) in db.execute(HELD))
    removed = frozenset((hid, uid) for hid, uid in db.execute(REMOVED, (worker, int(State.LEASED))))
    return Orders(read_control(db), held, removed)
