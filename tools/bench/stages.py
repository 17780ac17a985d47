"""CPU milliseconds a page by stage of reading, beside the obvious libraries in the same run.

Run: `python -m tools.bench.stages [--pages 200]`. Pages are those of the recorded webs where they exist (FOCUSCRAWL_WEBS),
else made for the extraction exam. Medians and means; a ratio is the baseline's mean over ours.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

from focuscrawl.dedup.simhash import reference_simhash64, simhash64
from focuscrawl.links.extract import links_of
from focuscrawl.politeness.reserved import reserved_by_page
from focuscrawl.reading.content import ArchivedResponse, read_content
from focuscrawl.reading.metadata import metadata_of
from focuscrawl.reading.page import read_page
from focuscrawl.text.complexity import is_heavy
from focuscrawl.text.decode import decode
from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text, main_text
from focuscrawl.text.head import meta
from focuscrawl.text.quality import assess
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.normalize import normalize
from tools.eval.extraction.corpus import corpus
from tools.eval.webs.recorded import WEBS, opened

NOW = 1.8e9
Page = tuple[str, bytes]


def recorded(web: Path, count: int) -> list[Page]:
    with opened(web) as database:
        rows = [row for (row,) in database.execute("select rowid from page where status = 200")]
        chosen = random.Random(1).sample(rows, min(count, len(rows)))
        found = [database.execute("select url, body from page where rowid = ?", (row,)).fetchone() for row in chosen]
    return [(url, body) for url, packed in found if not is_heavy(decode(body := zlib.decompress(packed)).text)]


def made() -> list[Page]:
    return [(f"http://a.example/{sample.name}.html", sample.html.encode()) for sample in corpus()]


class Table:
    """Rows of one set of pages: each stage is run on every page, baselines next to it."""

    def __init__(self, pages: list[Page]) -> None:
        self.pages = pages
        self.total = 0.0

    def row(
        self, stage: str, work: Callable[[Any], object], inputs: list[Any], baseline: float = 0.0, counts: bool = True
    ) -> float:
        work(inputs[0])
        times = []
        for given in inputs:
            start = process_time()
            work(given)
            times.append(1000 * (process_time() - start))
        self.total += mean(times) if counts else 0.0
        ratio = f"{baseline / mean(times):8.1f}x" if baseline else ""
        print(f"  {stage:34} {median(times):8.3f} {mean(times):8.3f} {max(times):8.1f} {ratio}")
        return mean(times)


def measure(name: str, pages: list[Page]) -> None:
    table = Table(pages)
    size = median(len(body) for _, body in pages)
    texts = [decode(body).text for _, body in pages]
    documents = [(url, parse(text)) for (url, _), text in zip(pages, texts, strict=True)]
    readings = [read_page(body, "text/html", url) for url, body in pages]
    links = median(len(reading.links) for reading in readings)
    print(f"{name}: {len(pages)} pages, median {size / 1024:.1f} KB, {links:.0f} links, milliseconds")
    print(f"  {'stage':34} {'median':>8} {'mean':>8} {'max':>8} {'ratio':>9}")
    scrapy_decode = table.row("(Scrapy response.text)", _scrapy_text, pages, counts=False)
    table.row("decode", lambda page: decode(page[1], "text/html"), pages, scrapy_decode)
    table.row("weigh", is_heavy, texts)
    parsel = table.row("(parsel parse)", _parsel, texts, counts=False)
    table.row("parse", parse, texts, parsel)
    table.row("meta", lambda pair: meta(pair[1]), documents)
    table.row("main text, fast", lambda pair: fast_text(pair[1]), documents)
    pairs = [(url, text) for (url, _), text in zip(pages, texts, strict=True)]
    extractor = table.row("(Scrapy LinkExtractor)", _link_extractor(), pairs, counts=False)
    table.row("links with context, normalized", lambda pair: links_of(pair[1], pair[0]), documents, extractor)
    table.row("  of that: normalize, warm cache", lambda r: [normalize(link.url) for link in r.links], readings, counts=False)
    segmenter, reference = Segmenter(prefer="rjieba"), Segmenter(prefer="jieba")
    reference.terms("中文网页")  # loads the dictionary, which takes longer than all pages
    words = [segmenter.terms(r.whole) for r in readings]
    jieba = table.row("(jieba itself)", lambda r: reference.terms(r.whole), readings, counts=False)
    table.row("segment (rjieba)", lambda r: segmenter.terms(r.whole), readings, jieba)
    package = table.row("(simhash, the package)", reference_simhash64, words, counts=False)
    table.row("simhash", simhash64, words, package)
    print(f"  {'all of these':34} {'':8} {table.total:8.3f}")
    table.row("read_page whole", lambda page: read_page(page[1], "text/html", page[0]), pages, counts=False)
    print("  of kept pages, in a process of their own:")
    table.row("main text, voted", lambda pair: main_text(pair[1], pair[0]), documents, counts=False)
    heads = [(url, document, meta(document)) for url, document in documents]
    theirs = table.row("(trafilatura's metadata)", _their_metadata(), pairs, counts=False)
    table.row("metadata", lambda page: metadata_of(page[1], page[2], page[0], NOW), heads, theirs, counts=False)
    table.row("rights reserved", lambda page: reserved_by_page(page[1], page[2], (), "focuscrawl"), heads, counts=False)
    table.row("quality signals", lambda r: assess(r.text.split("\n"), r.language), readings, counts=False)
    table.row("read_content whole", lambda p: read_content(p[1], ArchivedResponse(p[0], "text/html")), pages, counts=False)


def _their_metadata() -> Callable[[tuple[str, str]], object]:
    import logging

    from trafilatura import extract_metadata

    logging.disable(logging.CRITICAL)
    return lambda pair: extract_metadata(pair[1], default_url=pair[0])


def _scrapy_text(page: Page) -> str:
    from scrapy.http import HtmlResponse

    return HtmlResponse(page[0], body=page[1]).text


def _parsel(text: str) -> object:
    from parsel import Selector

    return Selector(text).root


def _link_extractor() -> Callable[[tuple[str, str]], object]:
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor

    extractor = LinkExtractor()
    return lambda pair: extractor.extract_links(HtmlResponse(pair[0], body=pair[1], encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=150)
    count = parser.parse_args().pages
    webs = sorted(WEBS.glob("*.sqlite"))
    for web in webs:
        measure(web.stem, recorded(web, count))
    if not webs:
        measure("made pages", made())


if __name__ == "__main__":
    main()
