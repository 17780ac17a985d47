"""`scrapy demo`: a focused crawl of a synthetic web on loopback, offline, compared with the truth."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse
from focuscrawl.errors import nearest
from focuscrawl.store.engines.sqlite import connect
from synthweb.compare import Comparison
from synthweb.running import RunningWeb
from synthweb.words import TOPICS

OPTIONS = ("--topic", "--seed", "--max-pages")
USAGE = "scrapy demo [--topic TOPIC] [--seed N] [--max-pages N]"
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


class Command(ScrapyCommand):
    """Serves a small bilingual web with duplicates, tunnels, traps and failing hosts, and crawls it for one topic."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return USAGE.removeprefix("scrapy demo ")

    def short_desc(self) -> str:
        return "Crawl a synthetic web for a topic, offline, and compare with the truth"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--topic", default=TOPICS[0], help=f"{', '.join(TOPICS)}; the first if left out")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="another number makes another web")
        parser.add_argument("--max-pages", type=int, default=900, metavar="N", help="pages to store (default: %(default)s)")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        positional("demo", args, OPTIONS, USAGE, 0, 0)
        if opts.topic not in TOPICS:
            refuse("demo", f"there is no topic {opts.topic!r}{nearest(opts.topic, TOPICS)}")
        if opts.max_pages < 1:
            refuse("demo", f"--max-pages {opts.max_pages} is not 1 or more")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        directory = crawls_dir(self.settings) / "demo"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        print(
            f"demo: serving a synthetic web of about 1 200 pages on loopback, crawling it for {opts.topic!r}",
            flush=True,
        )
        with RunningWeb("demo", opts.seed, topic=opts.topic) as web:
            topic = directory / "topic.toml"
            topic.write_text(web.topic_file(), encoding="utf-8")
            code = self._crawl(topic, web.dns, opts.max_pages)
            if code == 0:
                print(described(web.compare(_kept(directory))))
                print(f"\nOpen {directory / 'report.html'}; or ask why a URL above was fetched: .venv/bin/scrapy why URL")
        self.exitcode = code

    def _crawl(self, topic: Path, dns: str, max_pages: int) -> int:
        assert self.settings is not None
        command = [sys.executable, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", "name=demo"]
        command += ["-a", f"max_pages={max_pages}", "-s", f"DNS_SERVERS={dns}"]
        command += ["-s", f"CRAWLS_DIR={self.settings.get('CRAWLS_DIR')}", "-s", "LOG_LEVEL=WARNING"]
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
    db = connect(directory / "store.sqlite", read_only=True)
    try:
        return [url for (url,) in db.execute(KEPT)]
    finally:
        db.close()
