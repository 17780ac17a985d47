"""Stored pages: duplicates, links, verdicts, contents, the fetch log, and what readers are shown of pages."""
