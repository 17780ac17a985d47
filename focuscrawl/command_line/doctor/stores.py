"""Checks the store of a crawl: whether it can be opened, whether it is intact, and what dead workers have left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from focuscrawl.command_line.doctor.finding import Finding, ok, problem, warning
from focuscrawl.errors import BadInput, in_shell
from focuscrawl.report.plain import count, duration, plural
from focuscrawl.store.crawls import POINTER, SQLITE_FILE, Crawl
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.engines.meta import VERSION
from focuscrawl.store.engines.sqlite import READ_ONLY, advice_to_write, damage_of
from focuscrawl.store.overview import row_counts
from focuscrawl.store.workers.control import WantedState, read_control
from focuscrawl.store.workers.lifecycle import directory_id, filled_files, warc_ends
from focuscrawl.store.workers.status import Health, orphan_leases, roster, store_now

TABLES = ("url", "page", "host", "lease")
MOST_NAMED = 3


def store(crawl: Crawl, thorough: bool) -> Iterator[Finding]:
    """Run all checks of one crawl. `thorough`: read the whole file of a SQLite store."""
    name = f"crawl {crawl.name}"
    try:
        db = crawl.open()
    except (BadInput, *ERRORS) as error:
        yield problem(name, str(error), _advice(crawl, str(error)))
        return
    with closing(db):
        for check in (
            lambda: _whole(name, crawl, db, thorough),
            lambda: _workers(name, db),
            lambda: _archive(name, crawl, db, thorough),
            lambda: _control(name, crawl, db),
            lambda: _foreign(name, crawl),
        ):
            yield from _guarded(name, crawl, check)


def is_elsewhere(crawl: Crawl) -> bool:
    """Whether the store is on a PostgreSQL server."""
    return (crawl.directory / POINTER).exists()  # a copy leaves the file of SQLite where it was


def _guarded(name: str, crawl: Crawl, check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """Run a check, and turn its database errors into a finding: a damaged page of the file raises when it is first read."""
    try:
        yield from check()
    except ERRORS as error:
        yield problem(name, f"the store cannot be read ({error})", _advice(crawl, str(error)))


def _advice(crawl: Crawl, error: str) -> str:
    if "locked" in error or "busy" in error:
        return "another program holds the store; try again in a moment"
    if "by this user" in error:
        return "start the program as that user, or let this one read and write the crawl's folder (`chown -R`)"
    if is_elsewhere(crawl):
        return "is the PostgreSQL server up, and PGPASSWORD or PGPASSFILE set?"
    if "version" in error:
        return "use the program that wrote it, or start under a new name"
    path = crawl.directory / SQLITE_FILE
    return (
        f"restore {SQLITE_FILE} from a copy, or save what can be read with"
        f" `sqlite3 {path} .recover | sqlite3 repaired.sqlite` and put that in its place; the WARC files stay whole"
    )


def _whole(name: str, crawl: Crawl, db: Database, thorough: bool) -> Iterator[Finding]:
    if db.dialect.name == "sqlite" and thorough:
        damage = damage_of(db)
        if damage:
            yield problem(name, f"the store is damaged: {damage}", _advice(crawl, damage))
            return
    counts = ", ".join(f"{table} {count(rows)}" for table, rows in row_counts(db, TABLES).items())
    whole = ", whole" if db.dialect.name == "sqlite" and thorough else ""
    yield ok(name, f"{db.dialect.name} store of version {VERSION}{whole}: {counts}")


def _workers(name: str, db: Database) -> Iterator[Finding]:
    rows = roster(db, store_now(db))
    dead = [row for row in rows if row.health is Health.DEAD and not row.taken_back]
    silent = [*(row for row in rows if row.health is Health.SILENT), *(row for row in dead if row.there)]
    left = [row for row in dead if not row.there]
    for row in silent[:MOST_NAMED]:
        yield warning(
            name, f"worker {row.id} (pid {row.process_id} on {row.machine}) has been silent for {duration(row.silence)}",
            row.text("trouble") or "is its disk full, its store locked or its network gone?",
        )  # fmt: skip
    if left:
        held = sum(row.leases for row in left)
        yield warning(
            name, f"{plural(len(left), 'worker')} ended without a word and left {plural(held, 'lease')}",
            "the next `scrapy crawl` takes them back by itself",
        )  # fmt: skip
    if orphans := orphan_leases(db):
        yield problem(name, f"{plural(orphans, 'lease')} of workers that are gone", "please report it with the crawl's log")


def _archive(name: str, crawl: Crawl, db: Database, thorough: bool) -> Iterator[Finding]:
    """Check the last WARC file of each worker that used this directory and has ended; `thorough`: also those before it. Few
    that lack something are named: an archive may have been moved away, after hundreds of runs."""
    folder, where = crawl.directory / "warc", directory_id(crawl.directory)
    lost = [*_cut_files(name, folder, db, where), *(_cut_filled_files(name, folder, db, where) if thorough else ())]
    yield from lost[:MOST_NAMED]
    if more := len(lost[MOST_NAMED:]):
        text = f"{plural(more, 'more WARC file is', 'more WARC files are')} missing or too short"
        yield problem(name, text, "restore them from a copy: their pages are lost from the archive, not from the store")
    longer = [end.file for end in warc_ends(db, where) if end.dead and not end.cut and _size(folder / end.file) > end.length]
    if longer:
        yield warning(
            name, f"{plural(len(longer), 'WARC file')} of dead workers end after their last commit ({longer[0]})",
            "the next `scrapy crawl` cuts them back by itself",
        )  # fmt: skip


def _cut_files(name: str, folder: Path, db: Database, where: str) -> Iterator[Finding]:
    """The last files of workers that lack something."""
    for end in warc_ends(db, where):
        if (size := _size(folder / end.file)) < end.length:
            text = f"{end.file} of worker {end.worker} {_found(size)}; {end.length:,} were committed"
            yield problem(
                name, text, "restore it from a copy: pages after that position are lost from the archive, not from the store"
            )


def _cut_filled_files(name: str, folder: Path, db: Database, where: str) -> Iterator[Finding]:
    """As `_cut_files`, of the files that workers filled before their last ones."""
    for file, length, pages in filled_files(db, where):
        if (size := _size(folder / file)) < length:
            least = f" of at least {length:,}" if size >= 0 else ""
            text = f"{file} {_found(size)}{least}; it holds the answers of {plural(pages, 'stored page')}"
            yield problem(name, text, "restore it from a copy: these pages are lost from the archive, not from the store")


def _size(path: Path) -> int:
    """In bytes; below 0 if there is no such file."""
    return path.stat().st_size if path.exists() else -1


def _found(size: int) -> str:
    return "is missing" if size < 0 else f"has {size:,} bytes"


def _control(name: str, crawl: Crawl, db: Database) -> Iterator[Finding]:
    control = read_control(db)
    if control.state is not WantedState.RUN:
        word = "paused" if control.state is WantedState.PAUSE else "stopped"
        yield warning(name, f"{word} by {control.by}", f"`scrapy resume {in_shell(crawl.name)}` lets it run")


def _foreign(name: str, crawl: Crawl) -> Iterator[Finding]:
    """Check that this user could go on with the crawl: write to its folder, and to all in it that a run writes to."""
    folder = crawl.directory
    written = (folder, folder / SQLITE_FILE, *(folder / part for part in ("warc", "run", "run/lock", "search")))
    for path in written:
        if path.exists() and not os.access(path, os.W_OK):
            yield warning(name, f"{path} {READ_ONLY}", advice_to_write(path))
            return
