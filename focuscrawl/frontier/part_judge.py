"""Closes the parts of the web that proved barren, and opens those that have brought something since: after each fetch, and for
what other workers have counted.

Invariant: what a closed part has copied is not held against the open parts around it, unless these are directories of which
hardly anything else is known.
"""

from __future__ import annotations

from collections.abc import Iterable

from focuscrawl.frontier.barrenness import is_barren, is_fruitful
from focuscrawl.frontier.part_counts import FEW
from focuscrawl.frontier.part_names import ALL, FIRST, WIDE_PARTS, template_of
from focuscrawl.frontier.part_table import PartTable
from focuscrawl.url.groups import Groups, domain_of_part, narrowest_first, parts_around


class PartJudge:
    """Asks the rules of `focuscrawl.frontier.barrenness` of the parts in a table, and notes there which are closed."""

    def __init__(self, table: PartTable, share: float) -> None:
        """`share`: FRONTIER_BARREN_SHARE; 0: no part is ever closed."""
        self._table, self._share = table, share
        self.any_closed = False
        """Whether a part was closed so far."""
        self.unjudged: set[str] = set()
        """Parts for which other workers have counted something since the last judgement."""
        self._opened: set[str] = set()
        """See `take_opened`."""

    def judge(self, parts: list[str], told: float = 0.0) -> list[str]:
        """Close the parts that proved barren, and open closed ones that have brought something since. Returns those that are
        closed now and were not before. `told`: the share by which others have closed them; they are closed here, too, unless
        they have brought something since, or the share is lower now."""
        if not self._share:
            return []
        closed = []
        for part in dict.fromkeys(parts):
            if part not in self._table:
                continue
            counts, rest = self._table.get(part), self._table.rest(part)
            barren = is_barren(part, counts, rest, self._share, self._pages_of_template(part))
            if barren or (0 < told <= self._share and not is_fruitful(counts, rest)):
                if not counts.closed:
                    self._table.close(part, self._share)
                    self.any_closed = True
                    closed.append(part)
            elif (counts.closed or told) and is_fruitful(counts, rest):
                self._table.open(part)
                self._opened.add("" if part[:1] in FIRST else domain_of_part(part))
        return closed

    def judge_nested(self, parts: Iterable[str]) -> list[str]:
        """As `judge`, for parts that lie in each other, the narrowest first."""
        closed: list[str] = []
        for part in parts:
            if (copying := [*filter(self._copies, closed)]) and not self._table.is_closed(part):
                self._take_out_copies(copying[-1], part)
            closed += self.judge([part])
        return closed

    def counted_by_others(self, parts: Iterable[str]) -> None:
        """Note that other workers have counted something for these parts, so that `judge_again` judges them."""
        if self._share:
            self.unjudged.update(parts)

    def judge_again(self) -> None:
        """Judge the parts for which other workers have counted something since the last call."""
        if not self.unjudged:
            return
        told = self._table.told
        unjudged, self.unjudged = sorted((self.unjudged | told.keys()) - {ALL}, key=narrowest_first), set()
        inside: dict[str, list[str]] = {}
        """By part: those in it that are closed now because they copy, without those that lie in another one of them."""
        for part in unjudged:
            inner = inside.pop(part, [])
            for each in inner if not self._table.is_closed(part) and part not in told else ():
                self._take_out_copies(each, part)
            if any(map(self._copies, self.judge([part], told=told.get(part, 0.0)))) and part not in self._table.apart:
                for around in parts_around(part):
                    inside[around] = [*(each for each in inside.get(around, ()) if each not in inner), part]
            self._table.untold(part)

    def answerable(self, groups: Groups) -> tuple[str, ...]:
        """The parts for which a fetch counts, the narrowest first: all in which its URL lies, but none that is wider than one
        that is closed because it copies."""
        closed = [place for place, part in enumerate(groups.of_host, 1) if self._copies(part)]
        return groups.of_host[: closed[-1]] if closed else groups.within

    def take_opened(self) -> set[str]:
        """The registered domains with a part that has opened again since the last call; empty: first visits."""
        opened, self._opened = self._opened, set()
        return opened

    def _copies(self, part: str) -> bool:
        """Whether this part is closed and copies."""
        counts = self._table.get(part)
        return counts.closed and counts.copies

    def _take_out_copies(self, inner: str, part: str) -> None:
        """Take what an inner part copied out of the counts of one around it, if of a directory enough is known without it."""
        self._table.take_out_copies(inner, part, 0.0 if part[:2] in WIDE_PARTS else FEW)

    def _pages_of_template(self, part: str) -> float:
        """Of files and of redirects within a domain: the pages that were fetched from URLs of their template."""
        template = template_of(part)
        return self._table.fetched(template) if template else 0.0
