"""What the report of a crawl says of its verdicts."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.crawl.relevance.stored_topic import load_topic, of_kind, publish
from focuscrawl.inspect.reporting import write_reports
from focuscrawl.report.precision import CALIBRATED, LEAST_JUDGED, UNTOLD
from focuscrawl.report.summary_in_words import in_words
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.verdicts import set_judge, set_topics
from focuscrawl.store.workers import models, shared_logs
from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.topic.evidence import Emphasis
from models.topic.vsm import TopicModel
from tests.report.sample import add_page, empty_crawl


def make_topic(db: Database, label: str, emphasis: Emphasis) -> None:
    """A topic of which a worker has learned which words count."""
    topic = TopicModel.fit(Segmenter(["telescope"]), keywords=["telescope"])
    publish(db, label, topic, None, 1, 1.0)
    stored, judge = load_topic(db, label), CalibratedModel(topic)
    assert stored is not None
    judge.learned.learn((), 0.1, 0.1)
    judge.learned.choose(emphasis)
    [log] = [name for name, learned in stored.logs(judge) if learned is judge.learned]
    shared_logs.append(db, log, 1, 1, models.pack(judge.learned.take()), 1.0)


@pytest.mark.parametrize(("emphasis", "told"), [
    (Emphasis.ALL, "Of 100 pages called relevant about 40 should really be so; it was 4 to 76 in four of five such crawls."),
    (Emphasis.SHARED, UNTOLD),
])  # fmt: skip
def test_no_figure_is_told_of_a_kind_of_page(tmp_path: Path, emphasis: Emphasis, told: str) -> None:
    with closing(empty_crawl(tmp_path)) as db:
        set_judge(db, CALIBRATED)
        for number in range(1, LEAST_JUDGED + 1):
            add_page(db, number, f"http://a.example.org/{number}", "", 0.4, 1, 0, None, "en", at=1.0, text="a telescope")
        assert not of_kind(db, (), 2.0), "there is no topic yet"
        make_topic(db, "", emphasis)
        assert of_kind(db, (), 2.0) == (emphasis is not Emphasis.ALL)
    assert told in in_words(write_reports(Crawl("c", tmp_path), 0))


def test_of_several_topics_one_is_enough(tmp_path: Path) -> None:
    with closing(empty_crawl(tmp_path)) as db:
        set_topics(db, ["sky", "home"])
        make_topic(db, "sky", Emphasis.ALL)
        assert not of_kind(db, ("sky", "home"), 2.0)
        make_topic(db, "home", Emphasis.COMMON)
        assert of_kind(db, ("sky", "home"), 2.0)
        assert not of_kind(db, ("sky",), 2.0)
        db.execute("update model set body=? where name='topic/sky'", (b"damaged",))
        assert of_kind(db, ("sky", "home"), 2.0), "it depended on their order"
        db.execute("update model set body=? where name='topic/home'", (b"damaged",))
        assert not of_kind(db, ("sky", "home"), 2.0)
