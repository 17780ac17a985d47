"""Traps on top of a good web: parts without end that a crawler meets by ordinary links, each with a name of its own.

A `TrappedWeb` answers for the good web, whose pages have got a few links into one trap, and for the trap's own addresses.
Every page is a pure function of its address. What a trap says costs it nothing: sentences of a fixed stock in another order,
paragraphs of other people's articles, general chatter, or redirects alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from random import Random
from urllib.parse import parse_qsl, urlencode, urlsplit

from synthweb.hashing import mix, number_of
from synthweb.hosts import Host
from synthweb.markup import paragraphs_of
from synthweb.prose import Writer
from synthweb.web import Answer, SyntheticWeb
from synthweb.words import GENERAL, vocabulary

Links = Sequence[tuple[str, str]]
"""Address and anchor."""

DOORS_EVERY = 4
"""One page in so many of the good web has doors; of the host that a trap belongs to all pages have."""
DOORS = 2
SENTENCES = 240
"""The stock of a farm."""
ON_A_PAGE = 14
FANOUT = 10
"""Links of a trap's page into the trap."""
CLOAKED_HOSTS = 12
MIRRORS = 100
HOPS = 6
"""Redirects in a row, each to a new host, before a page of the redirect farm."""
COPIES = 40
"""Different pages behind endless addresses of sessions."""


class Trap(ABC):
    """One kind of trap on a good web; subclasses say what its addresses are and what they answer."""

    inside = False
    """On a host of the good web, whose pages all have doors; else doors are on pages of all hosts."""

    def __init__(self, web: SyntheticWeb) -> None:
        self.web, self.topic, self.seed = web, web.plan.topic, web.plan.seed
        self.home: Host = next(host for host in web.hosts if host.role.topical and host.role.language == "en")
        """The host of the good web that traps inside lie on, and that mirrors show."""

    def doors(self, number: int) -> Links:
        """Links from a page of the good web into the trap."""
        return self.further(number)[:DOORS]

    def further(self, number: int) -> Links:
        """Links to other pages of the trap; by default it has none of its own."""
        return []

    @abstractmethod
    def owns(self, url: str) -> bool:
        """Is this address the trap's?"""

    def answer(self, url: str) -> Answer:
        """What one of its addresses says."""
        number = number_of(url)
        return page(self.anchor(number), self.text(number), self.further(number))

    def text(self, number: int) -> Sequence[str]:
        """Paragraphs."""
        return Writer("en", GENERAL, mix(self.seed, number)).text(90)

    def anchor(self, number: int) -> str:
        """Words of a link into it."""
        return Writer("en", self.topic, mix(self.seed, number, 1)).title()

    def at_home(self, target: str) -> str:
        """An address on the host that the trap lies on."""
        return self.web.facts.url(self.home, target)

    def keys(self, number: int, count: int = FANOUT) -> list[int]:
        """Numbers of further pages."""
        return [mix(self.seed, number, turn) & 0xFFFFFFFF for turn in range(count)]

    @cached_property
    def stock(self) -> list[str]:
        """The sentences that a farm's pages are made of."""
        writer = Writer("en", self.topic, mix(self.seed, 77))
        return [writer.sentence("w") for _ in range(SENTENCES)]

    def spun(self, number: int) -> list[str]:
        """Sentences of the stock in an order of its own: speaks on topic, and says nothing new."""
        drawn = Random(number).sample(self.stock, ON_A_PAGE)
        return [" ".join(drawn[start : start + 4]) for start in range(0, ON_A_PAGE, 4)]


class Redirects(Trap):
    """Each hop a new host, of a new domain; now and then a page with more of them."""

    def further(self, number: int) -> Links:
        return [(f"http://www.r{key:08x}.test/go/{HOPS}", self.anchor(key)) for key in self.keys(number)]

    def owns(self, url: str) -> bool:
        return urlsplit(url).netloc.startswith("www.r") and "/go/" in url

    def answer(self, url: str) -> Answer:
        left, number = int(urlsplit(url).path.rpartition("/")[2] or 0), number_of(url)
        if left:
            onward = f"http://www.r{mix(self.seed, number, 5) & 0xFFFFFFFF:08x}.test/go/{left - 1}"
            return Answer(302, (("Location", onward), ("Content-Type", "text/html")), b"moved\n")
        return page(self.anchor(number), self.spun(number), self.further(number))


