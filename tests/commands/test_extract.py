"""`scrapy extract` on the crawl of a small web: texts are made anew from the archive."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.command_line.steering import writable
from focuscrawl.commands.extract import Command
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import transaction
from focuscrawl.store.frontier.pacing import save_robots
from focuscrawl.store.pages.stored import stored_pages
from tests.commands.call import call
from tests.store.warc.archived import archived_crawl

pytestmark = pytest.mark.system


def texts(crawl: Crawl) -> dict[str, str]:
    with closing(crawl.open()) as db:
        return {page.url: page.text for page in stored_pages(db, everything=True)}


def test_texts_are_made_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = archived_crawl(tmp_path / "c")
    before = texts(crawl)
    assert set(before.values()) == {"of the fast tier"}
    assert call(Command(), tmp_path, "c") == 0
    assert "1 page of c read, 1 of them with another text than before" in capsys.readouterr().out
    changed = {url for url, text in texts(crawl).items() if text != before[url]}
    assert changed == {"http://a.example/kept"}
    assert call(Command(), tmp_path, "c", "--missing") == 0
    assert "0 pages of c read" in capsys.readouterr().out
    assert call(Command(), tmp_path, "c", "--all") == 0
    assert "2 pages of c read, 1 of them" in capsys.readouterr().out


def test_without_the_archive_pages_stay_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = archived_crawl(tmp_path / "c")
    for file in (tmp_path / "c" / "warc").iterdir():
        file.unlink()
    assert call(Command(), tmp_path, "c") == 0
    said = capsys.readouterr()
    assert "0 pages of c read" in said.out
    assert "1 page kept as they were" in said.err
    assert set(texts(crawl).values()) == {"of the fast tier"}


def test_robots_txt_of_the_origin_reserves_for_its_pages(tmp_path: Path) -> None:
    crawl = archived_crawl(tmp_path / "c")
    state = RobotsState("rules", 200, b"User-agent: *\nContent-Signal: ai-train=no\n", 1.0, 2.0)
    with writable(crawl) as db, transaction(db):
        (hid,) = db.execute("select hid from host where origin='http://a.example'").fetchone()
        save_robots(db, hid, "http://a.example", state)
    assert call(Command(), tmp_path, "c") == 0
    with closing(crawl.open()) as db:
        assert [page.reserved for page in stored_pages(db)] == [("ai-train=no",)]
