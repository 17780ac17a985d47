"""What a person labels holds for the stored pages, for their copies, and until it is taken back."""

from __future__ import annotations

import pytest

from focuscrawl.items import Verdict
from focuscrawl.report.why import sentence, verdicts_table
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import explain
from focuscrawl.store.pages.stored import stored_pages
from focuscrawl.store.pages.verdicts import set_topics, store_verdicts, verdicts_of
from focuscrawl.store.revisits.change_log import changes_of
from focuscrawl.store.revisits.labels import follow_labels, labels_by_url
from tests.report import sample

SEED, A, COPY_OF_A, OFF = (url for url, *_ in sample.PAGES)
NOBODY = "http://nowhere.example/"


@pytest.fixture
def db(sampled: Database) -> Database:
    """Pages 1 (seed) and 2 (A) are relevant, as is the copy of A; page 4 (OFF) is not."""
    return sampled


def label(db: Database, labels: dict[str, bool] | None, topic: str = "", at: float = sample.NOW) -> int:
    return follow_labels(db, topic, labels, 2, at)


def relevant(db: Database) -> dict[int, int]:
    return dict(db.execute("select page_id, relevant from page order by page_id").fetchall())


def told(db: Database, at: float = sample.NOW) -> set[tuple[str, str, str]]:
    return {(str(change.net), change.reason, change.url) for change in changes_of(db, at, at + 1)}


def test_stored_pages_follow_their_labels(db: Database) -> None:
    assert label(db, {A: False, OFF: True, NOBODY: True}) == 3
    assert relevant(db) == {1: 1, 2: 0, 3: 0, 4: 1}
    assert [page.url for page in stored_pages(db)] == [SEED, OFF]
    assert told(db) == {("gone", "left", A), ("new", "joined", OFF)}, "a copy was in no export"
    assert db.execute("select sum(relevant) from host where name like 'news%'").fetchone() == (1,)
    assert db.execute("select relevance, threshold from page where page_id=2").fetchone() == (0.61, 0.1)


def test_the_same_labels_change_nothing_more(db: Database) -> None:
    label(db, {A: False})
    assert label(db, {A: False}, at=sample.NOW + 9) == 0
    assert label(db, None, at=sample.NOW + 9) == 0
    assert told(db, sample.NOW + 9) == set()


def test_a_label_that_is_taken_back_leaves_the_page_as_the_model_judged_it(db: Database) -> None:
    label(db, {A: False, OFF: True})
    assert label(db, {}, at=sample.NOW + 9) == 3
    assert relevant(db) == {1: 1, 2: 1, 3: 1, 4: 0}
    assert told(db, sample.NOW + 9) == {("new", "joined", A), ("gone", "left", OFF)}
    assert labels_by_url(db, "") == {}


def test_an_example_is_relevant_again_when_its_label_is_taken_back(db: Database) -> None:
    db.execute("update page set example=1, relevant=1 where page_id=4")
    label(db, {OFF: False})
    assert relevant(db)[4] == 0
    label(db, {})
    assert relevant(db)[4] == 1


def test_a_label_holds_for_pages_that_say_the_same_unless_they_have_their_own(db: Database) -> None:
    label(db, {COPY_OF_A: False})
    assert relevant(db) == {1: 1, 2: 0, 3: 0, 4: 0}
    assert labels_by_url(db, "") == {A: False, COPY_OF_A: False}
    label(db, {COPY_OF_A: False, A: True})
    assert relevant(db) == {1: 1, 2: 1, 3: 0, 4: 0}


def test_the_original_decides_for_copies_without_a_label(db: Database) -> None:
    other = "http://blog.example.org/copy"
    sample.add_page(db, 5, other, "Copy", 0.6, 1, 0, 2, "zh", at=sample.NOW)
    label(db, {A: False, COPY_OF_A: True})
    assert labels_by_url(db, "")[other] is False
    label(db, {COPY_OF_A: True})
    assert labels_by_url(db, "")[other] is True


def test_copies_that_were_stored_since_follow(db: Database) -> None:
    label(db, {A: False})
    sample.add_page(db, 5, "http://blog.example.org/copy", "Copy", 0.6, 1, 0, 2, "zh", at=sample.NOW)
    assert label(db, None) == 1
    assert relevant(db)[5] == 0


def test_pages_that_are_gone_are_judged_but_not_told(db: Database) -> None:
    db.execute("update page set gone=2 where page_id=2")
    label(db, {A: False})
    assert relevant(db)[2] == 0
    assert told(db) == set()


def test_a_label_is_of_one_topic(db: Database) -> None:
    yes, no = Verdict(0.9, True, 0.5), Verdict(0.1, False, 0.5)
    set_topics(db, ["search", "music"])
    store_verdicts(db, 2, {"search": yes, "music": yes})
    store_verdicts(db, 4, {"search": no})
    assert label(db, {A: False}, "search") == 1
    assert [verdict.relevant for verdict in verdicts_of(db, 2).values()] == [False, True]
    assert relevant(db)[2] == 1
    assert told(db) == set()
    assert label(db, {A: False, OFF: True}, "music") == 1, "page 4 is judged for it later"
    assert relevant(db)[2] == 0
    assert label(db, {}, "search") == 1
    assert verdicts_of(db, 2)["search"] == yes


def test_why_says_that_a_person_labelled_it(db: Database) -> None:
    label(db, {A: False})
    assert explain(db, SEED).labels == {}
    assert "; a person labelled it no, so it is not relevant." in sentence(explain(db, A), sample.NOW)
    assert f"; a person labelled a page that says the same, {A}, no, so it is not relevant" in sentence(
        explain(db, COPY_OF_A), sample.NOW
    )
    set_topics(db, ["search", "music"])
    store_verdicts(db, 2, {"search": Verdict(0.9, True, 0.5), "music": Verdict(0.9, True, 0.5)})
    label(db, {A: False}, "music")
    facts = explain(db, A)
    assert [row[3] for row in verdicts_table(facts.verdicts, facts.labels).rows] == ["relevant", "not relevant: labelled"]
