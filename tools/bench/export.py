"""Processor time and peak memory of `scrapy export` by format, at two sizes: `python -m tools.bench.export [PAGES]`.

The store holds pages of 480 words with outline, twenty signals and two terms. Memory that does not grow with the number of
pages is what counts. A WACZ is not among them: the pages have no archive.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

from focuscrawl.items import Content
from focuscrawl.store.engines.database import transaction
from focuscrawl.store.engines.page_record import CONTENTS, content_record
from tests.report.sample import NOW, add_host, add_page, empty_crawl, insert

OUTPUTS = (
    "pages.jsonl", "pages.jsonl.gz", "pages.jsonl.zst", "pages.csv", "pages.parquet", "pages.ndjson --format bulk",
    "folder --format markdown", "set --format dataset",
)  # fmt: skip
GROWTH = 4
"""Of the second size."""


def fill(directory: Path, pages: int) -> None:
    """A crawl of so many relevant pages."""
    draw = random.Random(1)
    words = [f"word{number}" for number in range(5000)]
    db = empty_crawl(directory)
    with transaction(db):
        insert(db, "run", id=1, started_at=NOW, ended_at=NOW + 60)
        add_host(db, "http://h.example", pages, pages)
        for number in range(1, pages + 1):
            lines = [" ".join(draw.choices(words, k=60)) for _ in range(8)]
            text = "\n".join(lines)
            url = f"http://h.example/{number}.html"
            add_page(db, number, url, f"Title {number}", 0.5, 1, 0, None, "en", at=NOW + number, text=text)
            content = Content(
                extractor="vote", text=text, outline=tuple(("paragraph", 0, len(line)) for line in lines), words=480,
                characters=len(text), quality=0.9, language="en", signals={f"signal/{name}": name / 7 for name in range(20)},
            )  # fmt: skip
            db.execute(CONTENTS.upsert, CONTENTS.to_row(content_record(number, content)))
    db.close()


def measured(crawls: Path, name: str, output: str) -> tuple[float, float]:
    """(seconds, MB) of an export in a process of its own."""
    folder = tempfile.mkdtemp(dir=crawls.parent)
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "export",
        name,
        "-s",
        f"CRAWLS_DIR={crawls}",
        "-o",
        f"{folder}/{output.split()[0]}",
    ]
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execv(sys.executable, [*command, *output.split()[1:]])
    _, status, used = os.wait4(child, 0)
    assert status == 0, output
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="?", type=int, default=20_000, metavar="PAGES", help="default: %(default)s")
    sizes = (pages := parser.parse_args().pages), GROWTH * pages
    with tempfile.TemporaryDirectory() as folder:
        crawls = Path(folder) / "crawls"
        for size in sizes:
            fill(crawls / f"c{size}", size)
        print(f"{'':28}" + "".join(f"{size:>10,} pages: CPU ms a page, MB" for size in sizes))
        for output in OUTPUTS:
            found = [(size, *measured(crawls, f"c{size}", output)) for size in sizes]
            print(
                f"{output:28}" + "".join(f"{1000 * cpu / size:>28.3f} {memory:>8.0f}" for size, cpu, memory in found),
                flush=True,
            )


if __name__ == "__main__":
    main()
