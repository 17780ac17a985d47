"""`scrapy stats` on a stored crawl."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focuscrawl.commands.stats import Command
from tests.commands.call import call, refused
from tests.report import sample


def test_a_collection_in_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.sample_crawl(tmp_path / "c")
    assert call(Command(), tmp_path, "c") == 0
    shown = capsys.readouterr().out
    assert "Collection c" in shown
    assert "2 of 1 host, 1 site" in shown
    assert "scrapy extract c --missing" in shown
    assert call(Command(), tmp_path, "c", "--json") == 0
    values = json.loads(capsys.readouterr().out)
    assert (values["pages"], values["read"], values["left_out"]["duplicates"]) == (2, 0, 1)


def test_a_collection_in_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.settings.REPORT_LANGUAGE", "zh")
    sample.sample_crawl(tmp_path / "c")
    assert call(Command(), tmp_path, "c") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "合集 c"
    assert lines[1].split() == ["页面", "2，来自", "1", "个主机、1", "个网站"]
    assert not [line for line in lines if "pages" in line or "share" in line]


def test_an_unknown_crawl_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing" in refused(capsys, Command(), tmp_path, "nothing")
