"""Reads the topics and pages that a user names, and finds the texts of pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from scrapy.settings import BaseSettings

from focuscrawl.command_line.context import Context
from focuscrawl.command_line.option_values import refuse_missing_file
from focuscrawl.command_line.output import note
from focuscrawl.config.input_file import decoded, read_page, read_text
from focuscrawl.config.seed_list import SeedList, seeds_of_text, typed_url
from focuscrawl.errors import BadInput, few, quoted
from focuscrawl.topics.page_sources import Fetcher, FetchResult, PageLoader
from focuscrawl.topics.paths import existing
from focuscrawl.topics.workspace import Workspace, today


def open_topic(context: Context, name: str) -> Workspace:
    """The topic to work on. Raises BadInput, with the nearest name, if there is none."""
    return Workspace(existing(context.topics_dir, name), today(), context.min_term_weight)


def read_url(text: str) -> str:
    """The canonical form of a URL that a user wrote. Raises BadInput."""
    url, problem = typed_url(text.strip())
    if problem:
        raise BadInput(problem)
    return url


def listed(path: str) -> list[str]:
    """The URLs of a file with one URL per line. Raises BadInput if it has none."""
    found = seeds_of_text(read_text(Path(path), "The list"), path)
    _tell_skipped(found)
    if not found.urls:
        raise BadInput(f"The list {quoted(path)} has no valid URL; give one URL per line.")
    return list(found.urls)


def _tell_skipped(found: SeedList) -> None:
    for problem in few(found.problems):
        note(f"scrapy topic: {problem}")


def starts(entries: Sequence[str]) -> list[str]:
    """The values of `--seeds` as canonical URLs: those given, and those in files that are lists of URLs. Raises BadInput."""
    found: dict[str, None] = {}
    for entry in entries:
        if Path(entry).is_file():
            found |= dict.fromkeys(listed(entry))
        else:
            refuse_missing_file(entry)
            found[read_url(entry)] = None
    return list(found)


def examples(entries: Sequence[str], folder: Path) -> list[str]:
    """The values of `--pages` as entries of [topic] examples: canonical URLs, local pages relative to `folder`, and the URLs of
    files that are lists of URLs. Raises BadInput."""
    found: dict[str, None] = {}
    for entry in entries:
        path = Path(entry)
        if not path.exists() and ("://" in entry or "." in entry.partition("/")[0]):
            refuse_missing_file(entry)
            found[read_url(entry)] = None
            continue
        lines = seeds_of_text(decoded(read_page(path, "--pages: the file")) or "<", entry)
        if lines.is_list and not lines.urls:
            raise BadInput(lines.of_urls[0])
        if lines.is_list:
            _tell_skipped(lines)
            found |= dict.fromkeys(lines.urls)
        else:
            found[os.path.relpath(path, folder)] = None
    return list(found)


def loader_of(context: Context) -> PageLoader:
    """A source of page texts, which reads them from this project's crawls and fetches pages with its settings."""
    return PageLoader(context.crawls_dir, fetch_of(context.settings), note)


def fetch_of(settings: BaseSettings) -> Fetcher:
    """A fetcher with these settings, which imports Scrapy only when it has something to fetch."""

    def fetch(
        urls: Sequence[str], *, robots: bool = True, on_answer: Callable[[FetchResult], None] | None = None
    ) -> Sequence[FetchResult]:
        from focuscrawl.scrapy_side.fetch import fetch_batch

        return fetch_batch(urls, settings, robots=robots, on_answer=on_answer)

    return fetch
