"""One process's part in a crawl: its session, topic, order, stop rules and what it shares with other workers."""
