"""Serve a synthetic web: `python -m synthweb --preset demo --seed 1`.

Prints one JSON line when it listens; stops on SIGTERM or SIGINT, or with `--watch-stdin` when standard input ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import signal
import sys
import time

from synthweb.accesslog import AccessLog
from synthweb.clock import FileClock
from synthweb.dns import StubDns, serve_dns
from synthweb.hostile.site import ADDRESS, HOST, HostileSite
from synthweb.layout import build_layout
from synthweb.plan import PRESETS, Plan, preset
from synthweb.server import Responder, open_sockets, serve
from synthweb.topic_file import seeds_of
from synthweb.web import SyntheticWeb
from synthweb.words import TOPICS

SPARE_FILES = 4096
"""Connections besides the listening sockets."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m synthweb", description="serve a synthetic web on loopback")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="demo")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=0, help="pages instead of the preset's number")
    parser.add_argument("--topic", choices=TOPICS, default=TOPICS[0])
    parser.add_argument("--port", type=int, default=0, help="HTTP port on the address of every host; 0: a free one")
    parser.add_argument("--dns-port", type=int, default=0, help="UDP port on 127.0.0.1; 0: a free one")
    parser.add_argument("--log", default="", help="access log, JSON lines")
    parser.add_argument("--latency", type=float, default=0.0, help="milliseconds before every answer")
    parser.add_argument("--living", type=float, default=0.0, help="epoch seconds at which pages begin to change; 0: never")
    parser.add_argument("--clock", default="", help="file with the time of a living web; else the real time")
    parser.add_argument("--hostile", action="store_true", help=f"serve {HOST} too")
    parser.add_argument("--watch-stdin", action="store_true", help="stop when standard input ends")
    return parser.parse_args()


async def run(plan: Plan, options: argparse.Namespace) -> None:
    """Listen, say so, wait for the end."""
    addresses = {host.name: host.address for host in build_layout(plan).hosts}
    if options.hostile:
        addresses[HOST] = ADDRESS
    raise_file_limit(len(addresses) + SPARE_FILES)
    port, sockets = open_sockets(addresses.values(), options.port)
    web, log = SyntheticWeb(plan, port), AccessLog(options.log)
    responder = Responder(web, log, clock=FileClock(options.clock) if options.clock else time.time)
    if options.hostile:
        responder.others[HOST] = HostileSite(log)
    servers = await serve(sockets, responder)
    transport, dns_port = await serve_dns(options.dns_port, StubDns(addresses, plan.dns_ttl))
    ready = {"ready": True, "port": port, "dns": f"127.0.0.1:{dns_port}", "topic": plan.topic, "hosts": len(addresses)}
    print(json.dumps({**ready, "pages": plan.pages, "seeds": seeds_of(web, plan.topic)}), flush=True)
    await stop_asked(options.watch_stdin)
    for server in servers:
        server.close()
    transport.close()
    log.close()


async def stop_asked(watch_stdin: bool) -> None:
    """Return on a signal or at the end of standard input."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if watch_stdin:
        loop.add_reader(sys.stdin.fileno(), end_with_input, stop)
    await stop.wait()


def end_with_input(stop: asyncio.Event) -> None:
    """Called when standard input can be read: nothing to read means that it has ended."""
    if not os.read(sys.stdin.fileno(), 1024):
        stop.set()


def raise_file_limit(wanted: int) -> None:
    """Allow so many open files, or as many as the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def main() -> int:
    """Exit code 0 after a planned stop, 2 for a plan that cannot be built, 1 when a port is taken."""
    options = arguments()
    try:
        plan = preset(options.preset, options.seed, options.pages, options.topic, options.latency / 1000, options.living)
        asyncio.run(run(plan, options))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
