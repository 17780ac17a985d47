"""When to revisit, and did it change? Page signatures, change rates, revisit policies, sitemaps and feeds. Pure."""