class Events(Trap):
    """An ordinary-looking site without end: every event names others."""

    def further(self, number: int) -> Links:
        return [(f"http://events.townhall.test/cal/ev-{key:08x}", self.anchor(key)) for key in self.keys(number)]

    def owns(self, url: str) -> bool:
        return url.startswith("http://events.townhall.test/")

    def anchor(self, number: int) -> str:
        return Writer("en", GENERAL, mix(self.seed, number, 1)).title()


class Calendar(Trap):
    """Months and days for ever, from this year on."""

    inside = True

    def doors(self, number: int) -> Links:
        return [(self.at_home("/agenda/2026/11/"), "agenda")]

    def further(self, number: int) -> Links:
        year, month = divmod(number, 12)
        links = [(self.at_home(f"/agenda/{at // 12:04}/{at % 12 + 1:02}/"), "month") for at in (number - 1, number + 1)]
        return links + [(self.at_home(f"/agenda/{year:04}/{month + 1:02}/{day:02}.html"), f"{day}") for day in range(1, 29)]

    def owns(self, url: str) -> bool:
        return url.startswith(self.at_home("/agenda/"))

    def answer(self, url: str) -> Answer:
        parts = [int(part.partition(".")[0]) for part in urlsplit(url).path.split("/")[2:] if part]
        number = parts[0] * 12 + parts[1] - 1
        return page(f"Agenda {url[-12:]}", [f"Nothing planned on {parts[-1]}."], self.further(number))


class Facets(Trap):
    """A list with filters, each of which may be set to any value."""

    inside = True
    fields = (("color", 6), ("size", 5), ("brand", 9), ("sort", 4), ("view", 3), ("stock", 2), ("page", 40))

    def doors(self, number: int) -> Links:
        return [(self.at_home("/shop/?color=1"), "shop")]

    def further(self, number: int) -> Links:
        return []

    def owns(self, url: str) -> bool:
        return url.startswith(self.at_home("/shop/"))

    def answer(self, url: str) -> Answer:
        chosen, draw = dict(parse_qsl(urlsplit(url).query)), Random(number_of(url))
        links = []
        for name, values in self.fields:
            fields = {**chosen, name: str(1 + int(draw.random() * values))}
            links.append((self.at_home(f"/shop/?{urlencode(fields)}"), f"{name} {fields[name]}"))
        return page("Shop", self.spun(int(chosen.get("page", "0"))), links)


class Sessions(Trap):
    """A few pages, each under a new address for every visit."""

    inside = True

    def further(self, number: int) -> Links:
        keys = self.keys(number)
        return [
            (self.at_home(f"/desk/{key % COPIES}.html?visitref={mix(key, 3):016x}"), self.anchor(key % COPIES)) for key in keys
        ]

    def owns(self, url: str) -> bool:
        return url.startswith(self.at_home("/desk/"))

    def answer(self, url: str) -> Answer:
        number = int(urlsplit(url).path.rpartition("/")[2].partition(".")[0])
        return page(self.anchor(number), self.spun(number), self.further(number_of(url)))


class Permuted(Trap):
    """The same list, its parameters as a path in every order."""

    inside = True
    names = ("by", "from", "in", "kind", "lang", "order", "tag")

    def further(self, number: int) -> Links:
        links = []
        for key in self.keys(number):
            names = Random(key).sample(self.names, 5)
            links.append((self.at_home("/list/" + "/".join(f"{name}-{key % 4}" for name in names)), self.anchor(key % 4)))
        return links

    def owns(self, url: str) -> bool:
        return url.startswith(self.at_home("/list/"))

    def answer(self, url: str) -> Answer:
        return page("List", self.spun(int(url[-1])), self.further(number_of(url)))


