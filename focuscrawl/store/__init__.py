"""What do we remember? One SQLite file a crawl, its tables and statements; the WARC files beside it."""
