"""A password in a URL that a user types is not shown again, wherever it stood and whatever is said about it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from scrapy.commands import ScrapyCommand

from focuscrawl.commands import changes, export, frontier, graph, recrawl, report, runs, search, stats, topic, trace, why
from tests.commands.call import call
from tests.report import sample

PASSWORD = "p@ss-w0rd"  # of nobody
URL = f"https://bob:{PASSWORD}@example.org/x"


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (export.Command, ["news", "--topic", URL]),
        (export.Command, ["news", "--format", URL]),
        (export.Command, ["news", "--columns", URL]),
        (export.Command, ["news", "--min-words", URL]),
        (export.Command, ["news", "--since", URL]),
        (export.Command, ["news", "-o", f"/no/folder/{URL}"]),
        (export.Command, ["news", f"--{URL}"]),
        (export.Command, [URL]),
        (frontier.Command, ["ls", URL]),
        (frontier.Command, [URL]),
        (frontier.Command, ["ls", "news", "--state", URL]),
        (topic.Command, ["show", URL]),
        (why.Command, [URL, URL]),
        (why.Command, [URL, "--crawl", URL]),
        (why.Command, [URL, "--crawl", "news"]),
        (trace.Command, [URL, "--crawl", URL]),
        *((each.Command, [URL]) for each in (changes, graph, recrawl, report, runs, search, stats)),
    ],
)
def test_no_command_shows_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: type[ScrapyCommand], arguments: list[str]
) -> None:
    sample.sample_crawl(tmp_path / "news")
    with suppress(SystemExit):
        call(command(), tmp_path, *arguments)
    said = "".join(capfd.readouterr())
    assert said
    assert "ss-w0rd" not in said
