"""Ports for servers that cannot say which one they took: the test chooses it, and the server begins to listen later."""

from __future__ import annotations

import contextlib
import random
import socket

LOWEST, LOWEST_GIVEN = 10_000, 32_768
"""Above LOWEST_GIVEN lie the ports that the system gives to whoever asks for any, as most tests do."""


def free_port() -> int:
    """A port of loopback on which nobody listens, and which nobody is given by chance before the server listens there."""
    draw = random.SystemRandom()  # tests that run at the same time have the same seed
    while True:
        port = draw.randrange(LOWEST, LOWEST_GIVEN)
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
