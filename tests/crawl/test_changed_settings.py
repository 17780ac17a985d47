"""A run with other settings than the one before says what becomes of the pages that are stored already."""

from __future__ import annotations

from pathlib import Path

from tests.crawl.run import ASTRONOMY, crawl
from tests.crawl.site import Site, page


def test_another_page_model_and_another_way_to_find_near_duplicates_are_told_once(tmp_path: Path) -> None:
    with Site({"sky.test": "127.36.9.1"}) as site:
        site.answers["sky.test/"] = page("sky home", ["/1"])
        site.answers["sky.test/1"] = page("star 1")
        seeds = tmp_path / "sky.txt"
        seeds.write_text(site.url("sky.test/"))
        arguments = {"keywords": ASTRONOMY, "name": "sky"}
        changed = {"RELEVANCE_MODEL": "vsm", "DEDUP_METHOD": "shingles"}
        said = [crawl(tmp_path, seeds, site.dns, values, arguments).err for values in ({}, changed, changed)]
    told = [
        "pages are judged by vsm from now on, until now by calibrated",
        "near-duplicates are found by shingles from now on, until now by simhash",
    ]
    assert [[sentence in text for sentence in told] for text in said] == [[False, False], [True, True], [False, False]]
