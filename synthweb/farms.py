"""Traps on top of a good web: parts without end that a crawler meets by ordinary links, each with a name of its own.

A `TrappedWeb` answers for the good web, whose pages have got a few links into one trap, and for the trap's own addresses.
Every page is a pure function of its address. What a trap says costs it nothing: sentences of a fixed stock in another order,
paragraphs of other people's articles, general chatter, or redirects alone. How its addresses are written is a `Dress`; of these
there are several, so that what is tuned on one can be measured on the others.
"""

from __future__ import annotations

import re
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
FANOUT = 10
"""Links of a trap's page into the trap."""
CLOAKED_HOSTS = 12
MIRRORS = 100
HOPS = 6
"""Redirects in a row, each to a new host, before a page of the redirect farm."""
COPIES = 40
"""Different pages behind endless addresses of sessions."""


@dataclass(frozen=True, slots=True)
class Dress:
    """How traps write their addresses, and what farms are made of. In forms stand `{key}`, a number of 32 bits, `{small}`, what
    is left of it, two words `{a}` and `{b}` that it draws, and what else the trap says."""

    hop: str = "http://www.r{key:08x}.test/go/{left}"
    event: str = "http://events.townhall.test/cal/ev-{key:08x}"
    months: tuple[str, ...] = tuple(f"{month:02}" for month in range(1, 13))
    calendar: str = "/agenda/"
    month: str = "{year:04}/{month}/"
    day: str = "{year:04}/{month}/{day:02}.html"
    shop: str = "/shop/?"
    fields: tuple[str, ...] = ("color", "size", "brand", "sort", "view", "stock", "page")
    session: str = "/desk/{copy}.html?visitref={key:016x}"
    permuted: str = "/list/"
    between: str = "/"
    farm: str = "http://www.starfarm.test/p/{key:08x}.html"
    offer: str = "http://www.offer{host}.test/a-{key:08x}"
    search: str = "/search?q={a}+{b}&page={number}"
    wildcard: str = "http://n{key:08x}.wildstars.test/"
    farm_host: str = "http://www.k{key:08x}.test/"
    mirror: str = "mirror{host:02}.test"
    sentences: int = 240
    """The stock of a farm …"""
    on_a_page: int = 14
    """… and how many of it a page has."""


FIRST = Dress()
SECOND = Dress(
    hop="http://{a}{b}{small}.example/to/{key:08x}/{left}",
    event="http://whatson.example/{a}-{b}-{small}",
    months=(
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ),
    calendar="/diary/",
    month="{month}-{year}",
    day="{month}-{year}/{day}",
    shop="/catalogue.php?",
    fields=("fabric", "width", "maker", "order", "layout", "ready", "p"),
    session="/help.php?topic={copy}&visit={key:016x}",
    permuted="/pick/",
    between="_",
    farm="http://www.worldguide.example/{a}/{b}-{small}.html",
    offer="http://deals-{host}.example/{a}/{b}-{small}",
    search="/find/{a}+{b}/{number}",
    wildcard="http://{a}-{b}-{small}.hostspace.example/",
    farm_host="http://{a}{b}{small}.example/",
    mirror="copy-{host}.example",
    sentences=480,
    on_a_page=12,
)
"""Words instead of identifiers, paths instead of parameters."""
THIRD = Dress(
    hop="http://{a}-{small}.invalid-{b}.test/?{key:08x}={left}",
    event="http://agenda.culture.test/index.php?id={key:08x}&what={a}",
    months=tuple(f"m{month}" for month in range(1, 13)),
    calendar="/time/",
    month="{year}-{month}.html",
    day="{year}-{month}/{day}.html",
    shop="/stock/list?",
    fields=("material", "height", "vendor", "by", "grid", "sale", "start"),
    session="/info/{copy}?key={key:016x}",
    permuted="/browse/by/",
    between="/",
    farm="http://knowledge.articles.test/{key:08x}",
    offer="http://{host}.bestof.test/{a}_{b}_{small}.htm",
    search="/lookup.cgi?term={a}+{b}&from={number}",
    wildcard="http://{a}{small}.blogs.test/{b}",
    farm_host="http://{b}{a}-{small}.test/start",
    mirror="m{host}.mirrors.test",
    sentences=360,
    on_a_page=10,
)
"""Identifiers in parameters, farms in no directory, offers and mirrors under one domain."""

