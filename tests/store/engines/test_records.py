"""Records as rows: what columns, statements and values follow from a class."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import BigInteger

from focuscrawl.items import Hash64, Int64, PackedText, Terms
from focuscrawl.recrawl.gone import Gone
from focuscrawl.store.engines.database import IS_GONE, THERE
from focuscrawl.store.engines.records import RecordTable, features_from_bytes, features_to_bytes
from focuscrawl.store.engines.schema import columns_of


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1)))
def test_there_and_back(values: list[int]) -> None:
    assert features_from_bytes(features_to_bytes(tuple(values))) == tuple(values)


def test_least_significant_byte_first() -> None:
    assert features_to_bytes((1, 2**63)) == b"\x01" + bytes(7) + bytes(7) + b"\x80"


def test_a_cut_field_is_refused() -> None:
    with pytest.raises(ValueError):
        features_from_bytes(b"1234567")


@dataclass(slots=True, frozen=True, kw_only=True)
class Sample:
    hid: Int64
    name: str = "none"
    seen: bool = False
    simhash: Hash64 | None = None
    terms: Terms = ()
    text: PackedText = ""


TABLE = RecordTable("sample", Sample, ("hid",))


def test_a_table_follows_from_its_record() -> None:
    columns = {column.name: column for column in columns_of(Sample, ("hid",))}
    assert list(columns) == list(TABLE.columns) == ["hid", "name", "seen", "simhash", "terms", "text"]
    assert [name for name, column in columns.items() if column.primary_key] == ["hid"]
    assert [name for name, column in columns.items() if column.nullable] == ["simhash"]
    assert isinstance(columns["simhash"].type, BigInteger)
    defaults = {name: getattr(column.server_default, "arg", None) for name, column in columns.items() if column.server_default}
    assert defaults == {"name": "none", "seen": "0", "terms": "[]"}


def test_rows_and_records() -> None:
    sample = Sample(hid=-1, name="a", seen=True, simhash=2**64 - 1, terms=(("搜索", 0.5),), text="正文 \ud800")
    row = TABLE.to_row(sample)
    assert row[:5] == (-1, "a", 1, -1, '[["搜索",0.5]]')
    assert TABLE.from_row(row) == replace(sample, text="正文 ?")
    assert TABLE.from_row((1, "a", 0, None, "[]", b"")) == Sample(hid=1, name="a")
    assert TABLE.upsert == (
        "insert into sample(hid, name, seen, simhash, terms, text) values(?, ?, ?, ?, ?, ?) on conflict(hid) do update set "
        "name=excluded.name, seen=excluded.seen, simhash=excluded.simhash, terms=excluded.terms, text=excluded.text"
    )


def test_what_is_gone_is_said_alike_in_sql_and_in_python() -> None:
    assert tuple(f"gone{sign}{Gone.GONE:d}" for sign in ("<", ">=")) == (THERE, IS_GONE)
