"""What made a priority: the parts of a URL's score, as a waterfall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from focuscrawl.report import score_parts
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.store.explain import Explanation

BAR = 24
"""Columns of the longest bar."""


class Score(NamedTuple):
    """The parts of a priority, by the names that the store keeps."""

    title: str
    parts: Mapping[str, float]
    score: float
    total: str
    """The name of the sum."""


def scores_of(facts: Explanation) -> list[Score]:
    """The scores of a URL: that of its link when it was found, then that after what was learned later."""
    parent, found = facts.found_on, []
    if parent and parent.link and parent.link.parts:
        found.append(Score(score_parts.FIRST_TITLE, parent.link.parts, parent.link.score, score_parts.FIRST))
    if facts.entry and facts.entry.priority_parts:
        parts = dict(facts.entry.priority_parts)
        first = next((title for name in parts if (title := score_parts.FIRST_TITLES.get(name.rpartition("/")[2]))), "")
        name = score_parts.FIRST if first else score_parts.LAST
        found.append(Score(first or score_parts.LAST_TITLE, parts, sum(parts.values()), name))
    return found


def waterfall(
    parts: Mapping[str, float],
    score: float,
    title: str = score_parts.FIRST_TITLE,
    total: str = score_parts.FIRST,
    _: Language = ENGLISH,
) -> Table:
    """A table of the parts of a link's score, in which each bar begins where the one before ended. `total`: name of the sum;
    `_`: the language of the words."""
    rows, at = [], 0.0
    longest = max(score, sum(value for value in parts.values() if value > 0), 1e-9)
    for name, value in parts.items():
        start = min(at, at + value)
        bar = " " * round(BAR * max(start, 0.0) / longest) + bar_of(abs(value), longest, "█" if value >= 0 else "░")
        rows.append((part_words(name, _), f"{value:+.3f}", bar))
        at += value
    rows.append((_(total), f"{score:.3f}", bar_of(score, longest)))
    return Table([Column(_("part")), Column(_("value"), True), Column("", bar=True)], rows, _(title))


def part_words(name: str, _: Language) -> str:
    """A part of a score in words, by the name that the store keeps; of several topics, after the topic."""
    topic, words = score_parts.topic_and_words(name)
    return ": ".join(filter(None, (topic, _(words))))


def bar_of(value: float, longest: float, mark: str = "█") -> str:
    return mark * max(round(BAR * value / longest), 1 if value > 0 else 0) if longest > 0 else ""
