"""The truth about what has changed in a living web between two times, without rendering a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synthweb.hosts import Host
from synthweb.living import Living
from synthweb.noise import noises
from synthweb.web import SyntheticWeb

STRENGTH = ("sentence", "title", "paragraph", "rewritten")
"""Kinds of changes of a text, the slightest first."""
MATERIAL = ("paragraph", "rewritten")


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of one page between two times."""

    url: str
    """Its address at the first time; of a new page at the second."""
    kind: str
    """home, section, list or article."""
    fate: str = ""
    """new, gone, moved, or nothing."""
    text: str = ""
    """The strongest change of the text (of STRENGTH); `listing` for an index page that lists other articles."""
    noise: bool = False
    """It holds what differs from look to look, and is no change."""
    home: str = ""
    """Its address at the second time; empty when it is gone."""

    @property
    def changed(self) -> bool:
        """Whether its text or title differs; index pages apart."""
        return self.text in STRENGTH

    @property
    def material(self) -> bool:
        """Whether so much differs that its SimHash should be another."""
        return self.text in MATERIAL


def between(web: SyntheticWeb, then: float, now: float) -> list[Difference]:
    """All pages that were there at one of the times and are not the same, in the order of their numbers.

    ValueError for a web that does not live, or times in the wrong order.
    """
    return [difference for difference in differences(web, then, now) if difference != untouched(difference)]


def untouched(difference: Difference) -> Difference:
    """The page without any difference."""
    return Difference(difference.url, difference.kind, home=difference.home)


def differences(web: SyntheticWeb, then: float, now: float) -> Iterator[Difference]:
    """The same with the pages that stayed as they were."""
    if web.living is None or then > now:
        raise ValueError("differences are of a living web, from an earlier to a later time")
    for host in web.hosts:
        for number in range(host.size):
            found = difference_of(web.living, host, number, then, now)
            if found is not None:
                yield found


def difference_of(living: Living, host: Host, number: int, then: float, now: float) -> Difference | None:
    """What became of a page; None for one that was not there at either time."""
    life, facts = living.life, living.facts
    before, after = life.alive(host, number, then), life.alive(host, number, now)
    old, new = (facts.url(host, life.path(host, number, at)) for at in (then, now))
    kind = facts.kind(host, number)
    if not before:
        return Difference(new, kind, "new", home=new) if after else None
    if not after:
        return Difference(old, kind, "gone")
    noise = bool(noises(facts, host, number)) and then != now
    return Difference(old, kind, "moved" if old != new else "", text_change(living, host, number, then, now), noise, new)


def text_change(living: Living, host: Host, number: int, then: float, now: float) -> str:
    """How the text of a page differs that was there at both times."""
    if living.facts.kind(host, number) == "article":
        kinds = {change.kind for change in living.life.changes(host, number, now) if change.at > then}
        return max(kinds, key=STRENGTH.index, default="")
    if then == now:
        return ""
    documents = (living.document(host, number, at, quiet=True) for at in (then, now))
    lists = [[anchor.href for anchor in document.entries] for document in documents]
    return "listing" if lists[0] != lists[1] else ""
