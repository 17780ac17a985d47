"""Stored pages whose verdicts follow other languages than before."""

from __future__ import annotations

from focuscrawl.items import Verdict
from focuscrawl.store.engines.database import Database
from focuscrawl.store.overview import scored_nothing
from focuscrawl.store.pages.verdicts import set_topics, store_verdicts
from focuscrawl.store.revisits import later_verdicts
from focuscrawl.store.revisits.change_log import changes_of
from tests.report import sample

SEED, A, COPY_OF_A, OFF = (url for url, *_ in sample.PAGES)
NO = Verdict(0.0, False, 0.1)


def test_pages_in_these_languages_are_read_in_batches(sampled: Database) -> None:
    assert sorted(later_verdicts.written_languages(sampled)) == ["en", "zh"]
    first = later_verdicts.pages_in(sampled, ["en", "fr"], 0, 1)
    then = later_verdicts.pages_in(sampled, ["en", "fr"], first[0].page_id, 9)
    assert [(each.page.url, each.page.language) for each in (*first, *then)] == [(SEED, "en"), (OFF, "en")]
    assert first[0].page.text
    assert later_verdicts.pages_in(sampled, ["en"], 4, 9) == []


def test_what_the_verdicts_follow_is_kept(sampled: Database) -> None:
    assert later_verdicts.followed_languages(sampled) == ()
    later_verdicts.follow_languages(sampled, ("zh", "en"))
    assert later_verdicts.followed_languages(sampled) == ("zh", "en")


def test_pages_leave_the_collection_and_are_counted(sampled: Database) -> None:
    later_verdicts.store_again(sampled, "", [(2, NO), (3, NO)], 2, sample.NOW)
    assert [(each.url, each.reason) for each in changes_of(sampled, sample.NOW, sample.NOW + 1)] == [(A, "left")]
    assert scored_nothing(sampled) == {"zh": 2}
    set_topics(sampled, ["sky", "sea"])
    store_verdicts(sampled, 1, {"sky": NO, "sea": Verdict(0.9, True, 0.5)})
    assert (scored_nothing(sampled, "sky"), scored_nothing(sampled, "sea")) == ({"en": 1}, {})
