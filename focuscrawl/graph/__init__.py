"""The shape of the crawled web. Pure: arrays in, plain figures out; `store.pages.link_graph` reads the arrays of a crawl."""
