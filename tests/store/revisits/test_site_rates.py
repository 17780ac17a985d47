"""How fast sites change."""

from __future__ import annotations

import math

import pytest

from focuscrawl.items import SITEMAP
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits import site_rates as module
from focuscrawl.store.revisits.site_rates import site_rates
from focuscrawl.url.hosts import uid_of
from tests.report.changes_sample import DAY, EDITED, HOST, SINCE
from tests.report.sample import hid, insert


@pytest.fixture
def db(news: Database) -> Database:
    return news


def test_shares_by_the_estimated_rates_without_what_is_gone(db: Database) -> None:
    site, other = site_rates(db, SINCE + DAY / 2)
    assert (site.site, site.pages, site.visits, site.changes, site.due) == ("example.com", 3, 9, 3, 0)
    assert [site.day, site.week] == pytest.approx([1 - math.exp(-0.1), 1 - math.exp(-0.7)])
    assert (site.age, other.site, other.pages) == (DAY / 2, "example.org", 1)


def test_the_share_is_a_mean_over_pages_and_not_of_a_mean_rate(db: Database) -> None:
    db.execute("update revisit set shape=100 where uid=?", (uid_of(EDITED),))
    site = site_rates(db, SINCE)[0]
    assert site.month == pytest.approx((2 * (1 - math.exp(-3)) + 1) / 3)
    db.execute("update revisit set exposure=0, due_at=0")
    assert (site_rates(db, SINCE)[0].month, site_rates(db, SINCE)[0].due) == (0.0, 3)


def test_sitemaps_are_no_pages_and_batches_make_no_difference(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    url = HOST + "/sitemap.xml"
    insert(db, "revisit", hid=hid(url), uid=uid_of(url), kind=SITEMAP, due_at=0.0, signature_digest=b"")
    whole = site_rates(db, SINCE)
    assert whole[0].pages == 3
    monkeypatch.setattr(module, "BATCH", 1)
    assert site_rates(db, SINCE) == whole


def test_an_empty_store_has_no_sites(db: Database) -> None:
    db.execute("delete from revisit")
    assert site_rates(db, SINCE) == []
