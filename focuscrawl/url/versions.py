"""Names of versions among the directories of a path: a manual has one page in each of them, or in some."""

from __future__ import annotations

import re
from collections.abc import Iterator
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


def _without_version(url: str, numbers: bool = False) -> Iterator[tuple[str, str]]:
    """The URL without each version that is the name of a directory, and that directory. `numbers`: also those that are mere
    numbers, and may be years."""
    path = url.partition("?")[0]
    for found in _directory.finditer(path, len(split(url)[0])):
        if is_version(found[1]) and (numbers or not found[1].isdigit()):
            yield url[: found.start()] + url[found.end() :], url[: found.end() + 1]
