"""Which pages should a person judge next? The least certain ones, and one in five at random.

Those at random keep the estimate of precision and recall honest; the uncertain ones teach most.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from focuscrawl.topics.desk import Desk
from focuscrawl.topics.texts import PageText

RANDOM_EVERY = 5


def sample(desk: Desk, pages: Sequence[PageText], size: int, skipped: Collection[str] = ()) -> list[PageText]:
    """Up to `size` pages that nobody judged yet; the same for the same input."""
    left = [page for page in pages if page.url not in desk.labels and page.url not in skipped and page.text]
    by_chance = sorted(left, key=lambda page: _number(page.url))
    model = desk.model()
    if model is None:
        return by_chance[:size]
    doubt = {page.url: abs(desk.judge(page, model).score - model.own_threshold) for page in left}
    uncertain = sorted(left, key=lambda page: (doubt[page.url], page.url))
    chosen: dict[str, PageText] = {}
    for place in range(len(left)):
        if len(chosen) >= size:
            break
        turn = by_chance if place % RANDOM_EVERY == RANDOM_EVERY - 1 else uncertain
        page = next((page for page in turn if page.url not in chosen), None)
        if page is not None:
            chosen[page.url] = page
    return list(chosen.values())


def _number(url: str) -> bytes:
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
