from __future__ import annotations

import json
import os
import platform
from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl import __version__
from focuscrawl.command_line.doctor import installation, stores
from focuscrawl.command_line.doctor.finding import Finding, Level
from focuscrawl.commands.doctor import Command
from focuscrawl.store.crawls import crawl_named, open_store
from focuscrawl.store.workers.lifecycle import directory_id, register
from tests.commands.call import call, refused
from tests.report import sample


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample.sample_crawl(tmp_path / "news")
    return tmp_path


def of_store(crawls: Path) -> list[Finding]:
    return list(stores.store(crawl_named(crawls, "news"), thorough=True))


def levels(found: list[Finding]) -> list[Level]:
    return [each.level for each in found]


def test_a_sound_crawl_is_one_line(crawls: Path) -> None:
    [found] = of_store(crawls)
    assert (found.name, found.level, found.advice) == ("crawl news", Level.OK, "")
    assert "whole: url 9, page 4, host 3, lease 0" in found.text


def test_a_damaged_store_says_how_it_is_repaired(crawls: Path) -> None:
    path = crawls / "news" / "store.sqlite"
    damaged = bytearray(path.read_bytes())
    damaged[8192:20480] = b"\xff" * 12288
    path.write_bytes(damaged)
    found = of_store(crawls)
    assert Level.PROBLEM in levels(found)
    assert "restore store.sqlite from a copy, or save what can be read with `sqlite3 " in found[0].advice


def test_a_store_that_is_none_is_a_problem(crawls: Path) -> None:
    (crawls / "news" / "store.sqlite").write_bytes(b"not a database" * 100)
    [found] = of_store(crawls)
    assert found.level is Level.PROBLEM


def test_what_the_dead_leave_behind_is_told(crawls: Path) -> None:
    crawl = crawl_named(crawls, "news")
    db = crawl.open(write=True)
    folder = crawl.directory / "warc"
    folder.mkdir()
    for length, size in ((10, 15), (10, 5), (10, 10)):
        worker = register(db, 1, 0.0, directory_id(crawl.directory))
        db.execute("update worker set state='dead', warc=?, warc_length=? where id=?", (f"{worker}.gz", length, worker))
        (folder / f"{worker}.gz").write_bytes(b"x" * size)
    db.execute("update worker set process_started=-1 where id=?", (register(db, 1, 0.0),))
    waiting = register(db, 1, 0.0)  # of this process, which is there
    db.execute("insert into lease(hid, uid, worker, name, leased_at) values(1, 2, 99, 'a', 0)")
    db.close()
    text = "\n".join(f"{each.level}: {each.text}" for each in of_store(crawls))
    assert "warning: 1 worker ended without a word and left 0 leases" in text
    assert f"warning: worker {waiting} (pid {os.getpid()} on {platform.node()}) has been silent for " in text
    assert "problem: 1 lease of workers that are gone" in text
    assert "problem: 2.gz of worker 2 has 5 bytes; 10 were committed" in text
    assert "warning: 1 WARC file of dead workers end after their last commit (1.gz)" in text


def test_a_file_that_was_filled_before_the_last_one_may_be_missing(crawls: Path) -> None:
    crawl = crawl_named(crawls, "news")
    (crawl.directory / "warc").mkdir()
    (crawl.directory / "warc" / "last.gz").write_bytes(b"x" * 10)
    (crawl.directory / "warc" / "short.gz").write_bytes(b"x" * 29)
    db = crawl.open(write=True)
    worker = register(db, 1, 0.0, directory_id(crawl.directory))
    db.execute("update worker set state='gone', warc='last.gz', warc_length=10 where id=?", (worker,))
    db.execute("update page set worker=?, warc_offset=20, warc_length=10, warc='lost.gz'", (worker,))
    db.execute("update page set warc='short.gz' where page_id=(select min(page_id) from page)")
    db.close()
    assert [each.text for each in of_store(crawls) if each.level is Level.PROBLEM] == [
        "lost.gz is missing; it holds the answers of 3 stored pages",
        "short.gz has 29 bytes of at least 30; it holds the answers of 1 stored page",
    ]


def test_of_an_archive_that_was_moved_away_few_files_are_named(crawls: Path) -> None:
    """After months of short runs there were hundreds of lines."""
    crawl = crawl_named(crawls, "news")
    with closing(crawl.open(write=True)) as db:
        db.execute("update page set warc=''")  # no file was filled before these
        for number in range(40):
            worker = register(db, 1, 0.0, directory_id(crawl.directory))
            db.execute("update worker set state='gone', warc=?, warc_length=10 where id=?", (f"{number}.gz", worker))
    problems = [each for each in of_store(crawls) if each.level is Level.PROBLEM]
    assert [each.text.partition(" ")[0] for each in problems] == ["0.gz", "1.gz", "2.gz", "37"]
    assert problems[-1].text == "37 more WARC files are missing or too short"
    assert problems[-1].advice == "restore them from a copy: their pages are lost from the archive, not from the store"


