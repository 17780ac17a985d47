from __future__ import annotations

import pytest

from focuscrawl.items import Verdict
from models.link.tunnelling import make_tunnelling, next_distance
from tests import factories


def test_distances_along_a_tunnel() -> None:
    """Seed (relevant) -> three irrelevant pages in a row -> the next one's links are not followed -> reset."""
    distances, distance = [], 0
    for relevant in (True, False, False, False, False, True, False):
        distances.append(distance)
        distance = next_distance(relevant, distance)
    assert distances == [0, 0, 1, 2, 3, 4, 0]


@pytest.mark.parametrize(
    ("relevant", "distance", "limit", "followed"),
    [
        (False, 0, 3, True),
        (False, 2, 3, True),
        (False, 3, 3, False),
        (True, 9, 3, True),
        (False, 0, 0, False),
        (False, 99, -1, True),
    ],
)
def test_links_are_followed_until_the_limit(relevant: bool, distance: int, limit: int, followed: bool) -> None:
    lease = factories.lease("http://a.example/", distance=distance)
    page = factories.page(lease, verdict=Verdict(0.5, relevant, 0.1))
    policy = make_tunnelling("fixed", limit)
    policy.see(page)
    assert policy.follow(page) is followed
