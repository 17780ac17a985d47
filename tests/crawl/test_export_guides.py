"""The blocks of docs/guides/training-set.md and search-engine.md, run in their order on a whole crawl; and what an export since
the last one says after a recrawl."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, ROOT, crawl, lines, place, scrapy
from tests.crawl.site import TOPIC_WORDS, Reply, Site
from tests.export.search_engine import SearchEngine
from tests.patience import PATIENCE

BLOCK = re.compile(r"```(sh|python)\n(.*?)```", re.DOTALL)
PROSE = (
    "The telescope shows the moons of a planet and the dust of a nebula. Long ago an astronomer saw a comet cross the "
    "orbit of the planet, and drew what the lens of the observatory had shown. A galaxy is much farther away than every "
    "star that we know by name, so that its light is older than we are."
)
pytestmark = [pytest.mark.system, pytest.mark.slow]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `crawls/sky` is the store of a crawl of a page of links and six articles."""
    folder = tmp_path_factory.mktemp("guides")
    with Site({"sky.test": "127.33.9.1"}) as site:
        site.answers["sky.test/"] = _list(6)
        for number in range(1, 7):
            site.answers[f"sky.test/stars/{number}.html"] = _html(f"Star {number}", _article(number))
        seeds = folder / "sky.txt"
        seeds.write_text(site.url("sky.test/"))
        run = crawl(folder / "crawls", seeds, site.dns, arguments={"keywords": ASTRONOMY, "name": "sky"})
        assert run.code == 0, run.err
    return folder


def _list(articles: int) -> Reply:
    links = "".join(f'<li><a href="/stars/{number}.html">star and comet {number}</a></li>' for number in range(1, articles + 1))
    return _html("telescope galaxy planet", f"<ul>{links}</ul>")


def _article(number: int) -> str:
    """Unlike those of other numbers."""
    draw = random.Random(number)
    words = [*TOPIC_WORDS, *("".join(draw.choices("abcdeioulmnrst", k=7)) for _ in range(30))]
    text = "".join(f"<p>The {' and the '.join(draw.choices(words, k=25))}.</p>" for _ in range(number + 4))
    return f"<h1>Star {number}</h1><p>{PROSE}</p>{text}"


def _html(title: str, body: str) -> Reply:
    return Reply(body=f"<html lang=en><title>{title}</title><body><main>{body}</main></body></html>")


def run(guide: str, folder: Path, replaced: dict[str, str] | None = None) -> str:
    """Run all blocks in `folder`; what they print, standard error too."""
    text = (ROOT / "docs/guides" / guide).read_text(encoding="utf-8")
    for old, new in (replaced or {}).items():
        assert old in text
        text = text.replace(old, new)
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        "SCRAPY_SETTINGS_MODULE": "focuscrawl.settings", "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"),
    }  # fmt: skip
    told = []
    for language, code in BLOCK.findall(text):
        command = ["bash", "-euo", "pipefail", "-c", code] if language == "sh" else [sys.executable, "-c", code]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"
        told.append(done.stdout + done.stderr)
    return "\n".join(told)


def test_from_a_crawl_to_a_training_set(crawled: Path) -> None:
    for reader in ("pyarrow", "datasets", "pandas", "polars", "duckdb"):
        pytest.importorskip(reader, reason=f"{reader} is for developers")
    folder = crawled
    told = run("training-set.md", folder)
    assert "relevant pages of sky" in told
    assert "by --kind (lists of links; --kind any keeps them)" in told
    assert "Star " in told
    card = (folder / "sky-dataset" / "README.md").read_text()
    for piece in (
        "| keywords | telescope, galaxy",
        "| weightiest terms | ",
        "sky.test",
        "focuscrawl/0.2",
        "| order strategy | learned |",
        "--min-words 20",
    ):
        assert piece in card
    changes = [json.loads(line) for line in (folder / "sky-changes.jsonl").read_text().splitlines()]
    assert len(changes) == len(list((folder / "sky-pages").rglob("*.md"))) > 3
    assert {row["change"] for row in changes} == {"new"}


def test_from_a_crawl_to_a_search_engine(crawled: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("the guide's commands take curl")
    with SearchEngine() as engine:
        run("search-engine.md", crawled, {"localhost:9200": engine.address, "localhost:7700": engine.address})
        documents = engine.documents["sky"]
        assert len(documents) > 3
        assert {document["id"] for document in documents.values()} == set(documents)
        assert all("telescope" in document["text"] for document in documents.values())
        assert engine.mappings["sky"]["properties"]["text"]["analyzer"] == "cjk"
    assert (crawled / "sky.wacz").stat().st_size > 1000
    with contextlib.suppress(ImportError):
        import wacz.main

        assert wacz.main.main(["validate", "-f", str(crawled / "sky.wacz")]) == 0


def test_an_export_since_the_last_one_follows_a_recrawl(tmp_path: Path) -> None:
    def export() -> dict[str, str]:
        done = scrapy("export", "sky", "--since", "last", *folder, folder=tmp_path)
        assert done.code == 0, done.err
        return {place(row["url"]): row["change"] for row in lines(done.out)}

    folder = ("-s", f"CRAWLS_DIR={tmp_path / 'crawls'}")
    with Site({"sky.test": "127.33.9.2"}) as site:
        pages = {number: f"sky.test/stars/{number}.html" for number in range(1, 5)}
        site.answers["sky.test/"] = _list(4)
        for number, name in pages.items():
            site.answers[name] = _html(f"Star {number}", _article(number))
        (tmp_path / "sky.txt").write_text(site.url("sky.test/"))
        done = crawl(tmp_path / "crawls", tmp_path / "sky.txt", site.dns, arguments={"keywords": ASTRONOMY, "name": "sky"})
        assert done.code == 0, done.err
        assert export() == dict.fromkeys(pages.values(), "new")
        assert export() == {}
        site.answers[pages[1]] = _html(
            "Star 1", _article(1) + "<p>An eclipse of this star was seen through the telescope.</p>" * 2
        )
        site.answers[pages[2]] = Reply(status=410)
        site.answers["sky.test/"] = _list(5)
        site.answers["sky.test/stars/5.html"] = _html("Star 5", _article(5))
        for _ in range(2):  # 410 counts after two visits
            done = scrapy(
                "recrawl", "sky", *folder, "-s", "GUARD_ALLOW_NETWORKS=127.0.0.0/8", "-s", "POLITENESS_DELAY=0", "-s",
                f"DNS_SERVERS={site.dns}", "--all", folder=tmp_path,
            )  # fmt: skip
            assert done.code in (0, 3), done.err
    assert export() == {pages[1]: "changed", pages[2]: "gone", "sky.test/stars/5.html": "new"}
    assert export() == {}
