"""What is checked before a crawl starts."""

from __future__ import annotations

import pytest

from focuscrawl.crawl.start.preflight import EARLIEST, check_clock
from focuscrawl.errors import WrongClock


def test_a_clock_that_was_not_set_yet_is_refused() -> None:
    with pytest.raises(WrongClock, match="this machine's clock says 1970-01-06 03:25 UTC, which is long past; set it") as error:
        check_clock(5 * 86_400 + 12_300.0)
    assert error.value.exit_code == 1
    check_clock(EARLIEST.timestamp())
