"""`scrapy weights` on a stored crawl."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focuscrawl.commands.weights import Command
from tests.commands.call import call, refused
from tests.report import sample


def test_the_heaviest_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.sample_crawl(tmp_path / "c")
    assert call(Command(), tmp_path, "c", "--limit", "2") == 0
    shown = capsys.readouterr().out
    assert "The 2 heaviest of 4 pages" in shown
    assert sample.SEED in shown.splitlines()[2]
    assert call(Command(), tmp_path, "c", "--json") == 0
    values = json.loads(capsys.readouterr().out)
    assert (values["crawl"], values["pages"], len(values["heaviest"])) == ("c", 4, 4)
    first = values["heaviest"][0]
    assert (first["url"], first["weight"], first["in_degree"], first["copies"]) == (sample.SEED, 0.5, 0, 1)


def test_a_crawl_without_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.empty_crawl(tmp_path / "c").close()
    assert call(Command(), tmp_path, "c") == 0
    assert "no page yet" in capsys.readouterr().out


def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing" in refused(capsys, Command(), tmp_path, "nothing")
