"""What docs/security.md promises is shown by tests that are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs/security.md").read_text(encoding="utf-8"))))


@cache
def functions_of(path: str) -> frozenset[str]:
    """Names of the test functions of a file that run: neither skipped nor expected to fail."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset(each.name for each in functions if not any(_is_off(mark) for mark in each.decorator_list))


def _is_off(mark: ast.expr) -> bool:
    return any(word in ast.unparse(mark) for word in (".skip", ".xfail"))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_promise_has_its_test(path: str, name: str) -> None:
    assert (ROOT / path).is_file(), path
    assert name in functions_of(path)


def test_each_row_of_a_promise_names_a_test() -> None:
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    tables = re.findall(r"\| promise \| shown by \|\n\|---\|---\|\n((?:\|.*\n)+)", text)
    rows = [row for table in tables for row in table.splitlines()]
    assert len(rows) > 15
    assert not [row for row in rows if "`tests/" not in row.rpartition(" | ")[2] and "`tests/" not in row]
    assert len(NAMED) > 30
