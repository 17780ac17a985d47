"""The processes that share a crawl: heartbeat, clock, control, locks, and what they learn together."""
