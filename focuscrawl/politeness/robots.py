"""May this URL be fetched, and by which line? robots.txt by RFC 9309: groups by us, matching by Protego."""

from __future__ import annotations

import codecs
import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote, urlsplit

from protego import Protego

from focuscrawl.politeness.pace import MAX_CRAWL_DELAY

# --- which rules are for us? the lines of the file as groups, by RFC 9309 section 2.2 --------------------------------
# Read by our own eyes because Protego (which then does the matching) misses a user-agent line with text behind its token
# ("foo bar", "foo/1.2"), takes a shorter token for ours, and lets other records (Crawl-delay, unknown ones) end a group.


MAX_BYTES = 500 * 1024
MAX_SITEMAPS = 1_000
MAX_LINE = 8_192

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_END = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(r"[a-z_-]+|\*(?=\s|$)")
_RECORD = re.compile(
    r"\s*(?:(?P<agent>user[- ]?agent)|(?P<allow>allow)|(?P<disallow>diss?all?ow|dissalow|diasllow|disallaw)"
    r"|(?P<delay>crawl[- ]delay)|(?P<sitemap>site-?maps?)|(?P<signal>content-signal)|(?P<licence>license))"
    r"\s*(?::|\s)\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_KINDS = ("agent", "allow", "disallow", "delay", "sitemap", "signal", "licence")
_SIGNAL = re.compile(r"(?<![\w-])([a-z][a-z-]*)\s*=\s*(yes|no)(?![\w-])", re.IGNORECASE)
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")


@dataclass(slots=True, frozen=True)
class Rule:
    """One Allow or Disallow line."""

    allow: bool
    pattern: str

    def __str__(self) -> str:
        return f"{'Allow' if self.allow else 'Disallow'}: {self.pattern}"


@dataclass(slots=True)
class Group:
    """Rules for the agents named above them."""

    agents: set[str] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)
    delays: dict[str, float] = field(default_factory=dict)
    """Crawl-delay in seconds by agent. Not a rule of the RFC: it is for the agents since the last Crawl-delay only."""
    signals: dict[str, dict[str, bool]] = field(default_factory=dict)
    """By agent, as delays are: what a Content-Signal line (contentsignals.org) allows, `{"search": True}`."""


@dataclass(slots=True)
class Records:
    """A whole file."""

    groups: list[Group] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    licences: list[str] = field(default_factory=list)
    """Of License lines (rslstandard.org), which hold for all agents: absolute URLs."""

    def group_of(self, agent: str) -> Group:
        """All groups that name this product token as one, else those for `*`, else an empty one."""
        token = product_token(agent)
        chosen = [group for group in self.groups if token in group.agents] if token else []
        name = token if chosen else "*"
        chosen = chosen or [group for group in self.groups if "*" in group.agents]
        delays = [group.delays[name] for group in chosen if name in group.delays]
        rules = dict.fromkeys(rule for group in chosen for rule in group.rules)
        signals = _joined(group.signals.get(name, {}) for group in chosen)
        return Group({token}, list(rules), {token: max(delays)} if delays else {}, {token: signals})


def product_token(agent: str) -> str:
    """`FocusCrawl/1.0 (+mail)` -> `focuscrawl`; `*` for all; empty where no token stands first."""
    found = _TOKEN.match(agent.strip().lower())
    return found[0] if found else ""


def read(body: bytes) -> Records:
    """All groups of a file; what cannot be read is passed over, as section 2.3.1.5 asks."""
    records = Records()
    group = Group()  # of nobody: rules before the first agent count for none
    named: list[str] = []
    before = ""
    for kind, value in _lines(_decode(body)):
        if kind == "sitemap":
            records.sitemaps += [value] if value and len(records.sitemaps) < MAX_SITEMAPS else []
            continue
        if kind == "licence":
            records.licences += [value] if value.startswith(("https://", "http://")) else []
            continue
        if kind == "agent":
            if before in ("", "allow", "disallow") or not group.agents:
                group = Group()
                records.groups.append(group)
            if before != "agent":
                named = []
            named.append(product_token(value))
            group.agents.add(named[-1])
        elif kind in ("delay", "signal"):
            _SET[kind](group, named, value)
            if before in ("allow", "disallow"):
                continue  # a rule still ends the list of agents
        elif value:
            group.rules.append(Rule(kind == "allow", value))
        before = kind
    return records


def _joined(signals: Iterable[dict[str, bool]]) -> dict[str, bool]:
    """What several lines allow: what none of them forbids."""
    joined: dict[str, bool] = {}
    for each in signals:
        joined |= {use: allowed and joined.get(use, True) for use, allowed in each.items()}
    return joined


def _set_delay(group: Group, agents: list[str], value: str) -> None:
    seconds = _seconds(value)
    if seconds is not None:
        group.delays |= {agent: max(seconds, group.delays.get(agent, 0.0)) for agent in agents}


def _set_signals(group: Group, agents: list[str], value: str) -> None:
    told = {use.lower(): answer.lower() == "yes" for use, answer in _SIGNAL.findall(value)}
    group.signals |= {agent: _joined((group.signals.get(agent, {}), told)) for agent in agents}


_SET = {"delay": _set_delay, "signal": _set_signals}


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in _LINE_END.split(text):
        found = _RECORD.match(line.partition("#")[0]) if len(line) <= MAX_LINE else None
        if found and found.lastgroup:
            kind = next(name for name in _KINDS if found[name])
            # Other line separators of Unicode are part of the value here, but would split it for Protego.
            yield kind, _UNPRINTABLE.sub(lambda sign: quote(sign[0]), found["value"].strip())


def _decode(body: bytes) -> str:
    if body.startswith(b"\x1f\x8b"):
        body = _unzip(body)
    body = _cut(body)
    for mark, charset in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(charset, "replace")
    return body.replace(b"\x00", b"").decode("utf-8", "replace")


def _cut(body: bytes) -> bytes:
    """At most MAX_BYTES, ended at a line: half a rule would be a wider rule."""
    if len(body) <= MAX_BYTES:
        return body
    head = body[:MAX_BYTES]
    return head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1]


def _unzip(body: bytes) -> bytes:
    """A gzip file served without saying so."""
    try:
        return zlib.decompressobj(wbits=31).decompress(body, MAX_BYTES + 1)
    except zlib.error:
        return b""


def _seconds(value: str) -> float | None:
    found = re.match(r"[0-9]{1,12}(?:\.[0-9]{1,6})?(?![\w.])", value)
    return float(found[0]) if found else None


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
