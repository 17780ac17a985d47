"""The hostile host: all cases under one name, with a home page that links to them."""

from __future__ import annotations

import time
from functools import cache

from synthweb.accesslog import Access, AccessLog
from synthweb.hostile.bodies import BODIES
from synthweb.hostile.case import Case, html_reply, wrap
from synthweb.hostile.connections import CONNECTIONS
from synthweb.hosts import address_of
from synthweb.wire import Reply, Request, head

HOST = "hostile.test"
ADDRESS = address_of(HOST, set())
CASES: dict[str, Case] = {**BODIES, **CONNECTIONS}
STOPS_HOST = ("/busy-hour", "/busy-date")
"""Cases that make the crawler leave the host alone; the home page does not link to them."""
KEPT_BYTES = 2_000_000


def home(slow: bool = True) -> bytes:
    """A page that links to every case (chains by their first page), the ones that take time last or not at all."""
    doors = [path for path in CASES if path not in STOPS_HOST and not path.startswith("/redirect-chain-")]
    doors.append("/redirect-chain-21")
    doors = [path for path in doors if not CASES[path].slow] + [path for path in doors if CASES[path].slow and slow]
    items = "".join(f'<li><a href="{path}">telescope and galaxy: {CASES[path].what}</a></li>' for path in doors)
    return wrap(f"<h1>Telescope, galaxy, nebula</h1><ul>{items}</ul>", "Astronomy, the hard way")


class HostileSite:
    """Answers for the hostile host; `/?slow=0` is a home page without the cases that need a time limit."""

    def __init__(self, log: AccessLog) -> None:
        self.log = log

    def __call__(self, request: Request) -> Reply:
        """The reply to a request; the log has status 200 for every case."""
        path = request.target.partition("?")[0]
        case = CASES.get(path)
        status = 200
        if path == "/":
            reply = html_reply(home(slow="slow=0" not in request.target))
        elif case:
            reply = fresh(path)
        else:
            status, reply = 404, Reply(head(404, (("Content-Type", "text/html"),), 0))
        if request.method == "HEAD":
            reply = Reply(reply.blob.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        flying = self.log.in_flight
        flying[HOST] += 1
        reply.done = lambda: flying.subtract({HOST: 1})
        agent = request.fields.get("user-agent", "")
        self.log.add(
            Access(time.monotonic(), HOST, request.target, status, agent, request.address, flying[HOST], request.method)
        )
        return reply


def fresh(path: str) -> Reply:
    """A reply of its own for each request; small bodies are made once."""
    made = small_reply(path)
    return Reply(made.blob, made.delay, made.end, made.script) if made else CASES[path].reply()


@cache
def small_reply(path: str) -> Reply | None:
    """The reply of a case if it is worth keeping."""
    reply = CASES[path].reply()
    return reply if len(reply.blob) < KEPT_BYTES else None
