"""Stored pages over time: revisit schedule, versions, the log of changes, sitemaps and feeds."""
