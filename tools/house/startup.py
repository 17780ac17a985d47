"""CPU time that each command takes on a small crawl, against `scrapy version` outside of any project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.house.one_page import crawl, environment
from tools.house.source import median

ROUNDS = 3
PAGES = 30
SCRAPY = [sys.executable, "-m", "scrapy"]
BARE = "scrapy version, outside of a project"
COMMANDS = {
    "version": ["version"],
    "runs": ["runs"],
    "workers NAME": ["workers", "house"],
    "frontier stats NAME": ["frontier", "stats", "house"],
    "why URL": ["why", "URL"],
    "changes NAME": ["changes", "house"],
    "export NAME": ["export", "house"],
    "pause NAME": ["pause", "house"],
    "resume NAME": ["resume", "house"],
    "stop NAME": ["stop", "house"],
    "topic show": ["topic", "show"],
    "doctor": ["doctor"],
    "trace -h": ["trace", "-h"],
    "recrawl -h": ["recrawl", "-h"],
    "crawl -h": ["crawl", "-h"],
    "demo -h": ["demo", "-h"],
}
"""What is measured and how it is asked; URL stands for a page of the crawl."""


def cpu(command: Sequence[str], folder: Path) -> float:
    """Seconds of CPU, user and system, that a program and its children take in `folder`; 0 if it does not know the command."""
    process = subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return 0.0 if process.returncode == 2 else usage.ru_utime + usage.ru_stime


def startup(checkouts: Sequence[Path], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Median seconds of CPU of every command, for each checkout; under `BARE` those of Scrapy alone.

    The checkouts take turns, so that whatever else the machine does meets all of them.
    """
    with tempfile.TemporaryDirectory(prefix="house-") as name:
        folder = Path(name)
        asked = [_prepared(checkout, folder / str(number)) for number, checkout in enumerate(checkouts)]
        taken: dict[str, list[list[float]]] = {label: [[] for _ in checkouts] for label in (BARE, *COMMANDS)}
        for round_ in range(rounds + 1):
            for number, checkout in enumerate(checkouts):
                for label, command in asked[number].items():
                    seconds = cpu(command, folder if label == BARE else checkout)
                    if round_:  # the first one compiles and warms the disk's cache
                        taken[label][number].append(seconds)
    return {label: [median(times) for times in of_all] for label, of_all in taken.items()}


def _prepared(checkout: Path, folder: Path) -> dict[str, list[str]]:
    """The commands in full, once there is a crawl to ask about."""
    folder.mkdir()
    crawl(checkout, PAGES, folder, SCRAPY)
    found = re.search(r"http://[^\"',\s]+", (folder / "topic.toml").read_text(encoding="utf-8"))
    url = found.group() if found else "http://example.org/"
    options = ["-s", f"CRAWLS_DIR={folder / 'crawls'}"]
    commands = {
        label: [*SCRAPY, *(url if part == "URL" else part for part in parts), *options] for label, parts in COMMANDS.items()
    }
    return {BARE: [*SCRAPY, "version"], **commands}
