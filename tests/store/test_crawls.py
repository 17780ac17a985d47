from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import all_crawls, choose, crawl_named, latest_crawl
from tests.report.sample import NOW, empty_crawl, sample_crawl


def test_a_crawl_is_a_directory_with_a_store(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "file.txt").write_text("no crawl")
    empty_crawl(tmp_path / "搜索").close()
    assert [crawl.name for crawl in all_crawls(tmp_path)] == ["搜索"]
    assert all_crawls(tmp_path / "missing") == []


def test_an_unknown_name_is_told_the_nearest(tmp_path: Path) -> None:
    empty_crawl(tmp_path / "search").close()
    with pytest.raises(BadInput, match="did you mean 'search'"):
        crawl_named(tmp_path, "serch")
    with pytest.raises(BadInput, match="known: search"):
        crawl_named(tmp_path, "zzz")
    empty_crawl(tmp_path / "broken").close()
    with pytest.raises(BadInput, match="known: broken, search"):
        crawl_named(tmp_path, "nope")


@pytest.mark.parametrize("name", ["../search", "search/", ".", "..", "/etc"])
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    empty_crawl(tmp_path / "search").close()
    with pytest.raises(BadInput):
        crawl_named(tmp_path, name)


def test_the_latest_is_the_one_started_last(tmp_path: Path) -> None:
    sample_crawl(tmp_path / "b", started_at=NOW)
    sample_crawl(tmp_path / "a", started_at=NOW + 100)
    empty_crawl(tmp_path / "c").close()
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "store.sqlite").write_bytes(b"no database at all, but long enough to be looked at" * 20)
    assert latest_crawl(tmp_path).name == "a"
    assert choose(tmp_path).name == "a"
    assert choose(tmp_path, "b").name == "b"


def test_no_crawl_at_all(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no crawl in"):
        latest_crawl(tmp_path)


def test_a_crawl_is_opened_for_reading_only(tmp_path: Path) -> None:
    sample_crawl(tmp_path / "a")
    db = choose(tmp_path).open()
    with pytest.raises(Exception, match="readonly"):
        db.execute("delete from page")
    db.close()
