"""Who is in the way of a worker that judges pages by another topic? Running workers alone, and only those of the same topic."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
from focuscrawl.store.workers.topics import OtherTopicError
from tests.factories import limits


def begun(folder: Path, url: str, topics: Mapping[str, str]) -> CrawlStore:
    return CrawlStore(folder / "sky", "sky", limits(9), "{}", url=url, topics=topics)


def test_a_worker_with_another_topic_is_refused_as_long_as_one_runs_and_leaves_nothing(tmp_path: Path, store_url: str) -> None:
    """Its topic judged the pages that were there, the other one those that came later, and nobody judged these again."""
    one = begun(tmp_path, store_url, {"": "stars"})
    with pytest.raises(OtherTopicError):
        begun(tmp_path, store_url, {"": "stars and planets"})
    begun(tmp_path, store_url, {"": "stars"}).close("finished", "{}")
    with closing(open_store(tmp_path / "sky", store_url, name="sky", read_only=True)) as db:
        assert [db.execute(f"select count(*) from {table}").fetchone()[0] for table in ("worker", "run")] == [2, 2]
    one.close("finished", "{}")
    begun(tmp_path, store_url, {"": "stars and planets"}).close("finished", "{}")


def test_a_topic_may_be_added_beside_a_worker_that_does_not_know_it(tmp_path: Path, store_url: str) -> None:
    """Pages that the worker stores meanwhile have no verdict for it, so that the next run judges them."""
    one = begun(tmp_path, store_url, {"stars": "1", "cakes": "2"})
    begun(tmp_path, store_url, {"stars": "1", "cakes": "2", "trains": "3"}).close("finished", "{}")
    with pytest.raises(OtherTopicError):
        begun(tmp_path, store_url, {"stars": "1", "cakes": "with butter"})
    one.close("finished", "{}")
