"""Models by name, in the store that all workers share. A writer names the version that it has read, so that no other writer's
change is overwritten unnoticed. Version 0 means that there is none of this name yet.

A body is zlib of JSON, one value a line.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from focuscrawl.store.engines.database import Database


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A row of the table `model`."""

    version: int
    at: float
    worker: int
    body: bytes


def load(db: Database, name: str) -> StoredModel | None:
    """The model as it is now; None if there is none of this name."""
    row = db.execute("select version, at, worker, body from model where name=?", (name,)).fetchone()
    return StoredModel(int(row[0]), float(row[1]), int(row[2]), bytes(row[3])) if row else None


def version_of(db: Database, name: str) -> int:
    """How often the model was written; 0 if there is none of this name."""
    row = db.execute("select version from model where name=?", (name,)).fetchone()
    return int(row[0]) if row else 0


def save(db: Database, name: str, body: bytes, based_on: int, worker: int, now: float) -> bool:
    """Write a model that was made from version `based_on`. False, and nothing is changed, if somebody has written since."""
    if based_on == 0:
        sql = """insert into model(name, version, at, worker, body) values(?, 1, ?, ?, ?)
            on conflict(name) do nothing"""
        return db.execute(sql, (name, now, worker, body)).rowcount == 1
    sql = "update model set version=version+1, at=?, worker=?, body=? where name=? and version=?"
    return db.execute(sql, (now, worker, body, name, based_on)).rowcount == 1


def delete(db: Database, name: str) -> None:
    """Delete the model, if there is one of this name."""
    db.execute("delete from model where name=?", (name,))


def pack(values: Iterable[Any]) -> bytes:
    """The body of these values. Lone surrogates, which UTF-8 cannot hold, become `?`."""
    packer, packed = zlib.compressobj(1), []
    for value in values:
        packed.append(packer.compress(_json(value) + b"\n"))
    return b"".join(packed) + packer.flush()


def unpack(body: bytes) -> Iterator[Any]:
    """The values of a body, read one by one. Raises ValueError for a body that `pack` did not make."""
    try:
        lines = zlib.decompress(body).splitlines()
    except zlib.error as error:
        raise ValueError(f"no model's body: {error}") from error
    return map(orjson.loads, lines)


def _json(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
