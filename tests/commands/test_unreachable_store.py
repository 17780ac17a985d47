"""A store that lies on a server that does not answer: a failure that may pass, not bad input."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest
from scrapy.commands import ScrapyCommand

from tests.commands.call import refused

COMMANDS = ["changes", "export", "frontier stats", "report", "runs", "search", "stats", "stop", "workers"]


@pytest.mark.system
@pytest.mark.parametrize("line", COMMANDS)
def test_the_exit_code_is_that_of_a_failure(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "news").mkdir()
    place = {"url": "postgresql://user@127.0.0.1:1/db", "schema": "crawl_news"}
    (tmp_path / "news" / "store.json").write_text(json.dumps(place), "utf-8")
    name, *subcommand = line.split()
    command: ScrapyCommand = import_module(f"focuscrawl.commands.{name}").Command()
    words = ["word"] if name == "search" else []
    told = refused(capsys, command, tmp_path, *subcommand, "news", *words, code=1)
    assert "the PostgreSQL server of postgresql://user@127.0.0.1:1/db cannot be used" in told
