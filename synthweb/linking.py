"""Where the links of numbered pages lead, by arithmetic: mostly to the same topic, with a few of every nasty kind."""

from __future__ import annotations

from random import Random

from synthweb.document import Anchor
from synthweb.facts import Facts
from synthweb.hosts import LIST_STEP, Host, Section
from synthweb.labels import LABELS
from synthweb.layout import Place
from synthweb.words import TOPICS, vocabulary

LATEST = 6
SAME_LANGUAGE = 0.7
DIRECTORY = 60
"""Links of a portal's home page to other hosts at most."""
START_PAGES = 8


class Linker:
    """Makes the anchors of one web's pages."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.layout = facts.layout

    def path(self, host: Host, number: int) -> str:
        """Address of a page on its host."""
        return self.facts.path(host, number)

    def size(self, host: Host, section: int) -> int:
        """Positions of a section that there are."""
        return host.section_size(section)

    def there(self, host: Host, number: int) -> bool:
        """Whether an article is there."""
        return True

    def own(self, host: Host, number: int, text: str = "") -> Anchor:
        """A link to a page of the same host."""
        return Anchor(self.path(host, number), text or self.facts.title(host.index, number))

    def away(self, source: Host, host: Host, number: int) -> Anchor:
        """A link to a page of another host; Chinese hosts write Chinese names as they are, where the charset can."""
        unicode = source.role.language == "zh" and source.role.charset != "big5"
        name = host.display if unicode else host.name
        href = f"http://{name}{self.facts.suffix}{self.path(host, number)}"
        return Anchor(href, self.facts.title(host.index, number))

    def navigation(self, host: Host, section: Section | None) -> tuple[Anchor, ...]:
        """Home and the visible sections; inside a hidden section that one too."""
        shown = [*host.visible, section] if section and section.tunnel else host.visible
        words = LABELS[host.role.language]
        return (Anchor("/", words["home"]), *(self.own(host, 1 + part.index) for part in shown))

    def article_at(self, host: Host, section: Section, draw: int) -> int:
        """Number of some article of a section."""
        size = self.size(host, section.index)
        position = draw % size
        if position % LIST_STEP == 0:
            position = min(position + 1, size - 1)
        return host.number_at(section.index, position)

    def related(self, host: Host, number: int, rng: Random) -> list[Anchor]:
        """Neighbors and a few others of the same section."""
        section, position = host.position_of(number)
        size = self.size(host, section.index)
        near = [at for at in (position - 1, position + 1) if 0 < at < size and at % LIST_STEP]
        numbers = [host.number_at(section.index, at) for at in near]
        numbers += [self.article_at(host, section, rng.getrandbits(32)) for _ in range(3)]
        return [self.own(host, at) for at in dict.fromkeys(numbers) if at != number and self.there(host, at)]

    def elsewhere(self, host: Host, topic: str, rng: Random) -> list[Anchor]:
        """An article on the topic on some host, mostly in the same language."""
        language = host.role.language if rng.random() < SAME_LANGUAGE else ""
        places = self.layout.places_of(topic, language)
        if not places:
            return []
        other, section = places[int(rng.random() * len(places))]
        number = self.article_at(other, section, rng.getrandbits(32))
        return [self.own(host, number) if other.index == host.twin else self.away(host, other, number)]

    def inline(self, host: Host, topic: str, rng: Random) -> tuple[Anchor, ...]:
        """Links in the text: one or two to the same topic anywhere."""
        links = self.elsewhere(host, topic, rng)
        return tuple(links + self.elsewhere(host, topic, rng) if rng.random() < 0.5 else links)

    def off_topic(self, host: Host, rng: Random) -> list[Anchor]:
        """One link to any topic."""
        return self.elsewhere(host, TOPICS[int(rng.random() * len(TOPICS))], rng)

    def footer(self, host: Host, number: int) -> tuple[Anchor, ...]:
        """About, contact, login, and two other hosts."""
        words = LABELS[host.role.language]
        links = []
        if host.role.extras:
            links = [Anchor("/about.html", words["about"]), Anchor("/contact.html", words["contact"])]
            links.append(Anchor("/login?next=%2F", words["login"]))
        hosts = self.layout.hosts
        picks = {self.facts.key(host, number, salt) % len(hosts) for salt in (13, 14)} - {host.twin}
        return (*links, *(self.away(host, hosts[pick], 0) for pick in sorted(picks)))

    def directory(self, host: Host) -> list[Anchor]:
        """A portal's list of other hosts."""
        hosts = self.layout.hosts
        step = max(1, len(hosts) // DIRECTORY)
        return [self.away(host, other, 0) for other in hosts[::step] if other.index != host.index]

    def home_entries(self, host: Host) -> tuple[Anchor, ...]:
        """Newest articles of each visible section; a portal's directory."""
        entries = self.directory(host) if host.role.portal else []
        for section in host.visible:
            entries += self.newest(host, section)
        return tuple(entries)

    def newest(self, host: Host, section: Section) -> list[Anchor]:
        """The last articles of a section."""
        last = host.section_size(section.index) - 1
        positions = [at for at in range(last, max(last - LATEST, 0), -1) if at % LIST_STEP]
        return [self.own(host, host.number_at(section.index, at)) for at in positions]

    def section_entries(self, host: Host, section: Section) -> tuple[Anchor, ...]:
        """Newest articles, list pages (the first ones and then at doubling distances), and ways into tunnels."""
        pages = (self.size(host, section.index) - 1) // LIST_STEP + 1
        shown = sorted({*range(min(pages, START_PAGES)), *(1 << power for power in range(3, pages.bit_length())), pages - 1})
        numbers = [host.number_at(section.index, page * LIST_STEP) for page in shown if 0 <= page < pages]
        return (*self.newest(host, section), *(self.own(host, at) for at in numbers), *self.entrances(host, section))

    def entrances(self, host: Host, section: Section) -> list[Anchor]:
        """Links to the first pages of tunnels that start at this section; the anchor says nothing."""
        here = [place for place in self.layout.places_of(section.topic) if not place[0].role.faults]
        links = []
        for turn, (island, hidden) in enumerate(self.layout.hidden.get(section.topic, [])):
            if not here:
                continue
            start, from_section = here[turn % len(here)]
            if start.index == host.twin and from_section.index == section.index:
                href = f"http://{island.name}{self.facts.suffix}{tunnel_path(hidden, 1)}"
                links.append(Anchor(href, LABELS[host.role.language]["partner"]))
        return links

    def list_entries(self, host: Host, section: Section, position: int) -> tuple[Anchor, ...]:
        """The articles of a list page and its neighbors."""
        size, words = self.size(host, section.index), LABELS[host.role.language]
        numbers = [host.number_at(section.index, at) for at in range(position + 1, min(position + LIST_STEP, size))]
        links = [self.own(host, at) for at in numbers if self.there(host, at)]
        if position:
            links.append(self.own(host, host.number_at(section.index, position - LIST_STEP), words["previous"]))
        if position + LIST_STEP < size:
            links.append(self.own(host, host.number_at(section.index, position + LIST_STEP), words["next"]))
        return tuple(links)

    def friends(self, place: Place, topic: str, rng: Random) -> tuple[Anchor, ...]:
        """Sidebar of an article: something off the topic, rarely the section page of its topic on another host."""
        host, _ = place
        links = self.off_topic(host, rng)
        sections = self.layout.places_of(topic)
        if sections and rng.random() < 0.3:
            other, section = sections[int(rng.random() * len(sections))]
            if other.index != host.twin:
                name = vocabulary(topic, other.role.language).title
                links.append(Anchor(self.away(host, other, 1 + section.index).href, name))
        return tuple(links)


def tunnel_path(section: Section, step: int) -> str:
    """Path of the step-th page on the way to a hidden section, from 1."""
    return f"/via/{section.path}/{step}.html"
