"""May this URL be fetched, and by which line? robots.txt by RFC 9309: groups by us, matching by Protego."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from protego import Protego

from focuscrawl.politeness.pace import MAX_CRAWL_DELAY
from focuscrawl.politeness.robots_groups import Group, Records, Rule, read

MAX_RULES = 8_000
"""Rules of one agent that are obeyed; more would hold the event loop for over half a second."""


class _Matcher:
    """The rules of one agent."""

    def __init__(self, group: Group):
        self.rules = group.rules[:MAX_RULES]
        self.crawl_delay = max(group.delays.values(), default=None)

    @cached_property
    def _protego(self) -> Protego:
        return Protego.parse("\n".join(["User-agent: *", *map(str, self.rules)]))

    def allowed(self, url: str) -> bool:
        return not self.rules or bool(self._protego.can_fetch(url, "*"))

    def rule(self, url: str) -> str:
        """The longest matching line that says what `allowed` says."""
        allowed = self.allowed(url)
        lines = [rule for rule in self.rules if rule.allow == allowed and _matches(rule, url)]
        return str(max(lines, key=lambda rule: len(rule.pattern))) if lines else ""


@dataclass(slots=True)
class RobotsFile:
    """The parsed rules of one origin."""

    _records: Records = field(default_factory=Records)
    _matchers: dict[str, _Matcher] = field(default_factory=dict)

    @classmethod
    def parse(cls, body: bytes) -> RobotsFile:
        """Rules of a robots.txt as it was received; at most 500 KiB of it count; garbage has no rules."""
        return cls(read(body))

    def allowed(self, url: str, agent: str) -> bool:
        """Whether the product token `agent` may fetch this absolute URL; /robots.txt always."""
        return self._of(agent).allowed(url)

    def rule(self, url: str, agent: str) -> str:
        """The line that decides, as `Disallow: /private/`; empty where none matches."""
        return self._of(agent).rule(url)

    def crawl_delay(self, agent: str) -> float | None:
        """Seconds between requests, 0 to MAX_CRAWL_DELAY; None where nothing is said. The longest of several holds."""
        delay = self._of(agent).crawl_delay
        return None if delay is None else min(delay, MAX_CRAWL_DELAY)

    @property
    def sitemaps(self) -> list[str]:
        """Sitemap lines in order, as written (they may point to any host)."""
        return list(self._records.sitemaps)

    def _of(self, agent: str) -> _Matcher:
        matcher = self._matchers.get(agent)
        if matcher is None:
            matcher = self._matchers[agent] = _Matcher(self._records.group_of(agent))
        return matcher


ALLOW_ALL = RobotsFile()
DENY_ALL = RobotsFile.parse(b"User-agent: *\nDisallow: /")


class RobotsCache:
    """The parsed files of the origins in use, least recently used goes first."""

    def __init__(self, size: int = 1_000):
        self._size = size
        self._files: OrderedDict[tuple[str, float], RobotsFile] = OrderedDict()

    def file(self, origin: str, fetched_at: float, body: Callable[[], bytes]) -> RobotsFile:
        """The rules of `origin` as fetched then; `body` is only called when they must be parsed."""
        key = (origin, fetched_at)
        found = self._files.get(key)
        if found is None:
            found = self._files[key] = RobotsFile.parse(body())
            if len(self._files) > self._size:
                self._files.popitem(last=False)
        self._files.move_to_end(key)
        return found


def _matches(rule: Rule, url: str) -> bool:
    if urlsplit(url).path == "/robots.txt":
        return False
    return not Protego.parse(f"User-agent: *\n{Rule(False, rule.pattern)}").can_fetch(url, "*")