class LinkFarm(Trap):
    """One host whose pages all speak on topic and link to more of their kind."""

    def further(self, number: int) -> Links:
        return [(f"http://www.starfarm.test/p/{key:08x}.html", self.anchor(key)) for key in self.keys(number)]

    def owns(self, url: str) -> bool:
        return url.startswith("http://www.starfarm.test/")

    def text(self, number: int) -> Sequence[str]:
        return self.spun(number)


class Cloaked(Trap):
    """What only crawlers are shown: paragraphs of other people's articles and a line of keywords, on some hosts."""

    def further(self, number: int) -> Links:
        keys = self.keys(number)
        return [(f"http://www.offer{key % CLOAKED_HOSTS}.test/a-{key:08x}", self.anchor(key)) for key in keys]

    def owns(self, url: str) -> bool:
        return urlsplit(url).netloc.startswith("www.offer")

    def text(self, number: int) -> Sequence[str]:
        draw = Random(number)
        stolen = [draw.choice(draw.choice(self.articles)) for _ in range(4)]
        return [*stolen, " ".join(vocabulary(self.topic, "en").keywords)]

    @cached_property
    def articles(self) -> list[list[str]]:
        """Paragraphs of the good web's articles on the topic."""
        found = []
        for number in range(self.home.size):
            document = self.web.page(self.home.first + number)
            if document.label.kind == "article" and document.label.topic == self.topic:
                found.append(paragraphs_of(document))
        return found


class Searches(Trap):
    """Result pages of a site's search, which name other searches."""

    inside = True

    def further(self, number: int) -> Links:
        words, links = vocabulary(self.topic, "en").nouns, []
        for key in self.keys(number):
            asked = Random(key).sample(words, 2)
            links.append((self.at_home(f"/search?{urlencode({'q': ' '.join(asked), 'page': 1 + key % 3})}"), " ".join(asked)))
        return links

    def owns(self, url: str) -> bool:
        return url.startswith(self.at_home("/search?"))

    def answer(self, url: str) -> Answer:
        draw, number = Random(number_of(url)), number_of(url)
        asked = dict(parse_qsl(urlsplit(url).query)).get("q", "")
        found = [draw.randrange(1, self.home.size) for _ in range(6)]
        links = [(self.at_home(self.web.facts.path(self.home, at)), self.web.facts.title(self.home.index, at)) for at in found]
        return page(f"Search: {asked}", [f"{draw.choice(self.stock)}" for _ in range(8)], [*links, *self.further(number)])


class Wildcard(Trap):
    """Endless names of one domain."""

    domain = "wildstars.test"

    def further(self, number: int) -> Links:
        return [(self.named(key), self.anchor(key)) for key in self.keys(number)]

    def named(self, key: int) -> str:
        """The home page of a host."""
        return f"http://n{key:08x}.{self.domain}/"

    def owns(self, url: str) -> bool:
        return urlsplit(url).netloc.endswith(f".{self.domain}")

    def text(self, number: int) -> Sequence[str]:
        return self.spun(number)


class FarmHosts(Wildcard):
    """Endless hosts, each of a domain of its own."""

    def named(self, key: int) -> str:
        return f"http://www.k{key:08x}.test/"

    def owns(self, url: str) -> bool:
        return urlsplit(url).netloc.startswith("www.k")


class Mirrors(Trap):
    """A good host under a hundred other names; its own pages name them."""

    inside = True

    def doors(self, number: int) -> Links:
        return [(f"http://{name(key)}/", f"mirror {key % MIRRORS}") for key in self.keys(number, DOORS)]

    def owns(self, url: str) -> bool:
        return urlsplit(url).netloc.startswith("mirror")

    def answer(self, url: str) -> Answer:
        parts = urlsplit(url)
        answer = self.web.answer(self.home, SyntheticWeb.path_of(url))
        if answer.status != 200 or parts.path == "/robots.txt":
            return answer
        body = answer.body.replace(self.home.name.encode(), parts.netloc.encode())
        links = [(f"http://{name(key)}{parts.path}", f"mirror {key % MIRRORS}") for key in self.keys(number_of(url), DOORS)]
        return Answer(200, answer.headers, with_links(body, links))


