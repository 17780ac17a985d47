"""Chooses the crawls that a command reads: the one that is named, the latest, or all. A store that cannot be read is never
skipped silently."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

from focuscrawl.command_line.context import Context
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl, all_crawls, crawl_named, latest_crawl
from focuscrawl.store.engines.database import ERRORS, Database

Result = TypeVar("Result")


def chosen_crawl(context: Context, name: str, preferred: Callable[[Database], bool] = lambda db: False) -> Crawl:
    """The crawl of this name; if the name is empty the latest one, of those that are preferred if there are any. Raises
    BadInput."""
    return crawl_named(context.crawls_dir, name) if name else latest_crawl(context.crawls_dir, context.note, preferred)


def crawl_for_topic(context: Context, name: str, topic: str) -> Crawl:
    """The crawl of this name; if the name is empty that of the name of the topic, or else the latest. Raises BadInput."""
    called_so = any(crawl.name == topic for crawl in all_crawls(context.crawls_dir))
    return chosen_crawl(context, name or (topic if called_so else ""))


def chosen_crawls(context: Context, name: str) -> list[Crawl]:
    """The crawl of this name, or all if the name is empty. Raises BadInput."""
    return [crawl_named(context.crawls_dir, name)] if name else all_crawls(context.crawls_dir)


def read_each(context: Context, name: str, read: Callable[[Crawl, Database], Result]) -> tuple[list[Result], int]:
    """What `read` returns for the crawl of this name, or for all, and how many stores could not be read.

    Raises:
        BadInput, ERRORS: There is no such crawl, or its store cannot be read.
    """
    results, unread = list[Result](), 0
    for crawl in chosen_crawls(context, name):
        try:
            with closing(crawl.open()) as db:
                results.append(read(crawl, db))
        except (BadInput, *ERRORS) as error:
            if name:
                raise
            context.note(str(error))
            unread += 1
    return results, unread
