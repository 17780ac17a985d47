"""Serves a bench web from memory as fast as Python can: `python -m tools.bench.loopback en`. Ends with standard input."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from functools import partial

from synthweb.__main__ import end_with_input
from synthweb.wire import Reply, Request, Wire, head
from tools.bench.pages import bench_web, key_of

HTML = (("Content-Type", "text/html; charset=utf-8"),)
MISSING = head(404, HTML, 9) + b"not found"


class Pages:
    """Answers from memory."""

    def __init__(self, page: Callable[[str], bytes | None]) -> None:
        self._page = page

    def __call__(self, request: Request) -> Reply:
        body = self._page(key_of(request.target))
        return Reply(MISSING if body is None else head(200, HTML, len(body)) + body)


async def serve(name: str) -> None:
    """Print the port when listening."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    server = await loop.create_server(partial(Wire, Pages(bench_web(name).page)), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    loop.add_reader(sys.stdin.fileno(), end_with_input, stop)
    await stop.wait()
    server.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("web", metavar="WEB", help="such as en")
    asyncio.run(serve(parser.parse_args().web))
