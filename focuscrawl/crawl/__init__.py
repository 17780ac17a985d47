"""One process's part in a crawl: `process` composes it, `runner` is all it knows of Scrapy."""
