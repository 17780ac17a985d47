"""Stored pages: duplicates, links, verdicts, the fetch log, and the read-only side (export, explain, overview)."""
