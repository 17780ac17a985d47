"""Words of the best pages that the topic lacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.crawl.relevance.stored_topic import publish
from focuscrawl.inspect.comparison import from_crawl
from focuscrawl.inspect.missing_terms import distinguishing_terms, missing_terms
from focuscrawl.store.engines.database import Database
from focuscrawl.text.segment import Segmenter
from models.topic.evidence import GivenTerms
from models.topic.vsm import TopicModel
from tests.report.sample import add_page, empty_crawl


def test_what_stands_in_good_pages_and_hardly_in_others() -> None:
    good = [(f"{number % 3}.example", ["orbit", "page", "topic", *(["comet"] if number < 5 else [])]) for number in range(10)]
    other = [["page", "pasta"], *[["page"]] * 9]
    assert distinguishing_terms(good, other, {"topic"}) == ["orbit", "comet"]


def test_habits_of_one_site_and_numbers_are_left_out() -> None:
    good = [("a.example", ["posted", "2024"])] * 6 + [("b.example", ["2024", "comet"])] * 4
    assert distinguishing_terms(good, [["page"]] * 10, ()) == []
    assert distinguishing_terms([("a.example", ["comet"])] * 10, [["page"]] * 10, ()) == ["comet"], "there is one site only"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    connection = empty_crawl(tmp_path)
    for number in range(1, 25):
        relevant = number % 2
        text = "a telescope sees the orbit of comets" if relevant else "a recipe of pasta"
        url = f"http://{number % 3}.example.org/{number}"
        add_page(connection, number, url, "", 0.5, relevant, 0, None, "en", at=1.0, text=text)
    yield connection
    connection.close()


def test_a_stored_crawl(db: Database) -> None:
    assert missing_terms(db) == [], "there is no topic yet"
    publish(db, "", TopicModel.fit(Segmenter(["telescope"]), keywords=["telescope"]), None, 1, 1.0)
    assert sorted(missing_terms(db)) == ["comets", "orbit", "sees"]
    db.execute("update model set body=? where name='topic'", (b"damaged",))
    assert missing_terms(db) == []


def test_phrases_of_the_topic_are_not_missing(db: Database) -> None:
    phrases = ["sees the orbit", "orbit of comets"]
    segmenter = Segmenter(["telescope"], phrases=phrases)
    given = GivenTerms.read(segmenter, [(phrases[0], 0.3)], phrases[1:])
    topic = TopicModel.fit(segmenter, keywords=["telescope"], given_terms=given)
    publish(db, "", topic, None, 1, 1.0)
    assert sorted(missing_terms(db)) == ["comets", "orbit", "sees"]
    replayed = from_crawl(db, "", "sky").segmenter
    assert [term for term in replayed.terms("It sees the orbit of comets") if "_" in term] == ["see_orbit", "orbit_comet"]


def test_too_few_pages_say_nothing(db: Database) -> None:
    publish(db, "", TopicModel.fit(Segmenter(["telescope"]), keywords=["telescope"]), None, 1, 1.0)
    db.execute("delete from page where page_id>18")
    assert missing_terms(db) == []
