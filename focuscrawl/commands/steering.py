"""`scrapy stop`, `pause` and `resume` are one sentence to the store: what operators want of the crawl from now on."""

from __future__ import annotations

import getpass
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from scrapy.settings import BaseSettings

from focuscrawl.commands.arguments import crawls_dir, positional, refuse
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import one_line, plural
from focuscrawl.store.control import Wanted, write_control
from focuscrawl.store.crawls import Crawl, crawl_named
from focuscrawl.store.database import ERRORS, Database
from focuscrawl.store.operating import changing
from focuscrawl.store.roster import RUNNING, roster, store_now

WORDS = {
    Wanted.PAUSE: ("is paused", "was paused already", "will lease nothing more; `scrapy resume {name}` lets it go on"),
    Wanted.STOP: ("is stopped", "was stopped already", "will end soon; `scrapy resume {name}` lets it run again"),
    Wanted.RUN: ("runs again", "was neither paused nor stopped", "will go on"),
}


def crawl_of(command: str, settings: BaseSettings | None, args: list[str]) -> Crawl:
    """The crawl that is named; ends the program where there is none."""
    name = positional(command, args, (), f"scrapy {command} NAME", 1, 1)[0]
    try:
        return crawl_named(crawls_dir(settings), name)
    except BadInput as error:
        refuse(command, str(error))


def steer(command: str, crawl: Crawl, wanted: Wanted) -> None:
    """Tell the store, and the operator what follows."""
    with writable(command, crawl) as db:
        with changing(db):
            now = store_now(db)
            before = write_control(db, wanted, now, operator())
        running = sum(worker.health in RUNNING for worker in roster(db, now))
    done, already, follows = WORDS[wanted]
    name = one_line(crawl.name)
    text = f"crawl {name} {already if before.state is wanted else done}"
    if running:
        text += f": {plural(running, 'worker')} {follows.format(name=name)}"
    elif wanted is Wanted.RUN:
        text += ": no worker is at work; `scrapy crawl topic` starts one"
    else:
        waits = "waits" if wanted is Wanted.PAUSE else "ends at once"
        text += f": no worker is at work, and one that starts {waits}; `scrapy resume {name}` changes that"
    print(text)


@contextmanager
def writable(command: str, crawl: Crawl) -> Iterator[Database]:
    """The crawl's store, for a change beside its workers. What cannot be done is one sentence: exit code 2 for a store that is
    none, 1 for one that is busy or full."""
    try:
        db = crawl.open(write=True)
        try:
            yield db
        finally:
            db.close()
    except BadInput as error:
        refuse(command, str(error))
    except ERRORS as error:
        fail(command, crawl, error)


def fail(command: str, crawl: Crawl, error: BaseException) -> NoReturn:
    """End the program because of the store."""
    print(f"scrapy {command}: the store of {crawl.name!r} did not take it ({error}); try again in a moment", file=sys.stderr)
    sys.exit(1)


def operator() -> str:
    """User and machine, for those who ask who it was."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # a user without a name, as in containers
        user = "somebody"
    return f"{user}@{platform.node()}"
