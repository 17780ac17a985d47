from __future__ import annotations

import json
from pathlib import Path

import pytest

from focuscrawl.commands.runs import Command
from tests.commands.call import call, refused
from tests.report import sample


def test_all_crawls_newest_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.sample_crawl(tmp_path / "a")
    sample.sample_crawl(tmp_path / "b", started_at=sample.NOW + 500)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "store.sqlite").write_bytes(b"not a database" * 100)
    assert call(Command(), tmp_path, "--json") == 0
    said = capsys.readouterr()
    assert [json.loads(line)["crawl"] for line in said.out.splitlines()] == ["b", "a"]
    assert "broken" in said.err


def test_one_crawl_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.sample_crawl(tmp_path / "a")
    assert call(Command(), tmp_path, "a") == 0
    head, row = capsys.readouterr().out.splitlines()[:2]
    assert head.split()[:3] == ["crawl", "run", "started"]
    assert ("max_pages" in row, "75 %" in row) == (True, True)


def test_nothing_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), tmp_path) == 0
    assert "no run so far" in capsys.readouterr().err
    assert "'a'" in refused(capsys, Command(), tmp_path, "a")


def test_a_named_crawl_that_cannot_be_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "store.sqlite").write_bytes(b"not a database" * 100)
    refused(capsys, Command(), tmp_path, "broken")


def test_an_unknown_language_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sample.sample_crawl(tmp_path / "a")
    monkeypatch.setattr("focuscrawl.settings.REPORT_LANGUAGE", "xx")
    told = refused(capsys, Command(), tmp_path)
    assert told == "scrapy runs: setting REPORT_LANGUAGE='xx' is unknown; use one of en, zh\n"
