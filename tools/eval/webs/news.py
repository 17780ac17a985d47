"""A made web of Chinese news and blogs, a quarter of it English: topics are subjects, spread over many hosts.

Portals with channels, rolling news and special pages; local papers by day; magazines of one subject; blogs on two or three
subjects; forums; link directories. A page is about a subject, or about nothing in particular. Its words are some of the
subject's (no word is on all pages), some of a near subject's, and those that news of all subjects share; some headlines tell
nothing. On each article stand boxes (related, hot today, recommended, most read) that lead to other subjects as readily as to
its own; anchors are headlines whole or cut, dates, "more", or pictures. Agency reports are on several sites, printed copies
beside some articles.

What differs between the two draws, but for the words of the subjects, is in news.toml: topics, sentences, names, URLs.
"""

from __future__ import annotations

import random
import re
import sqlite3
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from synthweb.words import GENERAL, TOPICS, general_list, vocabulary
from tools.eval.webs.recorded import WebPage, set_topics, write_web
from tools.eval.webs.topics import EXAMPLES
from tools.eval.webs.university import word
from tools.eval.webs.words import canonical

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("news.toml").read_text("utf-8"))
DRAWS = ("a", "b")
CHINESE = tuple({**dict.fromkeys(WORDS["subjects"]), **dict.fromkeys(TOPICS)})
LANGUAGES = ("zh", "en")
SYLLABLES = "安北长春东丰福光海和华吉嘉江金景康乐林龙明南宁平青清荣山盛石泰天文西新兴旭阳永元云泽正志中卓"
FIRST_DAY = date(2025, 1, 6)
DAYS = 90
ABOUT_NOTHING = 0.25
"""Share of the articles of papers and blogs that have no subject."""
AGENCY = 0.15
"""Share of the articles of portals and papers that are an agency's."""
READ = frozenset({"article", "post", "thread"})
"""Kinds of page that can be relevant: those that are read, not those that lead to them."""
TOPIC_WORDS = 4


@dataclass(frozen=True)
class Size:
    """How many sites of each kind a draw has (Chinese, English), and the most articles of one."""

    portals: tuple[int, int] = (4, 1)
    papers: tuple[int, int] = (6, 0)
    magazines: tuple[int, int] = (10, 5)
    blogs: tuple[int, int] = (26, 14)
    forums: tuple[int, int] = (3, 1)
    directories: tuple[int, int] = (3, 0)
    portal_articles: int = 170
    others_articles: int = 60


@dataclass(eq=False)
class _Page:
    url: str
    kind: str
    title: str
    language: str
    day: date
    subject: str = ""
    body: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    blocks: dict[str, list[str]] = field(default_factory=dict)
    """HTML beside the text, by place."""

    def add(self, place: str, block: str) -> None:
        self.blocks.setdefault(place, []).append(block)


@dataclass(eq=False)
class _Site:
    kind: str
    host: str
    name: str
    language: str
    subjects: tuple[str, ...]
    rng: random.Random
    pages: list[_Page] = field(default_factory=list)
    own_hosts: bool = False
    """Whether the channels of a portal have hosts of their own."""
    number: int = 1000

    @property
    def home(self) -> _Page:
        return self.pages[0]

    @property
    def articles(self) -> list[_Page]:
        """Those that are read, latest first."""
        return sorted((page for page in self.pages if page.kind in READ), key=lambda page: page.day, reverse=True)

    def add(self, kind: str, path: str, title: str, day: date = FIRST_DAY, host: str = "", subject: str = "") -> _Page:
        """A page; a path that is taken gets a number."""
        url = canonical(f"http://{host or self.host}{path}")
        if any(page.url == url for page in self.pages):
            url = f"{url.rstrip('/')}-{len(self.pages)}"
        self.pages.append(_Page(url, kind, title, self.language, day, subject))
        return self.pages[-1]

    def url_by(self, pattern: str, day: date, **names: object) -> str:
        """A URL by its pattern: date, running number, a made word."""
        self.number += self.rng.randint(1, 9)
        names = {"n": self.number, "w": "-".join(word(self.rng, 1) for _ in range(3)), **names}
        return pattern.format(y=day.year, m=f"{day.month:02}", d=f"{day.day:02}", **names)


def nouns(subject: str, language: str) -> tuple[str, ...]:
    """The words of a subject."""
    own = WORDS["subjects"].get(subject)
    return tuple(own.split()) if own else vocabulary(subject, language).nouns


