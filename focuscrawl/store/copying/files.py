"""A second crawl from a first: its files beside a copy of its store.

WARC files are shared by hard links where the file system can, because a finished file is never changed. A directory that was
filled in part is known by a mark, and filled again.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl
from focuscrawl.whole_files import write_whole

MARK = "copying"
"""A file in a crawl directory that is being filled; it holds the name of the crawl it comes from."""
WARCS = "warc"


def begin_clone(crawl: Crawl, directory: Path) -> None:
    """Fill the new directory with all but the store. Raises BadInput where something else is."""
    mark = directory / MARK
    made_before = mark.is_file() and mark.read_text(encoding="utf-8") == crawl.name
    is_free = not directory.exists() or (directory.is_dir() and next(directory.iterdir(), None) is None)
    if not is_free and not made_before:
        raise BadInput(f"{directory} already exists; choose another name")
    _refuse_unfinished(crawl)
    directory.mkdir(parents=True, exist_ok=True)
    write_whole(mark, crawl.name)
    (directory / WARCS).mkdir(exist_ok=True)
    for path in sorted(crawl.directory.iterdir()):
        if path.is_file() and not path.name.startswith("store") and ".sqlite" not in path.name and path.name != MARK:
            shutil.copy2(path, directory / path.name)
    for path in sorted((crawl.directory / WARCS).glob("*.warc.gz")):
        _share(path, directory / WARCS / path.name)


def end_clone(directory: Path) -> None:
    """Make the directory a crawl, now that its store is there."""
    (directory / MARK).unlink()


def _refuse_unfinished(crawl: Crawl) -> None:
    """The last WARC file of a worker that died is cut back by the crawl's next start: in one place, not in two."""
    db = crawl.open()
    unfinished = db.execute("select 1 from worker where state='live' or (state='dead' and warc_cut=0) limit 1").fetchone()
    db.close()
    if unfinished:
        raise BadInput(
            f"a process of crawl {crawl.name} is at work or has died; let it end, or start the crawl once more, then copy it"
        )


def _share(path: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    try:
        os.link(path, target)
    except OSError:
        shutil.copy2(path, target)
