"""Is a page about the topic? Page models behind one protocol, their training and assessment."""
