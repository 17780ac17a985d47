"""Records as rows: a table's columns, its upsert and the conversion of values follow from the class that declares its fields.

A record is a dataclass with one field for each column. The annotation of a field says how the store keeps it, its default is
also the column's default, and `X | None` may be null. So a field is declared in one place, and names that are written elsewhere
are checked against it.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, TypeVar, get_args, get_type_hints

import orjson
from deflate import zlib_compress

from focuscrawl.items import Features, Hash64, Int16, Int64, Names, PackedText, Terms
from focuscrawl.text.blocks import Outline

R = TypeVar("R")
Convert = Callable[[Any], Any]


def signed(value: int) -> int:
    """An unsigned 64-bit number as the engines keep it, neither of which has unsigned integers."""
    return value - (1 << 64) if value >= 1 << 63 else value


def unsigned(value: int) -> int:
    """The inverse of `signed`."""
    return value + (1 << 64) if value < 0 else value


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


def packed(data: bytes) -> bytes:
    """Bytes as the store keeps them: zlib at level 1, which is fast."""
    return bytes(zlib_compress(data, 1))


def packed_text(text: str) -> bytes:
    """A text as the store keeps it; lone surrogates, which UTF-8 cannot hold, become `?`."""
    return packed(text.encode("utf-8", "replace"))


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
class ColumnType:
    """How the store keeps the values of one annotation. A conversion is None where the engines' drivers do it."""

    type: str
    """Name of the type in SQLAlchemy. SQLAlchemy makes the tables, and is not imported where they are only read and written."""
    to_store: Convert | None = None
    from_store: Convert | None = None


COLUMN_TYPES: dict[Any, ColumnType] = {
    str: ColumnType("Text"),
    int: ColumnType("Integer"),
    Int16: ColumnType("SmallInteger"),
    Int64: ColumnType("BigInteger"),
    float: ColumnType("Float"),
    bool: ColumnType("SmallInteger", int, bool),
    bytes: ColumnType("LargeBinary", None, bytes),
    Hash64: ColumnType("BigInteger", signed, unsigned),
    Features: ColumnType("LargeBinary", features_to_bytes, features_from_bytes),
    PackedText: ColumnType("LargeBinary", packed_text, unpacked_text),
    Terms: ColumnType("Text", _json, term_pairs),
    Names: ColumnType("Text", _json, names_of),
    Outline: ColumnType("Text", _json, outline_of),
    dict[str, float]: ColumnType("Text", _json, orjson.loads),
}
"""By the annotation of a field."""


def decoder(record: type[R], names: Sequence[str]) -> Callable[[Sequence[Any]], R]:
    """A function from a row to a record. The row has the fields `names` in this order; other fields keep their defaults."""
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
        """`keys`: the columns that identify a row, so that writing it again replaces it."""
        hints = get_type_hints(record, include_extras=True)
        self.columns = tuple(hints)
        self.upsert = upsert(name, self.columns, keys)
        self.from_row = decoder(record, self.columns)
        """Makes a record of a row that has `columns`."""
        self._values: Callable[[R], tuple[Any, ...]] = attrgetter(*self.columns)
        converts = ((place, _to_store(hints[name])) for place, name in enumerate(self.columns))
        self._converts = [(place, convert) for place, convert in converts if convert]

    def selected(self, alias: str) -> str:
        """The columns for a select statement, in the order that `from_row` wants."""
        return ", ".join(f"{alias}.{name}" for name in self.columns)

    def literal(self, record: object, name: str) -> str:
        """The value of a field as a literal of SQL, for a statement that takes no parameter there."""
        value = getattr(record, name)
        convert = dict(self._converts).get(self.columns.index(name))
        stored = convert(value) if convert else value
        return "'" + stored.replace("'", "''") + "'" if isinstance(stored, str) else repr(stored)

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
    return _unless_none(COLUMN_TYPES[own].from_store, nullable)


def _to_store(hint: Any) -> Convert | None:
    own, nullable = annotation(hint)
    return _unless_none(COLUMN_TYPES[own].to_store, nullable)


def _unless_none(convert: Convert | None, nullable: bool) -> Convert | None:
    if convert is None or not nullable:
        return convert
    return lambda value: None if value is None else convert(value)
