"""The links of a page with the words around them, and the kind of a page: an index of links, or content."""
