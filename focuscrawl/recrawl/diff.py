"""The difference of two texts, as pieces that were kept, added or removed: first by lines, then by words within them.

Chinese is compared character by character. A few letters that both texts share by chance inside a change count as changed.
The work is bounded: if texts have little in common, all of the old one is shown as removed and all of the new one as added.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

# The runs that two sequences share: the shortest edit script, with a bound on the work.
#
# Myers: An O(ND) difference algorithm and its variations, Algorithmica 1986.


MOST_EDITS = 800
"""With more insertions and deletions than this, two sequences count as different throughout."""
MOST_STEPS = 4_000_000
"""Upper bound of length times edits, which take about half a second."""

Run = tuple[int, int, int]
"""Position in the first sequence, position in the second, length."""


def same_runs(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Run]:
    """The runs that both sequences share, in order; with too many edits only the common start and end."""
    start = _common(a, b)
    end = min(_common(a[::-1], b[::-1]), len(a) - start, len(b) - start)
    inner_a, inner_b = a[start : len(a) - end], b[start : len(b) - end]
    runs = [(0, 0, start)]
    runs += [(i + start, j + start, size) for i, j, size in _shortest(inner_a, inner_b)]
    runs.append((len(a) - end, len(b) - end, end))
    return [run for run in runs if run[2]]


def _common(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """The length of the common beginning."""
    for place, (one, other) in enumerate(zip(a, b, strict=False)):
        if one != other:
            return place
    return min(len(a), len(b))


def _shortest(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Run]:
    """The runs on a shortest path, by the greedy algorithm; none if there are too many edits.

    A position (x, y) has consumed x elements of `a` and y of `b`, and lies on the diagonal k = x - y. A step right removes an
    element, a step down adds one, and equal elements are passed for nothing. `furthest`: the largest x reached on each
    diagonal, with as many edits as were allowed so far."""
    if not a or not b:
        return []
    most = min(MOST_EDITS, MOST_STEPS // (len(a) + len(b)), len(a) + len(b))
    furthest, history = {1: 0}, []
    for edits in range(most + 1):
        # Each round changes only the diagonals that its number of edits can reach, so that no more has to be remembered.
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
    """The runs on the path to (x, y), found from its end. `history`: `furthest` before each round of edits."""
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


Kind = Literal["kept", "added", "removed"]

CONTEXT = 80
"""How many characters of kept text are shown before and after a change."""
LONGEST = 20_000
"""How many characters of an added or removed piece are shown."""
CHANCE = 8
"""Kept pieces inside a paragraph that are shorter than this count as changed. Chinese characters count twice."""
ALIKE = 0.3
"""Paragraphs that share less than this part of the shorter one are shown as wholly changed."""
LONG_WORD = 20
"""A shortened piece is cut at the end of a word if there is one within this many characters."""
OMITTED = " … "
"""Stands for text that is left out."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f\u3040-\u30ff"
_words = re.compile(rf"[^\W_{_HAN}]+|[{_HAN}]").findall
_tokens = re.compile(rf"[^\W_{_HAN}]+|\s+|[^\s]").findall
_han = re.compile(f"[{_HAN}]").findall


@dataclass(slots=True, frozen=True)
class DiffPiece:
    kind: Kind
    text: str
    """Shortened if it is long: OMITTED stands for what is left out."""
    left_out: int = 0
    """How many characters are not shown."""


class _Stretch(NamedTuple):
    """A part of both texts, the same in both or a change from one to the other."""

    old: str
    new: str
    same: bool


def word_change(old: str, new: str) -> tuple[int, int]:
    """How many words (in Chinese, characters) were added and how many removed, whatever their places. O(length)."""
    before, after = Counter(_words(old.casefold())), Counter(_words(new.casefold()))
    return (after - before).total(), (before - after).total()


def diff(old: str, new: str, context: int = CONTEXT) -> tuple[DiffPiece, ...]:
    """The pieces in order, a removed one before the one added in its place; none if the texts are equal.

    `context`: how many characters of kept text are shown before and after a change. A megabyte takes at most some seconds."""
    if old == new:
        return ()
    return tuple(_pieces(list(_joined(_by_lines(old, new))), context))


def _by_lines(old: str, new: str) -> Iterator[_Stretch]:
    """The texts compared by lines, and changed lines by words."""
    for stretch in _aligned(_lines(old), _lines(new)):
        if stretch.same or not stretch.old or not stretch.new:
            yield stretch
        else:
            yield from _by_words(stretch)


def _lines(text: str) -> list[str]:
    """The lines, each with its line end, the last one, too."""
    return f"{text}\n".splitlines(keepends=True) if text else []


def _by_words(whole: _Stretch) -> list[_Stretch]:
    """A change of lines, compared by words; as it is if its sides have too little in common (ALIKE)."""
    stretches = list(_aligned(_tokens(whole.old), _tokens(whole.new)))
    kept = sum(len(each.old) for each in stretches if each.same)
    if kept < ALIKE * min(len(whole.old), len(whole.new)):
        return [whole]
    last = len(stretches) - 1
    return [
        each._replace(same=each.same and (place in (0, last) or _weight(each.old) >= CHANCE))
        for place, each in enumerate(stretches)
    ]


def _weight(text: str) -> int:
    """The length of a kept piece by which CHANCE judges it."""
    return len(text.strip()) + len(_han(text))


def _aligned(a: Sequence[str], b: Sequence[str]) -> Iterator[_Stretch]:
    """The runs that both sequences share, and what lies between them."""
    at_a = at_b = 0
    for i, j, size in [*same_runs(a, b), (len(a), len(b), 0)]:
        if i > at_a or j > at_b:
            yield _Stretch("".join(a[at_a:i]), "".join(b[at_b:j]), False)
        if size:
            same = "".join(a[i : i + size])
            yield _Stretch(same, same, True)
        at_a, at_b = i + size, j + size


def _joined(stretches: Iterable[_Stretch]) -> Iterator[_Stretch]:
    """Join neighbors of the same kind."""
    for same, group in groupby(stretches, key=lambda each: each.same):
        members = list(group)
        yield _Stretch("".join(each.old for each in members), "".join(each.new for each in members), same)


def _pieces(stretches: Sequence[_Stretch], context: int) -> Iterator[DiffPiece]:
    last = len(stretches) - 1
    for place, each in enumerate(stretches):
        if each.same:
            yield _shortened("kept", each.old, 0 if place == 0 else context, 0 if place == last else context)
        else:
            half = LONGEST // 2
            yield from (_shortened(kind, text, half, half) for kind, text in _sides(each) if text)


def _sides(change: _Stretch) -> tuple[tuple[Kind, str], tuple[Kind, str]]:
    return ("removed", change.old), ("added", change.new)


def _shortened(kind: Kind, text: str, start: int, end: int) -> DiffPiece:
    """The piece with about the first `start` and the last `end` characters, cut between words if there are blanks."""
    if len(text) - start - end <= len(OMITTED):
        return DiffPiece(kind, text)
    head, tail = text[:start], text[len(text) - end :]
    if not _blanks_at(text, start):
        head = head[: head.rfind(" ", max(start - LONG_WORD, 0)) + 1] or head
    if not _blanks_at(text, len(text) - end):
        tail = tail[max(tail.find(" ", 0, LONG_WORD), 0) :]
    return DiffPiece(kind, head + OMITTED + tail, len(text) - len(head) - len(tail))


def _blanks_at(text: str, place: int) -> bool:
    """Whether there is a blank on one side of this position, so that no word is cut there."""
    return text[max(place - 1, 0) : place + 1].strip() != text[max(place - 1, 0) : place + 1]
