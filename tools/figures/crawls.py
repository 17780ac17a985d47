"""What the parts of `make figures` share: what a part is, and crawls in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.pages.page_texts import replayable_pages
from tools.figures.record import ROOT, Figure

RUNS = 3
"""Of everything that differs from run to run."""
EARLY = 100
"""Fetches after which the first harvest is told."""
Found = Iterator[Figure]
EAGER = {
    "POLITENESS_DELAY": "0", "POLITENESS_ADDRESS_DELAY": "0", "POLITENESS_CONCURRENCY": "16",
    "POLITENESS_ADDRESS_CONCURRENCY": "16",
}  # fmt: skip
"""A host is asked as often as the order wants it, so that the order is measured and not the delays of fourteen hosts."""
PYTHON = sys.executable
SCRAPY = [PYTHON, "-m", "scrapy"]
NAME = "figures"


class Skipped(Exception):
    """Why a part cannot be measured here."""


def crawl(topic: Path, folder: Path, pages: int, settings: dict[str, str]) -> None:
    """One crawl into `folder`, in a process of its own."""
    command = [*SCRAPY, "crawl", "topic", "-a", f"seeds={topic}", "-a", f"name={NAME}-{topic.stem}", "-a", f"max_pages={pages}"]
    for name, value in {**settings, "CRAWLS_DIR": str(folder), "LOG_LEVEL": "WARNING"}.items():
        command += ["-s", f"{name}={value}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def stored_urls(folder: Path) -> list[str]:
    """In the order of storing."""
    with closing(crawl_named(folder, f"{NAME}-topic").open()) as db:
        return [page.url for page in replayable_pages(db)]


def printed(command: Sequence[str]) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
