"""Pages to be exported: those of the sample store, and some with everything that can be known of a page."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from focuscrawl.export.selection import Selected
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.pages.stored import StoredPage, stored_pages
from focuscrawl.text.blocks import Block, outline, plain
from tests.report.sample import sample_crawl

BLOCKS = [Block("heading", "望远镜 入门", 1), Block("paragraph", "A telescope shows the moons."), Block("code", "x = 1\ny = 2")]


def sample_pages(folder: Path) -> list[StoredPage]:
    """The four pages of `tests.report.sample`."""
    sample_crawl(folder)
    with closing(connect(folder / "store.sqlite", read_only=True)) as db:
        return list(stored_pages(db, everything=True))


def known_page(folder: Path) -> StoredPage:
    """A page of which everything is known."""
    return replace(
        sample_pages(folder)[0],
        title="望远镜: a \"first\" look", text=plain(BLOCKS), outline=outline(BLOCKS), author="王小明", published="2024-05-06",
        modified="2025-01-02", canonical="http://news.example.com/", site_name="News", licence="CC-BY-4.0", reserved=("noai",),
        languages=("en", "zh-Hans"), language="en", words=7, characters=50, quality=0.75, signals={"gopher/words": 7.0},
        topics=(("sky", 0.5),), changed_at=1_790_000_100.0, extractor="vote",
    )  # fmt: skip


def selected(pages: Iterable[StoredPage], change: str = "") -> list[Selected]:
    return [Selected(page, change) for page in pages]
