"""Which pieces of two sequences are the same: the shortest edit script, with a bound on the work.

Myers: An O(ND) difference algorithm and its variations, Algorithmica 1986.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

MOST_EDITS = 800
"""Beyond so many insertions and deletions two sequences count as different throughout."""
MOST_STEPS = 4_000_000
"""Bound of length times edits: about half a second."""

Run = tuple[int, int, int]
"""Place in the first sequence, place in the second, length."""


def same_runs(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Run]:
    """The runs that both have, in order. Too many edits: only the common start and end."""
    start = _common(a, b)
    end = min(_common(a[::-1], b[::-1]), len(a) - start, len(b) - start)
    inner_a, inner_b = a[start : len(a) - end], b[start : len(b) - end]
    runs = [(0, 0, start)]
    runs += [(i + start, j + start, size) for i, j, size in _shortest(inner_a, inner_b)]
    runs.append((len(a) - end, len(b) - end, end))
    return [run for run in runs if run[2]]


def _common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    for place, (one, other) in enumerate(zip(a, b, strict=False)):
        if one != other:
            return place
    return min(len(a), len(b))


def _shortest(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Run]:
    """By the greedy algorithm: the furthest place on each diagonal after so many edits."""
    if not a or not b:
        return []
    most = min(MOST_EDITS, MOST_STEPS // (len(a) + len(b)), len(a) + len(b))
    furthest, history = {1: 0}, []
    for edits in range(most + 1):
        history.append(furthest.copy() if edits == 0 else {k: furthest[k] for k in range(-edits, edits + 1) if k in furthest})
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and furthest[k - 1] < furthest[k + 1])
            x = furthest[k + 1] if down else furthest[k - 1] + 1
            while x < len(a) and 0 <= x - k < len(b) and a[x] == b[x - k]:
                x += 1
            furthest[k] = x
            if x >= len(a) and x - k >= len(b):
                return _walk_back(history, len(a), len(b))
    return []


def _walk_back(history: Sequence[dict[int, int]], x: int, y: int) -> list[Run]:
    runs: list[Run] = []
    for edits in range(len(history) - 1, -1, -1):
        furthest, k = history[edits], x - y
        down = k == -edits or (k != edits and furthest.get(k - 1, -1) < furthest.get(k + 1, -1))
        before = k + 1 if down else k - 1
        from_x = furthest[before]
        from_y = from_x - before
        start = from_x if down else from_x + 1
        if x > start:
            runs.append((start, start - k, x - start))
        x, y = from_x, from_y
    return runs[::-1]
