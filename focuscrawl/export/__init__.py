"""Exports the pages of a crawl as records: which of them, in which format, to which place."""
