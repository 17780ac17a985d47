"""The hosts of a synthetic web: names, addresses, sections, and which page number stands for what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from synthweb.hashing import mix, number_of, unit
from synthweb.roles import Role
from synthweb.words import GENERAL, TOPICS, vocabulary

LIST_STEP = 16
"""Every 16th position of a section is a list page, the 15 after it are its articles."""
VISIBLE_SECTIONS = 4
FIRST = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fable",
    "grand",
    "haven",
    "indigo",
    "jolly",
    "kind",
    "lunar",
    "maple",
    "noble",
    "ocean",
    "prime",
    "quiet",
    "river",
]
SECOND = [
    "gate",
    "post",
    "field",
    "lake",
    "press",
    "world",
    "daily",
    "point",
    "wave",
    "hill",
    "line",
    "mark",
    "nest",
    "port",
    "ridge",
    "stone",
    "time",
    "view",
]
PREFIXES = ("www", "news", "blog", "wiki", "bbs", "info")
UNICODE_NAMES = ("星空网", "观天在线", "知识窗", "万象新闻", "百科之家", "远方")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a host about one topic."""

    index: int
    topic: str
    path: str
    """First segment of its addresses."""
    tunnel: int = 0
    """Irrelevant pages in a row on the only way in; 0 for a section that the host's navigation shows."""


@dataclass(frozen=True)
class Host:
    """One host; `index` is its number in the plan, pages are numbered 0..size-1 on it.

    Number 0 is the home page, 1..S the section pages, and the rest is dealt to the sections in the order of `cycle`.
    """

    index: int
    role: Role
    name: str
    """In ASCII (IDNA)."""
    display: str
    """As people write it: differs from `name` for Chinese names."""
    address: str
    first: int
    """Number of its first page in the whole web."""
    size: int
    sections: tuple[Section, ...]
    twin: int
    """Index of the host whose content this one shows: its own, or for a mirror the original's."""

    @cached_property
    def cycle(self) -> tuple[int, ...]:
        """Sections in the order in which positions are dealt: the main section and a hidden one get two shares."""
        hidden = [section.index for section in self.sections if section.tunnel]
        return (0, 1, *hidden, 2, 0, 3, *hidden)

    @cached_property
    def by_path(self) -> dict[str, Section]:
        """Sections by their path."""
        return {section.path: section for section in self.sections}

    @cached_property
    def visible(self) -> tuple[Section, ...]:
        """Sections in the navigation."""
        return tuple(section for section in self.sections if not section.tunnel)

    def section_size(self, section: int) -> int:
        """Positions of a section (list pages and articles)."""
        dealt = self.size - 1 - len(self.sections)
        rounds, rest = divmod(dealt, len(self.cycle))
        return rounds * self.cycle.count(section) + self.cycle[:rest].count(section)

    def number_at(self, section: int, position: int) -> int:
        """Page number of a position in a section."""
        places = [place for place, dealt in enumerate(self.cycle) if dealt == section]
        rounds, rest = divmod(position, len(places))
        return 1 + len(self.sections) + rounds * len(self.cycle) + places[rest]

    def position_of(self, number: int) -> tuple[Section, int]:
        """Section and position of a page number above the section pages."""
        rounds, rest = divmod(number - 1 - len(self.sections), len(self.cycle))
        section = self.cycle[rest]
        return self.sections[section], rounds * self.cycle.count(section) + self.cycle[:rest].count(section)


def domain(seed: int, index: int) -> str:
    """A registered domain of its own for each index."""
    combinations = len(FIRST) * len(SECOND)
    pick = (index * 101 + mix(seed, 11) % combinations) % combinations
    extra = str(index // combinations + 1) if index >= combinations else ""
    return f"{FIRST[pick % len(FIRST)]}{SECOND[pick // len(FIRST)]}{extra}.test"


def host_name(seed: int, index: int, role: Role) -> str:
    """The name as people write it. Some neighbors share a registered domain."""
    if role.unicode_name:
        turn, which = divmod(index, len(UNICODE_NAMES))
        return f"{UNICODE_NAMES[which]}{turn or ''}.test"
    shared = index % 5 == 4 and not role.portal
    prefix = PREFIXES[0] if role.portal else PREFIXES[(1 + index) % len(PREFIXES)]
    return f"{prefix}.{domain(seed, index - 1 if shared else index)}"


def address_of(name: str, taken: set[str]) -> str:
    """A loopback address in 127.64.0.0/10 by hash of the name, the next free one if it is taken."""
    value = number_of(name) % (1 << 22)
    while True:
        offset = (127 << 24) + (64 << 16) + value
        address = ".".join(str(offset >> shift & 255) for shift in (24, 16, 8, 0))
        if address not in taken and value & 255 not in (0, 255):
            return address
        value = (value + 1) % (1 << 22)


def make_sections(seed: int, index: int, role: Role, main: str, hidden: tuple[str, int] | None) -> tuple[Section, ...]:
    """Four visible sections of different topics, the first on `main`; and the hidden one, if any, as (topic, depth)."""
    skip = {main, hidden[0]} if hidden else {main}
    others = sorted((topic for topic in (*TOPICS, GENERAL) if topic not in skip), key=lambda t: mix(seed, index, number_of(t)))
    topics = [main, *others[: VISIBLE_SECTIONS - 1]]
    sections = [Section(number, topic, section_path(seed, index, number, topic)) for number, topic in enumerate(topics)]
    if hidden:
        sections.append(Section(VISIBLE_SECTIONS, hidden[0], f"annex-{hidden[1]}", hidden[1]))
    return tuple(sections)


def section_path(seed: int, index: int, number: int, topic: str) -> str:
    """A path that tells the topic in English or Chinese, or nothing."""
    share = unit(seed, index, number, 17)
    if share < 0.4:
        return f"c{number + 1}"
    return vocabulary(topic, "en" if share < 0.7 else "zh").slug
