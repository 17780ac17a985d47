"""What is done beside a crawl: kept pages are read whole, and the search index follows. Each has a side in another process."""
