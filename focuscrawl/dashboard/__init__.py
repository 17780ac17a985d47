"""The dashboard shows and steers crawls in a browser. It reads stores like every other reader, and a crawl does not depend on
it."""
