"""Every fault of the plan has tests, and they are there."""

from __future__ import annotations

import pytest

from tests.faults.plan import PLAN, ROOT, nodes_of, numbered
from tests.named_tests import functions_of


def test_the_plan_is_whole() -> None:
    assert list(PLAN) == list(range(1, 103))
    assert set(numbered()) <= set(PLAN)


@pytest.mark.parametrize("number", PLAN)
def test_a_fault_is_shown_by_tests_that_are_there(number: int) -> None:
    nodes = nodes_of(number)
    assert nodes
    for test in nodes:
        path, _, name = test.partition("::")
        assert (ROOT / path).is_file(), path
        assert not name or name in functions_of(path), test
        assert functions_of(path), path
