"""`scrapy stop`, `pause` and `resume`, and the store connection of every command that changes a crawl beside its workers."""

from __future__ import annotations

import getpass
import os
import platform
from collections.abc import Iterator
from contextlib import closing, contextmanager

from focuscrawl.command_line.context import Context, Failure
from focuscrawl.errors import in_shell
from focuscrawl.report.plain import one_line, plural
from focuscrawl.store.crawls import SQLITE_FILE, Crawl, crawl_named
from focuscrawl.store.engines.database import ERRORS, Database, is_full, is_not_writable
from focuscrawl.store.engines.sqlite import advice_to_write
from focuscrawl.store.frontier.operator_changes import change
from focuscrawl.store.workers.control import Control, WantedState, write_control
from focuscrawl.store.workers.status import RUNNING, roster, store_now

WORDS = {
    WantedState.PAUSE: ("is paused", "was already paused", "will lease nothing more; `scrapy resume {name}` lets it continue"),
    WantedState.STOP: ("is stopped", "was already stopped", "will end soon; `scrapy resume {name}` resumes it"),
    WantedState.RUN: ("runs again", "was neither paused nor stopped", "will continue"),
}


def steer(context: Context, name: str, wanted: WantedState) -> int:
    """Write the wanted state to the store, tell the operator what follows, and return the exit code."""
    _, crawl = context.language, crawl_named(context.crawls_dir, name)
    with writable(crawl) as db:
        before, running = want(db, wanted)
    done, already, follows = WORDS[wanted]
    shown = one_line(crawl.name)
    text = f"crawl {shown} {already if before.state is wanted else done}"
    if running:
        text += f": {plural(running, 'worker')} {follows.format(name=in_shell(crawl.name))}"
    elif wanted is WantedState.RUN:
        text += ": no worker is at work; `scrapy crawl topic` starts one"
    else:
        waits = "waits" if wanted is WantedState.PAUSE else "ends at once"
        text += f": no worker is at work, and one that starts {waits}; `scrapy resume {in_shell(crawl.name)}` changes that"
    print(_(text))
    return 0


def want(db: Database, wanted: WantedState) -> tuple[Control, int]:
    """Write the wanted state to the store. Returns what was wanted before, and how many workers run."""
    before = change(db, write_control, wanted, store_now(db), _operator())
    return before, sum(worker.health in RUNNING for worker in roster(db, store_now(db)))


@contextmanager
def writable(crawl: Crawl) -> Iterator[Database]:
    """The crawl's store, for a change beside its workers. Raises BadInput if the store cannot be used, and Failure if it is
    busy or full."""
    try:
        with closing(crawl.open(write=True)) as db:
            yield db
    except ERRORS as error:
        if is_not_writable(error):
            file = crawl.directory / SQLITE_FILE
            then = advice_to_write(crawl.directory if os.access(file, os.W_OK) else file)
        else:
            then = "make room on its disk, then try again" if is_full(error) else "try again in a moment"
        raise Failure(f"the store of {crawl.name!r} did not take it ({error}); {then}") from error


def _operator() -> str:
    """User and machine as `USER@MACHINE`, to record who has changed a crawl."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # a user without a name, as in containers
        user = "somebody"
    return f"{user}@{platform.node()}"
