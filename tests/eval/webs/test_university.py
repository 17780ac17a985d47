from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import replace

import pytest

from tools.eval.webs.recorded import meta, pages
from tools.eval.webs.topics import EXAMPLES, depths
from tools.eval.webs.university import AMERICA, COUNTRIES, KINDS, build
from tools.eval.webs.words import glances


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> sqlite3.Connection:
    out = tmp_path_factory.mktemp("webs")
    build(out, [replace(AMERICA, universities=3, departments=3)])
    return sqlite3.connect(out / "university-a.sqlite")


def test_topics_are_kinds_of_page_on_many_hosts(web: sqlite3.Connection) -> None:
    topics = {topic["id"]: topic for topic in meta(web, "topics")}
    assert set(topics) == set(KINDS)
    for name, topic in topics.items():
        labels = [json.loads(text) for (text,) in web.execute("select labels from page")]
        assert sum(f"topic:{name}" in mine for mine in labels) == topic["count"]
        assert all((f"kind:{name}" in mine) == (f"topic:{name}" in mine) for mine in labels)
        assert topic["hosts"] == 9
        assert len(set(topic["examples"])) == EXAMPLES


def test_seeds_reach_the_web(web: sqlite3.Connection) -> None:
    seen = glances(web)
    numbers = {page.url: number for number, page in enumerate(seen)}
    found = depths(seen, [numbers[url] for url in meta(web, "topics")[0]["seeds"]])
    assert len(found) > 0.95 * len(seen)
    assert all(page.url.count("http:") == 1 for page in seen)


def test_no_sentence_is_on_all_pages_of_a_kind(web: sqlite3.Connection) -> None:
    text = dict(pages(web))
    labels = {url: json.loads(mine) for url, mine in web.execute("select url, labels from page")}
    for kind in KINDS:
        bodies = [text[url].decode() for url, mine in labels.items() if f"kind:{kind}" in mine]
        for sentence in AMERICA.said[kind]:
            first = max(re.split(r"[SNP]\b|:", sentence), key=len).strip()
            assert sum(first in body for body in bodies) < 0.7 * len(bodies)


def test_the_second_country_says_and_names_its_kinds_otherwise() -> None:
    first, second = COUNTRIES
    for kind in KINDS:
        assert not set(first.said[kind]) & set(second.said[kind])
        assert len(set(first.paths[kind]) & set(second.paths[kind])) <= 1
