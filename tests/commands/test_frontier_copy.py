"""`scrapy frontier copy` as an operator types it."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from focuscrawl.commands.frontier import Command
from focuscrawl.store.copying import files, move
from focuscrawl.store.copying.rows import CopyError
from focuscrawl.store.crawls import all_crawls, crawl_named, open_store
from focuscrawl.store.engines.database import Database
from tests.commands.call import call, refused
from tests.engines import ENGINES
from tests.postgres import PASSWORD
from tests.store.rows import fill


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    """One crawl, news, with a WARC file."""
    directory = tmp_path / "crawls/news"
    (directory / "warc").mkdir(parents=True)
    db = open_store(directory, create=True)
    fill(db, 20)
    db.close()
    (directory / "warc/news-1-00001-w1.warc.gz").write_bytes(b"a finished file")
    (directory / "topic.json").write_text("{}")
    return directory.parent


def count(crawls: Path, name: str) -> int:
    with closing(crawl_named(crawls, name).open()) as db:
        return int(db.execute("select count(*) from url").fetchone()[0])


def test_to_postgresql_and_back(crawls: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "copy", "news", "--to", postgres_url) == 0
    told = capsys.readouterr().out
    where = "schema crawl_news of postgresql://crawler@127"
    assert re.match(rf"crawl news: \d+ rows copied and checked; its store is {where}", told)
    assert f"left as it was, at {crawls}/news/store.sqlite" in told
    pointer = (crawls / "news/store.json").read_text()
    assert PASSWORD not in told + pointer
    assert count(crawls, "news") == 20
    assert call(Command(), crawls, "copy", "news", "--to", "sqlite", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["crawl"], told["rows"] > 300, told["tables"]["url"]) == ("news", True, 20)
    assert told["store"] == f"{crawls}/news/store.sqlite"
    assert not (crawls / "news/store.json").exists()
    assert count(crawls, "news") == 20


@pytest.mark.parametrize("engine", ENGINES)
def test_a_second_crawl(crawls: Path, engine: str, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> None:
    to = "sqlite" if engine == "sqlite" else request.getfixturevalue("postgres_url")
    assert call(Command(), crawls, "copy", "news", "--to", to, "--name", "news 2") == 0
    assert "crawl news is as it was" in capsys.readouterr().out
    assert [crawl.name for crawl in all_crawls(crawls)] == ["news", "news 2"]
    assert (crawls / "news 2/store.json").exists() == (engine != "sqlite")
    assert count(crawls, "news 2") == 20
    shared = crawls / "news 2/warc/news-1-00001-w1.warc.gz"
    assert shared.stat().st_nlink == 2
    left = {path.name for path in (crawls / "news 2").iterdir() if not path.name.startswith("store.")}
    assert left == {"topic.json", "warc"}


def test_a_second_crawl_that_was_cut_short_is_begun_anew(
    crawls: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def cut_short(source: Database, target: Database, progress: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(move, "copy_tables", cut_short)
        assert call(Command(), crawls, "copy", "news", "--to", "sqlite", "--name", "two") == 130
    assert "the crawl keeps its store; the next copy starts over" in capsys.readouterr().err
    assert [crawl.name for crawl in all_crawls(crawls)] == ["news"]
    assert call(Command(), crawls, "copy", "news", "--to", "sqlite", "--name", "two") == 0
    assert count(crawls, "two") == 20


def test_a_second_crawl_that_a_full_disk_cut_short_is_begun_anew(
    crawls: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(files, "write_whole", Mock(side_effect=OSError(28, "No space left on device", "copying")))
        assert call(Command(), crawls, "copy", "news", "--to", "sqlite", "--name", "two") == 1
    assert "copying: No space left on device" in capsys.readouterr().err
    assert call(Command(), crawls, "copy", "news", "--to", "sqlite", "--name", "two") == 0
    assert count(crawls, "two") == 20


def test_what_does_not_arrive_as_it_was_is_not_used(
    crawls: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def damaged(target: Database, sent: object, progress: object) -> None:
        raise CopyError("table url has 19 rows where 20 were sent")

    monkeypatch.setattr(move, "check", damaged)
    assert call(Command(), crawls, "copy", "news", "--to", postgres_url) == 1
    assert capsys.readouterr().err == (
        "scrapy frontier copy: table url has 19 rows where 20 were sent; the crawl keeps its store; start the copy again\n"
    )
    assert not (crawls / "news/store.json").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["news"], "--to"),
        (["nws", "--to", "sqlite"], "did you mean 'news'?"),
        (["news", "--to", "mysql://u:secret@h/d"], "--to 'mysql' is neither sqlite nor postgresql://USER@HOST"),
        (["news", "--to", "sqlite"], "crawl news already has its store there; for a second crawl, give --name NEW"),
        (["news", "--to", "sqlite", "--name", "a/b"], "--name: 'a/b' holds a slash"),
        (["news", "--to", "sqlite", "--name", "news"], "already exists; choose another name"),
        (["news", "--too", "sqlite"], "--to"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert sentence in refused(capsys, Command(), crawls, "copy", *arguments)
    assert not (crawls / "news/store.json").exists()


def test_a_file_in_the_place_of_a_second_crawl_is_refused(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (crawls / "notes").write_text("mine")
    said = refused(capsys, Command(), crawls, "copy", "news", "--to", "sqlite", "--name", "notes")
    assert "already exists; choose another name" in said


def test_a_server_that_cannot_be_reached_is_a_failure(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(capsys, Command(), crawls, "copy", "news", "--to", "postgresql://nobody@127.0.0.1:1/x", code=1)
    assert "the PostgreSQL server of postgresql://nobody@127.0.0.1:1/x cannot be used" in told
    assert not (crawls / "news/store.json").exists()


def test_a_crawl_whose_worker_died_is_no_model_for_a_second_one(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = crawl_named(crawls, "news").open(write=True)
    db.execute("update worker set state='dead', warc_cut=0 where id=3")
    db.close()
    told = refused(capsys, Command(), crawls, "copy", "news", "--to", "sqlite", "--name", "two")
    assert "a process of crawl news is at work or has died" in told
    assert not (crawls / "two").exists()
