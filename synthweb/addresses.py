"""Addresses of numbered pages and back, by arithmetic: no table of pages exists."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, quote, unquote

from synthweb.hosts import LIST_STEP, Host

SLUG = re.compile(r"[^a-z0-9]+")
TRACKING = re.compile(r"^(utm_\w+|sid|phpsessid|from|spm)$", re.IGNORECASE)
PATH_SESSION = re.compile(r";jsessionid=\w+", re.IGNORECASE)
PLAIN = re.compile(r"^/([\w-]+)/(?:(\d+)\.html|\d{4}/\d\d/(\d+)(?:-[a-z0-9-]+)?\.html|list_(\d+)\.html)$")

TitleOf = Callable[[int], tuple[str, str]]
"""Date and title of a page number of the host: a dated address carries both."""


def slug_of(title: str) -> str:
    """First words of an English title for an address; empty for Chinese."""
    return "-".join(SLUG.sub(" ", title.lower()).split()[:5])


def path_of(host: Host, number: int, title_of: TitleOf) -> str:
    """Path and query of a page number of a host."""
    if number == 0:
        return "/"
    if number <= len(host.sections):
        return f"/{host.sections[number - 1].path}/"
    section, position = host.position_of(number)
    page, article = divmod(position, LIST_STEP)
    if article == 0:
        return f"/list.php?cat={section.path}&page={page}" if host.role.style == 2 else f"/{section.path}/list_{page}.html"
    if host.role.style == 2:
        return f"/show.php?cat={section.path}&id={position}"
    if host.role.style == 1:
        return f"/{section.path}/{position}.html"
    date, title = title_of(number)
    tail = f"-{slug_of(title)}" if host.role.language == "en" else ""
    return f"/{section.path}/{date[:4]}/{date[5:7]}/{position}{tail}.html"


def clean_target(target: str) -> str:
    """Path and query without session ids and tracking parameters, the query sorted, `index.html` dropped."""
    path, _, query = target.partition("?")
    path = PATH_SESSION.sub("", quote(unquote(path), safe="/;=~-._"))
    if path.endswith("/index.html"):
        path = path.removesuffix("index.html")
    pairs = sorted((key, value) for key, value in parse_qsl(query, keep_blank_values=True) if not TRACKING.match(key))
    return path + ("?" + "&".join(f"{key}={quote(value)}" for key, value in pairs) if pairs else "")


def number_at(host: Host, target: str, title_of: TitleOf) -> int | None:
    """Page number of a cleaned path and query; None where there is no such page."""
    if target == "/":
        return 0
    found = read_query(target) if host.role.style == 2 else read_path(target)
    if found is None:
        return None
    path, position = found
    section = host.by_path.get(path)
    if section is None:
        return None
    if position < 0:
        return 1 + section.index
    if position >= host.section_size(section.index):
        return None
    number = host.number_at(section.index, position)
    return number if path_of(host, number, title_of) == target else None


def read_path(target: str) -> tuple[str, int] | None:
    """Section path and position (-1: the section page) of `/section/12.html` and its like."""
    if target.count("/") == 2 and target.endswith("/"):
        return target[1:-1], -1
    match = PLAIN.match(target)
    if match is None:
        return None
    if match[4] is not None:
        return match[1], int(match[4]) * LIST_STEP
    return match[1], int(match[2] or match[3])


def read_query(target: str) -> tuple[str, int] | None:
    """The same of `show.php?cat=section&id=12`."""
    path, _, query = target.partition("?")
    if not query:
        return read_path(path)
    fields = dict(parse_qsl(query))
    number = fields.get("id" if path == "/show.php" else "page", "")
    if path not in ("/show.php", "/list.php") or not number.isdecimal():
        return None
    return fields.get("cat", ""), int(number) * (1 if path == "/show.php" else LIST_STEP)
