"""Crawls from a script: the code of docs/guides/scripts.md, run as it stands there, and Scrapy's older process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, QUICK, ROOT, Run, lines
from tests.crawl.site import Site, page
from tests.patience import PATIENCE

HOSTS = {"script.test": "127.35.0.1"}
CODE = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guides/scripts.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        running.answers["script.test/"] = page("home", [f"/{number}" for number in range(8)])
        for number in range(8):
            running.answers[f"script.test/{number}"] = page(f"star {number}")
        yield running


def ran(script: Path, seeds: Path, folder: Path, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The script, run in a folder that is not the project's."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SCRAPY", "COV"))}
    environment |= {f"FOCUSCRAWL_{key}": value for key, value in settings.items()}
    environment |= {"SCRAPY_SETTINGS_MODULE": "focuscrawl.settings", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, script, seeds],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("code", "name"),
    [
        pytest.param(CODE[0], "script", id="AsyncCrawlerProcess"),
        pytest.param(CODE[0].replace("AsyncCrawlerProcess", "CrawlerProcess"), "script", id="CrawlerProcess"),
        pytest.param(CODE[1], "runner", id="AsyncCrawlerRunner"),
    ],
)
def test_the_code_of_the_docs_crawls(site: Site, tmp_path: Path, code: str, name: str) -> None:
    script, seeds = tmp_path / "script.py", tmp_path / "seeds.toml"
    script.write_text(code, encoding="utf-8")
    seeds.write_text(
        f'[topic]\nkeywords = {ASTRONOMY.split(",")}\n[seeds]\nurls = ["{site.url("script.test/")}"]\n', encoding="utf-8"
    )
    done = ran(script, seeds, tmp_path, QUICK | {"DNS_SERVERS": site.dns, "CRAWLS_DIR": f"{tmp_path}/c"})
    assert done.stdout == "5 pages: max_pages\n", done.stderr
    run = Run(done.returncode, done.stdout, done.stderr, tmp_path / "c")
    assert (run.code, len(run.stored(name)), run.reason(name)) == (0, 5, "max_pages")
    if name == "script":
        assert len(lines((tmp_path / "pages.jsonl").read_text(encoding="utf-8"))) == 5


@pytest.mark.parametrize("process", ["AsyncCrawlerProcess", "CrawlerProcess"])
def test_the_code_of_the_docs_says_what_cannot_be_used(tmp_path: Path, process: str) -> None:
    """Nothing after it: it ended with Scrapy's error that the crawler has no stats."""
    script = tmp_path / "script.py"
    script.write_text(CODE[0].replace("AsyncCrawlerProcess", process), encoding="utf-8")
    done = ran(script, tmp_path / "seeds.toml", tmp_path, {"CRAWLS_DIR": f"{tmp_path}/c"})
    assert (done.returncode, done.stdout) == (1, "")
    assert "does not exist" in done.stderr
    assert "stats is not set" not in done.stderr
