"""A made web of universities: many hosts of departments, and topics that are kinds of page on all of them.

Each department has a host, with pages of its courses, staff, students, projects and news, and what lies around them (homework,
publications, lists of people, degrees). What the pages are about differs by department: words of its subject, which only
departments of the same subject share. What tells a kind is what real ones have: some sentences out of many (lecture, homework,
office hours), the address (`/~name/`, `/courses/cs101/`), the title, the place. None of it is on all pages of a kind, and other
pages have some of it, too: news tell of courses, degree pages list them, homework lies below them.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.eval.webs.recorded import WebPage, set_topics, write_web
from tools.eval.webs.topics import EXAMPLES

KINDS = ("course", "staff", "student", "project")
RELATED = {
    "staff": ("course", "student", "project", "staff"),
    "student": ("student", "staff", "project"),
    "project": ("staff", "student", "project"),
    "course": ("staff", "student"),
    "news": KINDS,
}
"""What pages of a kind link to."""
SUBJECT_WORDS = 160
SEEDS = 4


@dataclass(frozen=True)
class Country:
    """How universities speak and what they call things."""

    name: str
    universities: int
    departments: int
    said: dict[str, tuple[str, ...]]
    """Sentences of each kind of page; `S` a word of the subject, `N` a number, `P` a person."""
    titles: dict[str, tuple[str, ...]]
    """Of each kind: `S`, `P` as above, `C` a course's code."""
    paths: dict[str, tuple[str, ...]]
    """Of each kind: `p` a person's short name, `c` a course's code, `s` a word. A department keeps to one or two of them."""


