"""What do we remember? The tables of a crawl, on SQLite or PostgreSQL, the one commit of a page, and the WARC files."""
