"""Lists as people write them, line by line: seed URLs, each valid one in normal form and each bad one with its place; and
important sites, by host or registered domain."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from focuscrawl.config.allowed_paths import ANYWHERE, Roots
from focuscrawl.config.input_file import read_text
from focuscrawl.config.table_rows import table_rows
from focuscrawl.errors import BadInput, quoted
from focuscrawl.url.authority import normal_authority
from focuscrawl.url.filters import MAX_LENGTH
from focuscrawl.url.hosts import has_public_suffix, host_name
from focuscrawl.url.normalize import normalize

WEB_URL = re.compile(r"https?:", re.IGNORECASE)
"""How a URL begins where a file may be named instead."""
_COMMENT = re.compile(r"\s#.*")
_SPACE = re.compile(r"\s")
_BEGINNING = re.compile(r"https?://", re.IGNORECASE)
_SECOND_URL = re.compile(r"[,，、;；。]https?://", re.IGNORECASE)
"""Where another URL begins. One in a query or path, as in `/web/2020/http://example.org/`, follows on other characters."""
_INVISIBLE = " \t\r\n\f\v\u00a0\u3000\ufeff\u200b\u200e\u200f"
_ROW = "{} looks like a row of a table; give one URL per line and nothing else."
_ENDING = re.compile(r"[。｡，、；：]$")
"""A mark of the sentence that a URL was taken from. One that belongs to a URL may be percent-encoded."""
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?![0-9]+(?:[/?#]|$))")
"""`mailto:`, `http:`; not the `example.com:` of `example.com:8080/`."""
WANTED = "a host name or a registered domain is wanted, such as docs.example.org or example.org"


@dataclass(frozen=True, slots=True)
class SeedList:
    """Seeds in normal form and in order, each once; a sentence for each entry that was skipped."""

    urls: tuple[str, ...]
    problems: tuple[str, ...]
    of_urls: tuple[str, ...] = ()
    """The problems of entries that begin as web URLs do, and of rows of a table."""

    @property
    def is_list(self) -> bool:
        """Whether what was read is a list of URLs, which may have some bad lines, and not the text of a page."""
        return len(self.urls) + len(self.of_urls) > len(self.problems) - len(self.of_urls)


def seeds_of_text(text: str, source: str = "") -> SeedList:
    """One URL per line; blank lines and comments (`#` at the start or after a space) are passed over.

    Args:
        source: what the text was read from, for the problems; empty if the reader can see that.
    """
    before = f"{quoted(source)}, " if source else ""
    # not splitlines(), which also breaks at characters that editors do not number as lines
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    entries = [(f"{before}line {number}", _COMMENT.sub("", line).strip(_INVISIBLE)) for number, line in enumerate(lines, 1)]
    entries = [(where, entry) for where, entry in entries if entry and not entry.startswith("#")]
    rows = table_rows([entry for _, entry in entries], _is_one_url)
    return seeds_of(entries, rows)


def seeds_of(entries: Iterable[tuple[str, str]], rows: Collection[str] = ()) -> SeedList:
    """Seeds from URLs, whatever they were written in.

    Args:
        entries: (where it stands, URL) pairs, such as ("[seeds] urls, entry 3", "example.org").
        rows: those of them that are rows of a table.
    """
    urls: dict[str, None] = {}
    problems: list[str] = []
    of_urls: list[str] = []
    for where, entry in entries:
        typed = entry.strip(_INVISIBLE)
        if not typed:
            continue
        url, problem = ("", _ROW.format(quoted(typed))) if typed in rows else typed_url(typed)
        if not problem:
            urls[url] = None
            continue
        problems.append(f"{where}: {problem}")
        if typed in rows or WEB_URL.match(typed):
            of_urls.append(problems[-1])
    return SeedList(tuple(urls), tuple(problems), tuple(of_urls))


def normal_url(typed: str) -> str | None:
    """The normal form of a URL as people type it: `http://` is put in front of one without a scheme. None: it is no web URL."""
    written = bool(SCHEME.match(typed))
    url = normalize(typed if written else f"http://{typed.lstrip('/')}")
    return url if url is not None and (written or _is_full_host(url)) else None


def known_url(typed: str) -> str:
    """The normal form of a URL that a crawl may know, whatever it looks like. Raises BadInput if it is no web URL."""
    url = normal_url(typed)
    if url is None:
        raise BadInput(_no_url(typed))
    return url


def _no_url(typed: str) -> str:
    """What is wrong with a text that has no normal form as a URL."""
    scheme = SCHEME.match(typed)
    if scheme and not WEB_URL.match(typed):
        return f"{quoted(typed)} is not a web URL; only http and https are crawled."
    wanted = "valid URL" if scheme else "URL; a host name such as www.example.org is wanted"
    return f"{quoted(typed)} is not a {wanted}."


def _is_one_url(typed: str) -> bool:
    return not _SPACE.search(typed) and normal_url(typed) is not None


def typed_url(typed: str) -> tuple[str, str]:
    """One URL as typed, to be fetched: `normal_url` without what is more likely a mistake.

    Returns:
        (normal URL, "") or ("", a sentence that says what is wrong with it).
    """
    if _SPACE.search(typed):
        return "", f"{quoted(typed)} has a space in it; give one URL per line."
    if _SECOND_URL.search(typed):
        return "", f"{quoted(typed)} holds several URLs; give one URL per line."
    if mark := _ENDING.search(typed):
        encoded = quote(mark[0])
        return "", f"{quoted(typed)} ends with a mark of a sentence; leave it out, or write {encoded} if it belongs to the URL."
    if _BEGINNING.match(unicodedata.normalize("NFKC", typed)) and not _BEGINNING.match(typed):
        return "", f"{quoted(typed)} begins with signs in full width; write http:// or https://."
    url = normal_url(typed)
    if url is None:
        return "", _no_url(typed)
    if len(url) > MAX_LENGTH:
        return "", f"{quoted(typed)} is longer than {MAX_LENGTH} characters."
    return url, ""


def _is_full_host(url: str) -> bool:
    """Whether the host of a URL that was typed without a scheme is one beyond doubt. A bare word is more likely a mistake,
    unless it has a port; Chinese prose may have dots, too (全长15.5万公里)."""
    host = host_name(url)
    if ":" in url[url.find("://") + 3 :].partition("/")[0] or host == "localhost":
        return True
    return "." in host and (not host.rpartition(".")[2].startswith("xn--") or has_public_suffix(host))


def important_sites(entries: Iterable[str], folder: Path, where: str, roots: Roots = ANYWHERE) -> tuple[str, ...]:
    """Normal host names, each once, in order.

    Args:
        entries: names, and paths of files: an entry is a path if it has a slash, ends in `.txt`, or names a file that exists.
            In these files `#` begins a comment.
        folder: where relative paths begin.
        where: where the entries stand, for messages.
        roots: the folders that files may lie in.

    Raises:
        BadInput: an entry or a line is no host name, or a file cannot be read; a sentence with its line.
    """
    found: dict[str, None] = {}
    for entry in entries:
        if _is_path(entry, folder):
            found |= dict.fromkeys(_of_file(Path(os.path.normpath(folder / entry)), where, roots))
        else:
            found[_site(entry, where)] = None
    return tuple(found)


def _is_path(entry: str, folder: Path) -> bool:
    is_url = "://" in entry
    return not is_url and ("/" in entry or "\\" in entry or entry.endswith(".txt") or (folder / entry).is_file())


def _of_file(file: Path, where: str, roots: Roots) -> list[str]:
    roots.check(file, f"{where}: the file")
    lines = enumerate(read_text(file, f"{where}: the file").splitlines(), 1)
    names = ((number, line.partition("#")[0].strip()) for number, line in lines)
    return [_site(name, f"{where}: {quoted(file.name)}, line {number}") for number, name in names if name]


def _site(name: str, where: str) -> str:
    bare = name.removeprefix(".")
    host = None if set("/@?#: \t\\") & set(bare) or "." not in bare else normal_authority("http", bare)
    if host is None:
        raise BadInput(f"{where}: {quoted(name)} is not a site; {WANTED}.")
    return host
