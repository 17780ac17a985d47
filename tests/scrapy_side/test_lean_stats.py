from __future__ import annotations

import inspect

from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

from focuscrawl import settings
from focuscrawl.scrapy_side.compat import LeanStats


def test_it_counts_as_scrapy_does() -> None:
    figures = []
    for kind in (LeanStats, MemoryStatsCollector):
        stats = kind(get_crawler())
        stats.inc_value("pages")
        stats.inc_value("pages", 2)
        stats.set_value("depth", 3)
        stats.max_value("depth", 5)
        stats.min_value("depth", 4)
        figures.append(stats.get_stats())
    assert figures[0] == figures[1] == {"pages": 3, "depth": 4}


def test_a_count_is_one_call_of_scrapys_own_function() -> None:
    stats = LeanStats(get_crawler())
    assert inspect.ismethod(stats.inc_value)
    assert stats.inc_value.__func__ is MemoryStatsCollector.inc_value


def test_components_that_still_pass_their_spider_are_counted() -> None:
    stats = LeanStats(get_crawler())
    stats.inc_value("pages", spider=None)
    stats.set_value("depth", 3, None)
    stats.open_spider(spider=None)
    stats.close_spider(spider=None, reason="finished")
    assert (stats.get_value("pages", spider=None), stats.get_stats(None)) == (1, {"pages": 1, "depth": 3})


def test_crawls_use_it() -> None:
    assert load_object(settings.STATS_CLASS) is LeanStats