COMMON = {
    "student": (
        "I am a student in the department and work on S S.", "My advisor is P.", "My interests are S, S and hiking.",
        "Here is my resume.", "Some links that I like: music, friends, my bookmarks.", "You are visitor number N.",
        "Email me if you want to know more about me.", "I was born in a small town and like S.", "My room mate has a page too.",
        "This page is under construction.", "I received my bachelor degree in N.", "When I am not in the lab I play guitar.",
        "I am a teaching assistant for S this term.", "Phone: N-N. Office: Room N.", "My thesis is on S S and S.",
    ),
    "staff": (
        "Professor of S. My research is on S, S and S.", "Office hours: Tuesday N:N to N:N, room N.", "Phone: N-N. Fax: N-N.",
        "Selected publications: P and P, S S in S, Journal of S, N.", "I teach S and S this year.", "Curriculum vitae.",
        "I supervise P and P.", "He received his doctorate in S from the university in N.", "Member of the committee on S.",
        "Grants: foundation for S, N to N.", "My graduate students are P, P and P.", "Editor of the journal of S.",
        "Research interests: S, S, S S.", "P and P. S of S. Proceedings of the conference on S, pages N to N.",
    ),
    "course": (
        "Lectures: Monday and Wednesday N:N, room N.", "Homework N is due on Friday.", "The textbook is S S by P.",
        "Instructor: P. Office hours by appointment.", "Prerequisites: S N or consent.", "The midterm exam counts N percent.",
        "Syllabus: S, S, S, S and S.", "Grading: homework N percent, final exam N percent.", "Handouts and lecture notes on S.",
        "Teaching assistant: P, room N.", "We will cover S S, S and S.", "Announcements: class is cancelled on Tuesday.",
        "Assignments are handed in before class.", "Students learn S and S in this course.", "Solutions to problem set N.",
    ),
    "project": (
        "The project studies S S and S.", "People: P, P, P and P.", "Our goal is to build S for S.",
        "Funded by the foundation for S.",
        "Publications of the group: P and P, S of S, technical report N.", "We have developed a system for S S.",
        "Overview. Papers. Software. Members.",
        "Our partners are the institute of S and the laboratory for S.", "The group meets every week in room N.",
        "Download the software, version N.",
        "Results show that S is better than S.", "Recent work of the group is on S and S.",
    ),
    "news": (
        "P gives a talk on S S in room N.", "The department congratulates P.",
        "A new course on S begins; lectures are on Monday.",
        "The project on S has been funded for N years.", "Professor P received the prize for S.",
        "The seminar on S starts at N:N.",
        "Students won the S contest.", "The library is closed until N.", "A paper by P and P appears in the journal of S.",
    ),
    "degree": (
        "The degree needs N credits in S.", "Courses: S, S, S and S; each has a final exam.", "Apply before the end of March.",
        "Prerequisites are S and S.", "Students choose an advisor in the first year.",
        "The thesis is graded by two professors.",
        "Contact the office in room N, phone N-N.", "Lectures are held in the main building.",
    ),
    "below course": (
        "Problem N: show that S of S is S.", "Due Friday before class.", "Let S be a S. Prove that S holds.",
        "Solution to problem N: use S.",
        "Lecture N: S and S.", "Definition. A S is a S with S.", "Example: S, S and S.", "Read chapter N of the textbook.",
    ),
    "below person": (
        "P and P. S S of S. Journal of S N, pages N to N.", "P. On S and S. Technical report N.", "To appear: S S for S.",
        "Talk on S in N.", "With P, P and P: S in S.", "Photos of my trip in N.", "My favorite recipes: S.",
    ),
    "list": ("Room N.", "Phone N-N.", "See also other departments."),
}  # fmt: skip
AMERICA = Country(
    "university-a", 14, 9, COMMON,
    {
        "course": ("C Home Page", "C: S S", "C S", "Introduction to S", "Welcome to C"),
        "staff": ("P", "P's Home Page", "Home Page of P", "Professor P", "P, Department of S"),
        "student": ("P", "P's Home Page", "Welcome to P's page", "Home Page of P", "My page"),
        "project": ("The S Project", "S Group", "S: S for S", "S Laboratory", "Project S"),
    },
    {
        "course": ("/courses/c/", "/class/c/home.html", "/~c/", "/info/courses/c.html", "/classes/fall/c/index.html"),
        "staff": ("/~p/", "/faculty/p.html", "/people/p/", "/info/people/p.html", "/users/faculty/p/p.html"),
        "student": ("/~p/", "/students/p.html", "/grads/p/", "/people/p/", "/home/p/home.html"),
        "project": ("/research/s/", "/projects/s.html", "/labs/s/", "/~s/", "/s/index.html"),
    },
)  # fmt: skip
ISLANDS = Country(
    "university-b", 12, 10,
    COMMON | {
        "student": (
            "I am a postgraduate in the school, supervised by P.", "My hobbies: football, cooking and S.",
            "Contact me at extension N.",
            "I did my first degree at home and came here in N.", "Have a look at my pictures.", "Last updated in N by me.",
            "I share an office, N, with P.", "My work is about S S.", "Links to my favourite places.",
            "I enjoy walking and reading.",
            "I help with tutorials on S.", "My CV is available on request.", "You can find me in the S lab.",
            "Thanks for visiting my page.",
        ),
        "staff": (
            "Reader in S at the school.", "Lecturer in S. Room N, extension N.", "Teaching: S, S and S.", "Research: S S, S.",
            "Recent papers: P and P, S of S, N.", "He is head of the S group.", "Current doctoral students: P, P.",
            "Director of studies for S.",
            "I am on sabbatical until N.", "My work concerns S and S.", "Available for consultation Thursday N to N.",
            "Fellow of the society of S.",
            "External examiner for S.",
        ),
        "course": (
            "Module code N, N credits, level N.", "Coursework counts N per cent.", "Tutorials: Thursday N:N, theatre N.",
            "Lecturer: P.",
            "Aims: to introduce S and S.", "Reading list: S by P; S and S by P.", "Assessment: examination of N hours.",
            "Contents: S, S, S, S.", "Slides of week N: S.", "The module is taught in the spring term.",
            "Past papers are in the library.",
            "Practical classes on S.", "Students should have taken S.",
        ),
        "project": (
            "The aim of this project is S of S.", "Investigators: P and P.", "Funded by the research council, grant N.",
            "The consortium has N partners.",
            "Deliverable N: S of S.", "Objectives: S, S and S.", "Project meetings are held in room N.",
            "Summary of results on S.",
            "Duration: N months.", "Prototype of S, release N.", "Workshops on S have been held.",
        ),
    },
    {
        "course": ("C", "Module C: S", "S S", "Course outline: S", "S and S"),
        "staff": ("P", "Dr P", "P - Staff", "School of S: P", "Prof. P"),
        "student": ("P", "P's homepage", "About me", "P - Research Student", "Hello"),
        "project": ("S", "S S Project", "S: an overview", "The S Centre", "Research: S"),
    },
    {
        "course": ("/teaching/c/", "/modules/c.html", "/ug/c/", "/units/year/c/outline.html"),
        "staff": ("/staff/p.html", "/~p/", "/staff/p/index.html", "/academic/p/"),
        "student": ("/~p/", "/pg/p/", "/research-students/p.html", "/personal/p/index.html"),
        "project": ("/research/projects/s/", "/s/", "/groups/s.html", "/projects/s/overview.html"),
    },
)  # fmt: skip
COUNTRIES = (AMERICA, ISLANDS)
SMALL = tuple(
    word
    for line in (
        "the of and a in to is for this that with on are as by from at we it be will or an which have has can more other also",
        "these may please see here about information page time work use new first year two all used one",
    )
    for word in line.split()
)
LETTERS = [
    row.split() for row in ("b c d f g h k l m n p r s t v br cr dr gr st tr pl", "a e i o u ai ea io", "n r l s t m x nd rt")
]


