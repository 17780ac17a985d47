"""When to revisit a page, and whether it has changed: signatures, change rates, revisit policies, sitemaps and feeds. Pure."""
