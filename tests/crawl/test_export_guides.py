"""The blocks of docs/guides/training-set.md and search-engine.md, run in their order on a whole crawl."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, ROOT, crawl
from tests.crawl.site import Reply, Site
from tests.export.search_engine import SearchEngine

BLOCK = re.compile(r"```(sh|python)\n(.*?)```", re.DOTALL)
PROSE = (
    "The telescope shows the moons of a planet and the dust of a nebula. In the year {0} an astronomer saw a comet cross the "
    "orbit of the planet, and drew what the lens of the observatory had shown. A galaxy is much farther away than every "
    "star that we know by name, so that its light is older than we are."
)
pytestmark = [pytest.mark.system, pytest.mark.slow]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `crawls/sky` is the store of a crawl of a page of links and six articles."""
    folder = tmp_path_factory.mktemp("guides")
    with Site({"sky.test": "127.33.9.1"}) as site:
        links = "".join(f'<li><a href="/stars/{number}.html">star and comet {number}</a></li>' for number in range(1, 7))
        site.answers["sky.test/"] = _html("telescope galaxy planet", f"<ul>{links}</ul>")
        for number in range(1, 7):
            text = "".join(f"<p>{PROSE.format(1800 + 7 * number + line)}</p>" for line in range(number + 2))
            text += "".join(f"<p>{word * 9} of chapter {number}.</p>" for word in ("supernova ", "eclipse ")[: number % 3])
            site.answers[f"sky.test/stars/{number}.html"] = _html(f"Star {number}", f"<h1>Star {number}</h1>{text}")
        seeds = folder / "sky.txt"
        seeds.write_text(site.url("sky.test/"))
        run = crawl(folder / "crawls", seeds, site.dns, arguments={"keywords": ASTRONOMY, "name": "sky"})
        assert run.code == 0, run.err
    return folder


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
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)
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
        "focuscrawl/0.1",
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
