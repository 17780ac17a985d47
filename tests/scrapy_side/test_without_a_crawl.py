"""`scrapy shell` and `scrapy fetch` make no crawl: our components stand aside, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from focuscrawl.scrapy_side.crawl_runner import crawl_of
from focuscrawl.scrapy_side.scheduler import FrontierScheduler
from middlewares.robots import RobotsMiddleware
from pipelines.archive import ArchivePipeline
from tests import forked

ROOT = Path(__file__).parents[2]


def test_components_stand_aside() -> None:
    crawler = get_crawler(settings_dict={"ROBOTSTXT_OBEY": True})
    crawler._apply_settings()
    for part in (crawl_of, RobotsMiddleware.from_crawler, ArchivePipeline.from_crawler):
        with pytest.raises(NotConfigured):
            part(crawler)
    assert isinstance(FrontierScheduler.from_crawler(crawler), Scheduler)


@pytest.mark.system
def test_fetch_is_guarded_and_writes_nothing(tmp_path: Path) -> None:
    done = forked.run("scrapy", "fetch", "--nolog", "http://127.0.0.1:9/", "-s", f"CRAWLS_DIR={tmp_path}/c")
    assert (done.stdout, "Traceback" in done.stderr) == ("", False)
    assert not list(tmp_path.iterdir())
