"""What is checked before a crawl starts."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from scrapy.settings import Settings

from focuscrawl.config.allowed_paths import ANYWHERE
from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.options import read_options
from focuscrawl.crawl.start.crawl_lock import CrawlLock
from focuscrawl.crawl.start.preflight import EARLIEST, check_clock, prepare
from focuscrawl.errors import AlreadyRunning, BadInput, WrongClock
from tests.report.sample import empty_crawl


def test_a_clock_that_was_not_set_yet_is_refused() -> None:
    with pytest.raises(WrongClock, match="this machine's clock says 1970-01-06 03:25 UTC, which is long past; set it") as error:
        check_clock(5 * 86_400 + 12_300.0)
    assert error.value.exit_code == 1
    check_clock(EARLIEST.timestamp())


@pytest.mark.parametrize("part", ["sky", "sky/run", "sky/run/lock", "sky/store.sqlite"])
def test_a_recrawl_in_a_folder_that_cannot_be_written_to_is_told_as_a_crawl_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    empty_crawl(tmp_path / "sky").close()
    lock = CrawlLock(tmp_path / "sky")
    lock.take(False, 0.0)
    lock.release()
    settings = Settings({"CRAWLS_DIR": str(tmp_path)}, priority="project")
    settings.setmodule("focuscrawl.settings", priority="default")
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path / part)
    with pytest.raises(BadInput) as told:
        prepare(parse_arguments({"mode": "recrawl", "name": "sky"}), read_options(settings), ANYWHERE, time.time)
    assert str(told.value) == (
        f"{tmp_path / part} cannot be written to by this user: the crawl can be read, but cannot continue;"
        " let its owner write to the crawl's folder (`chmod -R u+w`)"
    )


def test_a_recrawl_is_told_of_a_crawl_that_has_no_store_yet(tmp_path: Path) -> None:
    settings = Settings({"CRAWLS_DIR": str(tmp_path)}, priority="project")
    settings.setmodule("focuscrawl.settings", priority="default")
    again = parse_arguments({"mode": "recrawl", "name": "sky"})
    with pytest.raises(BadInput, match="there is no crawl 'sky'"):
        prepare(again, read_options(settings), ANYWHERE, time.time)
    assert not list(tmp_path.iterdir())
    lock = CrawlLock(tmp_path / "sky")
    lock.take(False, time.time())
    try:
        with pytest.raises(AlreadyRunning, match="'sky' is being crawled by another process"):
            prepare(again, read_options(settings), ANYWHERE, time.time)
    finally:
        lock.release()
