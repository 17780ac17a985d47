"""Which settings did the user give that are misspelt?

A misspelt setting changes nothing and says nothing: a crawl that was meant to be polite would not be. So what looks like one of
ours and is not declared is refused, wherever it was said: `-s`, the environment, a project's own settings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from scrapy.settings import default_settings

from focuscrawl import settings as defaults
from focuscrawl.config.environment import PREFIX
from focuscrawl.errors import BadInput, close_match

FAMILIES = (
    "FRONTIER_", "PARTITION_", "RECRAWL_", "POLITENESS_", "DNS_", "GUARD_", "RELEVANCE_", "LINKSCORE_", "DEDUP_", "ARCHIVE_",
    "LIVE_", "SUMMARY_",
)  # fmt: skip
"""What begins so is ours or Scrapy's. The other names of ours (CRAWLS_DIR, STORE_URL, TOPICS_DIR, CONTACT) begin with words
that a user's own components may use too; there, only what is nearly the same is refused."""
NEAR = 0.85
"""Similarity from which on a name outside the families counts as misspelt: CRAWL_DIR has 0.95 with CRAWLS_DIR, and
POLITENES_DELAY 0.97; the nearest pair of different settings outside the families is far below."""
OTHER_VARIABLES = frozenset({"JOB_ROOTS", "JOB_NETWORKS", "WEBS", "EVAL", "READING"})
"""FOCUSCRAWL_* that are not settings: what a job of Scrapyd may use, and where tools/eval finds its recorded webs."""


def refuse_unknown(settings: Mapping[Any, Any], environment: Mapping[str, str], declared: Collection[str]) -> None:
    """Refuse what is likely to be a misspelt setting of ours.

    Args:
        settings: Scrapy's, with all that a user has given.
        environment: of the process; every variable FOCUSCRAWL_* in it must set something.
        declared: names of the settings that we read.

    Raises:
        BadInput: one sentence with the nearest name.
    """
    ours = [name for name in declared if not hasattr(default_settings, name)]
    for name in settings:
        if name in declared or hasattr(default_settings, str(name)):
            continue
        near = close_match(str(name), ours, NEAR)
        if near or str(name).startswith(FAMILIES):
            raise BadInput(f"there is no setting {name}{_hint(near or close_match(str(name), ours))}")
    for variable in environment:
        name = variable.removeprefix(PREFIX)
        if name == variable or name in OTHER_VARIABLES or hasattr(defaults, name):
            continue
        near = close_match(name, declared)
        raise BadInput(f"the variable {variable} sets nothing{_hint(near and PREFIX + near)}")


def _hint(name: str) -> str:
    return f"; did you mean {name}?" if name else "; docs/settings.md lists all"
