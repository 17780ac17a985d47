"""Why was it fetched, and what if? `scrapy trace` and replays, by the crawl's own rules."""
