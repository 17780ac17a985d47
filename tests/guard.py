"""What keeps `make quick` quick: a test without the mark `system` starts no process and opens no socket, or it fails.

Python tells an audit hook of both before they happen, whoever does it: the test, the code under test, or a package below it.
Pairs of connected sockets, by which an event loop wakes itself up, are nobody's server and are allowed. A slow test is no
exception: it has the mark `slow` because it takes long, `system` because of what it starts.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

PROCESSES = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "os.exec", "pty.spawn"}
SOCKETS = {"socket.bind", "socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname"}
_forbidden = False
_happened: list[str] = []


@contextmanager
def guarded() -> Iterator[None]:
    """No processes and no sockets inside. Fails at the end too, if the code under test has swallowed the failure."""
    global _forbidden
    _install()
    _happened.clear()
    _forbidden = True
    try:
        yield
    finally:
        _forbidden = False


def check() -> None:
    """Fail if something forbidden was tried since `guarded` was entered."""
    if _happened:
        happened = _happened.pop()
        _happened.clear()
        pytest.fail(_sentence(happened), pytrace=False)


def _sentence(event: str) -> str:
    what = "started a process" if event in PROCESSES else "opened a socket"
    return f"this test {what} ({event}): mark it with pytest.mark.system, so that `make quick` leaves it out"


def _heard(event: str, arguments: tuple[object, ...]) -> None:
    if _forbidden and (event in PROCESSES or event in SOCKETS):
        _happened.append(event)
        pytest.fail(_sentence(event))


@functools.cache
def _install() -> None:
    importlib.import_module("urllib3")  # it binds a socket when it is imported, to learn whether there is IPv6
    sys.addaudithook(_heard)
