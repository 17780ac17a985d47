"""A hostile page must not cost more than its size (one long run of Chinese, a million words)."""

from __future__ import annotations

import pytest

from focuscrawl.dedup.methods import METHOD_NAMES, method
from tests.linear_time import linear


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_a_very_long_text_takes_linear_time(name: str) -> None:
    words = [chr(0x4E00 + number * 7919 % 20000) for number in range(200_000)]
    with linear():
        fingerprint = method(name).fingerprint("".join(words), words)
    assert len(fingerprint.features) <= 256
