"""The commands of docs/guides/search.md, run in their order on the small crawl of `tests.topics.crawled`."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from focuscrawl.commands.search import Command
from tests.commands.call import call
from tests.topics.crawled import sky_crawl

GUIDE = Path(__file__).parents[2] / "docs/guides/search.md"
SEARCH = re.compile(r"^    \$ scrapy search (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crawls")
    sky_crawl(path, "sky")
    return path


def test_every_search_finds_something(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = SEARCH.findall(GUIDE.read_text("utf-8"))
    assert len(typed) == 4
    for arguments in map(shlex.split, typed):
        assert call(Command(), crawls, *arguments) == 0
        out = capsys.readouterr().out
        assert out.startswith("[" if "--json" in arguments else " 1  ")


def test_the_fields_are_those_that_are_named(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "sky", "telescope", "--json") == 0
    told = GUIDE.read_text("utf-8").partition("prints a list of objects")[2].partition(". The snippet")[0]
    assert re.findall(r"`(\w+)`", told) == list(json.loads(capsys.readouterr().out)[0])
