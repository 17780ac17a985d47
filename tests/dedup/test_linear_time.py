"""A hostile page must not cost more than its size (one long run of Chinese, a million words)."""

from __future__ import annotations

import time

import pytest

from focuscrawl.dedup.methods import METHOD_NAMES, method


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_a_very_long_text_takes_linear_time(name: str) -> None:
    words = [chr(0x4E00 + number * 7919 % 20000) for number in range(200_000)]
    started = time.process_time()
    fingerprint = method(name).fingerprint("".join(words), words)
    assert time.process_time() - started < 3
    assert len(fingerprint.features) <= 256
