"""May the crawl begin, with which job, and what of an earlier run holds no more?"""
