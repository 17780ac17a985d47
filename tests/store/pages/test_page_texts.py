"""Reading pages as texts, on both engines."""

from __future__ import annotations

import pytest

from focuscrawl.items import UNJUDGED
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.page_texts import spread_pages
from tests.report.sample import add_page


@pytest.mark.parametrize(("most", "chosen"), [(99, range(1, 10)), (9, range(1, 10)), (3, (1, 4, 7)), (2, (1, 6))])
def test_pages_at_even_distances(db: Database, most: int, chosen: tuple[int, ...]) -> None:
    for page_id in range(1, 10):
        add_page(db, page_id, f"http://a.test/{page_id}", "A page", 0.5, page_id % 2, 0, None, "en", at=1.0)
    assert spread_pages(db, most) == (9, [(page_id, page_id % 2 == 1) for page_id in chosen])


def test_copies_and_pages_that_are_gone_or_were_not_judged_are_left_out(db: Database) -> None:
    assert spread_pages(db, 500) == (0, [])
    for page_id in range(1, 6):
        add_page(db, page_id, f"http://a.test/{page_id}", "A page", 0.5, 1, 0, 1 if page_id == 2 else None, "en", at=1.0)
    db.execute("update page set gone=2 where page_id=3")
    db.execute("update page set relevant=0, relevance=?, threshold=? where page_id=4", (UNJUDGED.relevance, UNJUDGED.threshold))
    assert spread_pages(db, 500) == (2, [(1, True), (5, True)])
