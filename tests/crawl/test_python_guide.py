"""The examples of docs/guides/python.md, run in their order on the store of a whole crawl."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, ROOT, crawl
from tests.crawl.site import Site, page

GUIDE = ROOT / "docs/guides/python.md"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    """A folder in which `crawls/sky` is the store of a crawl of three pages."""
    with Site({"sky.test": "127.33.7.1"}) as site:
        site.answers["sky.test/"] = page("sky home", ["/1", "/2"])
        for number in (1, 2):
            site.answers[f"sky.test/{number}"] = page(f"star {number}")
        seeds = tmp_path / "sky.txt"
        seeds.write_text(site.url("sky.test/"))
        run = crawl(tmp_path / "crawls", seeds, site.dns, arguments={"keywords": ASTRONOMY, "name": "sky"})
        assert run.code == 0, run.err
    return tmp_path


def test_every_block_runs(crawled: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(crawled)
    blocks = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    assert len(blocks) == 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), names)
    out = capsys.readouterr().out
    assert "https://example.org/telescopes/best.html" in out
    assert "empty" in out
    assert "Fetched" in out or "fetched" in out
