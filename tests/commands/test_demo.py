"""scrapy demo, as `make demo` calls it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from focuscrawl.commands import demo
from focuscrawl.recrawl.monitors import Figures
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.workers.runs import all_runs
from synthweb.compare import Comparison
from tests import forked
from tests.commands.call import call, refused
from tests.ports import free_port
from tests.report.sample import sample_crawl

ROOT = Path(__file__).parents[2]
DNS_PORT = str(demo.DNS_PORT)


@pytest.mark.system
def test_each_step_is_told_up_to_the_report(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "left").touch()
    assert call(demo.Command(), tmp_path, "--max-pages", "30") == 0
    printed = capfd.readouterr().out
    steps = [line.split()[1] for line in printed.splitlines() if line.startswith("demo:")]
    assert steps == ["making", "serving", "crawling", "asking"]
    assert "kept pages on the topic" in printed
    assert f"The report: {tmp_path / 'demo' / 'report.html'}" in printed
    assert (tmp_path / "demo" / "report.html").is_file()
    assert not (tmp_path / "demo" / "left").exists()
    urls = demo.kept(tmp_path)
    assert urls
    assert all(url.startswith("http://") for url in urls)
    again = printed.rstrip().rpartition("This web again, for a recrawl and more: ")[2]
    with served(again) as dns:
        assert commands_run(tmp_path, dns) == 5
    with closing(crawl_named(tmp_path, demo.NAME).open()) as db:
        crawled, recrawled, more = all_runs(db)
    # This web is served anew: an address that fails at its first request fails once more, and may wait longer than the run.
    waits = re.search(r"for another try \((\d+)\)", recrawled.why)
    missed = int(waits[1]) if waits else 0
    assert crawled.pages - missed <= Figures.of(recrawled.stats).unmodified <= crawled.pages, "they are served as they were"
    assert recrawled.reason == ("empty" if missed else "fresh"), recrawled.why
    assert more.reason == "max_pages"


@contextmanager
def served(command: str) -> Iterator[str]:
    """The web that this command serves, at another port for names; yields its name server."""
    words, port = command.split(), str(free_port())
    assert (words[0], words[-1]) == (".venv/bin/python", DNS_PORT)
    process = subprocess.Popen([sys.executable, *words[1:-1], port], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["ready"]
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate()


def commands_run(crawls: Path, dns: str) -> int:
    """Run the commands that docs/commands.md names behind the demo; returns their number."""
    section = (ROOT / "docs/commands.md").read_text(encoding="utf-8").partition("\n## scrapy demo\n")[2].partition("\n## ")[0]
    exports, *commands = [line[4:].partition("  #")[0] for line in section.splitlines() if line.startswith("    ")][1:]
    given = dict(word.split("=") for word in exports.removeprefix("export ").split())
    assert given.pop("FOCUSCRAWL_DNS_SERVERS") == f"127.0.0.1:{DNS_PORT}"
    given |= {
        "FOCUSCRAWL_DNS_SERVERS": dns,
        "FOCUSCRAWL_CRAWLS_DIR": str(crawls),
        "FOCUSCRAWL_TOPICS_DIR": str(crawls / "topics"),
    }
    for command in commands:
        program, *words = command.replace("crawls/demo/", f"{crawls}/demo/").replace("max_pages=100", "max_pages=30").split()
        assert program == ".venv/bin/scrapy"
        done = forked.run("scrapy", *words, env={**os.environ, **given})
        assert done.returncode == 0, (command, done.stderr)
    return len(commands)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--topic", "astrnomy"), "did you mean astronomy?"),
        (("--max-pages", "0"), "--max-pages 0 is not 1 or more"),
        (("--seed", "x"), "--seed 'x' is not a whole number; give 0 or more"),
    ],
)
def test_what_cannot_be_used_is_refused(
    arguments: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, demo.Command(), tmp_path, *arguments)


def test_a_crawl_of_the_user_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample_crawl(tmp_path / "demo")
    assert "is not a demo" in refused(capsys, demo.Command(), tmp_path)
    assert (tmp_path / "demo" / "store.sqlite").exists()


def test_shares_are_shown_beside_the_counts() -> None:
    told = demo.described(Comparison(200, 150, 60, 20, 300, 270, 1, 900, 0, 50, 0))
    assert "relevant articles found     150 of 200 (75%)" in told
    assert "kept pages on the topic     270 of 300 (90%)" in told
