"""Names of versions among the directories of a path: a manual has one page in each of them, or in some."""

from __future__ import annotations

import re
from collections.abc import Iterator

from focuscrawl.url.normalize import split

_version = re.compile(
    r"(?:v|version[-_.]?|release[-_.]?)?[0-9]+(?:[._][0-9]+)*(?:[._]x)?(?:[-_.](?:rc|alpha|beta|dev|pre|lts)[-_.]?[0-9]*)?"
    "|current|dev|devel|develop|development|latest|lts|main|master|next|nightly|stable|trunk|unstable",
    re.IGNORECASE,
)
_released = re.compile("current|latest|lts|stable", re.IGNORECASE)
_unreleased = re.compile("dev|devel|develop|development|main|master|next|nightly|trunk|unstable", re.IGNORECASE)
_directory = re.compile(r"/([^/]+)(?=/)")


def is_version(directory: str) -> bool:
    """Whether the name of a directory is a number, as of a year or a session, or a version: `3.11`, `v2`, `1.x`, `stable`."""
    return _version.fullmatch(directory) is not None


def version_rank(url: str) -> int:
    """Of versions of one page the one with the lowest rank is what most readers want: one in no version, the current release, a
    number, and last what is not released.

    >>> [version_rank(f"http://h.org/docs/{version}guide") for version in ("", "stable/", "3.2/", "next/")]
    [0, 1, 2, 3]
    """
    path = url.partition("?")[0]
    versions = [found[1] for found in _directory.finditer(path, len(split(url)[0])) if is_version(found[1])]
    return max((1 if _released.fullmatch(each) else 3 if _unreleased.fullmatch(each) else 2 for each in versions), default=0)


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


def _without_version(url: str) -> Iterator[tuple[str, str]]:
    """The URL without each version that is the name of a directory, and that directory."""
    path = url.partition("?")[0]
    for found in _directory.finditer(path, len(split(url)[0])):
        if is_version(found[1]) and not found[1].isdigit():
            yield url[: found.start()] + url[found.end() :], url[: found.end() + 1]
