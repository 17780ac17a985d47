"""WARC/1.1 files that grow with the store's commits, and their recovery after a crash."""
