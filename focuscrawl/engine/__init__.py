"""Scrapy's side of the program: scheduler, resolver, download handler, extensions, and the session they share."""
