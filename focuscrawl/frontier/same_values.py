"""Finds values in URLs that make no difference: session numbers, sort orders and the like.

A value is that of a query parameter, or those of all parameters, or of all but one; a directory that is a number, a version
(`/en/3.11/`, `/en/stable/`) or in which a machine may have drawn something; in a file name what may be drawn, one of several
numbers (`thread-123-1-2.html`, whose last one says from which page of the list the reader came), or the last word or two
(`/tent-123-red`); the name of a file that is a word: archives have `thread.html`, `author.html` and `date.html` in each
directory, which list the same; or a last name that is a word behind the URL of another page: `/some-title/amp/`,
`/some-title/print`. URLs that differ in one value alone, or of which only one has it, are compared: do they show the same page?
The answers are counted by host and parameters, masked path, or word (`focuscrawl.frontier.part_names.VALUES`), so that a few
pages are evidence for all. Of several values at once this says something where each of them differs. Which URLs were fetched is
remembered here. Bounded: the least recently used are forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, starmap

from focuscrawl.frontier.part_names import VALUES
from focuscrawl.recent import Recent
from focuscrawl.url.groups import groups_of, is_word, parameter_of
from focuscrawl.url.normalize import split
from focuscrawl.url.versions import is_version

MOST_REMEMBERED = 50_000
"""Keys of URLs that are remembered, of each kind."""
MOST_FIELDS = 8
"""Query parameters of a URL that count, the first ones."""
_directory = re.compile(r"/([^/]+)(?=/)")
_drawn = re.compile(r"(?<![0-9a-zA-Z%])(?=[a-zA-Z]*[0-9])[0-9a-zA-Z]{6,}")
"""What a machine may have drawn, in the name of a directory: `/sid-9f8e7d/`, `/(S(k3x9ab2c))/`."""
_drawn_in_name = re.compile(r"(?<![0-9a-zA-Z%])(?=[a-zA-Z]*[0-9])(?=[0-9]*[a-zA-Z])[0-9a-zA-Z]{6,}")
"""The same in that of a file, where numbers name pages: `/guide-3fa9c2b1.html`."""
_number = re.compile(r"(?<=[-_])[0-9]+(?=[-_.]|$)")
_digits = re.compile(r"[0-9]+")
_last_word = re.compile(r"(?<=[^/])/([a-z]{1,15})(/?)$", re.IGNORECASE)
_last_words = {
    "-*" * words: re.compile(rf"(?<=[^-_/])(?:[-_]([a-z]+)){{{words}}}((?:\.[a-z]+)?/?)$", re.IGNORECASE) for words in (1, 2)
}
"""The last words of a name of several, which may say which variant of a product is meant: `/tent-12-red`, `/tent-red-large`."""
MOST_NUMBERS = 4
"""Numbers in a file name that count, the last ones."""


class SameValues:
    """Remembers for each URL without one of its values which URL represents all that differ from it in this value alone, or
    have it more: the one that was fetched first."""

    def __init__(self) -> None:
        self._first: Recent[int, str] = Recent(MOST_REMEMBERED)
        """By `_key`, the URL that represents the others; empty: it failed, and the next one takes its place."""
        self._refused: Recent[int, str] = Recent(MOST_REMEMBERED)
        """By `_key`, the last URL that was refused because of it."""
        self._replaced: Recent[int, bool] = Recent(MOST_REMEMBERED)
        """The keys for which a URL has taken the place of one that failed."""

    def asked(self, url: str) -> None:
        """Note that this URL was fetched or is being fetched."""
        for key in _keys(url):
            self._first.note(key, self._first.get(key) or url)

    def _other(self, url: str, part: str, bare: str) -> int | None:
        """The key of what represents this URL, which is `bare` without the value with the counts `part`; None if it does so
        itself, or if what does is the same without fewer values."""
        for name in (part, ""):
            other = self._first.get(key := _key(name, bare), "")
            if other not in ("", url) and (not name or _differ_in(url, other, name)):
                return key
        return None

    def spared(self, url: str) -> Iterator[str]:
        """The names of the counts of values that could spare fetching this URL: a URL was fetched that differs in that value
        alone, or does not have it."""
        for part, bare in without_values(url).items():
            if self._other(url, part, bare) is not None:
                yield _counted_as(part, url)

    def refused(self, url: str, part: str) -> None:
        """Note that this URL is not fetched because it differs from a fetched one in a value that makes no difference. `part`:
        the name of that value's counts."""
        for each, bare in without_values(url).items():
            if _counted_as(each, url) == part and (key := self._other(url, each, bare)) is not None:
                self._refused.note(key, url)

    def failed(self, url: str) -> str:
        """Note that this URL was given up, and let a refused one represent the others in its place. This happens once, so that
        a dead link does not cost a fetch for each value. Returns the URL to fetch instead; empty if none was refused yet."""
        instead = ""
        for key in _keys(url):
            if self._first.get(key) == url and key not in self._replaced:
                self._first[key] = self._refused.get(key, "")
                self._replaced.note(key, True)
                instead = instead or self._first[key]
        return instead

    def compare(self, url: str, original: str) -> dict[str, bool]:
        """Note that this URL was fetched and shows the page of `original` (empty: a page of its own). Returns, by the names of
        the values' counts, whether it shows the same page as those that differ in this value alone or do not have it. The
        first page of a list, at a URL that says so, counts only for the counts of its own."""
        bare, others = without_values(url), without_values(original) if original else {}
        others = {part: other for part, other in others.items() if other != bare.get(part) or _differ_in(url, original, part)}
        first_pages = {part[:-2] for part in bare if part[-2:] in ("=0", "=1") and bare[part] == original}
        compared = {
            _counted_as(part, url): self._is_same(bare[part], original, others, part)
            for part in bare
            if part not in first_pages and self._other(url, part, bare[part]) is not None
        }
        self.asked(url)
        return compared

    def _is_same(self, bare: str, original: str, others: dict[str, str], part: str) -> bool:
        """Whether a URL that is `bare` without the value with the counts `part` differs from `original` in this value alone,
        does so from what was fetched without any, or is `original` with this value. `others`: `without_values(original)`. What
        is no page by itself says nothing: `/show?post=5` and `/show?thread=3` differ in two values."""
        return bare in (original, others.get(part)) or (bare in others.values() and _key("", bare) in self._first)


