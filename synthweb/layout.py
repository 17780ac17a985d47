"""All hosts of a web and where its topics live. Built once from the plan; costs memory per host, not per page."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from synthweb.hosts import Host, Section, address_of, host_name, make_sections
from synthweb.plan import Plan
from synthweb.roles import ROLES, Role
from synthweb.words import TOPICS

Place = tuple[Host, Section]


def sizes(plan: Plan) -> list[int]:
    """Pages of each host by the weights of the roles, adding up to the plan's pages (mirror as original)."""
    weights = [ROLES[role].weight for role in plan.roles]
    total = sum(weights)
    counts = [max(20, plan.pages * weight // total) for weight in weights]
    flexible = max(
        (index for index, role in enumerate(plan.roles) if role not in ("journal", "mirror")),
        key=lambda index: counts[index],
    )
    counts[flexible] += plan.pages - sum(counts)
    return counts


@dataclass(frozen=True)
class Layout:
    """The hosts, found by number, name and topic."""

    plan: Plan
    hosts: tuple[Host, ...]

    @cached_property
    def by_name(self) -> dict[str, Host]:
        """Hosts by ASCII name."""
        return {host.name: host for host in self.hosts}

    @cached_property
    def starts(self) -> list[int]:
        """Number of the first page of each host."""
        return [host.first for host in self.hosts]

    @cached_property
    def places(self) -> dict[tuple[str, str], list[Place]]:
        """Visible sections by (topic, language); mirrors and hosts that forbid everything left out."""
        found: dict[tuple[str, str], list[Place]] = {}
        for host in self.hosts:
            if host.twin == host.index and host.role.robots != "unavailable":
                for section in host.visible:
                    found.setdefault((section.topic, host.role.language), []).append((host, section))
        return found

    @cached_property
    def hidden(self) -> dict[str, list[Place]]:
        """Hidden sections by topic."""
        found: dict[str, list[Place]] = {}
        for host in self.hosts:
            for section in host.sections:
                if section.tunnel:
                    found.setdefault(section.topic, []).append((host, section))
        return found

    def places_of(self, topic: str, language: str = "") -> list[Place]:
        """Visible sections on a topic, in one language or in both."""
        if language:
            return self.places.get((topic, language), [])
        return self.places.get((topic, "en"), []) + self.places.get((topic, "zh"), [])

    def locate(self, page: int) -> tuple[Host, int]:
        """Host and number on it of a page number of the whole web; IndexError outside."""
        if not 0 <= page < self.plan.pages:
            raise IndexError(page)
        host = self.hosts[bisect_right(self.starts, page) - 1]
        return host, page - host.first


def hidden_topics(plan: Plan) -> dict[int, tuple[str, int]]:
    """Hidden section of each island host as (topic, tunnel length): the plan's topic gets lengths 1, 2, 3 first."""
    order = [plan.topic, *(topic for topic in TOPICS if topic != plan.topic)]
    islands = [index for index, role in enumerate(plan.roles) if ROLES[role].island]
    return {index: (order[turn // 3 % len(order)], 1 + turn % 3) for turn, index in enumerate(islands)}


def main_topic(plan: Plan, index: int, role: Role, hidden: tuple[str, int] | None) -> str:
    """The topic of a host's first section."""
    if role.topical:
        return plan.topic
    topics = [topic for topic in TOPICS if topic != plan.topic and not (hidden and topic == hidden[0])]
    return topics[(index + plan.seed) % len(topics)]


def build_layout(plan: Plan) -> Layout:
    """Make the hosts of a plan."""
    hosts: list[Host] = []
    taken: set[str] = set()
    hidden, first = hidden_topics(plan), 0
    for index, (role_name, size) in enumerate(zip(plan.roles, sizes(plan), strict=True)):
        role = ROLES[role_name]
        display = host_name(plan.seed, index, role)
        name = display.encode("idna").decode("ascii")
        address = hosts[-1].address if role.shares_address and hosts else address_of(name, taken)
        taken.add(address)
        twin = index
        if role.mirror and role.mirror in plan.roles[:index]:
            twin = max(at for at in range(index) if plan.roles[at] == role.mirror)
            sections, size = hosts[twin].sections, hosts[twin].size
        else:
            main = main_topic(plan, index, role, hidden.get(index))
            sections = make_sections(plan.seed, index, role, main, hidden.get(index))
        hosts.append(Host(index, role, name, display, address, first, size, sections, twin))
        first += size
    return Layout(plan, tuple(hosts))
