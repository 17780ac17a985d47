"""Who is in the way of a worker that goes by another topic, or follows other links? Running workers alone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
from focuscrawl.store.workers.agreement import AGREED, DisagreementError
from tests.factories import limits

STARS = {"topic ": "stars", "links": '{"max_depth": 3}', "page model": "calibrated", "order": "learned"}


def begun(folder: Path, url: str, says: Mapping[str, str]) -> CrawlStore:
    return CrawlStore(folder / "sky", "sky", limits(9), "{}", url=url, says=says)


@pytest.mark.parametrize(
    ("on", "other"),
    [("topic ", "stars and planets"), ("links", '{"max_depth": null}'), ("page model", "vsm"), ("order", "hits")],
)
def test_a_worker_that_says_something_else_is_refused_as_long_as_one_runs_and_leaves_nothing(
    tmp_path: Path, store_url: str, on: str, other: str
) -> None:
    """Its topic judged the pages that were there, the other one those that came later, and nobody judged these again. As many
    links as the other one refused after that were never followed."""
    one = begun(tmp_path, store_url, STARS)
    with pytest.raises(DisagreementError) as caught:
        begun(tmp_path, store_url, STARS | {on: other})
    assert caught.value.on == on
    begun(tmp_path, store_url, STARS).close("finished", "{}")
    with closing(open_store(tmp_path / "sky", store_url, name="sky", read_only=True)) as db:
        assert [db.execute(f"select count(*) from {table}").fetchone()[0] for table in ("worker", "run")] == [2, 2]
    one.close("finished", "{}")
    begun(tmp_path, store_url, STARS | {on: other}).close("finished", "{}")


def test_what_only_one_of_them_says_is_in_nobodys_way(tmp_path: Path, store_url: str) -> None:
    """As beside a worker of a version that did not note it."""
    one = begun(tmp_path, store_url, {})
    begun(tmp_path, store_url, STARS).close("finished", "{}")
    one.close("finished", "{}")


def test_what_ended_workers_went_by_is_forgotten(tmp_path: Path, store_url: str) -> None:
    """It stayed for good, a row for each run."""
    begun(tmp_path, store_url, STARS).close("finished", "{}")
    one = begun(tmp_path, store_url, STARS)
    other = begun(tmp_path, store_url, STARS)
    with closing(open_store(tmp_path / "sky", store_url, name="sky", read_only=True)) as db:
        kept = db.execute(f"select key from meta where key like '{AGREED}%'").fetchall()
    assert sorted(key for (key,) in kept) == [f"{AGREED}{run}" for run in (one.run, other.run)]
    one.close("finished", "{}")
    other.close("finished", "{}")