class _Writer:
    """Titles and texts of one page."""

    def __init__(self, sayings: dict[str, Any], language: str, subject: str, rng: random.Random) -> None:
        self.rng, self.sayings, self.prefix, self.language = rng, sayings, "english_" if language == "en" else "", language
        whole = nouns(subject, language) if subject else ()
        self.corner: tuple[str, ...] = ()
        self.topical = 0.0
        if subject:
            self.topical = rng.uniform(0.2, 0.8)
            self.corner = tuple(rng.sample(whole, rng.randint(8, 24)))
            near = [one for one in WORDS["neighbours"][subject].split() if language == "zh" or one in TOPICS]
            if near and rng.random() < 0.25:
                self.corner += tuple(rng.sample(nouns(rng.choice(near), language), 8))
        self.slots = self._slots(whole)

    def _slots(self, whole: Sequence[str]) -> dict[str, Callable[[], str]]:
        rng, chinese = self.rng, self.language == "zh"
        general = vocabulary(GENERAL, self.language)
        more = {kind: tuple(words.split()) for kind, words in WORDS["general"].items()} if chinese else {}
        lists = {
            "G": (*general.nouns, *more.get("noun", ())), "W": (*general.verbs, *more.get("verb", ())),
            "A": (*general.adjectives, *more.get("adj", ())), "T": general_list(self.language, "time"),
        }  # fmt: skip
        slots: dict[str, Callable[[], str]] = {slot: partial(rng.choice, words) for slot, words in lists.items()}
        slots["N"] = lambda: rng.choice(self.corner if rng.random() < 0.75 else whole)
        slots["D"] = lambda: str(rng.randint(2, 99))
        slots["P"] = lambda: person(self.language, rng)
        slots["L"] = lambda: place(self.language, rng)
        slots["O"] = lambda: (
            place(self.language, rng) + (rng.choice(("公司", "大学", "协会", "集团")) if chinese else " Council")
        )
        return slots

    def say(self, kind: str) -> str:
        """A sentence of a kind, filled."""
        pattern = self.rng.choice(self.sayings[kind if kind == "said" else self.prefix + kind])
        return re.sub(r"\{(\w)\}", lambda slot: self.slots[slot[1]](), pattern)

    def title(self) -> str:
        return self.say("titles" if self.topical and self.rng.random() < 0.7 else "oblique")

    def text(self) -> list[str]:
        """Mostly few paragraphs, now and then many."""
        gap = " " if self.language == "en" else ""
        return [
            gap.join(
                self.say("topical" if self.rng.random() < self.topical else "plain") for _ in range(self.rng.randint(2, 5))
            )
            for _ in range(min(16, int(self.rng.paretovariate(0.8))))
        ]


def person(language: str, rng: random.Random) -> str:
    """A name."""
    family, given = (rng.choice(general_list(language, kind)) for kind in ("family", "given"))
    return f"{family}{given}" if language == "zh" else f"{given} {word(rng).capitalize()}"


def place(language: str, rng: random.Random) -> str:
    """A made name of a town."""
    return "".join(rng.sample(SYLLABLES, 2)) if language == "zh" else word(rng, 2).capitalize()


