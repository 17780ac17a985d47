"""Parses what a person types to search (words, phrases and operators) into a `Query`. Pure; words are cut into terms elsewhere.

telescope mirror            any of the words; pages with more and rarer ones come first
"focal length"              only pages with this phrase
title:comet  -meteor        only pages with the word in their title; only pages without the word
site:example.org  lang:zh   only pages of this host and those below it; only pages in this language
after:2025-06 before:2026   only pages from this day on, and from before that day
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from focuscrawl.errors import BadInput, close_match, quoted
from focuscrawl.text.language_labels import refuse_never_given
from focuscrawl.url.hosts import host_name
from focuscrawl.url.normalize import normalize

MOST_WORDS = 64
"""Most words of one query: no person types more, and each costs reading a list of pages."""
MOST_CHARACTERS = 500
_TYPED = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "：": ":", "－": "-", "\u3000": " "})
"""Characters that keyboards and word processors put in place of those that have a meaning here."""
_PART = re.compile(r'(?P<minus>-?)(?:(?P<operator>[A-Za-z]+):(?![:/]))?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))?')
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2,4})?")
_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_HAS_WORD = re.compile(r"[^\W_]")

Kind = Literal["words", "title", "without"]


@dataclass(frozen=True, slots=True)
class Clause:
    """Words of a query that belong together."""

    text: str
    phrase: bool = False
    """Whether the words must be side by side in this order."""
    kind: Kind = "words"
    """Where the words must be: in the page, in its title, or not in the page."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. Empty fields require nothing."""

    parts: tuple[Clause, ...] = ()
    sites: tuple[str, ...] = ()
    """Host names. Pages must be on one of these hosts or on one below it."""
    without_sites: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    """Lower-case codes. Pages must be in one of these languages."""
    without_languages: tuple[str, ...] = ()
    after: float | None = None
    """Epoch seconds. Pages must be from then on."""
    before: float | None = None
    """Epoch seconds. Pages must be from before then."""
    relevant: bool = True
    """Whether only relevant pages are found."""


def parse(text: str) -> Query:
    """The query in `text`.

    Raises:
        BadInput: It is empty or too long, has an open quotation mark, an unknown operator or an invalid value.
    """
    text = text.translate(_TYPED)
    if not text.strip():
        raise BadInput('there is nothing to search for; give words, as in scrapy search NAME "telescope mirror"')
    if len(text) > MOST_CHARACTERS:
        raise BadInput(f"the query has {len(text)} characters; give at most {MOST_CHARACTERS}")
    if text.count('"') % 2:
        raise BadInput(f"a quotation mark is open in {quoted(text)}; write a phrase between two quotation marks")
    query = nothing = Query()
    for found in _PART.finditer(text):
        if found.group().strip():
            query = _with(query, found)
    if query == nothing:
        raise BadInput(f"there is no word to search for in {quoted(text)}")
    if len(query.parts) > MOST_WORDS:
        raise BadInput(f"the query has {len(query.parts)} words; give at most {MOST_WORDS}")
    return query


def any_of(texts: Iterable[str]) -> Query:
    """A query for all pages, relevant or not, with any of these words and phrases, in which no operators are recognized."""
    return Query(tuple(Clause(text) for text in texts), relevant=False)


def _with(query: Query, found: re.Match[str]) -> Query:
    """The query with one more part."""
    phrase, minus = found["phrase"], bool(found["minus"])
    value = phrase if phrase is not None else found["word"] or ""
    operator = (found["operator"] or "").lower()
    if operator and operator not in OPERATORS and not value:
        return _with_words(query, operator, False, "without" if minus else "words")  # "note: the words of a sentence"
    if operator and operator not in OPERATORS:
        near = close_match(operator, OPERATORS)
        raise BadInput(
            f"unknown operator {operator}: in the query; "
            + (f"did you mean {near}:?" if near else f"there are {', '.join(f'{name}:' for name in OPERATORS)}")
            + f' (in quotation marks it is searched for as it stands: "{operator}:{value}")'
        )
    if not operator:
        return _with_words(query, value, phrase is not None, "without" if minus else "words")
    if not value.strip():
        raise BadInput(f"{operator}: has no value; write it without a space, as in {operator}:{EXAMPLES[operator]}")
    if minus and operator in ("title", "after", "before"):
        instead = {"title": "leave out a word by -word", "after": "use before:", "before": "use after:"}[operator]
        raise BadInput(f"-{operator}: is not possible; {instead}")
    return OPERATORS[operator](query, value.strip(), phrase is not None, minus)


def _with_words(query: Query, text: str, phrase: bool, kind: Kind) -> Query:
    if not _HAS_WORD.search(text):
        return query  # a dash or an arrow between words, which cannot be searched
    return replace(query, parts=(*query.parts, Clause(text, phrase, kind)))


def _title(query: Query, value: str, phrase: bool, _: bool) -> Query:
    return _with_words(query, value, phrase, "title")


def _site(query: Query, value: str, _: bool, minus: bool) -> Query:
    url = normalize(value if "//" in value else f"http://{value}/")
    host = host_name(url) if url else ""
    if not host or value.rstrip("/").count("/") > (2 if "//" in value else 0):
        raise BadInput(f"site: takes the name of a host, as in site:{EXAMPLES['site']}, not {quoted(value)}")
    if minus:
        return replace(query, without_sites=(*query.without_sites, host))
    return replace(query, sites=(*query.sites, host))


def _lang(query: Query, value: str, _: bool, minus: bool) -> Query:
    code = value.lower().replace("_", "-")
    if not _LANGUAGE.fullmatch(code):
        raise BadInput(f"lang: takes a code, as in lang:zh, lang:en or lang:zh-hant, not {quoted(value)}")
    try:
        refuse_never_given(code)
    except ValueError as error:
        raise BadInput(f"lang: {error}") from None
    if minus:
        return replace(query, without_languages=(*query.without_languages, code))
    return replace(query, languages=(*query.languages, code))


def _after(query: Query, value: str, *_: bool) -> Query:
    return replace(query, after=_day("after", value))


def _before(query: Query, value: str, *_: bool) -> Query:
    return replace(query, before=_day("before", value))


def _day(operator: str, value: str) -> float:
    """The beginning of a day, month or year in UTC."""
    found = _DAY.fullmatch(value)
    try:
        if found is None:
            raise ValueError
        year, month, day = (int(number or 1) for number in found.groups())
        return datetime(year, month, day, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        raise BadInput(f"{operator}: takes a day, month or year, as in {operator}:2026-01-31, not {quoted(value)}") from None


OPERATORS: dict[str, Callable[[Query, str, bool, bool], Query]] = {
    "site": _site,
    "lang": _lang,
    "title": _title,
    "after": _after,
    "before": _before,
}
"""The operators by name. Each takes the query so far, the value, whether it was quoted, and whether a minus was before it."""
EXAMPLES = {"site": "example.org", "lang": "zh", "title": "telescope", "after": "2026-01-31", "before": "2026"}
