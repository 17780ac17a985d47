"""The dashboard: crawls seen and steered in a browser. It reads stores as every other reader; a crawl does not know of it."""
