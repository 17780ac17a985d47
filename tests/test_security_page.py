"""What docs/security.md promises is shown by tests that are there."""

from __future__ import annotations

import re

import pytest

from tests.named_tests import ROOT, functions_of

NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs/security.md").read_text(encoding="utf-8"))))


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