def _key(part: str, bare: str) -> int:
    """Stands for the URLs that are `bare` without the value with the counts `part`, or with `part` empty, for those that have
    any value more. A hash, which takes a tenth of the texts' memory."""
    return hash((part, bare))


def _keys(url: str) -> list[int]:
    """The keys of this URL, with a value more or without one."""
    return [_key("", url), *starmap(_key, without_values(url).items())]


@lru_cache(maxsize=1024)
def without_values(url: str) -> dict[str, str]:
    """For each value that a URL has, the name of the value's counts and the URL without the value. The same dictionary is
    returned again, so it must not be changed.

    >>> without_values("http://h.org/a?id=5&s=2")
    {'v http://h.org?id': 'http://h.org/a?s=2', 'v http://h.org?s': 'http://h.org/a?id=5', 'v http://h.org?id&s': 'http://h.org/a'}
    >>> without_values("http://h.org/a?page=1")
    {'v http://h.org?page': 'http://h.org/a', 'v http://h.org?page=1': 'http://h.org/a'}
    >>> without_values("http://h.org/api/index.html?org/x/Map.html")
    {'v http://h.org?': 'http://h.org/api/index.html'}
    >>> without_values("http://h.org/s/3fa9c2b1/a.html")
    {'v http://h.org/s/x': 'http://h.org/s//a.html', 'v http://h.org/s/x/*.html': 'http://h.org/s/3fa9c2b1/'}
    >>> without_values("http://h.org/courses/2019/a.html")
    {'v http://h.org/courses/0': 'http://h.org/courses//a.html', 'v http://h.org/courses/0/*.html': 'http://h.org/courses/2019/'}
    >>> without_values("http://h.org/en/3.11/a.html")
    {'v http://h.org/en/0': 'http://h.org/en//a.html', 'v http://h.org/en/0.0/*.html': 'http://h.org/en/3.11/'}
    >>> without_values("http://h.org/en/stable/a.html")["v http://h.org/en/0"]
    'http://h.org/en//a.html'
    >>> without_values("http://h.org/2020-May/date.html")
    {'v http://h.org/0-May/*.html': 'http://h.org/2020-May/'}
    >>> without_values("http://h.org/t-12-3.html")
    {'v http://h.org/t-*-0.html': 'http://h.org/t--3.html', 'v http://h.org/t-0-*.html': 'http://h.org/t-12-.html'}
    >>> without_values("http://h.org/p/12-red")
    {'v http://h.org/...-*': 'http://h.org/p/12'}
    >>> without_values("http://h.org/(S(k3x9ab2c))/5-3fa9c2b1")
    {'v http://h.org/(S(x))': 'http://h.org//5-3fa9c2b1', 'v http://h.org/(S(k0x0ab0c))/0-*': 'http://h.org/(S(k3x9ab2c))/5-'}
    >>> without_values("http://h.org/some-title/amp/")["v http://h.org/.../amp/"]
    'http://h.org/some-title/'
    """
    return dict(chain(_without_fields(url), _without_directories(url), _without_words(url), _without_pieces(url)))


