"""A SearXNG instance as a source of pages: the URL of a request, and the results in its answer. Pure.

API: GET /search?q=…&format=json&pageno=2 (docs.searxng.org, Search API). An instance answers 403 unless `json` is among its
`search: formats`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from focuscrawl.config.seed_list import typed_url
from focuscrawl.errors import BadInput, quoted

LONGEST_QUERY = 400
"""Most characters of a query."""
LONGEST_TITLE, LONGEST_SNIPPET = 300, 1000
"""Most characters that are kept of a hit: what others wrote, as an instance passes it on."""
MOST_ROWS = 500
"""Most rows of an answer that are looked at; a page of results has some thirty."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    url: str
    title: str
    snippet: str = ""
    """Text of the page, as the search engine cut it."""


def search_url(instance: str, queries: Sequence[str]) -> str:
    """The URL of the request for pages with any of these words and phrases. Raises BadInput if `instance` is not a URL."""
    base, problem = typed_url(instance)
    if problem:
        raise BadInput(f"--searx: {problem}")
    words = " OR ".join(f'"{query}"' if " " in query else query for query in queries)
    if not words:
        raise BadInput("There is nothing to search for yet; give keywords to the topic, or --query WORDS.")
    return request_url(base, words)


def request_url(instance: str, words: str, page: int = 1) -> str:
    """The URL of the request for these words. `instance`: its normal URL. `page`: of the results, from 1."""
    fields = {"q": words[:LONGEST_QUERY], "format": "json"} | ({"pageno": page} if page > 1 else {})
    return f"{instance.partition('?')[0].rstrip('/').removesuffix('/search')}/search?{urlencode(fields)}"


def unanswered(instance: str, error: str) -> str:
    """Why there is no answer, as a sentence, with what can be done about it. `error`: what failed, in words."""
    own = any(name in instance for name in ("//127.", "//localhost", "//[::1]"))
    allow = "; -s GUARD_ALLOW_NETWORKS=127.0.0.0/8 allows an instance of your own" if own else ""
    return f"{instance}: {error}{allow}."


def results(instance: str, status: int, body: bytes, most: int) -> list[SearchHit]:
    """The pages of an answer, best first, each once. Raises BadInput if it is not an answer of SearXNG."""
    name = quoted(instance)
    if status == 403:
        raise BadInput(f"{name} refuses JSON answers (status 403); its settings.yml needs json in search: formats.")
    if status == 429:
        raise BadInput(f"{name} has had too many requests (status 429); wait, or use an instance of your own.")
    if status != 200:
        raise BadInput(f"{name} answered with status {status}; give the URL of a SearXNG instance.")
    try:
        rows = json.loads(body)["results"]
        if not isinstance(rows, list):
            raise TypeError
        found = [
            (str(row["url"]), _text(row.get("title"))[:LONGEST_TITLE], _text(row.get("content"))[:LONGEST_SNIPPET])
            for row in rows[:MOST_ROWS]
            if isinstance(row, dict) and "url" in row
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"{name} gave no JSON with results; give the URL of a SearXNG instance.") from None
    pages: dict[str, SearchHit] = {}
    for written, title, snippet in found:
        url, problem = typed_url(written)
        if not problem:
            pages.setdefault(url, SearchHit(url, title, snippet))
    return list(pages.values())[:most]


def _text(value: object) -> str:
    """Text that can be stored: JSON may hold halves of characters, which UTF-8 cannot."""
    return str(value or "").encode("utf-8", "replace").decode()