class News:
    """All sites of a draw. They are made in two steps: first all pages with their texts, then boxes and lists."""

    def __init__(self, draw: str, size: Size, seed: int = 1) -> None:
        self.sayings: dict[str, Any] = WORDS["draws"][draw]
        self.rng = random.Random(f"news{draw}{seed}")
        self.size = size
        self.reports = [self._report(subject) for subject in CHINESE for _ in range(3)]
        self.sites: list[_Site] = []
        makers = {
            "portal": (size.portals, self._portal), "paper": (size.papers, self._paper),
            "magazine": (size.magazines, self._magazine), "blog": (size.blogs, self._blog),
            "forum": (size.forums, self._forum), "directory": (size.directories, self._directory),
        }  # fmt: skip
        steps = list[Callable[[], None]]()
        for kind, (numbers, make) in makers.items():
            for language, number in zip(LANGUAGES, numbers, strict=True):
                for place_among in range(number):
                    self.sites.append(site := self._site(kind, language, place_among))
                    steps.append(make(site))
        self.read = [page for site in self.sites for page in site.articles]
        for step in steps:
            step()

    def _site(self, kind: str, language: str, among: int) -> _Site:
        rng = random.Random(self.rng.random())
        known = CHINESE if language == "zh" else TOPICS
        subjects = tuple(rng.sample(known, rng.choice((1, 2, 2, 3)))) if kind == "blog" else known
        if kind == "magazine":
            topics = self._topics(language)
            subjects = (topics[among] if among < len(topics) else rng.choice(known),)
        if kind == "forum":
            subjects = tuple(rng.sample(known, 4))
        names = self.sayings[("english_" if language == "en" else "") + ("blogs" if kind == "blog" else "sites")]
        if language == "zh" and kind not in ("portal", "blog"):
            names = self.sayings["directories" if kind == "directory" else f"{kind}s"]
        owner = person(language, rng) if kind == "blog" else place(language, rng)
        owner = rng.choice(nouns(subjects[0], language)[:8]) if kind == "magazine" else owner
        host = (
            f"{word(rng)}.{rng.choice(('weblog.example', word(rng) + '.example'))}"
            if kind == "blog"
            else f"www.{word(rng)}.example"
        )
        return _Site(kind, host, rng.choice(names).format(owner), language, subjects, rng, own_hosts=among % 2 == 0)

    def _topics(self, language: str) -> list[str]:
        return f"{self.sayings['chinese' if language == 'zh' else 'english']} {self.sayings['both']}".split()

    def _report(self, subject: str) -> tuple[str, str, list[str], date]:
        writer = _Writer(self.sayings, "zh", subject, self.rng)
        return subject, writer.title(), writer.text(), FIRST_DAY + timedelta(self.rng.randrange(DAYS))

    def _write(
        self, site: _Site, kind: str, pattern: str, subject: str, host: str = "", day: date | None = None, **names: object
    ) -> _Page:
        """A page that is read, with its text."""
        rng = site.rng
        writer = _Writer(self.sayings, site.language, subject, rng)
        title, text, day = writer.title(), writer.text(), day or FIRST_DAY + timedelta(rng.randrange(DAYS))
        if (
            subject
            and kind == "article"
            and site.language == "zh"
            and site.kind in ("portal", "paper")
            and rng.random() < AGENCY
        ):
            _, told, text, _ = rng.choice([report for report in self.reports if report[0] == subject])
            title = told if rng.random() < 0.7 else title
        page = site.add(kind, site.url_by(pattern, day, **names), title, day, host, subject)
        page.body = text
        tags = rng.sample(writer.corner, rng.randint(1, 4)) if subject else []
        page.tags = tags if rng.random() < 0.8 else [writer.slots["G"]()]
        return page

    def _portal(self, site: _Site) -> Callable[[], None]:
        """Channels on hosts of their own or in directories; each is a list of its articles, or has one for each subject."""
        rng, own_hosts, pattern = site.rng, site.own_hosts, site.rng.choice(self.sayings["portal"])
        domain = site.host.removeprefix("www.")
        site.add("home", "/", site.name)
        fronts, sections = list[_Page](), list[tuple[str, str, str, list[_Page]]]()
        for channel in self.sayings["channels"]:
            slug, title, *subjects = channel.split()
            subjects = [subject for subject in subjects if subject in site.subjects]
            title = title if site.language == "zh" else slug.capitalize()
            host = f"{slug}.{domain}" if own_hosts else site.host
            fronts.append(site.add("front", "/" if own_hosts else f"/{slug}/", f"{title}_{site.name}", host=host))
            whole, articles = rng.random() < 0.4, list[_Page]()
            for subject in subjects:
                most = self.size.portal_articles // len(CHINESE)
                subject_slug = rng.choice((subject, f"c{rng.randint(10, 99)}", word(rng)))
                path = ("" if own_hosts else f"/{slug}") + rng.choice(("", f"/{subject_slug}")) + pattern
                mine = [self._write(site, "article", path, subject, host) for _ in range(rng.randint(most // 2, most * 3 // 2))]
                articles += mine
                if not whole:
                    sections.append((host, subject_slug, nouns(subject, site.language)[0], mine))
            if whole and articles:
                sections.append((host, slug, title, articles))
        return lambda: self._lay_portal(site, fronts, sections)

    def _lay_portal(self, site: _Site, fronts: list[_Page], sections: list[tuple[str, str, str, list[_Page]]]) -> None:
        rng, articles, boxes = site.rng, site.articles, self._boxes(site)
        pattern = rng.choice(self.sayings["list"])
        lists = {}
        for host, slug, title, mine in sections:
            first = self._paged(site, mine, partial(pattern.format, s=slug), f"{title}_{site.name}", 15, host)
            lists[first] = (title, mine)
        self._paged(site, articles[:120], partial(pattern.format, s="roll"), f"{boxes['roll']}_{site.name}", 40)
        roll = site.pages[-1]
        for subject in rng.sample(site.subjects, 4):
            mine = [page for page in articles if page.subject == subject]
            special = site.add("special", f"/special/{word(rng)}/", f"{boxes['special']}：{nouns(subject, site.language)[0]}")
            special.add("main", self._entries(site, mine[:20]))
            site.home.add("main", _links(boxes["special"], {special: special.title}))
            for page in rng.sample(mine, len(mine) // 2):
                page.add("side", _links(boxes["special"], {special: special.title}))
        for front in fronts:
            under = front.url.rsplit("/", 1)[0]
            mine = [page for page in articles if page.url.startswith(under)] or articles
            front.add("main", self._entries(site, mine[:20]))
            for first, (title, _) in lists.items():
                if first.url.startswith(under):
                    front.add("main", _box(title, [_link(first, rng.choice((title, rng.choice(self._more(site)))))]))
        names = {front: front.title.split("_")[0] for front in fronts}
        for front, name in names.items():
            under = front.url.rsplit("/", 1)[0]
            mine = [page for page in articles if page.url.startswith(under)]
            site.home.add("main", _box(name, self._anchors(site, mine[:8])))
        navigation = _links("", {site.home: boxes["home"], **names, roll: boxes["roll"]})
        for page in site.pages:
            page.add("top", navigation)
        self._article_boxes(site, pattern)
        self._friends(site, self._others(site, "portal", "paper"), 6, home_only=rng.random() < 0.5)

    def _paper(self, site: _Site) -> Callable[[], None]:
        """By day and page; the home page shows the latest day, and a calendar leads to the others."""
        rng, (pattern, node) = site.rng, self.sayings["paper"]
        site.add("home", "/", site.name)
        days: dict[date, list[_Page]] = {}
        for day in sorted(rng.sample([FIRST_DAY + timedelta(number) for number in range(DAYS)], 14)):
            for among in range(self.size.others_articles // 10):
                subject = "" if rng.random() < ABOUT_NOTHING else rng.choice(site.subjects)
                days.setdefault(day, []).append(self._write(site, "article", pattern, subject, day=day, p=among % 3 + 1))
        return lambda: self._lay_paper(site, days, node)

    def _lay_paper(self, site: _Site, days: dict[date, list[_Page]], node: str) -> None:
        rng, nodes = site.rng, list[list[_Page]]()
        for day, articles in days.items():
            third = -(-len(articles) // 3)
            names = [f"第{number}版" for number in (1, 2, 3)]
            of_day = [
                site.add("list", site.url_by(node, day, p=number), f"{site.name} {day} {name}", day)
                for number, name in enumerate(names, 1)
            ]
            for number, (page, name) in enumerate(zip(of_day, names, strict=True)):
                mine = articles[number * third : (number + 1) * third]
                page.add("main", _links(name, {one: one.title for one in mine}))
                page.add("side", _links("", dict(zip(of_day, names, strict=True))))
                for one in mine:
                    one.add("top", _links("", {page: name, site.home: site.name}))
            nodes.append(of_day)
        for page in (site.home, *(nodes[0])):
            page.add("side", _links("", {of_day[0]: str(of_day[0].day) for of_day in nodes}))
        for before, after in pairwise(nodes):
            before[0].add("foot", _links("", {after[0]: "下一期"}))
            after[0].add("foot", _links("", {before[0]: "上一期"}))
        site.home.add("main", self._entries(site, site.articles[:15]))
        self._article_boxes(site, "")
        self._friends(site, self._others(site, "portal", "paper"), 6, home_only=rng.random() < 0.5)

    def _magazine(self, site: _Site) -> Callable[[], None]:
        """One subject, and now and then one that is near."""
        rng, pattern = site.rng, site.rng.choice(self.sayings["magazine"])
        site.add("home", "/", site.name)
        near = [one for one in WORDS["neighbours"][site.subjects[0]].split() if site.language == "zh" or one in TOPICS]
        columns = [word(rng) for _ in range(3)]
        sections: dict[str, list[_Page]] = {}
        for _ in range(rng.randint(self.size.others_articles // 2, self.size.others_articles)):
            subject = rng.choice(near or site.subjects) if rng.random() < 0.15 else site.subjects[0]
            column = rng.choice(columns)
            sections.setdefault(column, []).append(self._write(site, "article", pattern, subject, s=column))
        return lambda: self._lay_magazine(site, sections)

    def _lay_magazine(self, site: _Site, sections: dict[str, list[_Page]]) -> None:
        rng, pattern, boxes = site.rng, site.rng.choice(self.sayings["list"]), self._boxes(site)
        links = {site.home: boxes["home"]}
        for column, articles in sections.items():
            title = rng.choice(nouns(site.subjects[0], site.language)) if rng.random() < 0.6 else column
            first = self._paged(site, articles, partial(pattern.format, s=column), f"{title} - {site.name}", 12)
            links[first] = title
        site.home.add("main", self._entries(site, site.articles[:15]))
        for page in site.pages:
            page.add("top", _links("", links))
        self._article_boxes(site, pattern)
        others = [other for other in self.sites if other is not site and other.language == site.language]
        self._friends(site, others, 8, home_only=rng.random() < 0.6)

    def _blog(self, site: _Site) -> Callable[[], None]:
        rng, platform = site.rng, site.rng.choice(self.sayings["platforms"])
        site.add("home", "/", site.name)
        slugs = {subject: rng.choice((subject, str(rng.randint(1, 40)), word(rng))) for subject in (*site.subjects, "")}
        for _ in range(rng.randint(self.size.others_articles // 8, self.size.others_articles // 2)):
            subject = "" if rng.random() < ABOUT_NOTHING else rng.choice(site.subjects)
            self._write(site, "post", platform[0], subject)
        return lambda: self._lay_blog(site, platform, slugs)

    def _lay_blog(self, site: _Site, platform: Sequence[str], slugs: dict[str, str]) -> None:
        """Categories, tags, months and further pages, all of them with the beginnings of posts."""
        rng, posts, boxes = site.rng, site.articles, self._boxes(site)
        _, category, tag, month, further = platform
        of_category = self._categories(site, category, slugs)
        of_tag = {
            name: self._listed(site, tag.format(t=name.replace(" ", "-")), name, [post for post in posts if name in post.tags])
            for name in dict.fromkeys(name for post in posts for name in post.tags)
            if rng.random() < 0.25
        }
        months: dict[str, list[_Page]] = {}
        for post in posts:
            months.setdefault(f"{post.day:%Y-%m}", []).append(post)
        of_month = {self._listed(site, month.format(y=name[:4], m=name[5:]), name, mine): name for name, mine in months.items()}
        self._paged(site, posts, further.format, site.name, 8, home=True, excerpts=True)
        about = site.add("about", f"/{rng.choice(('about', 'me', 'guestbook'))}/", boxes["about"])
        about.body = _Writer(self.sayings, site.language, "", rng).text()
        side = [
            _links(boxes["latest"], {post: post.title for post in posts[:5]}),
            _links(boxes["categories"], of_category),
            _links(boxes["months"], of_month),
            _links("", {site.home: boxes["home"], about: boxes["about"]}),
        ]  # fmt: skip
        if rng.random() < 0.6:
            side.append(_links(boxes["tags"], {page: name for name, page in list(of_tag.items())[:12]}))
        for page in site.pages:
            page.add("side", "".join(side))
        for post in posts:
            own = [_link(of_tag[name], name) for name in post.tags if name in of_tag]
            post.add("after", f'<p class="tags">{boxes["tags"]}: {", ".join(own) or "-"}</p>')
            if rng.random() < 0.3:
                post.body.append(self._aside(site, post))
            writer = _Writer(self.sayings, site.language, "", rng)
            said = [f"<p>{writer.say('said' if site.language == 'zh' else 'plain')}</p>" for _ in range(rng.randrange(5))]
            post.add("after", f"<h3>{boxes['comments']}</h3>{''.join(said)}")
        self._article_boxes(site, "", few=True)
        near = [
            other
            for other in self.sites
            if other is not site and other.language == site.language and set(other.subjects) & set(site.subjects)
        ]
        friends = [other for other in near if other.kind in ("blog", "magazine")] * 2 + self.sites
        self._friends(site, friends, rng.randint(3, 9), home_only=rng.random() < 0.5)

    def _categories(self, site: _Site, pattern: str, slugs: dict[str, str]) -> dict[_Page, str]:
        """A list of the posts on each subject, with its title."""
        made: dict[str, _Page] = {}
        for subject, slug in slugs.items():
            mine = [post for post in site.articles if post.subject == subject]
            if subject:
                title = nouns(subject, site.language)[site.rng.randrange(3)]
            else:
                title = site.rng.choice(("随笔", "其他")) if site.language == "zh" else "Misc"
            if mine:
                made[title] = self._listed(site, pattern.format(s=slug), title, mine)
        return {page: title for title, page in made.items()}

    def _aside(self, site: _Site, page: _Page) -> str:
        """A sentence that links to an article elsewhere, mostly on the page's subject."""
        rng = site.rng
        same = [other for other in self.read if other.subject == page.subject and other.language == page.language]
        goal = rng.choice(same if same and rng.random() < 0.7 else self.read)
        return f"{_Writer(self.sayings, site.language, '', rng).say('plain')} {self._anchor(site, goal)}"

    def _forum(self, site: _Site) -> Callable[[], None]:
        rng, (pattern, _) = site.rng, self.sayings["thread"]
        site.add("home", "/", site.name)
        for subject in site.subjects:
            for _ in range(self.size.others_articles // 6):
                thread = self._write(site, "thread", pattern, subject)
                for _ in range(rng.randrange(6)):
                    writer = _Writer(self.sayings, site.language, subject if rng.random() < 0.5 else "", rng)
                    thread.body.append(writer.say("topical" if writer.topical else "plain"))
        return lambda: self._lay_forum(site)

    def _lay_forum(self, site: _Site) -> None:
        rng, (_, board) = site.rng, self.sayings["thread"]
        for number, subject in enumerate(site.subjects):
            title = nouns(subject, site.language)[0]
            mine = [thread for thread in site.articles if thread.subject == subject]
            slug = str(rng.randint(10, 99)) if number % 2 else subject
            first = self._paged(site, mine, partial(board.format, s=slug), f"{title} - {site.name}", 10)
            site.home.add("main", _box(title, [_link(first, title), *self._anchors(site, mine[:2])]))
            for thread in mine:
                thread.add("top", _links("", {site.home: site.name, first: title}))
                if rng.random() < 0.4:
                    thread.body.append(self._aside(site, thread))
        self._article_boxes(site, "", few=True)

    def _directory(self, site: _Site) -> Callable[[], None]:
        site.add("home", "/", site.name)
        return lambda: self._lay_directory(site)

    def _lay_directory(self, site: _Site) -> None:
        """Two thirds of all sites, by channel."""
        rng = site.rng
        known = [other for other in self.sites if other.kind != "directory" and rng.random() < 0.66]
        for number, channel in enumerate(self.sayings["channels"]):
            _, title, *subjects = channel.split()
            listed = [other for other in known if other.subjects[0] in subjects]
            page = site.add("list", f"/dir/{number + 1}.html", f"{title} - {site.name}")
            page.add("main", _list([f"{_link(other.home, other.name)} {self._described(other, rng)}" for other in listed]))
            page.add("top", _link(site.home, site.name))
            site.home.add("main", _box(title, [_link(page, title), *(_link(other.home, other.name) for other in listed[:3])]))
        self._friends(site, self.sites, 10, home_only=True)

    def _described(self, site: _Site, rng: random.Random) -> str:
        return _Writer(self.sayings, site.language, site.subjects[0], rng).say("plain")

    def _boxes(self, site: _Site) -> dict[str, str]:
        boxes: dict[str, str] = self.sayings["boxes" if site.language == "zh" else "english_boxes"]
        return boxes

    def _more(self, site: _Site) -> list[str]:
        more: list[str] = self.sayings["more" if site.language == "zh" else "english_more"]
        return more

    def _anchor(self, site: _Site, page: _Page) -> str:
        """A link as pages have them: the headline, its beginning, a date, "more" or a picture."""
        rng, draw = site.rng, site.rng.random()
        if draw < 0.62:
            return _link(page, page.title)
        if draw < 0.82:
            return _link(page, page.title[: rng.randint(6, 12) * (1 if site.language == "zh" else 3)] + "…")
        if draw < 0.9:
            return _link(page, rng.choice(self._more(site)))
        if draw < 0.93:
            return _link(page, f"{page.day:%m-%d}")
        alt = escape(page.title) if rng.random() < 0.3 else ""
        return f'<a href="{page.url}"><img src="/p/{rng.randint(1, 999)}.jpg" alt="{alt}"></a>'

    def _anchors(self, site: _Site, pages: Iterable[_Page]) -> list[str]:
        """Links to pages; one in a hundred is to a page that is gone."""
        return [
            self._anchor(site, page) if site.rng.random() > 0.01 else f'<a href="{page.url}0">{escape(page.title)}</a>'
            for page in pages
        ]

    def _entries(self, site: _Site, pages: Sequence[_Page], excerpts: bool = False) -> str:
        rows = []
        for page in pages:
            if excerpts and page.body:
                more = _link(page, site.rng.choice(self._more(site)))
                rows.append(f'<div class="entry"><h2>{_link(page, page.title)}</h2><p>{page.body[0][:90]}</p>{more}</div>')
            else:
                (link,) = self._anchors(site, [page])
                rows.append(f"<li>{link} <span>{page.day}</span></li>")
        return "".join(rows) if excerpts else f"<ul>{''.join(rows)}</ul>"

    def _listed(self, site: _Site, path: str, title: str, pages: Sequence[_Page]) -> _Page:
        """A list of posts with their beginnings."""
        page = site.add("list", path, f"{title} | {site.name}")
        page.add("main", self._entries(site, pages[:20], excerpts=True))
        return page

    def _paged(
        self, site: _Site, pages: Sequence[_Page], path: Callable[..., str], title: str, most: int, host: str = "",
        home: bool = False, excerpts: bool = False,
    ) -> _Page:  # fmt: skip
        """A list over several pages, latest first; returns the first of them. `home`: that is the home page."""
        pages = sorted(pages, key=lambda page: page.day, reverse=True)
        made = list[_Page]()
        for number, at in enumerate(range(0, len(pages), most), 1):
            page = site.home if home and number == 1 else site.add("list", path(k=number), title, host=host)
            page.add("main", self._entries(site, pages[at : at + most], excerpts))
            made.append(page)
        for page in made:
            page.add("foot", _links("", {other: str(number) for number, other in enumerate(made, 1) if other is not page}))
        return made[0]

    def _article_boxes(self, site: _Site, listing: str, few: bool = False) -> None:
        """What stands around the articles of a site: which boxes, is its own."""
        rng, articles, boxes = site.rng, site.articles, self._boxes(site)
        own = [box for box in ("related", "hot", "recommended", "ranking") if rng.random() < (0.3 if few else 0.8)]
        ranking = rng.sample(articles, min(10, len(articles)))
        hot: dict[int, list[_Page]] = {}
        for number, page in enumerate(articles):
            same = [other for other in articles if other.subject == page.subject and other is not page]
            found = {
                "related": [rng.choice(same if same and rng.random() < 0.75 else articles) for _ in range(5)],
                "hot": hot.setdefault(page.day.month, rng.sample(articles, min(8, len(articles)))),
                "recommended": rng.sample(articles, min(6, len(articles))),
                "ranking": ranking,
            }  # fmt: skip
            for box in own:
                page.add("after" if box == "related" else "side", _box(boxes[box], self._anchors(site, found[box])))
            for name, at in (("previous", number + 1), ("next", number - 1)):
                if 0 <= at < len(articles):
                    text = articles[at].title if rng.random() < 0.7 else boxes[name]
                    page.add("foot", f"<p>{boxes[name]}: {_link(articles[at], text)}</p>")
            if site.kind == "portal" and rng.random() < 0.1:
                copy = site.add("print", site.url_by("/print/{n}.html", page.day), page.title, page.day, page.url.split("/")[2])
                copy.body = page.body
                page.add("after", _link(copy, boxes["print"]))

    def _others(self, site: _Site, *kinds: str) -> list[_Site]:
        return [other for other in self.sites if other.kind in kinds and other is not site]

    def _friends(self, site: _Site, others: Sequence[_Site], most: int, home_only: bool) -> None:
        """Links to other sites, on the home page or on all of them; one in thirty is dead."""
        rng = site.rng
        chosen = {other.host: other for other in rng.sample(others, min(most, len(others))) if other is not site}
        links = [
            _link(other.home, other.name)
            if rng.random() > 0.03
            else f'<a href="http://{word(rng)}.gone.example/">{word(rng)}</a>'
            for other in chosen.values()
        ]
        for page in [site.home] if home_only else site.pages:
            page.add("foot", _box(self._boxes(site)["friends"], links))


def _link(page: _Page, text: str) -> str:
    return f'<a href="{page.url}">{escape(text)}</a>'


def _list(links: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{link}</li>' for link in links)}</ul>"


def _box(title: str, links: Sequence[str]) -> str:
    heading = f"<h3>{title}</h3>" if title else ""
    return f"<div>{heading}{_list(links)}</div>"


def _links(title: str, pages: Mapping[_Page, str]) -> str:
    return _box(title, [_link(page, text) for page, text in pages.items()])


LAYOUTS = (
    '<div id="top">{top}</div><div id="content"><h1>{title}</h1><div class="text">{body}{main}</div>{after}</div>'
    '<div class="side">{side}</div><div id="foot">{foot}</div>',
    "<header>{top}</header><main><article><h1>{title}</h1>{body}{main}</article>{after}</main>"
    "<aside>{side}</aside><footer>{foot}</footer>",
    '<table><tr><td colspan="2">{top}</td></tr>'
    '<tr><td class="left">{side}</td><td><h1>{title}</h1>{body}{main}{after}</td></tr></table><div>{foot}</div>',
)


def _html(page: _Page, site: _Site) -> bytes:
    body = "".join(f"<p>{text}</p>" for text in page.body)
    said = f"<p>{page.day}</p>{body}" if page.kind in READ else body
    blocks = {place: "".join(page.blocks.get(place, ())) for place in ("top", "main", "after", "side", "foot")}
    layout = LAYOUTS[sum(site.host.encode()) % len(LAYOUTS)].format(title=escape(page.title), body=said, **blocks)
    name = page.title if site.name in page.title else f"{page.title}_{site.name}"
    head = f'<html lang="{site.language}"><head><meta charset="utf-8"><title>{escape(name)}</title></head>'
    return f"{head}<body>{layout}</body></html>".encode()


def build(out: Path, draws: Sequence[str] = DRAWS, size: Size | None = None) -> None:
    """Write `news-a.sqlite` and `news-b.sqlite`, each with its topics."""
    for draw in draws:
        news = News(draw, size or Size())
        file = out / f"news-{draw}.sqlite"
        rows = (
            WebPage(page.url, _html(page, site), labels=(f"kind:{page.kind}",)) for site in news.sites for page in site.pages
        )
        number = write_web(file, rows, {"homes": [site.home.url for site in news.sites], "sources": [draw]})
        topics, members = list[dict[str, Any]](), dict[str, list[str]]()
        for languages in ("chinese", "english", "both"):
            for subject in news.sayings[languages].split():
                topics.append(
                    topic := _topic(news, subject, {"chinese": ("zh",), "english": ("en",)}.get(languages, LANGUAGES), number)
                )
                members[subject] = topic.pop("members")
        with sqlite3.connect(file) as db:
            set_topics(db, topics, members)
        db.close()
        hosts = {page.url.split("/")[2] for site in news.sites for page in site.pages}
        print(f"{file}: {number} pages of {len(hosts)} hosts, {len(topics)} topics", flush=True)


def _topic(news: News, subject: str, languages: Sequence[str], pages: int) -> dict[str, Any]:
    """A subject's articles, posts and threads. Seeds are two pages of one site that is much about it."""
    rng = random.Random(subject)
    mine = [page for page in news.read if page.subject == subject and page.language in languages]
    members, one = sorted(page.url for page in mine), frozenset(page.url for page in mine)
    shares = {site: sum(page.url in one for page in site.articles) / len(site.articles) for site in news.sites if site.articles}
    site = rng.choice([site for site, share in shares.items() if share >= 0.4] or [max(shares, key=lambda site: shares[site])])
    words = {language: list(nouns(subject, language)[: TOPIC_WORDS // len(languages)]) for language in languages}
    return {
        "id": subject, "name": subject, "kind": "subject", "keywords": words, "rule": {}, "distance": "near",
        "hosts": len({url.split("/")[2] for url in members}), "notes": "",
        "seeds": [site.home.url, rng.choice([page.url for page in site.articles if page.url in one])],
        "count": len(members), "share": round(len(members) / pages, 5), "examples": rng.sample(members, EXAMPLES),
        "members": members,
    }  # fmt: skip
