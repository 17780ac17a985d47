"""What readers change, seen in the store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.workers.control import WantedState, read_control
from tests.dashboard.desk import Desk, desk_of, working
from tests.report import sample


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Its hosts know what waits for them, as those of a real crawl do."""
    made = desk_of(tmp_path, "first")
    with closing(crawl_named(tmp_path, "first").open(write=True)) as db:
        db.execute("update host set best_priority=(select max(priority) from url where url.hid=host.hid and url.state=0)")
    return made


def wanted(desk: Desk) -> WantedState:
    with closing(crawl_named(desk.crawls_dir, "first").open()) as db:
        return read_control(db).state


def test_a_crawl_is_paused_resumed_and_stopped(desk: Desk) -> None:
    for word in (WantedState.PAUSE, WantedState.RUN, WantedState.STOP):
        status, back = desk.send("/c/first/steer", wanted=word)
        assert status == 303
        assert wanted(desk) is word
        assert 'role="status"' in desk.page(back)
    assert "Resume" in desk.page("/c/first/")


def test_workers_that_will_obey_are_counted(desk: Desk, tmp_path: Path) -> None:
    working(tmp_path / "first")
    _, back = desk.send("/c/first/steer", wanted="pause")
    assert "Nothing more is leased within some seconds (workers: 1)" in desk.page(back)
    assert desk.data("/.json")["crawls"][0]["state"] == "paused"  # type: ignore[index]


def test_what_is_no_wish_changes_nothing_and_is_said(desk: Desk) -> None:
    _, back = desk.send("/c/first/steer", wanted="explode")
    assert wanted(desk) is WantedState.RUN
    assert "can be asked to run" in desk.page(back)


def test_an_address_cannot_put_words_into_the_page(desk: Desk) -> None:
    assert "explode" not in desk.page("/c/first/?notice=explode")


def waits(desk: Desk, query: str = "") -> list[str]:
    found = desk.data(f"/c/first/frontier.json{query}")
    return [row["url"] for row in found["urls"]]  # type: ignore[attr-defined]


def test_what_waits_is_listed_by_state_and_host(desk: Desk) -> None:
    assert waits(desk) == [sample.RETRIED, sample.WAITING, sample.WAITING_LOW]
    assert waits(desk, "?state=retry") == [sample.RETRIED]
    assert waits(desk, "?host=blog.example.org") == [sample.WAITING_LOW]
    assert desk.client.get("/c/first/frontier?state=x").status_code == 400
    assert desk.client.get("/c/first/frontier?show=7").status_code == 400


def test_urls_are_added_and_removed_and_taken_back(desk: Desk) -> None:
    _, back = desk.send("/c/first/change", action="add", urls="http://new.test/a\nnot a url\nnew.test/b", score="0.9")
    assert "Added: 2 new; skipped: 1." in desk.page(back)
    assert waits(desk)[:2] == ["http://new.test/a", "http://new.test/b"]
    _, back = desk.send("/c/first/change", action="remove", urls="http://new.test/a")
    assert "Removed: 1 waiting" in desk.page(back)
    assert waits(desk, "?state=removed") == ["http://new.test/a"]
    desk.send("/c/first/change", action="add", urls="http://new.test/a")
    assert waits(desk)[0] == "http://new.test/a"


def test_everything_that_begins_so_is_removed(desk: Desk) -> None:
    _, back = desk.send("/c/first/change", action="remove-all", prefix="news.example.com/search/")
    assert "Removed: 1 waiting" in desk.page(back)
    assert waits(desk, "?state=removed") == [sample.WAITING]


def test_what_is_stored_is_taken_out_of_the_collection_too_where_that_is_asked_for(desk: Desk) -> None:
    stored = [page["url"] for page in desk.data("/c/first/pages.json?what=relevant")["pages"]]  # type: ignore[attr-defined]
    assert stored == [sample.PAGES[1][0], sample.PAGES[0][0]]
    _, back = desk.send("/c/first/change", action="remove", urls=stored[0])
    assert "1 had ended before." in desk.page(back)
    _, back = desk.send("/c/first/change", action="remove", urls=stored[0], pages="yes")
    assert "0 had ended before. Pages taken out of the collection: 1" in desk.page(back)
    _, back = desk.send("/c/first/change", action="remove-all", prefix="news.example.com", pages="yes")
    assert "Pages taken out of the collection: 2" in desk.page(back)
    assert desk.data("/c/first/pages.json?what=relevant")["pages"] == []
    assert len(desk.data("/c/first/pages.json?what=gone")["pages"]) == 3  # type: ignore[arg-type]


def test_a_host_is_held_and_released(desk: Desk) -> None:
    _, back = desk.send("/c/first/change", action="hold", host="news.example.com")
    assert "is held" in desk.page(back)
    assert [host["held"] for host in desk.data("/c/first/hosts.json?name=news.example.com")["hosts"]] == [True]  # type: ignore[attr-defined]
    desk.send("/c/first/change", action="release", host="http://news.example.com/x")
    assert desk.data("/c/first/frontier.json")["held"] == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"action": "explode"}, "add, remove, remove-all, hold or release"),
        ({"action": "add", "urls": ""}, "no URL is given"),
        ({"action": "add", "urls": "mailto:x@y.test"}, "mailto"),
        ({"action": "add", "urls": "http://new.test/", "score": "x"}, "is not a score; give a number between 0 and 1"),
        ({"action": "add", "urls": "http://new.test/", "score": "7"}, "is not a score; give a number between 0 and 1"),
        ({"action": "add", "urls": "http://new.test/", "score": "nan"}, "is not a score; give a number between 0 and 1"),
        ({"action": "hold", "host": "newz.example.com"}, "did you mean"),
        ({"action": "remove-all", "prefix": "nowhere.test/"}, "knows no host"),
        ({"action": "remove-all", "prefix": ""}, "is not a URL; a host name such as"),
        ({"action": "hold", "host": ""}, "is not a URL; a host name such as"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(desk: Desk, fields: dict[str, str], said: str) -> None:
    before = waits(desk)
    _, back = desk.send("/c/first/change", **fields)
    assert said in desk.page(back)
    assert waits(desk) == before


def test_read_only_has_no_forms_for_changes(tmp_path: Path) -> None:
    desk_of(tmp_path, "first")
    desk = Desk(tmp_path, read_only=True)
    for name in ("", "frontier", "hosts", "hosts?name=news.example.com"):
        assert 'method="post"' not in desk.page(f"/c/first/{name}")
