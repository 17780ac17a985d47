from __future__ import annotations

import json
from dataclasses import replace

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.items import SITEMAP
from focuscrawl.recrawl.state import DAY, RevisitRecord
from focuscrawl.report.plain import moment
from focuscrawl.report.revisits.page_freshness import every, freshness_json, freshness_parts, gone_words, how
from focuscrawl.report.table import Table
from focuscrawl.store.explain import UrlFacts
from focuscrawl.store.revisits.revisit_rows import RevisitHistory
from focuscrawl.store.revisits.versions import Version

NOW = 1_790_000_000.0
ENTRY = UrlFacts(State.DONE, 0.5, 0.0, 1, 0, 0, 0, 0, 0, 0, 200, "")
VISIT = RevisitRecord(
    1, 2, due_at=NOW + 3 * DAY, first_at=NOW - 90 * DAY, checked_at=NOW - DAY, read_at=NOW - DAY, changed_at=NOW - DAY,
    visits=12, changes=3, shape=1.0, exposure=9.0, period=4.0, weight=0.42,
)  # fmt: skip
VERSION = Version(4, NOW - 9 * DAY, NOW - DAY, "Old \x1b title", 17, 12, 3, ("http://a.test/new",), ())


def text_of(freshness: RevisitHistory | None, entry: UrlFacts | None = ENTRY) -> str:
    return "\n".join(part.text() if isinstance(part, Table) else part for part in freshness_parts(freshness, entry, NOW))


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (9.2, "about every 9 days"), (1.2, "about once a day"), (0.25, "about every 6 hours"), (1 / 24, "about once an hour"),
        (0.01, "about every 14 minutes"), (400.0, "about every 400 days"), (3000.0, "about every 8 years"),
        (1e-9, "all the time"),
    ],
)  # fmt: skip
def test_periods_in_words(days: float, words: str) -> None:
    assert every(days) == words


def test_the_record_of_a_page() -> None:
    text = text_of(RevisitHistory(VISIT, (replace(VERSION, number=3), VERSION)))
    for piece in (
        "its body was read", "on 3 of 12 visits by more than 3 bits", "about every 9 days", "(in 3 d), by how often it changes",
        "what it is worth (0.42), 4 d after the last one", "Former versions", "+12 -3", "+1 -0", "17",
    ):  # fmt: skip
        assert piece in text
    assert "\x1b" not in text
    assert text.index("Old") < text.rindex("Old")


def test_a_page_fetched_once_and_a_url_never_fetched() -> None:
    once = replace(VISIT, visits=0, changes=0, changed_at=0.0)
    assert "not visited again yet" in text_of(RevisitHistory(once))
    assert "pages of its site" in text_of(RevisitHistory(once))
    assert text_of(RevisitHistory(RevisitRecord(1, 2, SITEMAP, due_at=NOW))) == text_of(None) == ""


@pytest.mark.parametrize(
    ("unread", "status", "word"), [(0, 200, "body"), (2, 304, "304"), (2, 200, "headers"), (2, 503, "unread"), (0, 500, "body")]
)
def test_how_it_was_looked_at(unread: int, status: int, word: str) -> None:
    visit, entry = replace(VISIT, unread=unread), replace(ENTRY, status=status)
    assert how(visit, entry) == word
    assert ("2 visits since without it" in text_of(RevisitHistory(visit), entry)) == (unread > 0)


@pytest.mark.parametrize(
    ("gone", "words"),
    [
        (1, "It may be gone: a visit found nothing"),
        (2, "2 visits in a row found nothing"),
        (100, "It is gone, since"),
        (201, "It has moved for good"),
        (300, "An operator took it out of the collection at"),
    ],
)
def test_gone(gone: int, words: str) -> None:
    assert words in gone_words(RevisitHistory(replace(VISIT, gone=gone, gone_at=NOW - DAY)))


@pytest.mark.parametrize(
    ("gone", "status", "error", "words"),
    [
        (1, 410, "http-410", "nothing was found there: the server answered 410"),
        (101, 404, "http-404", "nothing was found there: the server answered 404"),
        (1, 200, "soft404", "nothing was found there: the server answers 200, but the page is empty"),
        (201, 301, "", "it had moved for good: the server answered 301"),
    ],
)
def test_a_visit_that_found_nothing(gone: int, status: int, error: str, words: str) -> None:
    for unread in (0, 3):
        visit = replace(VISIT, gone=gone, gone_at=NOW - 2 * DAY, visits=0, changes=0, unread=unread)
        entry = replace(ENTRY, state=State.REDIR if gone > 200 else State.GONE, status=status, error=error)
        text = text_of(RevisitHistory(visit), entry)
        assert words in text
        assert "its body was last read" in text
        assert "no visit has found it there again" in text
        for wrong in ("nothing had changed", "its body was read", "not visited again yet", "last try"):
            assert wrong not in text
        assert how(visit, entry) == ("moved" if gone > 200 else "gone")
    assert (moment(NOW - 2 * DAY) in text, "found gone" in text) == (True, True)


def test_a_later_failure_hides_no_earlier_find() -> None:
    broken = replace(ENTRY, state=State.FAILED, status=500, error="http-500")
    text = text_of(RevisitHistory(replace(VISIT, visits=0)), broken)
    for piece in ("its body was read", "last try", "could not be visited: server error 500", "no visit has seen it again"):
        assert piece in text
    lost = text_of(RevisitHistory(replace(VISIT, gone=1, gone_at=NOW - DAY)), broken)
    assert "nothing was found there\n" in lost
    assert how(replace(VISIT, unread=1), replace(broken, status=200, error="type")) == "unread"


def test_a_sitemap_that_was_never_there() -> None:
    entry = replace(ENTRY, state=State.GONE, status=404, error="http-404", kind=SITEMAP)
    text = text_of(RevisitHistory(RevisitRecord(1, 2, SITEMAP, due_at=NOW + DAY, first_at=NOW)), entry)
    for piece in ("first asked for", "the page does not exist", "next visit", "a quarter of the time since it was last seen"):
        assert piece in text
    assert "last visited" not in text


def test_nothing_is_said_of_a_page_that_is_there() -> None:
    assert gone_words(RevisitHistory(VISIT)) == gone_words(None) == ""


def test_json() -> None:
    told = json.loads(json.dumps(freshness_json(RevisitHistory(replace(VISIT, signature_digest=b"12"), (VERSION,)), ENTRY)))
    assert (told["state"], told["how"], told["changes_per_day"]) == ("live", "body", pytest.approx(1 / 9))
    assert told["versions"][0]["links_added"] == ["http://a.test/new"]
    assert told["revisit"]["signature_simhash"] == "0" * 16
    assert not {"signature_digest", "hid"} & told["revisit"].keys()
    assert freshness_json(RevisitHistory(RevisitRecord(1, 2)), None)["changes_per_day"] is None
