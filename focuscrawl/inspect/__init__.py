"""Explains crawls by their own rules: why a URL was fetched, `scrapy trace`, and replays under other strategies."""
