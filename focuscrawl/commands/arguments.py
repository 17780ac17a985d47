"""Input of our commands: one sentence and exit code 2 for what cannot be used."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from scrapy.settings import BaseSettings

from focuscrawl.errors import BadInput
from focuscrawl.store.location import lend
from focuscrawl.url.normalize import normalize

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
"""`mailto:`, `https:`; but `localhost:8000` names a port."""


def refuse(command: str, message: str) -> NoReturn:
    """End the program because of its input."""
    print(f"scrapy {command}: {message}", file=sys.stderr)
    sys.exit(2)


def positional(command: str, args: Sequence[str], options: Sequence[str], wanted: str, least: int, most: int) -> list[str]:
    """The arguments that are no options. Scrapy passes unknown options on as arguments: those are refused here, with
    the nearest of our `options`. `wanted` says what the command takes."""
    for arg in args:
        if arg.startswith("-") and arg != "-":
            near = difflib.get_close_matches(arg.partition("=")[0], options, 1, 0.5)
            refuse(command, f"unknown option {arg}; " + (f"did you mean {near[0]}?" if near else f"use: {wanted}"))
    if not least <= len(args) <= most:
        refuse(command, f"{'an argument is missing' if len(args) < least else 'too many arguments'}; use: {wanted}")
    return list(args)


def url_of(command: str, given: str) -> str:
    """The normal form of a URL as people type it: the scheme may be missing."""
    url = normalize(given) if SCHEME.match(given) else normalize("http://" + given)
    if url is None or not any(mark in url for mark in (".", "localhost", "[")):
        refuse(command, f"{given!r} is no http or https URL")
    return url


def crawls_dir(settings: BaseSettings | None) -> Path:
    """Where crawls are; the password in STORE_URL, if there is one, serves those that have their store there."""
    assert settings is not None
    with contextlib.suppress(BadInput):  # a crawl says it where it matters
        lend(str(settings.get("STORE_URL") or ""))
    return Path(str(settings.get("CRAWLS_DIR") or "crawls"))


def silence_standard_output() -> None:
    """After its reader has gone away: what Python still holds back must not raise at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
