"""What is varied: pages, their change rates, bandwidth, and what hosts allow."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

BANDWIDTHS = (0.03, 0.1, 0.4)


@dataclass(frozen=True)
class Setting:
    """One simulated collection and its crawler; times are days."""

    name: str
    bandwidth: float = 0.1
    """Fetches per page and day."""
    rates: str = "log-normal"
    """Or `pareto`."""
    pages: int = 100_000
    hosts: int = 2_000
    """Sizes by Zipf's law."""
    days: float = 240.0
    """The second half is measured."""
    step: float = 1 / 12
    host_share: float = 0.0
    """A host may be fetched from so many times as often as the mean host; 0: as often as one likes."""
    jumping: float = 0.0
    """Share of the pages that get another change rate when measuring begins."""
    told: float = 0.0
    """Share of the pages with Last-Modified and sitemap entries."""
    seed: int = 1

    @property
    def measured_from(self) -> float:
        return self.days / 2


def settings(pages: int, days: float, seed: int = 1) -> list[Setting]:
    """All that is compared. Steps are of two hours, and of one where the bandwidth is large."""
    sized = Setting("", pages=pages, hosts=max(10, pages // 50), days=days, seed=seed)
    made = []
    for rates, title in (("log-normal", "log-normal"), ("pareto", "Pareto")):
        for bandwidth in BANDWIDTHS:
            step = 1 / 24 if bandwidth > 0.2 else 1 / 12
            made.append(replace(sized, name=f"{title}, {bandwidth:g}", bandwidth=bandwidth, rates=rates, step=step))
    made.append(replace(sized, name="host caps, 0.1", host_share=_binding(sized.hosts)))
    made.append(replace(sized, name="jumping rates, 0.1", jumping=0.2))
    return made


def _binding(hosts: int) -> float:
    """Host share at which the cap binds on the largest hosts but leaves most alone: 7.8 for 2 000 hosts."""
    largest = hosts / sum(1.0 / place for place in range(1, hosts + 1))
    return math.sqrt(largest) / 2.0
