"""The topic and the pages that a user names: pages as texts, from the topic's own file, from the crawls, or fetched now."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from focuscrawl.command_line.base import Context
from focuscrawl.command_line.output import note
from focuscrawl.config.input_file import check_file, decoded, read_text
from focuscrawl.config.seed_list import read_address, seeds_of_text
from focuscrawl.errors import BadInput, quoted
from focuscrawl.reading.page import read_page
from focuscrawl.report.plain import one_line, plural
from focuscrawl.store.pages.page_texts import PageText, found_in_crawls
from focuscrawl.topics.paths import existing
from focuscrawl.topics.workspace import Workspace

if TYPE_CHECKING:
    from focuscrawl.scrapy_side.fetch import BatchAnswer


def open_topic(context: Context, name: str) -> Workspace:
    """The topic to work on. Raises BadInput, with the nearest name, if there is none."""
    return Workspace(existing(context.topics_dir, name), context.day, context.min_weight)


def read_url(text: str) -> str:
    """The normal URL of one that a user wrote. Raises BadInput."""
    url, problem = read_address(text.strip())
    if problem:
        raise BadInput(problem)
    return url


def listed(path: str) -> list[str]:
    """The URLs of a list, one a line. Raises BadInput when it has none."""
    found = seeds_of_text(read_text(Path(path), "The list"))
    for problem in found.problems[:3]:
        note(f"scrapy topic: {path}, {problem}")
    if not found.urls:
        raise BadInput(f"The list {quoted(path)} has no valid URL; give one URL a line.")
    return list(found.urls)


def examples(entries: Sequence[str], folder: Path) -> list[str]:
    """`--pages` as entries of [topic] examples: URLs in normal form, local pages relative to `folder`, and the
    URLs of a file that is nothing but a list. Raises BadInput."""
    found: dict[str, None] = {}
    for entry in entries:
        path = Path(entry)
        if not path.exists() and ("://" in entry or "." in entry.partition("/")[0]):
            found[read_url(entry)] = None
            continue
        check_file(path, "--pages: the file")
        urls = seeds_of_text(decoded(path.read_bytes()) or "<")
        if urls.urls and not urls.problems:
            found |= dict.fromkeys(urls.urls)
        else:
            found[os.path.relpath(path, folder)] = None
    return list(found)


def at_hand(context: Context, workspace: Workspace, urls: Sequence[str]) -> list[str]:
    """Take the texts of these pages from the crawls, where the topic has none yet. Returns those that have no text."""
    crawled = [found_in_crawls(context.crawls_dir, url) for url in urls if url not in workspace.texts]
    workspace.keep(page for page in crawled if page is not None)
    return [url for url in urls if url not in workspace.texts]


def fetched(context: Context, urls: Sequence[str], source: str) -> list[PageText]:
    """Fetch these pages now, guarded and by robots.txt; what gives no text is told about and left out."""
    if not urls:
        return []
    from focuscrawl.scrapy_side.fetch import fetch_batch

    note(f"fetching {plural(len(urls), 'page')} …")
    began = time.monotonic()

    def told(answer: BatchAnswer) -> None:
        what = answer.error or (f"status {answer.status}" if answer.status != 200 else "")
        if what:
            note(f"  {one_line(answer.url, 90)}: {what}")

    answers = fetch_batch(urls, context.settings, on_answer=told)
    pages = [_page(answer, source) for answer in answers if answer.status == 200 and not answer.error]
    kept = [page for page in pages if page.text]
    note(f"{len(kept)} of {plural(len(urls), 'page')} gave text, in {time.monotonic() - began:.0f} s")
    return kept


def _page(answer: BatchAnswer, source: str) -> PageText:
    reading = read_page(answer.body, answer.content_type, answer.final)
    return PageText(answer.url, reading.title, reading.text, reading.language, source)