@dataclass
class _Page:
    url: str
    kind: str
    title: str
    body: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    """Anchor and address."""


def word(rng: random.Random, syllables: int = 2) -> str:
    """A word that no language has."""
    return "".join(rng.choice(LETTERS[0]) + rng.choice(LETTERS[1]) for _ in range(syllables)) + rng.choice(LETTERS[2])


class _Department:
    """One host. Its pages are made in two steps: first all addresses, then texts and links."""

    def __init__(self, country: Country, university: str, subject: str, words: list[str], rng: random.Random) -> None:
        self.rng, self.country, self.words, self.subject = rng, country, words, subject
        self.host = f"www.{subject[:4]}.{university}.example"
        self.style = rng.randrange(3)
        self.pages: dict[str, list[_Page]] = {}
        self.home = self._add("home", "/", f"Department of {subject.capitalize()}")
        self.lists = {
            kind: self._add("list", f"/{name}", title)
            for kind, name, title in (
                ("course", rng.choice(("courses.html", "teaching/", "ugrad/courses/")), "Courses"),
                ("staff", rng.choice(("people.html", "faculty/", "staff/")), "People"),
                ("student", rng.choice(("students.html", "people/graduates.html", "grads/")), "Graduate students"),
                ("project", rng.choice(("research.html", "research/", "groups/")), "Research"),
                ("news", rng.choice(("news/", "events.html", "whatsnew.html")), "News"),
            )
        }
        for kind, (least, most) in {"course": (1, 5), "staff": (1, 4), "student": (1, 5), "project": (1, 3)}.items():
            ways = rng.sample(country.paths[kind], 2)
            for _ in range(rng.randint(least, most)):
                name = self.fill(rng.choice(country.titles[kind]))
                self._add(kind, self._path(rng.choice((ways[0], ways[0], ways[1]))), name)
        for _ in range(rng.randint(2, 6)):
            self._add("news", f"/news/{rng.choice(words)}-{rng.randint(90, 99)}.html", self.fill("S S"))
        for level in ("undergraduate", "graduate"):
            self._add("degree", f"/{level}.html", f"{level.capitalize()} programme")
        for course in self.pages["course"]:
            for number in range(rng.randrange(4)):
                name = rng.choice(("hw", "lecture", "notes", "ps"))
                self._add("below course", f"{_folder(course)}{name}{number + 1}.html", f"{name} {number + 1}")
        for person in (*self.pages["staff"], *self.pages["student"]):
            for _ in range(rng.randrange(3)):
                name = rng.choice(("pubs", "papers", "links", "photos", "talks"))
                self._add("below person", f"{_folder(person)}{name}.html", f"{name}")

    def _add(self, kind: str, path: str, title: str) -> _Page:
        page = _Page(f"http://{self.host}{path}", kind, title)
        self.pages.setdefault(kind, []).append(page)
        return page

    def _path(self, way: str) -> str:
        rng = self.rng
        names = {"p": word(rng, 2), "c": f"{self.subject[:2]}{rng.randint(100, 699)}", "s": word(rng, 2)}
        return "/" + "/".join(
            "".join(names.get(piece, piece) for piece in _pieces(part)) for part in way.strip("/").split("/")
        ) + ("/" if way.endswith("/") else "")  # fmt: skip

    def fill(self, sentence: str) -> str:
        """The sentence with words of the subject, numbers and names in it."""
        rng = self.rng
        found = {
            "S": lambda: self.words[min(int(rng.paretovariate(0.6)) - 1, 10_000) % len(self.words)],
            "N": lambda: str(rng.choice((rng.randint(1, 12), rng.randint(100, 500), rng.randint(1985, 1999)))),
            "P": lambda: f"{word(rng, 1).capitalize()} {word(rng).capitalize()}",
            "C": lambda: f"{self.subject[:2].upper()} {rng.randint(100, 699)}",
        }  # fmt: skip
        return "".join(found[piece]() if piece in found else piece for piece in _pieces(sentence))

    def write(self, page: _Page) -> None:
        """Sentences of its kind, few of many, among others about the subject."""
        rng, said = self.rng, self.country.said
        own = said.get(page.kind, said["news"])
        body = [self.fill(sentence) for sentence in rng.sample(own, min(len(own), rng.randint(2, 6)))]
        body += [self._about() for _ in range(rng.randint(0, 12))]
        if rng.random() < 0.3:
            body.append(self.fill(rng.choice(said[rng.choice(KINDS)])))
        rng.shuffle(body)
        page.body = body

    def _about(self) -> str:
        rng = self.rng
        return " ".join(
            self.fill("S") if rng.random() < 0.45 else rng.choice(SMALL) for _ in range(rng.randint(6, 16))
        ).capitalize() + "."  # fmt: skip

    def link(self, others: Sequence[_Department], front: str) -> None:
        """The department's own links, and a few of its people to people elsewhere."""
        rng, home = self.rng, ("Home", self.home.url)
        self.home.links = [(page.title, page.url) for page in (*self.lists.values(), *self.pages["degree"])]
        self.home.links.append(("University", front))
        for kind, page in self.lists.items():
            listed = self.pages[kind]
            page.links = [home, *((_anchor(one, rng), one.url) for one in listed)]
        for kind, members in self.pages.items():
            for page in members:
                if kind not in ("home", "list"):
                    page.links += rng.sample([home, *((one.title, one.url) for one in self.lists.values())], rng.randint(0, 3))
                if kind in ("staff", "student", "project", "course"):
                    below = "below course" if kind == "course" else "below person"
                    folder = f"http://{self.host}{_folder(page)}"
                    page.links += [(one.title, one.url) for one in self.pages.get(below, ()) if one.url.startswith(folder)]
                    self._relate(page, rng.choice(others) if rng.random() < 0.3 else self)
                if kind == "news":
                    self._relate(page, self)

    def _relate(self, page: _Page, other: _Department) -> None:
        rng = self.rng
        for _ in range(rng.randint(1, 4)):
            goal = rng.choice(other.pages[rng.choice(RELATED[page.kind])])
            if goal is not page:
                page.links.append((_anchor(goal, rng), goal.url))


