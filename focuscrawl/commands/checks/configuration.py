"""The settings: can they be used, and do they say who crawls?"""

from __future__ import annotations

from collections.abc import Iterator

from scrapy.settings import BaseSettings

from focuscrawl.commands.checks.finding import Finding, ok, problem, warning
from focuscrawl.config.options import read_options
from focuscrawl.errors import BadInput


def usable(settings: BaseSettings) -> Iterator[Finding]:
    """Every setting as a crawl would read it."""
    try:
        options = read_options(settings)
    except BadInput as error:
        yield problem("settings", str(error), "docs/settings.md lists every setting")
        return
    yield ok("settings", f"all can be used; {options.requests} requests at once, {options.delay:g} s between two of a host")


def contact(settings: BaseSettings) -> Iterator[Finding]:
    """Owners of sites want to know whom to write to."""
    said = str(settings.get("CONTACT") or "")
    if said:
        yield ok("contact", said)
    else:
        yield warning("contact", "CONTACT is not set", "say who crawls: -s CONTACT=you@example.org, or in a settings file")
