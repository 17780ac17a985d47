"""What the workers learn together, as logs in the table of models: each worker appends what it has learned, reads what
the others have, and now and then one of them writes down the whole, so that the log stays short.

A log LOG has the rows `LOG/WORKER/NUMBER`, numbered by each worker from 1 without a gap, and the row `LOG`: the whole as
far as its first line says, a number for each worker. Appending waits for no other worker; what is in a log is a sum, so
that the order in which it is read does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers import models

KEPT_SECONDS = 120.0
"""How long a row stays after it has become part of the whole: other workers have read it by then, or must read the whole."""


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """How far a worker has read a log."""

    numbers: Mapping[int, int] = field(default_factory=dict)
    """The last number of each worker."""
    version: int = 0
    """Of the whole."""


@dataclass(frozen=True, slots=True)
class NewRows:
    """The rows of a log that a worker has not read yet."""

    whole: models.StoredModel | None
    """If set, the worker starts again from this sum, because rows that it missed were deleted."""
    rows: Sequence[bytes]
    """Bodies of the rows that workers appended."""
    position: ReadPosition
    """How far this goes."""
    old: int
    """How many rows are so old that writing the whole would delete them."""


def append(db: Database, log: str, worker: int, number: int, body: bytes, now: float) -> None:
    """Append what was learned. Nothing happens if the row of this number exists, or is part of the whole."""
    if number > _part_of_whole(db, log).get(worker, 0):
        db.execute(
            """insert into model(name, version, at, worker, body) values(?, ?, ?, ?, ?)
            on conflict(name) do nothing""",
            (f"{log}/{worker}/{number}", number, now, worker, body),
        )


def read(db: Database, log: str, worker: int, position: ReadPosition | None, now: float) -> NewRows:
    """What others have appended since `position`; None: everything, including this worker's own rows."""
    while True:
        # Another worker may write the whole between two of these queries, and delete rows that were about to be read.
        version = models.version_of(db, log)
        unread = _read(db, log, worker, position, version, now)
        if models.version_of(db, log) == version:
            return unread


def write_whole(
    db: Database, log: str, parts: bytes, numbers: Mapping[int, int], based_on: int, worker: int, now: float
) -> bool:
    """Write the whole as of these numbers, and delete old rows that are part of it. `parts`: as `pack_whole` gives them.

    False if another worker has written it meanwhile; then nothing was changed."""
    if not models.save(db, log, parts, based_on, worker, now):
        return False
    text = models.pack([_text(numbers)])
    models.save(db, _index(log), text, models.version_of(db, _index(log)), worker, now)
    gone = [row for row in _rows(db, log) if row.number <= numbers.get(row.worker, 0) and row.at < now - KEPT_SECONDS]
    db.executemany("delete from model where name=?", [(row.name,) for row in gone])
    return True


def pack_whole(numbers: Mapping[int, int], parts: Iterable[Any]) -> bytes:
    """The body of the whole as of these numbers."""

    def lines() -> Iterable[Any]:
        yield _text(numbers)
        yield from parts

    return models.pack(lines())


def delete(db: Database, log: str) -> None:
    """The log and all of its rows."""
    names = [row.name for row in _rows(db, log)]
    db.executemany("delete from model where name=?", [(name,) for name in (*names, log, _index(log))])


def unpack_whole(body: bytes) -> tuple[dict[int, int], Iterable[Any]]:
    """How far the whole goes, and its parts. Raises ValueError for a body that `pack_whole` did not make."""
    lines = models.unpack(body)
    try:
        return _numbers(next(lines)), lines
    except (StopIteration, AttributeError, TypeError) as error:
        raise ValueError(f"no whole of a log: {error!r}") from error


def _read(db: Database, log: str, worker: int, position: ReadPosition | None, version: int, now: float) -> NewRows:
    rows = _rows(db, log)
    whole = None
    if position is None or _misses(db, log, worker, position, version, rows):
        whole = models.load(db, log)
        numbers = unpack_whole(whole.body)[0] if whole else {}
    else:
        numbers = dict(position.numbers)
    # If the learner starts again from the whole, it needs this worker's own rows, too.
    own = position is None or whole is not None
    new = [row for row in rows if row.number > numbers.get(row.worker, 0) and (own or row.worker != worker)]
    bodies = [model.body for row in new if (model := models.load(db, row.name))]
    for row in new:
        numbers[row.worker] = row.number
    old = sum(row.at < now - KEPT_SECONDS for row in rows)
    return NewRows(whole, bodies, ReadPosition(numbers, version), old)


def _misses(db: Database, log: str, worker: int, position: ReadPosition, version: int, rows: Sequence[_Row]) -> bool:
    """Whether rows that this worker has not read were deleted because they are part of the whole."""
    there = {(row.worker, row.number) for row in rows}
    until = {row.worker: row.number for row in rows}
    for other, number in (_part_of_whole(db, log) if version != position.version else {}).items():
        until[other] = max(number, until.get(other, 0))
    return any(
        (other, number) not in there
        for other, last in until.items()
        if other != worker
        for number in range(position.numbers.get(other, 0) + 1, last + 1)
    )


class _Row(NamedTuple):
    """A row of a log, without its body."""

    name: str
    worker: int
    number: int
    at: float


def _rows(db: Database, log: str) -> list[_Row]:
    """The rows of a log by worker and number. The table has some hundreds of rows, whose bodies are not read."""
    start = f"{log}/"
    selected = db.execute(
        "select name, worker, version, at from model where substr(name, 1, cast(? as integer))=?", (len(start), start)
    )
    rows = (_Row(str(name), int(worker), int(number), float(at)) for name, worker, number, at in selected)
    return sorted(rows, key=lambda row: (row.worker, row.number))


def _part_of_whole(db: Database, log: str) -> dict[int, int]:
    """How far the whole goes: the last number of each worker that is part of it."""
    index = models.load(db, _index(log))
    return _numbers(next(models.unpack(index.body))) if index else {}


def _index(log: str) -> str:
    """Name of the row that says, without the whole itself, how far the whole goes."""
    return f"{log}:whole"


def _text(numbers: Mapping[int, int]) -> dict[str, int]:
    return {str(worker): number for worker, number in numbers.items()}


def _numbers(text: Mapping[str, int]) -> dict[int, int]:
    return {int(worker): int(number) for worker, number in text.items()}
