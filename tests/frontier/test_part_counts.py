"""What came back from a part, and how sure that is."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.part_counts import WINDOW, Counts, counts_of, lower, upper


def test_bounds_are_wilsons() -> None:
    assert (upper(0, 0), lower(0, 0)) == (1.0, 0.0)
    assert upper(0, 50) == pytest.approx(0.051, abs=0.001)
    assert lower(50, 100) == pytest.approx(0.419, abs=0.001)
    assert upper(50, 100) == pytest.approx(0.581, abs=0.001)


def test_pages_that_copy_alike_prove_it_sooner_than_those_of_which_some_copy_wholly() -> None:
    farm, blog = Counts(), Counts()
    for number in range(16):
        quoted = float(number % 2)
        farm.add(Counts(1.0, copying=0.45, squares=0.45**2), WINDOW)
        blog.add(Counts(1.0, copying=quoted, squares=quoted), WINDOW)
    assert blog.copying > farm.copying
    assert farm.copies
    assert not blog.copies


def test_rows_of_earlier_versions_are_read() -> None:
    assert counts_of([4, 1, 0, 2]) == counts_of([4, 1, 0, 2, 2])
