"""Commands start quickly because they import what they need when they run. Held here by names, not by time: see
`tools/bench/start_up.py` for that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.report import sample

pytestmark = pytest.mark.system

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


def imported(command: list[str], crawls: Path) -> set[str]:
    """The modules that are loaded when the command ends."""
    program = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, sep='\\n', file=sys.stderr))\n"
        f"sys.argv = ['scrapy', *{command!r}]\n"
        "from scrapy.cmdline import execute\n"
        "execute()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=os.environ | {"FOCUSCRAWL_CRAWLS_DIR": str(crawls)},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[:500]
    return set(done.stderr.split())


def test_runs_imports_nothing_heavy(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path / "news")
    found = imported(["runs", "news"], tmp_path)
    assert "focuscrawl.report.runs" in found
    assert not HEAVY & found


@pytest.mark.parametrize("command", [["version"], ["list", "--help"]])
def test_commands_that_are_not_ours_import_nothing_of_ours_but_the_commands(tmp_path: Path, command: list[str]) -> None:
    found = imported(command, tmp_path)
    assert "focuscrawl.commands.topic" in found
    assert not (HEAVY | FOR_EVERY_COMMAND) & found
