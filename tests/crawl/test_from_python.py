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

HOSTS = {"script.test": "127.35.0.1"}
CODE = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guides/scripts.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        running.answers["script.test/"] = page("home", [f"/{number}" for number in range(8)])
        for number in range(8):
            running.answers[f"script.test/{number}"] = page(f"star {number}")
        yield running


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
    settings = QUICK | {"DNS_SERVERS": site.dns, "CRAWLS_DIR": f"{tmp_path}/c"}
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SCRAPY", "COV"))}
    environment |= {f"FOCUSCRAWL_{key}": value for key, value in settings.items()}
    environment |= {"SCRAPY_SETTINGS_MODULE": "focuscrawl.settings", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, script, seeds],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.stdout == "5 pages: max_pages\n", done.stderr
    run = Run(done.returncode, done.stdout, done.stderr, tmp_path / "c")
    assert (run.code, len(run.stored(name)), run.reason(name)) == (0, 5, "max_pages")
    if name == "script":
        assert len(lines((tmp_path / "pages.jsonl").read_text(encoding="utf-8"))) == 5
