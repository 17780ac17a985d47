"""What is due and what has changed, day by day: counts by the indexes of time alone. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from focuscrawl.store.engines.database import Database

DUE = "select count(*) from revisit where due_at>? and due_at<=?"
CHANGED = "select kind, count(*) from change where at>? and at<=? group by kind"


def due_between(db: Database, edges: Sequence[float]) -> list[int]:
    """URLs whose next visit is due behind an edge and not behind the next: pages, sitemaps and feeds."""
    return [int(db.execute(DUE, span).fetchone()[0]) for span in pairwise(edges)]


def changes_between(db: Database, edges: Sequence[float]) -> list[dict[str, int]]:
    """Observed changes by kind, as `due_between`."""
    return [{kind: int(number) for kind, number in db.execute(CHANGED, span)} for span in pairwise(edges)]
