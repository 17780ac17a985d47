"""SQL stands in the store only: the rest of the program asks functions that say what they want."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PRODUCT = ("focuscrawl", "spiders", "middlewares", "pipelines", "models")
STORE = Path("focuscrawl/store")
EXECUTES = frozenset({"execute", "executemany", "executescript"})
STATEMENT = re.compile(
    r"\s*(select\s.+\sfrom\s|insert\s+(or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s|create\s+(table|index|view)\s|pragma\s)",
    re.IGNORECASE | re.DOTALL,
)


def statements(source: str) -> list[str]:
    """Every piece of SQL in a module: strings (no docstrings) that begin as a statement does, and strings that are executed."""
    tree, found = ast.parse(source), []
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in prose and STATEMENT.match(text):
                found.append(text)
            case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in EXECUTES and _is_text(first):
                found.append(ast.unparse(node))
    return found


def _is_text(node: ast.expr) -> bool:
    """A string, one that is put together, or a constant by its name."""
    match node:
        case ast.JoinedStr() | ast.BinOp() | ast.Constant(value=str()):
            return True
        case ast.Name(id=name):
            return name.isupper()
        case _:
            return False


def test_sql_stands_in_the_store_only() -> None:
    root = Path(__file__).parents[2]
    outside = {
        str(path.relative_to(root)): found
        for package in PRODUCT
        for path in sorted((root / package).rglob("*.py"))
        if not path.is_relative_to(root / STORE) and (found := statements(path.read_text("utf-8")))
    }
    assert not outside, "make a function of focuscrawl.store that says what is asked"


@pytest.mark.parametrize(
    "source",
    [
        'db.execute("select 1")',
        'ROWS = "select url from page"',
        'db.executemany(f"delete from {table}", rows)',
        'db.execute(FIND + " limit 1")',
        "db.execute(COUNT)",
        'MAKE = """\n  insert or replace into state values(?, ?)"""',
    ],
)
def test_what_counts_as_sql(source: str) -> None:
    assert statements(source)


@pytest.mark.parametrize(
    "source", ["self.execute(opts)", '"""Select the best pages from a crawl\'s store."""', 'print("update the page")']
)
def test_what_does_not(source: str) -> None:
    assert not statements(source)
