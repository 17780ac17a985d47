"""The log of what has changed: rows of the table `change`, written with the commit that saw it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from focuscrawl.store.database import Database

INSERT = """insert into change(at, run, kind, hid, uid, pid, url, distance, version, detail)
    values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class Kind(StrEnum):
    """What has happened to a page of the collection."""

    NEW = "new"
    CHANGED = "changed"
    SUSPECT = "suspect"
    GONE = "gone"
    MOVED = "moved"
    BACK = "back"


@dataclass(slots=True, frozen=True)
class Happened:
    """One row. `distance`, `version`, `detail`: see `store.recrawl_schema`."""

    kind: Kind
    distance: int = 0
    version: int = 0
    detail: str = ""


def record(db: Database, at: float, run: int, page: tuple[int, int, int, str], happened: Happened) -> None:
    """`page`: hid, uid, pid and URL."""
    db.execute(INSERT, (at, run, happened.kind.value, *page, happened.distance, happened.version, happened.detail))
