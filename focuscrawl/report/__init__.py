"""Reports what happened in a crawl and why, as plain data for terminal, HTML and JSON."""
