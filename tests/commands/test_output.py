"""Readers that have had enough, as `| head` has."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
from scrapy.commands import ScrapyCommand

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.commands import runs, why, workers
from tests.commands.call import call
from tests.commands.test_steering import add_worker
from tests.report import sample


@contextmanager
def closed_output() -> Iterator[Mock]:
    """Standard output whose reader has gone. (No fixture: pytest sets standard output anew before each test.)"""
    with tempfile.TemporaryFile() as pipe, pytest.MonkeyPatch.context() as patch:
        out = Mock(**{"write.side_effect": BrokenPipeError, "fileno.return_value": pipe.fileno(), "isatty.return_value": False})
        patch.setattr("sys.stdout", out)
        yield out


@pytest.mark.parametrize("as_object", [False, True])
@pytest.mark.parametrize(("command", "name"), [(why.Command, sample.SEED), (runs.Command, "news"), (workers.Command, "news")])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, command: type[ScrapyCommand], name: str, as_object: bool) -> None:
    sample.sample_crawl(tmp_path / "news")
    add_worker(tmp_path)
    with closed_output() as out:
        assert call(command(), tmp_path, name, *["--json"] * as_object) == 0
    assert out.write.called


class Failing(ProjectCommand):
    summary = "Fail"

    def execute(self, options: argparse.Namespace) -> int:
        print("x")
        raise ValueError("other")


def test_only_a_broken_pipe_is_forgiven(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="other"):
        call(Failing(), tmp_path)
    with closed_output() as out:
        assert call(Failing(), tmp_path) == 0
    assert out.write.called