def test_a_crawl_that_this_user_cannot_go_on_with(crawls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = crawls / "news"
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK or Path(path) != folder / "store.sqlite")
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    [_, found] = of_store(crawls)
    assert found.level is Level.WARNING
    assert found.text.startswith(f"{folder}/store.sqlite cannot be written to by this user: ")
    assert found.advice.startswith(f"it belongs to {folder.owner()}: start the program as that user")


def test_a_store_that_this_user_cannot_read_is_not_called_damaged(crawls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.R_OK)
    [found] = of_store(crawls)
    assert found.text.startswith(f"{crawls}/news/store.sqlite cannot be read by this user; it belongs to ")
    assert found.advice.startswith("start the program as that user")


def test_a_crawl_on_postgresql(tmp_path: Path, capsys: pytest.CaptureFixture[str], postgres_url: str) -> None:
    open_store(tmp_path / "far", postgres_url, create=True).close()
    call(Command(), tmp_path, "far", "--json")
    found = {line["name"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["crawl far"]["text"].startswith("postgresql store of version ")
    assert "apart from the PostgreSQL server's" in found["clock"]["text"]
    (tmp_path / "far" / "store.json").write_text('{"url": "postgresql://nobody@127.0.0.1:9/none", "schema": "crawl_far"}')
    assert call(Command(), tmp_path, "far", "--json") == 1
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()][-1]
    assert (told["level"], "PGPASSFILE" in told["advice"]) == ("problem", True)


def test_packages_that_are_missing_or_of_another_version() -> None:
    [found] = installation.packages(False, ["scrapy>=2", "no-such-package>=1", "orjson<1", "psycopg; extra == 'postgresql'"])
    assert found.level is Level.PROBLEM
    assert found.text.startswith("no-such-package is missing; orjson is ")
    [found] = installation.packages(True, ["scrapy>=2", "no-such-package; extra == 'postgresql'"])
    assert found.text == "no-such-package is missing"
    [found] = installation.packages(False, ["scrapy>=2", "no-such-package; extra == 'postgresql'"])
    assert found.level is Level.OK
    assert f"focuscrawl {__version__}, Scrapy 2." in found.text


def test_a_foreign_package_of_our_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert levels(list(installation.foreign_packages())) == [Level.OK]
    (tmp_path / "models.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    [found] = installation.foreign_packages()
    assert (found.level, f"models in {tmp_path}" in found.text) == (Level.WARNING, True)


@pytest.mark.slow
def test_the_segmenters_agree_and_the_suffix_list_is_there() -> None:
    assert levels([*installation.dictionaries(), *installation.suffixes()]) == [Level.OK, Level.OK]


@pytest.mark.parametrize(("limit", "level"), [(64, Level.PROBLEM), (256, Level.WARNING), (4096, Level.OK)])
def test_open_files(limit: int, level: Level) -> None:
    assert levels(list(installation.open_files(limit))) == [level]


def test_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    def now() -> float:
        return sample.NOW

    monkeypatch.setattr("time.sleep", lambda seconds: None)
    assert levels(list(installation.clock(None, now))) == [Level.OK]
    assert levels(list(installation.clock(lambda: sample.NOW + 1, now))) == [Level.OK]
    [found] = installation.clock(lambda: sample.NOW - 60, now)
    assert (found.level, "60.0 s behind" in found.text) == (Level.WARNING, True)
    [found] = installation.clock(None, lambda: 0.0)
    assert (found.level, found.text) == (Level.PROBLEM, "it says 1970-01-01")


@pytest.mark.system
def test_name_servers_that_do_not_answer() -> None:
    [found] = installation.name_servers([("127.0.0.1", 9)])
    assert (found.level, found.text) == (Level.PROBLEM, "no answer from 127.0.0.1:9")
    assert levels(list(installation.name_servers([]))) == [Level.PROBLEM]


def test_the_exit_code_is_the_worst(crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "name_servers", lambda servers: iter(()))
    assert call(Command(), crawls, "news", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"python", "packages", "dictionaries", "disk", "clock", "crawl news"} <= {line["name"] for line in lines}
    (crawls / "news" / "store.sqlite").write_bytes(b"not a database" * 100)
    assert call(Command(), crawls) == 1
    told = capsys.readouterr().out
    assert "PROBLEM" in told
    assert "1 problem, " in told.splitlines()[-1]
    assert "'new'" in refused(capsys, Command(), crawls, "new")
