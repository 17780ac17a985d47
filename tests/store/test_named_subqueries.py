"""PostgreSQL 15, the oldest that is promised, wants a name for each query in a `from`. Newer servers and SQLite do not, and
tests use a newer one where nobody chooses (tests/postgres_programs.py)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

STORE = Path(__file__).parents[2] / "focuscrawl" / "store"
BEGINS = re.compile(r"\b(?:from|join|lateral)\s*\(\s*select\b", re.IGNORECASE)
NAME = re.compile(r"\s*(?:as\s+)?(?!(?:where|group|order|limit|union|join|left|cross|on|for)\b)[a-z_]\w*", re.IGNORECASE)


def texts(source: str) -> Iterator[str]:
    """The strings of a module, those that are put together with `{}` for what is not known."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.JoinedStr(values=values):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in values)
            case ast.Constant(value=str(text)):
                yield text


def nameless(statement: str) -> list[str]:
    """The queries in a `from` that have no name. A piece of a statement that ends before its query does is passed over."""
    found = []
    for begin in BEGINS.finditer(statement):
        opening = statement.index("(", begin.start())
        depth = 0
        for place in range(opening, len(statement)):
            depth += (statement[place] == "(") - (statement[place] == ")")
            if not depth:
                if not NAME.match(statement, place + 1):
                    found.append(statement[opening : place + 1])
                break
    return found


def test_each_query_in_a_from_has_a_name() -> None:
    found = {
        str(path.relative_to(STORE)): queries
        for path in sorted(STORE.rglob("*.py"))
        if (queries := [each for text in texts(path.read_text("utf-8")) for each in nameless(text)])
    }
    assert not found, "PostgreSQL 15 refuses these: 'subquery in FROM must have an alias'"


@pytest.mark.parametrize(
    "statement",
    [
        "select * from (select 1)",
        "select 1 from (select 2 limit 3) where 1=1",
        "select * from (select count(*) from url) limit 1",
    ],
)
def test_what_has_no_name(statement: str) -> None:
    assert len(nameless(statement)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "select * from (select count(*) from page) as pages",
        "select * from page p left join (select 1) q on q.a=p.a",
        "delete from url where hid in (select hid from host)",
        "select * from (select 1",
    ],
)
def test_what_has_one_or_needs_none(statement: str) -> None:
    assert not nameless(statement)
