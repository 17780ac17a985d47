"""Names of versions among the directories of a path: a manual has one page in each of them, or in some."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from focuscrawl.url.normalize import split

_version = re.compile(
    r"(?:v|version[-_.]?|release[-_.]?)?[0-9]+(?:[._][0-9]+)*(?:[._]x)?(?:[-_.](?:rc|alpha|beta|dev|pre|lts)[-_.]?[0-9]*)?"
    "|current|dev|devel|develop|development|latest|lts|main|master|next|nightly|stable|trunk|unstable",
    re.IGNORECASE,
)
_ranks = tuple(
    re.compile(names, re.IGNORECASE)
    for names in ("current|lts|stable", "latest", "[^0-9]*[0-9]+(?:[._][0-9]+)*(?:[._]x|[-_.]lts.*)?", ".*")
)
"""What most readers want comes first. `latest` is the last release, or where there is also `stable`, what will be the next."""
_numbers = re.compile("[0-9]+")
_directory = re.compile(r"/([^/]+)(?=/)")


def is_version(directory: str) -> bool:
    """Whether the name of a directory is a number, as of a year or a session, or a version: `3.11`, `v2`, `1.x`, `stable`."""
    return _version.fullmatch(directory) is not None


@lru_cache(maxsize=4096)
def version_rank(url: str) -> tuple[tuple[int, ...], ...]:
    """Of versions of one page the one with the lowest rank is what most readers want: one in no version, the current release,
    the highest number, and last what is not released.

    >>> names = ("next/", "3.9/", "4.0-rc1/", "", "latest/", "v3.10/", "stable/")
    >>> sorted(names, key=lambda version: version_rank(f"http://h.org/docs/{version}guide"))
    ['', 'stable/', 'latest/', 'v3.10/', '3.9/', 'next/', '4.0-rc1/']
    """
    path = url.partition("?")[0]
    versions = [found[1] for found in _directory.finditer(path, len(split(url)[0])) if is_version(found[1])]
    return tuple(sorted(map(_rank, versions), reverse=True))


def _rank(version: str) -> tuple[int, ...]:
    """How far this version is from what most readers want, then its numbers, of which the highest come first."""
    place = next(place for place, names in enumerate(_ranks) if names.fullmatch(version))
    return place, *(-int(number) for number in _numbers.findall(version))


def apart(url: str, other: str) -> tuple[str, str]:
    """Where two normal URLs lie that differ in the name of a version alone, or of which only one has it: the directories
    of the versions; empty if they differ in more, or in a number, which may be that of a year or a session.

    >>> apart("http://h.org/docs/next/a", "http://h.org/docs/2.x/a")
    ('http://h.org/docs/next/', 'http://h.org/docs/2.x/')
    >>> apart("http://h.org/docs/a", "http://h.org/docs/next/a")
    ('http://h.org/docs/', 'http://h.org/docs/next/')
    >>> apart("http://h.org/docs/next/a", "http://h.org/docs/next/b"), apart("http://h.org/2019/a", "http://h.org/2020/a")
    (('', ''), ('', ''))
    """
    ours, theirs = (dict(_without_version(each)) for each in (url, other))
    ours, theirs = {url: ""} | ours, {other: ""} | theirs
    if url != other and (same := next((bare for bare in ours if bare in theirs), "")):
        directory = ours[same] or theirs[same]
        directory = directory[: directory.rfind("/", 0, -1) + 1]
        return ours[same] or directory, theirs[same] or directory
    return "", ""


def are_versions(url: str, other: str) -> bool:
    """Whether two normal URLs differ in the name of a version alone, which may be a number here, or only one has it.

    >>> are_versions("http://h.org/docs/16/a", "http://h.org/docs/15/a"), are_versions("http://h.org/16/a", "http://h.org/15/b")
    (True, False)
    """
    ours, theirs = ({each, *(bare for bare, _ in _without_version(each, numbers=True))} for each in (url, other))
    return url != other and not ours.isdisjoint(theirs)


def worse_versions(urls: Iterable[str]) -> frozenset[str]:
    """Those of these normal URLs beside which there is one of a better version of the same page, see `version_rank`. Numbers
    are no versions here, because they may be years.

    >>> versions = ("2.1/a", "3.0/a", "dev/a", "2.1/b", "next/c", "c", "2020/a", "2021/a")
    >>> [url.removeprefix("http://h.org/") for url in sorted(worse_versions(f"http://h.org/{each}" for each in versions))]
    ['2.1/a', 'dev/a', 'next/c']
    """
    pages: dict[str, set[str]] = {}
    known = set(urls)
    for url in known:
        for bare, _ in _without_version(url):
            pages.setdefault(bare, {bare} & known).add(url)
    several = (versions for versions in pages.values() if len(versions) > 1)  # rare
    ranked = (sorted(versions, key=lambda url: (version_rank(url), url)) for versions in several)
    return frozenset(url for _, *worse in ranked for url in worse)


def _without_version(url: str, numbers: bool = False) -> Iterator[tuple[str, str]]:
    """The URL without each version that is the name of a directory, and that directory. `numbers`: also those that are mere
    numbers, and may be years."""
    path = url.partition("?")[0]
    for start, end, is_number in _versions_in(path[: path.rfind("/") + 1]):
        if numbers or not is_number:
            yield url[:start] + url[end:], url[: end + 1]


@lru_cache(maxsize=4096)
def _versions_in(directory: str) -> tuple[tuple[int, int, bool], ...]:
    """Where the versions in the URL of a directory begin and end, and which of them are mere numbers. Most links of a page lie
    in a few directories."""
    named = (found for found in _directory.finditer(directory, len(split(directory)[0])) if is_version(found[1]))
    return tuple((found.start(), found.end(), found[1].isdigit()) for found in named)
