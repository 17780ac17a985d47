"""Scrapy's command line on a small internet (`tests/faults/net.py`): what connects to a public address ends on loopback.

The crawler itself is as it is: names are looked up, the guard judges public addresses and allows nothing beside them, ports are
those of the web. Only the last step differs: the socket that was made for 93.184.7.1 port 80 is connected to 127.184.7.1 and
the port of the test's server. FAULT_NET names a JSON file with the map and where to write what was connected to.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from twisted.internet import tcp

PUBLIC, LOOPBACK = "93.184.", "127.184."


class MappedSocket(socket.socket):
    """Connects to what stands for a public address. `plan`: ports by public port, and whole addresses with a port."""

    plan: dict[str, Any]

    def connect_ex(self, address: Any) -> int:
        host, port = address[0], address[1]
        with open(self.plan["connections"], "a", encoding="ascii") as log:
            log.write(f"{host} {port}\n")
        if target := self.plan["addresses"].get(f"{host} {port}") or self.plan["addresses"].get(host):
            return super().connect_ex(tuple(target))
        if host.startswith(PUBLIC) and (mapped := self.plan["ports"].get(str(port))):
            return super().connect_ex((LOOPBACK + host.removeprefix(PUBLIC), mapped))
        return errno.ENETUNREACH


def install(plan: Path) -> None:
    """From now on Twisted's clients make such sockets."""
    MappedSocket.plan = json.loads(plan.read_text(encoding="utf-8"))

    def make(client: Any) -> socket.socket:
        made = MappedSocket(client.addressFamily, client.socketType)
        made.setblocking(False)
        return made

    tcp.BaseClient.createInternetSocket = make  # type: ignore[method-assign]


def main() -> None:
    install(Path(os.environ["FAULT_NET"]))
    from scrapy.cmdline import execute

    execute(["scrapy", *sys.argv[1:]])


if __name__ == "__main__":
    main()
