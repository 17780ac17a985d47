"""The division of sites, on both engines."""

from __future__ import annotations

from collections import Counter

import pytest

from focuscrawl.items import Content
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import CONTENTS, content_record
from focuscrawl.store.pages import link_graph
from focuscrawl.store.pages.collection import Part, collection_of
from focuscrawl.store.pages.link_graph import SiteStructure, site_structures
from focuscrawl.store.pages.stored import stored_pages
from tests.report import sample


@pytest.fixture
def db(sampled: Database) -> Database:
    sampled.execute("update page set kind='index' where page_id=1")
    content = Content(category="搜索 / Engines", words=5)
    sampled.execute(CONTENTS.upsert, CONTENTS.to_row(content_record(2, content)))
    return sampled


@pytest.mark.parametrize("block", [1, 3, 1000])
def test_sites_with_kinds_categories_and_directories(db: Database, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_graph, "STRUCTURE_BLOCK", block)
    assert site_structures(db) == [
        SiteStructure("example.com", 1, 2, Counter({"搜索": 1}), Counter({"/": 1, "/search/": 1})),
        SiteStructure("example.org", 0, 1, Counter(), Counter({"/": 1})),
    ]
    db.execute("update page set gone=2 where page_id=4")
    assert [site.name for site in site_structures(db)] == ["example.com"]


def test_exports_and_the_collection_have_the_category(db: Database) -> None:
    assert {page.url: page.category for page in stored_pages(db)} == {sample.SEED: "", sample.PAGES[1][0]: "搜索 / Engines"}
    assert collection_of(db).categories == [Part("搜索 / Engines", 1, 5)]
