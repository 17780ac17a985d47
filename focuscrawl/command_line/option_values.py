"""Turns what users type into values: URLs, hosts, times, numbers, lists. Invalid input is reported in one sentence."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from scrapy.settings import BaseSettings

from focuscrawl.errors import BadInput

FILES = (".txt", ".csv", ".tsv", ".lst", ".list", ".html", ".htm", ".pdf")
"""Endings of files that hold URLs or a page. None is a top-level domain."""
_AGO = re.compile(r"(\d{1,6})([mhdw])", re.ASCII)
_AGO_SECONDS = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
_DATES = "a date as 2026-11-20, 2026-11-20T14:00 (UTC, or with an offset as +01:00), or how long ago: 90m, 12h, 7d, 2w"


LARGEST = 10**15
"""Whole numbers of options are at most this: no store or array takes more."""


def crawls_dir(settings: BaseSettings) -> Path:
    """The directory of the crawls. A password in STORE_URL is kept for crawls that have their store there."""
    url = str(settings.get("STORE_URL") or "")
    if url:
        from focuscrawl.store.crawls import use_password_of

        with contextlib.suppress(BadInput):  # reported by a crawl if it matters
            use_password_of(url)
    return Path(str(settings.get("CRAWLS_DIR") or "crawls"))


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """A `type` for argparse: a whole number of at least `least` and, if given, at most `most`."""
    wanted = f"{least} or more" if most is None else f"between {least} and {most:,}"

    def read(given: str) -> int:
        try:
            number = int(given)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{given!r} is not a whole number; give {wanted}") from None
        if number < least or number > (LARGEST if most is None else most):
            raise argparse.ArgumentTypeError(f"{given} is not {wanted}")
        return number

    return read


def share(given: str) -> float:
    """A `type` for argparse: a number between 0 and 1."""
    try:
        number = float(given)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{given!r} is not a number between 0 and 1")
    return number


def url_of(given: str) -> str:
    """The normal form of a URL that a crawl may know, whatever it looks like: the scheme may be missing. Raises BadInput."""
    from focuscrawl.config.seed_list import known_url

    return known_url(given)


def refuse_missing_file(given: str) -> None:
    """Raises BadInput if what is to be taken for a URL without scheme looks like a file: `urls.txt` and `lists/urls.txt` do,
    because no host name ends like that, but `site.example/urls.txt` does not."""
    first, slash, _ = given.partition("/")
    if "://" not in given and given.lower().endswith(FILES) and not (slash and "." in first.strip(".")):
        raise BadInput(f"there is no file {given!r}; if it is a URL, write http:// before it")


def host_of(given: str) -> str:
    """The host name of `example.org`, `中文.cn` or of a URL. Raises BadInput."""
    from focuscrawl.url.hosts import host_name

    return host_name(url_of(given))


def time_of(option: str, given: str, now: float) -> float:
    """Epoch seconds of a date, a date with a time, or how long ago. Raises BadInput for anything else, and for the future."""
    text = given.strip()
    ago = _AGO.fullmatch(text)
    if ago:
        return max(now - int(ago[1]) * _AGO_SECONDS[ago[2]], 0.0)
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        moment = datetime.fromisoformat(text)
        at = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise BadInput(f"{option} {given!r} is not a time; give {_DATES}") from None
    if at > now:
        raise BadInput(f"{option} {given!r} lies in the future")
    return max(at, 0.0)