def name(key: int) -> str:
    """Of a mirror."""
    return f"mirror{key % MIRRORS:02}.test"


TRAPS: dict[str, type[Trap]] = {
    "redirects": Redirects,
    "events": Events,
    "calendar": Calendar,
    "facets": Facets,
    "sessions": Sessions,
    "permuted": Permuted,
    "link-farm": LinkFarm,
    "cloaked": Cloaked,
    "searches": Searches,
    "wildcard": Wildcard,
    "farm-hosts": FarmHosts,
    "mirrors": Mirrors,
}
"""By name."""


@dataclass
class TrappedWeb:
    """A good web, and one trap or none."""

    web: SyntheticWeb
    trap: Trap | None = None

    def is_trap(self, url: str) -> bool:
        """Is this address part of the trap?"""
        return self.trap is not None and self.trap.owns(without_robots(url))

    def answer(self, url: str) -> Answer | None:
        """What comes back; None: there is no such host."""
        host, trap = self.web.host_of(url), self.trap
        if host is None and trap is not None and urlsplit(url).path == "/robots.txt":
            return Answer(404, (("Content-Type", "text/html"),), b"none\n")
        if trap is not None and trap.owns(url):
            return trap.answer(url)
        if host is None:
            return None
        answer = self.web.answer(host, SyntheticWeb.path_of(url))
        if trap is None or answer.status != 200 or b"</body>" not in answer.body:
            return answer
        number = number_of(url)
        if number % DOORS_EVERY and not (trap.inside and host is trap.home):
            return answer
        return Answer(answer.status, answer.headers, with_links(answer.body, trap.doors(number)))


def without_robots(url: str) -> str:
    """The address of a robots.txt as one of a page of its host: it is part of what a farm of hosts costs."""
    return url.replace("/robots.txt", "/go/0") if url.endswith("/robots.txt") else url


def page(title: str, paragraphs: Sequence[str], links: Links) -> Answer:
    """A page in a plain frame."""
    body = "\n".join(f"<p>{escape(text)}</p>" for text in paragraphs)
    html = (
        f'<!DOCTYPE html>\n<html lang="en"><head><title>{escape(title)}</title></head>\n<body>'
        f'<header><a href="/">Home</a></header>\n<main><h1>{escape(title)}</h1>\n{body}</main>\n</body></html>\n'
    )
    return Answer(200, (("Content-Type", "text/html; charset=utf-8"),), with_links(html.encode(), links))


def with_links(body: bytes, links: Links) -> bytes:
    """A list of links at the end of a page, in any charset that holds ASCII."""
    items = "".join(f'<li><a href="{escape(url)}">{escape(text)}</a></li>\n' for url, text in links)
    return body.replace(b"</body>", f'<div class="more"><ul>\n{items}</ul></div>\n</body>'.encode("ascii", "xmlcharrefreplace"))


@cache
def good_web(seed: int = 1, topic: str = "astronomy", pages: int = 1440) -> SyntheticWeb:
    """The web that traps are laid on: twelve hosts that answer well, five of them about the topic."""
    from synthweb.plan import Plan

    roles = ("portal", "observatory", "journal", "stars", "plain-en", "plain-zh", "plain-en", "plain-zh", "query-zh")
    return SyntheticWeb(Plan(seed, (*roles, "plain-en", "taiwan", "plain-zh"), pages, topic))


def trapped(trap: str, web: SyntheticWeb) -> TrappedWeb:
    """A good web with the trap of this name; empty: with none. KeyError for a name that does not exist."""
    return TrappedWeb(web, TRAPS[trap](web) if trap else None)
