"""Why links were not followed, and why crawls stop: the rules' names in words."""

from __future__ import annotations

from focuscrawl.url import filters, scope, traps

RULES: dict[str, str] = {
    **traps.REASONS,
    **scope.REASONS,
    **filters.REASONS,
    "nofollow": "the page or the link asks not to be followed (nofollow)",
    "ugc": "the link is marked as written by a visitor (rel=ugc)",
    "sponsored": "the link is marked as paid for (rel=sponsored)",
    "duplicate": "the page that links there repeats another one",
    "tunnel": "too many irrelevant pages in a row lead there",
    "depth": "too many clicks from a seed",
    "foreign": "it is another worker's (PARTITION_FOREIGN=drop)",
    "memory": "the bounded queues have no room for it",
}

STOPS: dict[str, str] = {
    "empty": "nothing was left to fetch that falls due soon",
    "max_pages": "the wanted number of pages was reached",
    "max_relevant": "the wanted number of relevant pages was reached",
    "minutes": "the time was up",
    "fresh": "nothing is due any more",
    "budget": "the requests that were allowed are spent",
    "harvest": "the share of relevant pages fell below the limit",
    "promise": "what waits promises too few relevant pages",
    "edge": "the edge of the topic's pages was reached: nothing that waits promises one",
    "drift": "the crawl drifted away from its topic",
    "no_topic": "no topic could be made",
    "stopped": "an operator stopped the crawl",
    "running": "another process was at work",
    "lost": "another process took this one for dead",
    "SIGINT": "stopped by Ctrl-C, or by cancel in Scrapyd",
    "SIGTERM": "stopped by a signal",
    "shutdown": "stopped by a signal",
    "cancelled": "cancelled",
    "finished": "finished",
}

FIGURES = frozenset({"harvest", "promise", "edge", "drift", "no_topic"})
"""Reasons whose figures or details need words before them."""


def rule_words(name: str) -> str:
    """Words for any rule; unknown ones are named as they are."""
    return RULES.get(name, name.replace("-", " "))


def stop_words(reason: str, why: str = "") -> str:
    """Why a run ended, with the figures (`why`) where there are any; an empty reason is a run that never came to its end."""
    if reason and why:
        return f"{STOPS[reason]} ({why})" if reason in FIGURES else why
    return STOPS.get(reason, reason) if reason else "it did not come to an orderly end"
