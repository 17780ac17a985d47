"""What came back from a part, and how sure that is."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.part_counts import lower, upper


def test_bounds_are_wilsons() -> None:
    assert (upper(0, 0), lower(0, 0)) == (1.0, 0.0)
    assert upper(0, 50) == pytest.approx(0.051, abs=0.001)
    assert lower(50, 100) == pytest.approx(0.419, abs=0.001)
    assert upper(50, 100) == pytest.approx(0.581, abs=0.001)
