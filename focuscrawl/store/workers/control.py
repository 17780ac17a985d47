"""What operators want of a crawl: that it runs, waits or stops. It is in the store, so that it holds for every worker and after
a restart; workers read it with each heartbeat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import orjson

from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta

KEY = "control"
"""Key in `meta`: a Control as JSON."""
ADDED = "added by an operator"
"""Key in `meta`: when an operator queued URLs last (`store.frontier.operator_changes.add`)."""
HELD = "select name, origin from host where held=1"
REMOVED = """select l.hid, l.uid from lease l join url u on u.hid=l.hid and u.uid=l.uid
    where l.worker=? and u.state<>?"""


class WantedState(StrEnum):
    RUN = "run"
    PAUSE = "pause"
    STOP = "stop"


@dataclass(slots=True, frozen=True)
class Control:
    """The last order of an operator."""

    state: WantedState = WantedState.RUN
    at: float = 0.0
    """When it was given; 0: none was."""
    by: str = ""
    """User and machine of the operator."""


@dataclass(slots=True, frozen=True)
class Orders:
    """All orders of operators that concern one worker."""

    control: Control = Control()
    held: frozenset[str] = frozenset()
    """Names of hosts that must not be asked."""
    held_origins: frozenset[str] = frozenset()
    """Their origins."""
    removed: frozenset[tuple[int, int]] = frozenset()
    """(hid, uid) of URLs that were removed while this worker held a lease on them."""
    added: str = ""
    """Another text whenever URLs were queued, among them such as had been put aside."""


def read_control(db: Database) -> Control:
    """The last order; `run` if there is none, or if it cannot be read."""
    try:
        values = orjson.loads(read_meta(db, KEY) or "{}")
        return Control(WantedState(values["state"]), float(values["at"]), str(values["by"]))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return Control()


def write_control(db: Database, wanted: WantedState, now: float, by: str) -> Control:
    """Store an order, and return the one before. The same order again changes neither its time nor its author."""
    before = read_control(db)
    if before.state is not wanted:
        set_meta(db, KEY, orjson.dumps(Control(wanted, now, by)).decode())
    return before


def read_orders(db: Database, worker: int) -> Orders:
    """The orders for a worker, read with each heartbeat. An index of held hosts makes that cheap."""
    held = db.execute(HELD).fetchall()
    removed = frozenset((hid, uid) for hid, uid in db.execute(REMOVED, (worker, int(State.LEASED))))
    names, origins = (frozenset(values) for values in zip(*held, strict=True)) if held else (frozenset(), frozenset())
    return Orders(read_control(db), names, origins, removed, read_meta(db, ADDED) or "")
