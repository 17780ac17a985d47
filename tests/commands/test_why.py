from __future__ import annotations

import json
from pathlib import Path

import pytest

from focuscrawl.commands.why import Command
from tests.commands.call import call
from tests.report import sample


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample.sample_crawl(tmp_path / "old", started_at=sample.NOW - 1000)
    sample.sample_crawl(tmp_path / "new")
    return tmp_path


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        (sample.PAGES[1][0], "fetched"),
        (sample.WAITING.upper().replace("/SEARCH/C.HTML", "/search/c.html#top"), "waiting"),
        ("news.example.com/search/c.html", "waiting"),
        (sample.REFUSED, "refused"),
        ("http://nowhere.example/", "never seen"),
    ],
)
def test_every_answer_ends_well(crawls: Path, capsys: pytest.CaptureFixture[str], url: str, answer: str) -> None:
    assert call(Command(), crawls, url, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["answer"], told["crawl"]) == (answer, "new")
    assert call(Command(), crawls, url, "--crawl", "old") == 0
    assert "(crawl old)" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("arguments", [["mailto:a@b.example"], ["word"], [], ["http://a.example/", "--crawl", "newer"]])
def test_bad_input(crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        call(Command(), crawls, *arguments)
    assert stop.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_no_crawl_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call(Command(), tmp_path / "none", sample.SEED)
    assert "there is no crawl in" in capsys.readouterr().err