def _pieces(text: str) -> list[str]:
    """Single letters that stand for something, and what is between."""
    pieces, at = [], 0
    for place, letter in enumerate(text):
        alone = not text[max(0, place - 1) : place].isalpha() and not text[place + 1 : place + 2].isalpha()
        if letter.isalpha() and alone and letter in "SNPCpcs":
            pieces += [text[at:place], letter]
            at = place + 1
    return [*pieces, text[at:]]


def _folder(page: _Page) -> str:
    """Where pages below this one lie, as a path."""
    path = "/" + page.url.split("/", 3)[3]
    if path.endswith(("/", "/index.html", "/home.html")):
        return path[: path.rindex("/") + 1]
    return path.removesuffix(".html") + "/"


def _anchor(page: _Page, rng: random.Random) -> str:
    name = page.url.rstrip("/").rsplit("/", 1)[-1].removesuffix(".html").strip("~")
    return rng.choice((page.title, page.title, name, page.title.split()[-1]))


def departments(country: Country, seed: int) -> tuple[list[_Department], list[_Page]]:
    """All hosts with their pages, and the front pages of the universities."""
    rng = random.Random(f"{country.name}{seed}")
    subjects = {word(rng, 3): [word(rng, rng.choice((2, 3))) for _ in range(SUBJECT_WORDS)] for _ in range(country.departments)}
    made, fronts = list[_Department](), list[_Page]()
    for _ in range(country.universities):
        name = word(rng, 2)
        front = _Page(f"http://www.{name}.example/", "front", f"{name.capitalize()} University")
        own = [_Department(country, name, subject, words, random.Random(rng.random())) for subject, words in subjects.items()]
        front.links = [(one.home.title, one.home.url) for one in own]
        front.links += [("University", fronts[-1].url)] if fronts else []
        fronts.append(front)
        made += own
    fronts[0].links += [(front.title, front.url) for front in fronts[1:]]
    for one in made:
        one.link(made, f"http://www.{one.host.split('.')[2]}.example/")
        for pages in one.pages.values():
            for page in pages:
                one.write(page)
    return made, fronts


