"""The tests that documents and plans name."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent


@cache
def functions_of(path: str) -> frozenset[str]:
    """Names of the test functions of a file that run: neither skipped nor expected to fail."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset(each.name for each in functions if not any(_is_off(mark) for mark in each.decorator_list))


def _is_off(mark: ast.expr) -> bool:
    return any(word in ast.unparse(mark) for word in (".skip", ".xfail"))
