"""Rows for every table of a store, with what engines differ in: bounds of numbers, bytes, odd texts, nulls."""

from __future__ import annotations

import random
from typing import Any

from sqlalchemy import BigInteger, Column, Float, Integer, LargeBinary, SmallInteger, Table

from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.schema import tables

ROWS = 450
"""More than a batch of the large tables."""
TEXTS = ("", "plain", "例子 🜁", "it's 100% \\n \" $1 ?", "é́", "\t\n\r\x01", "'; drop table url; --")
FLOATS = (0.0, -0.0, 0.1 + 0.2, 1e300, -5e-324, 1_763_700_000.123456, 3.0)


def fill(db: Database, rows: int = ROWS, seed: int = 1) -> dict[str, int]:
    """Put rows into every table, meta left out. Returns their numbers."""
    chance = random.Random(seed)
    for table in tables.sorted_tables:
        if table.name != "meta":
            with transaction(db):
                db.dialect.insert_rows(db, table, [_row(table, n, chance) for n in range(1, rows + 1)])
    return {table.name: rows for table in tables.sorted_tables if table.name != "meta"}


def _row(table: Table, number: int, chance: random.Random) -> tuple[Any, ...]:
    if table.name == "worker":
        return tuple("gone" if column.name == "state" else _value(column, number, chance) for column in table.columns)
    return tuple(_value(column, number, chance) for column in table.columns)


def _value(column: Column[Any], number: int, chance: random.Random) -> Any:
    if column.name == "origin":
        return f"http://h{number}.test"
    if column.name in ("arguments", "stats"):
        return "{}"
    if column.primary_key or column.name in ("hid", "uid"):
        return _key(column, number)
    if column.nullable and chance.random() < 0.3:
        return None
    if isinstance(column.type, LargeBinary):
        return chance.randbytes(chance.choice((0, 1, 40)))
    if isinstance(column.type, Float):
        return chance.choice(FLOATS)
    if isinstance(column.type, SmallInteger):
        return chance.choice((0, 1, -1, 32_767, -32_768))
    if isinstance(column.type, BigInteger):
        return chance.choice((0, 1, 2**63 - 1, -(2**63)))
    if isinstance(column.type, Integer):
        return chance.choice((0, 1, -1, 2**31 - 1))
    return chance.choice(TEXTS)


def _key(column: Column[Any], number: int) -> Any:
    if isinstance(column.type, BigInteger):
        return (number * 0x9E3779B97F4A7C15) % 2**64 - 2**63
    if isinstance(column.type, Integer):
        return number
    return f"{'aBcÄ例'[number % 5]}{number}"
