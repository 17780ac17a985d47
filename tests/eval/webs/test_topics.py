from __future__ import annotations

import json
import random
import sqlite3
import zlib
from pathlib import Path

import pytest

from tools.eval.webs.recorded import WebPage, copy_web, meta, set_topics, write_web
from tools.eval.webs.topics import (
    EXAMPLES,
    LEAST,
    REACHED,
    MadeWeb,
    chosen,
    depths,
    make_topics,
    prefixes,
    sections,
    seeds_for,
    strongest,
)
from tools.eval.webs.words import canonical, glances, words

SUBJECTS = [
    line.split()
    for line in (
        "kiln glaze clay fire ash porcelain wheel slip oxide stoneware",
        "letter stamp post sender parcel courier address envelope sorting office",
        "sail mast rope anchor harbour tide keel rudder compass deck",
        "violin bow chord melody orchestra score tempo string cello rhythm",
        "orbit moon planet comet telescope star galaxy eclipse crater meteor",
        "bread flour yeast oven dough crust baker salt knead loaf",
    )
]


def page(words: list[str], rng: random.Random, links: list[str], title: str) -> bytes:
    text = " ".join(rng.choices(words, k=60) + rng.choices(("common", "words", "here", "there"), k=30))
    anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
    return f"<html><title>{title}</title><body><h2>List of {title}</h2>{anchors}<p>{text}</p></body></html>".encode()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hosts of 150 pages in three directories each, a subject a directory, and a front page that leads to both."""
    rng = random.Random(5)
    pages = [
        WebPage(
            "http://front.example/",
            page(["front"], rng, ["http://a.example/", "http://b.example/"], "front"),
            labels=("portal",),
        )
    ]
    for host, subjects in (("a", SUBJECTS[:3]), ("b", SUBJECTS[3:])):
        names = [f"{folder}/p{number}.html" for folder in "xyz" for number in range(50)]
        pages.append(WebPage(f"http://{host}.example/", page(["home"], rng, names, host)))
        for place, name in enumerate(names):
            near = [f"/{names[(place + step) % len(names)]}" for step in (1, 2)]
            pages.append(WebPage(f"http://{host}.example/{name}", page(subjects[place // 50], rng, near, name)))
    file = tmp_path_factory.mktemp("webs") / "small.sqlite"
    homes = ["http://front.example/", "http://a.example/", "http://b.example/"]
    assert write_web(file, pages, {"homes": homes}) == 303
    return file


@pytest.fixture(scope="module")
def made(web: Path) -> MadeWeb:
    return MadeWeb(sqlite3.connect(web))


def test_directories_lists_and_like_words_become_topics(made: MadeWeb) -> None:
    rng = random.Random(1)
    assert "a.example/x/" in {topic.title for topic in chosen(made, prefixes, 10, rng)}
    assert any("List of a" in topic.title for topic in sections(made, rng))
    assert not [topic for topic in chosen(made, prefixes, 10, rng) if topic.pages & made.portals]


def test_seeds_reach_the_topic_and_links_are_counted(made: MadeWeb) -> None:
    numbers = {page.url: number for number, page in enumerate(made.pages)}
    topic = frozenset(number for url, number in numbers.items() if "b.example/x" in url)
    seen = set()
    for draw in range(20):
        distance, seeds = seeds_for(made, topic, random.Random(draw))
        found = depths(made.pages, seeds)
        assert set(seeds) <= set(made.homes)
        assert sum(number in found for number in topic) >= REACHED * len(topic)
        assert (numbers["http://b.example/"] in seeds) == (distance == "near")
        seen.add(distance)
    assert seen == {"near", "listed", "far"}
    start = numbers["http://front.example/"]
    assert depths(made.pages, [start], 1) == {start: 0, numbers["http://a.example/"]: 1, numbers["http://b.example/"]: 1}


@pytest.mark.system
def test_made_topics_stand_in_the_web_as_labelled_ones_do(web: Path, tmp_path: Path) -> None:
    copy_web(web, tmp_path / "copy.sqlite")
    db = sqlite3.connect(tmp_path / "copy.sqlite")
    topics = make_topics(db, 3)
    assert meta(db, "topics") == topics
    assert meta(db, "name") == "copy"
    assert {topic["kind"] for topic in topics} >= {"prefix", "section"}
    for topic in topics:
        rows = db.execute("select url from page where labels like ?", (f'%"topic:{topic["id"]}"%',))
        relevant = {url for (url,) in rows}
        assert len(relevant) == topic["count"] >= LEAST
        assert len(set(topic["examples"]) & relevant) == EXAMPLES
    assert make_topics(db, 3) == topics
    set_topics(db, [], {})
    assert db.execute("select labels from page where url = 'http://front.example/'").fetchone() == ('["portal"]',)
    assert json.loads(db.execute("select labels from page where url = 'http://a.example/x/p1.html'").fetchone()[0]) == []


def test_strong_words_are_those_of_the_topic(made: MadeWeb) -> None:
    pages = frozenset(number for number, page in enumerate(made.pages) if "a.example/x" in page.url)
    assert set(strongest(made, pages)) <= set(SUBJECTS[0])


def test_words_and_addresses() -> None:
    assert list(words("The Kiln's 12 fires, 陶瓷 technique_x")) == ["the", "kiln", "fires", "陶瓷", "technique"]
    assert canonical("HTTPS://A.Example:443/b c?d=1#e") == "http://a.example/b%20c?d=1"
    assert canonical("http://[x") == ""


def test_links_through_redirects_and_up_are_seen() -> None:
    db = sqlite3.connect(":memory:")
    db.execute("create table page(url text primary key, status int, headers text, body blob, labels text)")
    body = b'<link rel="up" href="/"><a href="old.html">o</a><a href="/?x=1">h</a><a href="gone.html">g</a>'
    rows = [
        ("http://a.example/", 200, "{}", zlib.compress(b"<p>home</p>"), "[]"),
        ("http://a.example/b.html", 200, "{}", zlib.compress(body), "[]"),
        ("http://a.example/new.html", 200, "{}", zlib.compress(b""), "[]"),
        ("http://a.example/old.html", 301, '{"Location": "http://a.example/new.html"}', None, "[]"),
    ]
    db.executemany("insert into page values(?, ?, ?, ?, ?)", rows)
    seen = {page.url: page for page in glances(db)}
    assert seen["http://a.example/b.html"].links == [2, 0]
    assert seen["http://a.example/b.html"].up == 0
