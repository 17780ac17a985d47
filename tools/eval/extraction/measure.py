"""How near is a found text to the true one? F1 of runs of four Han characters and of other words, repeated ones as often."""

from __future__ import annotations

import re
from collections import Counter

_WORD = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|[^\W\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_RUN = 4


def grams(text: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for word in _WORD.findall(text.lower()):
        if word[0] >= "\u3400" and len(word) > _RUN:
            counts.update(word[at : at + _RUN] for at in range(len(word) - _RUN + 1))
        else:
            counts[word] += 1
    return counts


def overlap(found: Counter[str], truth: Counter[str]) -> tuple[float, float]:
    """Precision and recall, each 0 where there is nothing to count."""
    common = (found & truth).total()
    return common / max(1, found.total()), common / max(1, truth.total())
