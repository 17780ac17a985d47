"""The dashboard's server: it opens the socket itself, so that a port in use is reported in a sentence, and then runs
uvicorn."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import anyio.to_thread
import uvicorn
from starlette.applications import Starlette

from focuscrawl.errors import BadInput, Unreachable

READERS = 4
"""Threads that make answers: more would only compete with the crawl for the same processors."""
BACKLOG = 128


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one.

    Raises:
        BadInput: The host is not one of this machine's.
        Unreachable: The port is in use, or not permitted.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (socket.gaierror, UnicodeError) as error:
        raise BadInput(
            f"--host {host!r} is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for all its addresses"
        ) from error
    found = socket.socket(family, kind, protocol)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(address)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        raise Unreachable(
            f"port {port} of {host} cannot be used ({error.strerror}); is another dashboard running? --port N takes another one"
        ) from error
    return found


def url_of(listening: socket.socket, host: str, token: str) -> str:
    """The URL to open in a browser, with the token."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}/?token={token}"


class _InterruptibleServer(uvicorn.Server):
    """Calls `on_start` as soon as it accepts requests."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start
        self.interrupted = False
        """Whether Ctrl-C has ended it."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.interrupted = self.interrupted or sig == signal.SIGINT
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        anyio.to_thread.current_default_thread_limiter().total_tokens = READERS
        await super().startup(sockets)
        if self.started:
            self._on_start()


def serve(app: Starlette, listening: socket.socket, on_start: Callable[[], None]) -> None:
    """Serve until a signal ends it. Raises KeyboardInterrupt if that was Ctrl-C, which uvicorn itself does only sometimes."""
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, proxy_headers=False, ws="none", lifespan="off",
        timeout_graceful_shutdown=2,
    )  # fmt: skip
    server = _InterruptibleServer(config, on_start)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if server.interrupted:
        raise KeyboardInterrupt
