"""Writes Markdown: a folder with one file per page, which begins with what is known of the page as YAML front matter."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from focuscrawl.export.rows import CHANGE, markdown_of, row_id, stored_row
from focuscrawl.export.selection import GONE, Selected
from focuscrawl.export.targets import Target
from focuscrawl.store.pages.stored import StoredPage
from focuscrawl.whole_files import fitting

ENDING = ".md"
HEAD = (
    "title", "url", "author", "published", "modified", "language", "languages", "site", "site_name", "canonical", "licence",
    "reserved", "kind", "description", "keywords", "words", "quality", "relevance", "topics", "terms", "fetched_at",
)  # fmt: skip
"""Columns of the front matter if no others are chosen."""
LONGEST_NAME = 80
"""Most bytes of the readable part of a file name; file systems allow 255 in all."""
ID_DIGITS = 16
OURS = re.compile(rf"[^/]+/(?:[^/]*-)?[0-9a-f]{{{ID_DIGITS}}}\.md")
"""File names that this module makes."""
_UNSAFE = re.compile(r"[^\w.]+")
_SPECIAL = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""Characters that JSON does not escape, but YAML 1.2 does not allow in a scalar (section 5.1)."""


def write_markdown(selected: Iterable[Selected], target: Target, columns: Sequence[str] = ()) -> int:
    """Write one file for each page, and remove the files of pages that are gone. Returns the number of pages."""
    names, count = tuple(name for name in columns or HEAD if name not in ("text", "markdown", CHANGE)), 0
    for page, change in selected:
        if change == GONE:
            target.remove(file_name(page.url))
        else:
            with target.create(file_name(page.url)) as out:
                out.write(document(page, names).encode("utf-8", "replace"))
        count += 1
    return count


def document(page: StoredPage, columns: Sequence[str]) -> str:
    """The front matter and text of a page. Empty values are left out."""
    values = {name: value for name, value in stored_row(page, columns).items() if value not in ("", [], {})}
    head = "".join(f"{name}: {yaml(value)}\n" for name, value in values.items())
    return f"---\n{head}---\n\n{markdown_of(page)}"


def yaml(value: Any) -> str:
    """A value on one line, as JSON, which is valid YAML 1.2."""
    return _SPECIAL.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def file_name(url: str) -> str:
    """The file of a page: the host's folder, the readable part of the path, and the URL's digest, as in
    `example.org/guide-望远镜-1f0c…e2.md`.

    The name depends only on the URL, so that the file of a page is found again. It is safe on every common file system, and two
    URLs never share a name, not even if the file system ignores case."""
    parts = urlsplit(url)
    host = _UNSAFE.sub("_", parts.netloc.rpartition("@")[2]).strip("._") or "_"
    words = _UNSAFE.sub("-", unicodedata.normalize("NFC", unquote(f"{parts.path}-{parts.query}"))).strip("-.")
    speaking = fitting(words, LONGEST_NAME).strip("-.")
    return f"{host}/{speaking}{'-' if speaking else ''}{row_id(url)[:ID_DIGITS]}{ENDING}"