def _without_fields(url: str) -> Iterator[tuple[str, str]]:
    """Without one field of the query, without all of them, and with one of them alone."""
    origin, (path, _, query) = split(url)[0], url.partition("?")
    fields = query.split("&")[:MOST_FIELDS] if query else []
    for field in fields:
        for name in _names(field):
            yield f"{VALUES}{origin}?{name}", _joined(path, [other for other in fields if other != field])
    for kept in [[], *([field] for field in fields if len(fields) > 2)] if len(fields) > 1 else ():
        names = sorted(parameter_of(field) for field in fields if field not in kept)
        yield f"{VALUES}{origin}?{'&'.join(names)}", _joined(path, kept)


def _without_directories(url: str) -> Iterator[tuple[str, str]]:
    """Without a directory that is a number or a version, or in which a machine may have drawn something."""
    template, path = groups_of(url).template[2:], url.partition("?")[0]
    for directory in _directory.finditer(path, len(split(url)[0])):
        start, end = directory.span(1)
        version = is_version(directory[1])
        if version or _drawn.search(directory[1]):
            *around, masked = template.split("/")[: 1 + path.count("/", 0, end)]
            yield VALUES + "/".join((*around, "0" if version else masked)), url[:start] + url[end:]


def _without_words(url: str) -> Iterator[tuple[str, str]]:
    """Without the last name, if it is a word, or that name's last word or two."""
    origin, template, (path, asks, query) = split(url)[0], groups_of(url).template[2:], url.partition("?")
    if not asks and is_word(template):
        yield VALUES + template, url[: url.rfind("/") + 1]
    if name := _last_word.search(path, len(origin) + 1):
        yield f"{VALUES}{origin}/...{name[0]}", path[: name.start()] + name[2] + asks + query
    for words, form in _last_words.items():
        if last := form.search(path, len(origin) + 1):
            yield f"{VALUES}{origin}/...{words}{last[2]}", path[: last.start()] + last[2] + asks + query


def _without_pieces(url: str) -> Iterator[tuple[str, str]]:
    """Without one of several numbers of a file name, or without what a machine may have drawn there."""
    origin, path = split(url)[0], url.partition("?")[0]
    numbers = list(_number.finditer(path, path.rfind("/")))
    for piece in (*(numbers[-MOST_NUMBERS:] if len(numbers) > 1 else ()), *_drawn_in_name.finditer(path, path.rfind("/"))):
        start, end = piece.span()
        before, after = (_digits.sub("0", other) for other in (path[len(origin) : start], path[end:]))
        yield f"{VALUES}{origin}{before}*{after}", url[:start] + url[end:]


def counts_of_values(url: str) -> list[str]:
    """The names of the counts of all values that a URL has."""
    return [_counted_as(part, url) for part in without_values(url)]


def _counted_as(part: str, url: str) -> str:
    """The name of the counts of a value of this URL. Last words are counted each by itself: on a host where `-red` and `-large`
    make no difference, `-tent` and `-stove` may name two things."""
    if "/...-*" not in part or not (last := _last_words["-*"].search(url.partition("?")[0])):
        return part
    before, _, after = part.rpartition("-*")
    return f"{before}-{last[1].lower()}{after}"


def differ_in_one(url: str, other: str) -> bool:
    """Whether two URLs differ in one value alone, or only one of them has it."""
    ours, theirs = without_values(url), without_values(other)
    return not ours.items().isdisjoint(theirs.items()) or other in ours.values() or url in theirs.values()


def _differ_in(url: str, other: str, part: str) -> bool:
    """Whether two URLs that differ in the values with the counts `part` alone do so in each of them: `?color=red&size=m` and
    `?color=red&size=l` differ in one of two. Then they are the same with fewer values left out."""
    ours = without_values(url)
    same = ours.items() & without_values(other).items()
    return max((len(bare) for _, bare in same), default=0) == len(ours[part])


def _names(field: str) -> tuple[str, ...]:
    """The names of the counts of a query parameter. The values 0 and 1 have counts of their own, too: that the first page of a
    list (`page=1`, `start=0`) shows what is there without it says nothing of further pages."""
    name = parameter_of(field)
    return (name, field) if field in (f"{name}=0", f"{name}=1") else (name,)


def _joined(path: str, fields: list[str]) -> str:
    return f"{path}?{'&'.join(fields)}" if fields else path
