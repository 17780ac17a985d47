"""Scrapy's command line, but the process dies (kill -9) as soon as it reads the page whose URL is in POISON."""

from __future__ import annotations

import os
import signal
import sys

from scrapy.cmdline import execute

from focuscrawl.links.reading import PageReader, Reading

read = PageReader.read


async def read_or_die(self: PageReader, body: bytes, content_type: str, url: str) -> Reading:
    if url == os.environ["POISON"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return await read(self, body, content_type, url)


if __name__ == "__main__":
    PageReader.read = read_or_die  # type: ignore[method-assign]
    execute(["scrapy", *sys.argv[1:]])
