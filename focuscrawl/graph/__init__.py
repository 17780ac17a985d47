"""What shape is what we crawled? Pure: arrays in, plain figures out; `store.pages.link_graph` reads the arrays of a crawl."""
