"""Running a command in this process, as Scrapy's command line does."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings


def call(command: ScrapyCommand, crawls_dir: Path, *arguments: str) -> int:
    """The exit code; 2 by SystemExit when the input is refused."""
    command.settings = Settings()
    command.settings.setmodule("focuscrawl.settings", "project")
    command.settings.set("CRAWLS_DIR", str(crawls_dir), "cmdline")
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    options, rest = parser.parse_known_args(arguments)
    command.process_options(rest, options)
    command.run(rest, options)
    return command.exitcode


def refused(
    capsys: pytest.CaptureFixture[str], command: ScrapyCommand, crawls_dir: Path, *arguments: str, code: int = 2
) -> str:
    """The one sentence, on standard error alone, with which a command ends that cannot do what it is asked for."""
    with pytest.raises(SystemExit) as ended:
        call(command, crawls_dir, *arguments)
    said = capsys.readouterr()
    assert (ended.value.code, said.out, said.err.count("\n")) == (code, "", 1), said
    return said.err
