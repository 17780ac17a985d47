"""The plan of a synthetic web: a seed, the roles of its hosts and how many pages there are."""

from __future__ import annotations

from dataclasses import dataclass

from synthweb.roles import ROLES
from synthweb.words import TOPICS

DEMO = [
    "portal",
    "observatory",
    "journal",
    "stars",
    "island-en",
    "island-zh",
    "island-sessions",
    "mirror",
    "delay",
    "closed",
    "slow",
    "flaky",
    "taiwan",
    "maze",
]
SMALL = ["portal", "observatory", "journal", "mirror", "island-en", "maze"]
KILL = ["plain-en", "plain-zh", "plain-en"]
LARGE = [
    "portal",
    "plain-zh",
    "plain-en",
    "query-zh",
    "plain-en",
    "observatory",
    "plain-zh",
    "journal",
    "query-zh",
    "plain-en",
    "island-zh",
    "plain-zh",
    "plain-en",
    "stars",
    "query-zh",
    "island-en",
    "plain-zh",
    "plain-en",
]
LIVING = [
    "gateway",
    "gazette",
    "bulletin",
    "magazine",
    "record",
    "shifter",
    "clockwork",
    "statue",
    "shaky",
    "fallen",
]
PAGES_PER_HOST = 2500
NEAR_SHARE, COPY_SHARE = 0.05, 0.03
PRESETS = {"demo": 1200, "test-small": 200, "kill": 1500, "large": 1_000_000, "living": 800}


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a web is made from; equal plans give equal webs, byte by byte (for the same port)."""

    seed: int
    roles: tuple[str, ...]
    """One name of `synthweb.roles.ROLES` for each host."""
    pages: int
    topic: str = TOPICS[0]
    """The topic that the topical hosts are about."""
    near_share: float = NEAR_SHARE
    """Share of article addresses that hold a near-duplicate of another host's article."""
    copy_share: float = COPY_SHARE
    """The same for exact copies of the text in another layout."""
    latency: float = 0.0
    """Seconds added before every answer."""
    dns_ttl: int = 300
    living: float = 0.0
    """When the life of the web began (seconds since the epoch); from then on its pages change, appear, move and vanish. 0: they
    stay as they are for ever."""

    def __post_init__(self) -> None:
        """Refuse plans that cannot be built."""
        unknown = sorted(set(self.roles) - set(ROLES))
        if unknown:
            raise ValueError(f"unknown roles of hosts: {', '.join(unknown)}")
        if self.topic not in TOPICS:
            raise ValueError(f"unknown topic {self.topic!r}; there are {', '.join(TOPICS)}")
        if self.pages < 20 * len(self.roles):
            raise ValueError(f"{self.pages} pages are too few for {len(self.roles)} hosts: 20 each at least")


def preset(name: str, seed: int = 1, pages: int = 0, topic: str = TOPICS[0], latency: float = 0.0, living: float = 0.0) -> Plan:
    """A plan by name: demo, test-small, kill (fast, no nasties), large (made for 10^5 to 10^6 pages and more) or living (hosts
    with all habits of freshness, no nasties; it lives if `living` says since when).

    `pages` overrides the preset's size. Raises ValueError for a name that does not exist.
    """
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}; there are {', '.join(PRESETS)}")
    pages = pages or PRESETS[name]
    roles = {"demo": DEMO, "test-small": SMALL, "kill": KILL, "large": LARGE, "living": LIVING}[name]
    if name == "large":
        count = max(len(LARGE), pages // PAGES_PER_HOST)
        roles = (LARGE * (count // len(LARGE) + 1))[:count]
    clean = name in ("kill", "living")
    return Plan(
        seed=seed,
        roles=tuple(roles),
        pages=pages,
        topic=topic,
        near_share=0.0 if clean else NEAR_SHARE,
        copy_share=0.0 if clean else COPY_SHARE,
        latency=latency,
        living=living,
    )
