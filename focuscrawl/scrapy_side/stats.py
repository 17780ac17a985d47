"""Scrapy's counters, some twenty of which change with each page."""

from __future__ import annotations

from scrapy.statscollectors import MemoryStatsCollector


class LeanStats(MemoryStatsCollector):
    """Does without the look at each call for a deprecated argument `spider`, which costs more than the counting."""

    __getattribute__ = object.__getattribute__
