"""Which pages say that? The pages of a crawl by their words: an index beside the store, and what a person types."""
