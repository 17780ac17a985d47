"""Records as rows: a table's columns, its upsert and the conversion of values follow from the class that declares its fields.

A record is a dataclass with one field a column. The annotation of a field says how the store keeps it, the default is the
column's default too, and `X | None` may be null. So a field is declared in one place, and a name that is written in another
one is checked against it.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, TypeVar, get_args, get_type_hints

import orjson

from focuscrawl.items import Features, Hash64, Int16, Int64, Names, PackedText, Terms
from focuscrawl.text.blocks import Outline

R = TypeVar("R")
Convert = Callable[[Any], Any]


def signed(value: int) -> int:
    """An unsigned number of 64 bits as the engines keep it: neither has unsigned integers."""
    return value - (1 << 64) if value >= 1 << 63 else value


def unsigned(value: int) -> int:
    """The inverse of `signed`."""
    return value + (1 << 64) if value < 0 else value


def iso_time(seconds: float) -> str:
    """Epoch seconds as `2026-01-31T23:59:59.123Z`."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def features_to_bytes(features: Features) -> bytes:
    """8 bytes each, least significant byte first on every machine."""
    values = array("Q", features)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def features_from_bytes(data: bytes) -> Features:
    """The inverse of `features_to_bytes`; ValueError when the length is no multiple of 8."""
    values = array("Q")
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return tuple(values)


def packed_text(text: str) -> bytes:
    """A text as the store keeps it: zlib at level 1, which is fast; lone surrogates, which UTF-8 cannot hold, become `?`."""
    return zlib.compress(text.encode("utf-8", "replace"), 1)


def unpacked_text(blob: bytes | None) -> str:
    """The inverse of `packed_text`; empty where nothing is stored."""
    return zlib.decompress(blob).decode("utf-8", "replace") if blob else ""


def term_pairs(column: str) -> Terms:
    """A column of terms with their shares: a JSON list of pairs."""
    return tuple((str(term), float(share)) for term, share in orjson.loads(column or "[]"))


def names_of(column: str) -> Names:
    """A column of names: a JSON list."""
    return tuple(map(str, orjson.loads(column or "[]")))


def outline_of(column: str) -> Outline:
    """A column with the outline of a text: a JSON list of (kind, level, characters)."""
    return tuple((kind, level, length) for kind, level, length in orjson.loads(column or "[]"))


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


@dataclass(slots=True, frozen=True)
class Kept:
    """How values of one annotation are kept. The conversions are None where the engines' drivers do it."""

    type: str
    """Name of the type in SQLAlchemy, which makes the tables and is not imported where they only are read and written."""
    to_store: Convert | None = None
    from_store: Convert | None = None


KEPT: dict[Any, Kept] = {
    str: Kept("Text"),
    int: Kept("Integer"),
    Int16: Kept("SmallInteger"),
    Int64: Kept("BigInteger"),
    float: Kept("Float"),
    bool: Kept("SmallInteger", int, bool),
    bytes: Kept("LargeBinary", None, bytes),
    Hash64: Kept("BigInteger", signed, unsigned),
    Features: Kept("LargeBinary", features_to_bytes, features_from_bytes),
    PackedText: Kept("LargeBinary", packed_text, unpacked_text),
    Terms: Kept("Text", _json, term_pairs),
    Names: Kept("Text", _json, names_of),
    Outline: Kept("Text", _json, outline_of),
    dict[str, float]: Kept("Text", _json, orjson.loads),
}
"""By annotation."""


def decoder(record: type[R], names: Sequence[str]) -> Callable[[Sequence[Any]], R]:
    """A function that makes a record of a row with these of its fields, in this order; the others keep their defaults."""
    hints = get_type_hints(record, include_extras=True)
    converts = [(place, convert) for place, name in enumerate(names) if (convert := _from_store(hints[name]))]

    def decode(row: Sequence[Any]) -> R:
        values = list(row)
        for place, convert in converts:
            values[place] = convert(values[place])
        return record(**dict(zip(names, values, strict=True)))

    return decode


class RecordTable(Generic[R]):
    """The statements and conversions of a table whose rows are records of one class."""

    def __init__(self, name: str, record: type[R], keys: Sequence[str]) -> None:
        """`keys`: columns by which a row is known, so that writing it again replaces it."""
        hints = get_type_hints(record, include_extras=True)
        self.columns = tuple(hints)
        self.upsert = upsert(name, self.columns, keys)
        self.from_row = decoder(record, self.columns)
        """The record of a row with `columns`."""
        self._values: Callable[[R], tuple[Any, ...]] = attrgetter(*self.columns)
        converts = ((place, _to_store(hints[name])) for place, name in enumerate(self.columns))
        self._converts = [(place, convert) for place, convert in converts if convert]

    def selected(self, alias: str) -> str:
        """The columns for a select statement, in the order that `from_row` wants."""
        return ", ".join(f"{alias}.{name}" for name in self.columns)

    def literal(self, record: object, name: str) -> str:
        """The value of a field in SQL, as a statement says it that has no place for it."""
        value = getattr(record, name)
        convert = dict(self._converts).get(self.columns.index(name))
        kept = convert(value) if convert else value
        return "'" + kept.replace("'", "''") + "'" if isinstance(kept, str) else repr(kept)

    def to_row(self, record: R) -> tuple[Any, ...]:
        """The values for `upsert`."""
        values = list(self._values(record))
        for place, convert in self._converts:
            values[place] = convert(values[place])
        return tuple(values)


def upsert(table: str, columns: Iterable[str], keys: Collection[str]) -> str:
    """A statement that writes a row, or replaces the one with the same keys; the same for both engines."""
    names = list(columns)
    changes = ", ".join(f"{name}=excluded.{name}" for name in names if name not in keys)
    marks = ", ".join("?" * len(names))
    return f"insert into {table}({', '.join(names)}) values({marks}) on conflict({', '.join(keys)}) do update set {changes}"


def annotation(hint: Any) -> tuple[Any, bool]:
    """An annotation without `| None`, and whether it had one."""
    if type(None) not in get_args(hint):
        return hint, False
    (own,) = (each for each in get_args(hint) if each is not NoneType)
    return own, True


def _from_store(hint: Any) -> Convert | None:
    own, nullable = annotation(hint)
    return _unless_none(KEPT[own].from_store, nullable)


def _to_store(hint: Any) -> Convert | None:
    own, nullable = annotation(hint)
    return _unless_none(KEPT[own].to_store, nullable)


def _unless_none(convert: Convert | None, nullable: bool) -> Convert | None:
    if convert is None or not nullable:
        return convert
    return lambda value: None if value is None else convert(value)
