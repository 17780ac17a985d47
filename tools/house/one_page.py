"""What one page passes through: every call into the product between the commits of two pages, in a crawl of a synthetic web."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from synthweb.running import RunningWeb
from tools.house.source import median

PAGES = 60
SKIPPED = 10
"""Pages at the beginning that are not counted: modules are loaded and caches fill."""


class NotCrawled(Exception):
    """The checkout's crawl did not get so far."""


@dataclass(frozen=True, slots=True)
class OnePage:
    """Of the median page, each by itself."""

    modules: int
    functions: int
    changes: int
    """How often a call goes to another module than the call before it in the same thread; most of them for each link again."""
    pairs: int
    """How many different pairs of modules these changes have."""


def demo_settings(checkout: Path) -> dict[str, str]:
    """The settings of the checkout's own `scrapy demo`, by parsing: they were renamed in the course of time."""
    for path in sorted(checkout.glob("focuscrawl/**/demo.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id="SETTINGS")], value=value)
                    | ast.AnnAssign(target=ast.Name(id="SETTINGS"), value=ast.expr() as value)
                ):
                    return {str(name): str(setting) for name, setting in ast.literal_eval(value).items()}
    raise NotCrawled(f"{checkout} has no demo with SETTINGS")


def crawl(checkout: Path, pages: int, folder: Path, program: list[str]) -> None:
    """Crawl the synthetic web beside this file by the checkout's code, one request at a time, into `folder`/crawls/house.

    `program` is what runs Scrapy, without Scrapy's arguments. Raises NotCrawled when it fails.
    """
    with RunningWeb("demo", 1) as web:
        topic = folder / "topic.toml"
        topic.write_text(web.topic_file(), encoding="utf-8")
        settings = {**demo_settings(checkout), "DNS_SERVERS": web.dns, "CRAWLS_DIR": str(folder / "crawls")}
        settings |= {"CONCURRENT_REQUESTS": "1", "LOG_LEVEL": "WARNING"}
        command = [*program, "crawl", "topic", "-a", f"seeds={topic}", "-a", "name=house", "-a", f"max_pages={pages}"]
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        done = subprocess.run(command, cwd=checkout, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotCrawled(f"the crawl in {checkout} ended with {done.returncode}:\n{done.stderr[-2000:]}")


def environment() -> dict[str, str]:
    """Without what would make the checkout import this one's code."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def one_page(checkout: Path) -> OnePage:
    """Trace a crawl by the checkout's code."""
    with tempfile.TemporaryDirectory(prefix="house-") as folder:
        report = Path(folder) / "calls.jsonl"
        tracing = [sys.executable, str(Path(__file__).with_name("tracing.py")), str(checkout), str(report)]
        crawl(checkout, PAGES, Path(folder), tracing)
        counted = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()][SKIPPED:]
    if not counted:
        raise NotCrawled(f"the crawl in {checkout} committed no page")
    return OnePage(*(round(median([page[name] for page in counted])) for name in ("modules", "functions", "changes", "pairs")))
