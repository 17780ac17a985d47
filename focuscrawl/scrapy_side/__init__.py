"""Scrapy's side: scheduler, resolver, download handler, extensions. It adapts `focuscrawl.crawl` and decides nothing."""
