"""Commands start quickly because they import what they need when they run. Held here by names, not by time: see
`tools/bench/start_up.py` for that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.report import sample

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.system
HEAVY = frozenset({
    "sqlalchemy", "numpy", "scipy", "sklearn", "jieba", "rjieba", "selectolax", "resiliparse", "fastwarc", "trafilatura",
    "rich.console", "jinja2", "tldextract", "psycopg", "dns", "models",
})  # fmt: skip
"""Each takes long to import, compared with the work of a small command. (pydantic does too, but Scrapy brings it itself.)"""
FOR_EVERY_COMMAND = frozenset({
    "focuscrawl.store", "focuscrawl.search", "focuscrawl.report", "focuscrawl.crawl", "focuscrawl.scrapy_side",
})  # fmt: skip
"""Rooms of ours that a module of focuscrawl.commands may not import on its own import."""


NEEDED: dict[str, set[str]] = {
    "runs news": set(),
    "workers news": set(),
    "changes news": set(),
    "pause news": set(),
    "resume news": set(),
    "stop news": set(),
    "stats news": set(),
    "frontier stats news": set(),
    "topic show": set(),
    f"why {sample.PAGES[0][0]}": {"fastwarc"},
    "export news -o -": set(),
    "search news article": {"rjieba"},
}
"""Commands that are to start quickly, and what each imports of what is heavy."""
NOT_OURS = ("version", "list --help")
PROGRAM = """
import atexit, os, sys
from pathlib import Path
from scrapy.cmdline import execute

folder, *commands = sys.argv[1:]
for number, command in enumerate(commands):
    child = os.fork()  # so that what Scrapy itself imports is imported once
    if not child:
        atexit.register(lambda: Path(folder, str(number)).write_text(" ".join(sys.modules)))
        sys.argv = ["scrapy", *command.split()]
        execute()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        sys.exit(f"{command} ended with {status}")
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The modules that are loaded when each command ends."""
    crawls, found = tmp_path_factory.mktemp("crawls"), tmp_path_factory.mktemp("imported")
    sample.sample_crawl(crawls / "news")
    commands = [*NEEDED, *NOT_OURS]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(found), *commands], cwd=ROOT,
        env=os.environ | {"FOCUSCRAWL_CRAWLS_DIR": str(crawls)}, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-1000:]
    return {command: set((found / str(number)).read_text().split()) for number, command in enumerate(commands)}


@pytest.mark.parametrize("command", NEEDED)
def test_a_command_imports_what_it_needs_and_no_more(imported: dict[str, set[str]], command: str) -> None:
    found = imported[command]
    assert "focuscrawl.store.crawls" in found
    assert HEAVY & found <= NEEDED[command]


def test_the_list_of_runs_needs_neither_pages_nor_rules(imported: dict[str, set[str]]) -> None:
    assert "focuscrawl.report.runs" in imported["runs news"]
    assert not {"focuscrawl.items", "focuscrawl.url.filters", "focuscrawl.url.traps"} & imported["runs news"]


@pytest.mark.parametrize("command", NOT_OURS)
def test_commands_that_are_not_ours_import_nothing_of_ours_but_the_commands(
    imported: dict[str, set[str]], command: str
) -> None:
    found = imported[command]
    assert "focuscrawl.commands.topic" in found
    assert not (HEAVY | FOR_EVERY_COMMAND) & found
