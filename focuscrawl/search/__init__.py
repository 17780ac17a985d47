"""Finds pages of a crawl by their words: an index beside the store, and the queries that a person types."""