def _html(page: _Page, layout: Callable[[str], str]) -> bytes:
    links = "".join(f'<li><a href="{url}">{anchor}</a></li>' for anchor, url in page.links)
    text = "".join(f"<p>{sentence}</p>" for sentence in page.body)
    head = f"<html><head><title>{page.title}</title></head><body>"
    return (head + layout(f"<h1>{page.title}</h1>{text}<ul>{links}</ul>") + "</body></html>").encode()


LAYOUTS: tuple[Callable[[str], str], ...] = (
    lambda body: body,
    lambda body: f"<table><tr><td>{body}</td></tr></table><hr><address>webmaster</address>",
    lambda body: f'<div id="page"><div class="main">{body}</div></div>',
)


def build(out: Path, countries: Sequence[Country] = COUNTRIES, seed: int = 1) -> None:
    """Write a web for each country, each with a topic for each kind of page."""
    for country in countries:
        made, fronts = departments(country, seed)
        pages = {page.url: (page, LAYOUTS[0]) for page in fronts}
        for one in made:
            pages |= {page.url: (page, LAYOUTS[one.style]) for held in one.pages.values() for page in held}
        file = out / f"{country.name}.sqlite"
        rows = (WebPage(url, _html(page, layout), labels=(f"kind:{page.kind}",)) for url, (page, layout) in pages.items())
        number = write_web(file, rows, {"homes": [one.home.url for one in made], "sources": [country.name]})
        members = {kind: sorted(url for url, (page, _) in pages.items() if page.kind == kind) for kind in KINDS}
        topics = [_topic(kind, urls, [one.home.url for one in made], number) for kind, urls in members.items()]
        with sqlite3.connect(file) as db:
            set_topics(db, topics, members)
        db.close()
        print(f"{file}: {number} pages of {len(made) + len(fronts)} hosts, {len(topics)} topics", flush=True)


def _topic(kind: str, urls: Sequence[str], homes: Sequence[str], pages: int) -> dict[str, object]:
    rng = random.Random(kind)
    return {
        "id": kind, "name": kind, "kind": "kind", "keywords": {"made": []}, "rule": {}, "distance": "near",
        "hosts": len({url.split("/")[2] for url in urls}), "notes": "", "seeds": rng.sample(list(homes), SEEDS),
        "count": len(urls), "share": round(len(urls) / pages, 5), "examples": rng.sample(list(urls), EXAMPLES),
    }  # fmt: skip