FOURTH = Dress(
    hop="http://{a}{small}.shorter.example/{b}/{left}",
    event="http://kalender.example/e/{small}/{a}-{b}/",
    months=("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    calendar="/dates/of/",
    month="{year}/{month}",
    day="{year}/{month}/{day}",
    shop="/all.aspx?",
    fields=("tone", "fit", "label", "rank", "style", "left", "pg"),
    session="/faq/{copy}/?s={key:016x}",
    permuted="/tag/",
    between="+",
    farm="http://{a}.encyclopaedia.example/{b}/{key:08x}/",
    offer="http://www.{host}-reviews.example/?p={small}",
    search="/results/{number}/{a}+{b}",
    wildcard="http://{key:08x}.pages.example/{a}.html",
    farm_host="http://{key:08x}.example/{a}/{b}",
    mirror="cache{host}.example",
    sentences=600,
    on_a_page=16,
)
"""Hops inside one domain, a farm on a host for each word, offers that are a number in a parameter."""

FIFTH = Dress(
    hop="https://go.{b}-{a}{small}.test/r?to={key:x}&n={left}",
    event="https://was-ist-los.test/{small}-{a}-{b}.html",
    months=("jan", "feb", "mrz", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"),
    calendar="/termine/",
    month="{month}_{year}",
    day="{month}_{year}_{day:02}",
    shop="/waren/suche?",
    fields=("farbe", "breite", "marke", "folge", "bild", "lager", "seite"),
    session="/hilfe/{copy}/{key:016x}/lesen",
    permuted="/filter/",
    between=",",
    farm="https://{a}-wissen.test/{key:x}",
    offer="https://rabatt{host}.test/x/{key:x}/{a}.php",
    search="/frage/{number}?w={a}+{b}",
    wildcard="https://{b}{key:x}.seiten.test/",
    farm_host="https://www.{a}-{b}-{key:x}.test/artikel/{small}",
    mirror="spiegel-{host}.test",
    sentences=420,
    on_a_page=13,
)
"""Sessions as a directory, searches half in the path, a farm on a host for each word, offers in a directory of their own."""


class Trap(ABC):
    """One kind of trap on a good web; subclasses say what its addresses are and what they answer."""

    inside = False
    """On a host of the good web, whose pages all have doors."""

    def __init__(self, web: SyntheticWeb, dress: Dress = FIRST) -> None:
        self.web, self.topic, self.seed, self.dress = web, web.plan.topic, web.plan.seed, dress
        self.home: Host = next(host for host in web.hosts if host.role.topical and host.role.language == "en")
        """The host of the good web that traps inside lie on, and that mirrors show."""

    def doors(self, number: int) -> Links:
        """Links from a page of the good web into the trap."""
        return self.further(number)[:DOORS]

    def further(self, number: int) -> Links:
        """Links to other pages of the trap."""
        return [(self.address(key), self.anchor(key)) for key in self.keys(number)]

    @property
    def of_home(self) -> bool:
        """Whether all pages of the host of the good web have doors; else doors are on some pages of all hosts."""
        return self.inside

    @property
    @abstractmethod
    def form(self) -> str:
        """Of its addresses, on its host where the trap lies inside."""

    def address(self, key: int, **fields: object) -> str:
        """The address with this number."""
        draw = Random(key)
        a, b = (draw.choice(self.names).replace(" ", "-") for _ in "ab")
        url = self.form.format(key=key, small=key % 100_000, a=a, b=b, **fields)
        return self.at_home(url) if self.inside else url

    @cached_property
    def names(self) -> Sequence[str]:
        """Words for addresses."""
        return vocabulary(self.topic, "en").nouns

    def owns(self, url: str) -> bool:
        """Is this address the trap's? On its host by the beginning of the path, elsewhere by the host's name."""
        return self._own.match(url) is not None and (self.inside or self.web.host_of(url) is None)

    @cached_property
    def _own(self) -> re.Pattern[str]:
        form = self.at_home(self.form) if self.inside else "/".join(self.form.split("/")[:3]) + "/"
        start = form.partition("{")[0] if self.inside else form
        return re.compile("[^/]*".join(map(re.escape, re.split(r"\{[^}]*\}", start))))

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
        return [writer.sentence("w") for _ in range(self.dress.sentences)]

    def spun(self, number: int) -> list[str]:
        """Sentences of the stock in an order of its own: speaks on topic, and says nothing new."""
        drawn = Random(number).sample(self.stock, self.dress.on_a_page)
        return [" ".join(drawn[start : start + 4]) for start in range(0, len(drawn), 4)]


class Redirects(Trap):
    """Each hop a new host, of a new domain; now and then a page with more of them."""

    @property
    def form(self) -> str:
        return self.dress.hop

    def further(self, number: int) -> Links:
        return [(self.address(key, left=HOPS), self.anchor(key)) for key in self.keys(number)]

    def answer(self, url: str) -> Answer:
        left, number = int(re.split("[/=]", url)[-1] or 0), number_of(url)
        if left:
            onward = self.address(mix(self.seed, number, 5) & 0xFFFFFFFF, left=left - 1)
            return Answer(302, (("Location", onward), ("Content-Type", "text/html")), b"moved\n")
        return page(self.anchor(number), self.spun(number), self.further(number))


class Events(Trap):
    """An ordinary-looking site without end: every event names others."""

    @property
    def form(self) -> str:
        return self.dress.event

    @cached_property
    def names(self) -> Sequence[str]:
        return vocabulary(GENERAL, "en").nouns

    def anchor(self, number: int) -> str:
        return Writer("en", GENERAL, mix(self.seed, number, 1)).title()


class Calendar(Trap):
    """Months and days for ever, from this year on."""

    inside = True

    @property
    def form(self) -> str:
        return self.dress.calendar

    def doors(self, number: int) -> Links:
        return [(self.month(2026 * 12 + 10), "agenda")]

    def month(self, number: int) -> str:
        """The address of a month, by its number since the year 0."""
        return self.at_home(self.form + self.dress.month.format(year=number // 12, month=self.dress.months[number % 12]))

    def day(self, number: int, day: int) -> str:
        """The address of a day of that month."""
        return self.at_home(self.form + self.dress.day.format(year=number // 12, month=self.dress.months[number % 12], day=day))

    def further(self, number: int) -> Links:
        links = [(self.month(at), "month") for at in (number - 1, number + 1)]
        return links + [(self.day(number, day), f"{day}") for day in range(1, 29)]

    def answer(self, url: str) -> Answer:
        parts = re.findall(r"[a-z0-9]+", url.removeprefix(self.at_home(self.form)).removesuffix(".html"))
        year = next(part for part in parts if len(part) == 4 and part.isdigit())
        month = next(part for part in parts if part in self.dress.months)
        what = parts[2] if len(parts) > 2 else month
        number = int(year) * 12 + self.dress.months.index(month)
        return page(f"Agenda {what} {month} {year}", [f"Nothing planned on {what}."], self.further(number))


class Facets(Trap):
    """A list with filters, each of which may be set to any value."""

    inside = True
    values = (6, 5, 9, 4, 3, 2, 40)

    @property
    def form(self) -> str:
        return self.dress.shop

    def doors(self, number: int) -> Links:
        return [(self.at_home(f"{self.form}{self.dress.fields[0]}=1"), "shop")]

    def answer(self, url: str) -> Answer:
        chosen, draw = dict(parse_qsl(urlsplit(url).query)), Random(number_of(url))
        links = []
        for name, values in zip(self.dress.fields, self.values, strict=True):
            fields = {**chosen, name: str(1 + int(draw.random() * values))}
            links.append((self.at_home(f"{self.form}{urlencode(fields)}"), f"{name} {fields[name]}"))
        return page("Shop", self.spun(int(chosen.get(self.dress.fields[-1], "0"))), links)


class Sessions(Trap):
    """A few pages, each under a new address for every visit."""

    inside = True

    @property
    def form(self) -> str:
        return self.dress.session

    def further(self, number: int) -> Links:
        keys = self.keys(number)
        return [(self.address(mix(key, 3), copy=key % COPIES), self.anchor(key % COPIES)) for key in keys]

    def answer(self, url: str) -> Answer:
        number = int(re.findall(r"[0-9]+", url.removeprefix(self.at_home("")))[0])
        return page(self.anchor(number), self.spun(number), self.further(number_of(url)))


class Permuted(Trap):
    """The same list, its parameters as a path in every order."""

    inside = True
    parameters = ("by", "from", "in", "kind", "lang", "order", "tag")

    @property
    def form(self) -> str:
        return self.dress.permuted

    def further(self, number: int) -> Links:
        links = []
        for key in self.keys(number):
            drawn = Random(key).sample(self.parameters, 5)
            path = self.dress.between.join(f"{name}-{key % 4}" for name in drawn)
            links.append((self.at_home(f"{self.form}{path}"), self.anchor(key % 4)))
        return links

    def answer(self, url: str) -> Answer:
        return page("List", self.spun(int(url[-1])), self.further(number_of(url)))


class LinkFarm(Trap):
    """One host whose pages all speak on topic and link to more of their kind."""

    @property
    def form(self) -> str:
        return self.dress.farm

    def text(self, number: int) -> Sequence[str]:
        return self.spun(number)


class Cloaked(Trap):
    """What only crawlers are shown: paragraphs of other people's articles and a line of keywords, on some hosts."""

    @property
    def form(self) -> str:
        return self.dress.offer

    def further(self, number: int) -> Links:
        return [(self.address(key, host=key % CLOAKED_HOSTS), self.anchor(key)) for key in self.keys(number)]

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

    @property
    def form(self) -> str:
        return self.dress.search

    def further(self, number: int) -> Links:
        return [(self.address(key, number=1 + key % 3), self.anchor(key)) for key in self.keys(number)]

    def anchor(self, number: int) -> str:
        return " ".join(Random(number).sample(self.names, 2))

    def answer(self, url: str) -> Answer:
        draw, number = Random(number_of(url)), number_of(url)
        asked = next(part for part in re.split("[/=&]", url) if "+" in part)
        found = [draw.randrange(1, self.home.size) for _ in range(6)]
        links = [(self.at_home(self.web.facts.path(self.home, at)), self.web.facts.title(self.home.index, at)) for at in found]
        return page(f"Search: {asked}", [f"{draw.choice(self.stock)}" for _ in range(8)], [*links, *self.further(number)])


class Wildcard(Trap):
    """Endless names of one domain."""

    @property
    def form(self) -> str:
        return self.dress.wildcard

    def text(self, number: int) -> Sequence[str]:
        return self.spun(number)


class FarmHosts(Wildcard):
    """Endless hosts, each of a domain of its own."""

    @property
    def form(self) -> str:
        return self.dress.farm_host


class Mirrors(Trap):
    """A good host under a hundred other names; its own pages name them."""

    @property
    def form(self) -> str:
        return f"http://{self.dress.mirror}/"

    @property
    def of_home(self) -> bool:
        return True

    def doors(self, number: int) -> Links:
        return self.under_other_names(number, "/")

    def under_other_names(self, number: int, path: str) -> Links:
        """Two names of the host, for this path."""
        keys = [key % MIRRORS for key in self.keys(number, DOORS)]
        return [(f"http://{self.dress.mirror.format(host=key)}{path}", f"mirror {key}") for key in keys]

    def answer(self, url: str) -> Answer:
        parts = urlsplit(url)
        answer = self.web.answer(self.home, SyntheticWeb.path_of(url))
        if answer.status != 200 or parts.path == "/robots.txt":
            return answer
        body = answer.body.replace(self.home.name.encode(), parts.netloc.encode())
        return Answer(200, answer.headers, with_links(body, self.further_names(number_of(url), parts.path)))

    def further_names(self, number: int, path: str) -> Links:
        """What a mirror's page names beside its own host."""
        return self.under_other_names(number, path)


class MirrorsApart(Mirrors):
    """A good host under a few other names, which pages of other hosts name deep inside, each at other addresses: few pages are
    read under two names."""

    of_home = False
    names_of_it = 4

    def doors(self, number: int) -> Links:
        home = self.home
        key, other = self.keys(number, 2)
        path = self.web.facts.path(home, other % home.size)
        return [(f"http://{self.dress.mirror.format(host=key % self.names_of_it)}{path}", self.anchor(other))]

    def further_names(self, number: int, path: str) -> Links:
        return []


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
    "mirrors-apart": MirrorsApart,
}
"""By name."""


@dataclass
class TrappedWeb:
    """A good web, and one trap or none."""

    web: SyntheticWeb
    trap: Trap | None = None

    def is_trap(self, url: str) -> bool:
        """Is this address part of the trap?"""
        return self.trap is not None and self.trap.owns(url)

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
        if number % DOORS_EVERY and not (trap.of_home and host is trap.home):
            return answer
        return Answer(answer.status, answer.headers, with_links(answer.body, trap.doors(number)))


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


def trapped(trap: str, web: SyntheticWeb, dress: Dress = FIRST) -> TrappedWeb:
    """A good web with the trap of this name; empty: with none. KeyError for a name that does not exist."""
    return TrappedWeb(web, TRAPS[trap](web, dress) if trap else None)
