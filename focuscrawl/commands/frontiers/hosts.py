"""Host names as operators type them, and holding or releasing them: `scrapy frontier hold` and `release`."""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.commands.arguments import url_of
from focuscrawl.commands.steering import writable
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.holding import held_hosts, hold
from focuscrawl.url.hosts import host_name
from focuscrawl.url.readable import readable_host


def host_of(command: str, given: str) -> str:
    """The host name of `example.org`, `中文.cn` or of a URL; ends the program for what is none."""
    return host_name(url_of(command, given))


def set_held(command: str, crawl: Crawl, given: Sequence[str], held: bool) -> None:
    """Hold hosts, or release them, and say so."""
    names = [host_of(command, each) for each in given]
    with writable(command, crawl) as db:
        for name in names:
            changed = hold(db, name, held)
            if held:
                waiting = sum(host.waiting for host in held_hosts(db) if host.name == name)
                word = "is held" if changed else "is held already"
                print(f"{readable_host(name)} {word}: nothing is asked of it; waiting there: {waiting:,}")
            else:
                print(f"{readable_host(name)} {'is released' if changed else 'was not held'}")
