"""Which signals a crawl listens to; what they do to one is in tests/crash/test_signals.py."""

from __future__ import annotations

import asyncio
import signal
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.scrapy_side.signals import GRACE_SECONDS, StopSignals
from focuscrawl.store.engines.writer import HURRIED_LOCK_SECONDS, PATIENCE_SECONDS


def test_a_stop_takes_less_than_ten_seconds_in_all() -> None:
    """What is waited for, one after the other; tests/crash sees that nothing else is."""
    assert GRACE_SECONDS + HURRIED_LOCK_SECONDS + PATIENCE_SECONDS < 10


@pytest.mark.parametrize(("before", "wrapped"), [(signal.SIG_DFL, False), (signal.SIG_IGN, False), (lambda *_: None, True)])
def test_a_signal_that_nobody_handles_is_left_alone(before: Any, wrapped: bool) -> None:
    """A script that runs the loop itself: noted and passed on to nobody, it left a process that neither worked nor ended."""
    unused: Any = SimpleNamespace()
    kept = signal.signal(signal.SIGTERM, before)

    async def wrap() -> Any:
        StopSignals(unused, unused)._wrap(signal.SIGTERM, asyncio.get_running_loop())
        return signal.getsignal(signal.SIGTERM)

    try:
        assert (asyncio.run(wrap()) is not before) == wrapped
    finally:
        signal.signal(signal.SIGTERM, kept)
