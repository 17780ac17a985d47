from __future__ import annotations

import asyncio
import io
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager

from focuscrawl.scrapy_side import live
from focuscrawl.scrapy_side.live import LiveTable
from focuscrawl.scrapy_side.terminal import LiveTableOnTerminal, is_watched
from focuscrawl.store.crawls import Crawl
from tests.patience import PATIENCE
from tests.report.sample import HOSTILE, sample_crawl


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def crawl_in(directory: Path, mode: str = "crawl") -> Any:
    counts = SimpleNamespace(pages=4, relevant=3, duplicates=1, requests=9, errors=2)
    control = SimpleNamespace(notice="")
    stats: dict[str, object] = {"recrawl/same_count": 41, "recrawl/changed_count": 2}
    arguments = SimpleNamespace(max_pages=8, max_relevant=None, max_requests=None, minutes=None, is_recrawl=mode == "recrawl")
    return SimpleNamespace(
        job=SimpleNamespace(arguments=arguments), name="demo",
        stored_crawl=Crawl("demo", directory), counting=SimpleNamespace(counts=counts), control=control,
        runner=SimpleNamespace(figures=lambda: stats),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("environment", "watched"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({}, False),
        ({"TERM": "xterm", "CI": "true"}, False),
        ({"TERM": "xterm", "SCRAPY_JOB": "1"}, False),
    ],
)
def test_only_a_person_at_a_terminal_watches(environment: dict[str, str], watched: bool) -> None:
    assert is_watched(Terminal(), environment) is watched
    assert not is_watched(io.StringIO(), environment)


def test_a_pipe_gets_no_table(tmp_path: Path) -> None:
    crawler: Any = SimpleNamespace(focuscrawl=crawl_in(tmp_path), settings=Settings({"LIVE_ENABLED": True}))
    with pytest.raises(NotConfigured):
        LiveTableOnTerminal.from_crawler(crawler)


def test_a_terminal_gets_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings({"LIVE_ENABLED": True, "REPORT_LANGUAGE": "en"})
    crawler: Any = SimpleNamespace(focuscrawl=crawl_in(tmp_path), settings=settings, signals=SignalManager())
    for name in ("CI", "SCRAPY_JOB", "SCRAPYD_JOB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", Terminal())
    assert isinstance(LiveTableOnTerminal.from_crawler(crawler), LiveTable)


async def test_the_table_shows_the_crawl_and_gives_the_terminal_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample_crawl(tmp_path)
    monkeypatch.setattr(live, "REFRESH_SECONDS", 0.01)
    terminal = Terminal()
    handler: logging.StreamHandler[Any] = logging.StreamHandler(terminal)
    monkeypatch.setattr(live, "_terminal_handlers", lambda: [handler])
    table = LiveTable(crawl_in(tmp_path), Console(file=terminal, force_terminal=True, width=120, color_system=None))
    table.spider_opened()
    table.item_scraped({"relevant": True, "title": HOSTILE})
    table.item_scraped(object())
    assert not logging.getLogger(live.PAGE_LOGGER).isEnabledFor(logging.INFO)
    handler.emit(logging.LogRecord("x", logging.WARNING, "", 0, "a [red]warning", None, None))
    async with asyncio.timeout(PATIENCE):
        while "3 of 4 (75 %)" not in terminal.getvalue():
            await asyncio.sleep(0.02)
    table.spider_closed()
    text = terminal.getvalue()
    for piece in (
        "last relevant  <script>",
        "3 of 4 (75 %)",
        "50 % of 8 pages",
        "2 URLs on 0 hosts, 1 for another try",
        "a [red]warning",
    ):
        assert piece in text
    assert "\x1b[31m" not in text
    assert handler.stream is terminal
    assert logging.getLogger(live.PAGE_LOGGER).level == logging.NOTSET


def test_a_store_that_cannot_be_read_shows_zeros(tmp_path: Path) -> None:
    frontier, advice = live._sample(Crawl("demo", tmp_path))
    assert (frontier.ready, advice) == (0, "")


def test_a_recrawl_has_a_table_of_its_own(tmp_path: Path) -> None:
    console = Console(file=Terminal())
    again = LiveTable(crawl_in(tmp_path, "recrawl"), console)._recrawl_figures()
    assert again is not None
    assert (again.visited, again.changed) == (43, 2)
    assert LiveTable(crawl_in(tmp_path), console)._recrawl_figures() is None
