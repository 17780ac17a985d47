"""`scrapy demo`: a focused crawl of a synthetic web on loopback, offline, compared with the truth."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from focuscrawl.command_line.arguments import whole_number
from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.errors import BadInput, nearest

if TYPE_CHECKING:
    from synthweb.compare import Comparison

KEPT = "select url from page where relevant=1 and original is null and noindex=0 and gone<2"
SETTINGS = {
    "GUARD_ALLOW_NETWORKS": "127.0.0.0/8",
    "FRONTIER_IDLE_STOP": "4",
    "FRONTIER_RETRY_DELAYS": "1,2",
    "POLITENESS_DELAY": "0.05",
    "POLITENESS_ADDRESS_DELAY": "0",
    "POLITENESS_LATENCY_FACTOR": "1",
    "DOWNLOAD_TIMEOUT": "5",
}
"""A loopback web needs no patience; everything else is as in a real crawl."""


class Command(ProjectCommand):
    """Serves a small bilingual web with duplicates, tunnels, traps and failing hosts, and crawls it for one topic."""

    summary = "Crawl a synthetic web for a topic, offline, and compare with the truth"
    default_settings = {}  # noqa: RUF012  (typed by the base class)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--topic", default="", metavar="TOPIC", help="one of the synthetic web's (default: its first)")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="another number makes another web")
        parser.add_argument(
            "--max-pages", type=whole_number(1), default=900, metavar="N", help="pages to store (default: %(default)s)"
        )

    def execute(self, options: argparse.Namespace) -> int:
        from synthweb.running import RunningWeb
        from synthweb.words import TOPICS

        topic = options.topic or TOPICS[0]
        if topic not in TOPICS:
            raise BadInput(f"there is no topic {topic!r}{nearest(topic, TOPICS)}")
        directory = self.context.crawls_dir / "demo"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        print(f"demo: serving a synthetic web of about 1 200 pages on loopback, crawling it for {topic!r}", flush=True)
        with RunningWeb("demo", options.seed, topic=topic) as web:
            file = directory / "topic.toml"
            file.write_text(web.topic_file(), encoding="utf-8")
            code = self._crawl(file, web.dns, options.max_pages)
            if code == 0:
                print(described(web.compare(_kept(directory))))
                print(f"\nOpen {directory / 'report.html'}; or ask why a URL above was fetched: .venv/bin/scrapy why URL")
        return code

    def _crawl(self, topic: Path, dns: str, max_pages: int) -> int:
        command = [sys.executable, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", "name=demo"]
        command += ["-a", f"max_pages={max_pages}", "-s", f"DNS_SERVERS={dns}"]
        command += ["-s", f"CRAWLS_DIR={self.context.crawls_dir}", "-s", "LOG_LEVEL=WARNING"]
        for name, value in SETTINGS.items():
            command += ["-s", f"{name}={value}"]
        return subprocess.run(command, env=os.environ, check=False).returncode


def described(found: Comparison) -> str:
    """The comparison in a few lines."""
    return "\n".join(
        [
            "",
            "Compared with the truth about this web",
            f"  relevant articles found     {found.found} of {found.relevant} ({found.recall:.0%})",
            f"  behind tunnels              {found.found_behind_tunnels} of {found.behind_tunnels}",
            f"  kept pages on the topic     {found.kept_on_topic} of {found.kept} ({found.precision:.0%})",
            f"  kept twice                  {found.kept_twice}",
            f"  pages requested             {found.fetched}",
            f"  of these against robots.txt {found.fetched_forbidden}",
            f"  of these in traps           {found.fetched_trap}",
            f"  noindex pages kept          {found.kept_noindex}",
        ]
    )


def _kept(directory: Path) -> list[str]:
    from focuscrawl.store.engines.sqlite import connect

    db = connect(directory / "store.sqlite", read_only=True)
    try:
        return [url for (url,) in db.execute(KEPT)]
    finally:
        db.close()
