"""What came after each forecast, and what stopping by it costs, on made-up crawls."""

from __future__ import annotations

import pytest

from focuscrawl.crawl.stopping import JUDGED_PAGES
from focuscrawl.frontier.stop_rules import POOR_PAGES
from tools.eval.harvest.forecasts import STEP, Crawled, came, print_stops, print_table, stopped_at


def made(relevant: int, whole: int) -> Crawled:
    """A crawl that finds what there is first."""
    fetches = [(0.9 if number < relevant else 0.1, number < relevant, True) for number in range(whole)]
    waiting = {number: [0.9 if number < relevant - 50 else 0.1] * 200 for number in range(STEP, whole + 1, STEP)}
    return Crawled("made", fetches, waiting)


def test_what_was_reckoned_stands_beside_what_came() -> None:
    rows = list(came([made(300, 600)]))
    assert len(rows) == (600 - 100 - 50) // STEP + 1
    assert rows[0][0] == pytest.approx(100, abs=1)
    assert rows[0][2:] == (100, 250)
    assert rows[-1][0] == pytest.approx(0, abs=1)
    assert rows[-1][2:] == (0, 0)


def test_seeds_do_not_count_among_the_fetches_that_links_led_to() -> None:
    crawl = made(300, 600)
    crawl.fetches[:200] = [(1.0, True, False)] * 200
    assert next(came([crawl]))[3] == 50


def test_a_crawl_is_stopped_once_little_was_expected_for_long_enough() -> None:
    end = stopped_at(made(300, 1200))
    assert 300 + POOR_PAGES <= end <= 300 + POOR_PAGES + 3 * JUDGED_PAGES
    assert stopped_at(made(1200, 1200)) == 1200


def test_the_tables_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("left", [(2.0, number) for number in range(5)], (0, 1, 5))
    assert capsys.readouterr().out.splitlines()[-1].split() == ["1-5", "5", "2.0", "1", "2", "3", "2.0"]
    print_stops([made(300, 1200)])
    told = capsys.readouterr().out
    assert "loses 0 of 300 relevant pages" in told
    assert "of 1200 fetches" in told
