"""`scrapy demo`: makes a focused crawl of a synthetic web on loopback, offline, and compares it with the truth."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.command_line.option_values import whole_number
from focuscrawl.errors import BadInput, nearest

if TYPE_CHECKING:
    from synthweb.compare import Comparison

NAME, TOPIC = "demo", "topic.toml"
"""Name of the crawl, and of the web's plan; and of the topic file in the crawl's folder, by which a former demo is known."""
DNS_PORT = 5300
"""Of the name server when the web is served again, as docs/commands.md has it."""
SETTINGS = {
    "GUARD_ALLOW_NETWORKS": "127.0.0.0/8",
    "FRONTIER_IDLE_STOP": "4",
    "FRONTIER_RETRY_DELAYS": "1,2",
    "POLITENESS_DELAY": "0.05",
    "POLITENESS_ADDRESS_DELAY": "0",
    "POLITENESS_LATENCY_FACTOR": "1",
    "DOWNLOAD_TIMEOUT": "5",
}
"""Settings for a web on loopback, with short delays; everything else is as in a real crawl."""


class Command(ProjectCommand):
    """Serves a small bilingual web with duplicates, tunnels, traps and failing hosts, and crawls it for one topic.

    The exit code is that of the crawl.
    """

    summary = "Crawl a synthetic web for a topic, offline, and compare with the truth"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        from synthweb.words import TOPICS

        parser.add_argument("--topic", default=TOPICS[0], metavar="TOPIC", help=f"{', '.join(TOPICS)} (default: %(default)s)")
        parser.add_argument("--seed", type=whole_number(0), default=1, metavar="N", help="another number makes another web")
        parser.add_argument(
            "--max-pages",
            type=whole_number(1),
            default=300,
            metavar="N",
            help="pages to store, of about 1 200 (default: %(default)s)",
        )

    def prepare(self, options: argparse.Namespace) -> None:
        from focuscrawl.store.crawls import has_store
        from synthweb.words import TOPICS

        if options.topic not in TOPICS:
            raise BadInput(f"there is no topic {options.topic!r}{nearest(options.topic, TOPICS)}")
        directory = self.context.crawls_dir / NAME
        if has_store(directory) and not (directory / TOPIC).exists():
            raise BadInput(f"{directory} is not a demo, and the demo would replace it; move it, or set another CRAWLS_DIR")

    def execute(self, options: argparse.Namespace) -> int:
        _say("making a web of about 1 200 pages, English and Chinese, with duplicates, spider traps and failing hosts")
        from synthweb.running import RunningWeb

        directory = self.context.crawls_dir / NAME
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        with RunningWeb(NAME, options.seed, topic=options.topic) as web:
            topic = directory / TOPIC
            topic.write_text(web.topic_file(), encoding="utf-8")
            _say(f"serving it at 127.0.0.1:{web.port}, this machine alone")
            _say(f"crawling it for {options.topic!r}, up to {options.max_pages} pages, into {directory} (Ctrl-C stops it)")
            code = crawl(topic, web.dns, options.max_pages, self.context.crawls_dir)
            if code == 0:
                _say("asking the web which pages were there to be found")
                print(described(web.compare(kept(directory.parent))))
                print(f"\nThe report: {directory / 'report.html'}")
                print("Why a URL was fetched: .venv/bin/scrapy why URL")
                print(f"This web again, for a recrawl and more: {served_again(options, web.port)}")
        return code


def served_again(options: argparse.Namespace, port: int) -> str:
    """The command that serves the web under the same URLs. docs/commands.md says what can be tried with it."""
    return f".venv/bin/python -m synthweb --topic {options.topic} --seed {options.seed} --port {port} --dns-port {DNS_PORT}"


def crawl(topic: Path, dns: str, max_pages: int, crawls_dir: Path) -> int:
    """Crawl in a separate process and return its exit code. Ctrl-C is left to that process, and its clean end is awaited."""
    from focuscrawl.config.environment import PREFIX

    command = [sys.executable, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", f"name={NAME}"]
    command += ["-a", f"max_pages={max_pages}"]
    settings = {**SETTINGS, "DNS_SERVERS": dns, "CRAWLS_DIR": str(crawls_dir), "LOG_LEVEL": "WARNING"}
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    # The store is to lie in the folder, so that the next demo begins anew.
    environment = {name: value for name, value in os.environ.items() if name != f"{PREFIX}STORE_URL"}
    process = subprocess.Popen(command, env=environment)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # after the start: the child would inherit it
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def kept(crawls_dir: Path) -> list[str]:
    """The URLs of the collection, including index pages."""
    from focuscrawl.store.crawls import crawl_named
    from focuscrawl.store.pages.stored import stored_pages

    with closing(crawl_named(crawls_dir, NAME).open()) as db:
        return [page.url for page in stored_pages(db)]


def described(comparison: Comparison) -> str:
    """The comparison as lines of text."""
    return "\n".join(
        [
            "",
            "Compared with the truth about this web",
            f"  relevant articles found     {comparison.found} of {comparison.relevant} ({comparison.recall:.0%})",
            f"  behind tunnels              {comparison.found_behind_tunnels} of {comparison.behind_tunnels}",
            f"  kept pages on the topic     {comparison.kept_on_topic} of {comparison.kept} ({comparison.precision:.0%})",
            f"  kept twice                  {comparison.kept_twice}",
            f"  pages requested             {comparison.fetched}",
            f"  of these against robots.txt {comparison.fetched_forbidden}",
            f"  of these in traps           {comparison.fetched_trap}",
            f"  noindex pages kept          {comparison.kept_noindex}",
        ]
    )


def _say(step: str) -> None:
    print(f"demo: {step}", flush=True)
