"""Whether robots.txt lets a URL be fetched, and which line decides: RFC 9309, for the first 500 KiB of the file.

Our code finds the groups, Protego matches the rules.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote, urlsplit

from protego import Protego

from focuscrawl.politeness.pace import MAX_CRAWL_DELAY
from focuscrawl.text.coding import unzip

# --- which rules are for us? the lines of the file as groups, by RFC 9309 section 2.2 --------------------------------
# Our own parser finds the groups, because Protego (which then does the matching) misses a user-agent line with text behind its
# token ("foo bar", "foo/1.2"), takes a shorter token for ours, and lets other records (Crawl-delay, unknown ones) end a group.

MAX_BYTES = 500 * 1024
"""RFC 9309, section 2.5, asks to read at least this much. What comes after it is ignored."""
MAX_SITEMAPS = 1_000
"""How many Sitemap lines of one file are remembered."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BROKEN_MARKS = (codecs.BOM_UTF8[:2], codecs.BOM_UTF8[:1])
"""Beginnings of the UTF-8 mark, as broken tools leave them. The reference parser skips them, too, or the first group would be
lost."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(r"[a-z_-]+|\*(?=\s|$)")
_RECORD = re.compile(
    r"\s*(?:(?P<agent>user[- ]?agent)|(?P<allow>allow)|(?P<disallow>diss?all?ow|diasllow|disallaw)"
    r"|(?P<delay>crawl[- ]delay)|(?P<sitemap>site-?maps?)|(?P<signal>content-signal)|(?P<licence>license))"
    r"\s*(?::|\s)\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""Matches one record, in the spellings that the reference parser (google/robotstxt) accepts, too. The colon may be missing."""
_KINDS = ("agent", "allow", "disallow", "delay", "sitemap", "signal", "licence")
_SIGNAL = re.compile(r"(?<![\w-])([a-z][a-z-]*)\s*=\s*(yes|no)(?![\w-])", re.IGNORECASE)
# Control characters and line separators, which are escaped before Protego reads a rule.
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
    """Crawl-delay in seconds by agent. It is not part of the RFC, and holds only for the agents named since the last one."""
    signals: dict[str, dict[str, bool]] = field(default_factory=dict)
    """What Content-Signal lines (contentsignals.org) allow, by agent as in `delays`: `{"search": True}`."""


@dataclass(slots=True)
class Records:
    """A whole file."""

    groups: list[Group] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    licences: list[str] = field(default_factory=list)
    """Absolute URLs of License lines (rslstandard.org), which hold for all agents."""

    def group_of(self, agent: str) -> Group:
        """One group with the rules of all groups that name this product token, else of those for `*`; else an empty group."""
        token = product_token(agent)
        chosen = [group for group in self.groups if token in group.agents] if token else []
        name = token if chosen else "*"
        chosen = chosen or [group for group in self.groups if "*" in group.agents]
        delays = [group.delays[name] for group in chosen if name in group.delays]
        rules = dict.fromkeys(rule for group in chosen for rule in group.rules)
        signals = _joined(group.signals.get(name, {}) for group in chosen)
        return Group({token}, list(rules), {token: max(delays)} if delays else {}, {token: signals})


def product_token(agent: str) -> str:
    """The product token of a user agent: `FocusCrawl/1.0 (+mail)` -> `focuscrawl`; `*` stays; empty if it begins with none."""
    found = _TOKEN.match(agent.strip().lower())
    return found[0] if found else ""


def _tokens(value: str) -> list[str]:
    """All product tokens of a user-agent line. The RFC allows one, but some owners list several."""
    return [product_token(part) for part in value.split(",")]


def read(body: bytes) -> Records:
    """All groups of a file. Lines that cannot be read are skipped, as section 2.3.1.5 asks."""
    records = Records()
    group = Group()  # in no record: rules before the first user-agent line hold for nobody
    named: list[str] = []  # the agents for whom a Crawl-delay or Content-Signal line would hold
    before = ""  # the kind of the line before, as far as it decides where a group begins
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
            tokens = _tokens(value)
            named += tokens
            group.agents.update(tokens)
        elif kind in ("delay", "signal"):
            _SET[kind](group, named, value)
            if before in ("allow", "disallow"):
                continue  # `before` keeps the rule, so that the next user-agent line begins a new group
        elif value:
            group.rules.append(Rule(kind == "allow", value))
        before = kind
    return records


def _joined(signals: Iterable[dict[str, bool]]) -> dict[str, bool]:
    """The signals of several lines together: a use is allowed if no line forbids it."""
    joined: dict[str, bool] = {}
    for each in signals:
        joined |= {use: allowed and joined.get(use, True) for use, allowed in each.items()}
    return joined


def _set_delay(group: Group, agents: list[str], value: str) -> None:
    seconds = _seconds(value)
    if seconds is not None:
        group.delays |= {agent: max(seconds, group.delays.get(agent, 0.0)) for agent in agents}


def _set_signals(group: Group, agents: list[str], value: str) -> None:
    signals = {use.lower(): answer.lower() == "yes" for use, answer in _SIGNAL.findall(value)}
    group.signals |= {agent: _joined((group.signals.get(agent, {}), signals)) for agent in agents}


_SET = {"delay": _set_delay, "signal": _set_signals}
"""What reads a record that holds for the agents named last."""


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """The records of a file in order, as (kind, value)."""
    for line in _LINE_END.split(text):
        found = _RECORD.match(line.partition("#")[0])
        if found:
            kind = next(name for name in _KINDS if found[name])
            # Unicode's other line separators are part of the value, but Protego would split the line at them.
            yield kind, _UNPRINTABLE.sub(lambda sign: quote(sign[0]), found["value"].strip())


def _decode(body: bytes) -> str:
    """The text of a robots.txt: unpacked, cut to MAX_BYTES, and decoded by its byte order mark, else as UTF-8."""
    body = _cut(unzip(body, MAX_BYTES + 1).body)
    for mark, charset in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(charset, "replace")
    for part in _BROKEN_MARKS:
        body = body.removeprefix(part)
    return body.replace(b"\x00", b"").decode("utf-8", "replace")


def _cut(body: bytes) -> bytes:
    """At most MAX_BYTES, cut at the end of a line, because half of a rule would match more than the rule."""
    if len(body) <= MAX_BYTES:
        return body
    head = body[:MAX_BYTES]
    return head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1]


def _seconds(value: str) -> float | None:
    """The number at the beginning of a Crawl-delay; None if there is none."""
    found = re.match(r"[0-9]{1,12}(?:\.[0-9]{1,6})?(?![\w.])", value)
    return float(found[0]) if found else None


# --- which rule decides? the longest that matches, by section 2.2.2, as Protego finds it --------------------------------

_PLAIN = re.compile(r"[A-Za-z0-9_.~/-]*")
"""Matches characters that are written alike in rules and URLs, and are not wildcards."""
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_NEEDS_NONE = re.compile(rb"[A-Za-z0-9_.~-]")
"""Matches a character that needs no percent-escape (RFC 3986, section 2.3)."""


def _protego(rules: Iterable[Rule]) -> Protego:
    return Protego.parse("\n".join(["User-agent: *", *map(str, rules)]))


class _Matcher:
    """The rules of one agent. Protego parses 23 000 rules, as many as fit in 500 KiB, in 0.1 s of CPU."""

    def __init__(self, group: Group):
        self._rules = group.rules
        self.crawl_delay = max(group.delays.values(), default=None)

    @cached_property
    def _protego(self) -> Protego:
        return _protego(self._rules)

    def allowed(self, url: str) -> bool:
        """Whether the rules let the URL be fetched."""
        return not self._rules or bool(self._protego.can_fetch(url, "*"))

    def decisive(self, url: str) -> Rule | None:
        """The longest matching rule that agrees with `allowed`; None if none matches, and for /robots.txt itself."""
        if urlsplit(url).path == "/robots.txt":
            return None
        # Protego does not name the rule that decided, so each one that may fit is tried by itself, as a Disallow. Comparing the
        # plain beginnings first spares nearly all of these trials.
        allowed, path = self.allowed(url), _plain_path(url)
        fitting = [rule for rule in self._rules if rule.allow == allowed and path.startswith(_beginning(rule))]
        fitting.sort(key=lambda rule: len(rule.pattern), reverse=True)
        return next((rule for rule in fitting if not _protego([Rule(False, rule.pattern)]).can_fetch(url, "*")), None)


def _beginning(rule: Rule) -> str:
    """The plain characters with which every path begins that the rule matches. An Allow for the index file of a directory
    matches the directory, too, and a rule that does not begin with a slash may match anything."""
    plain = _PLAIN.match(rule.pattern if rule.pattern.startswith("/") else "")
    return plain[0].removesuffix("index.html") if plain else ""


def _plain_path(url: str) -> str:
    """The plain characters with which the path of a URL begins, needless percent-escapes undone."""

    def bare(escape: re.Match[bytes]) -> bytes:
        octet = bytes.fromhex(escape[1].decode())
        return octet if _NEEDS_NONE.fullmatch(octet) else escape[0]

    path = _ESCAPE.sub(bare, urlsplit(url).path.encode("utf-8", "replace")).decode()
    plain = _PLAIN.match(path if path.startswith("/") else f"/{path}")
    return plain[0] if plain else ""


@dataclass(slots=True)
class RobotsFile:
    """The parsed rules of one origin."""

    _records: Records = field(default_factory=Records)
    _matchers: dict[str, _Matcher] = field(default_factory=dict)

    @classmethod
    def parse(cls, body: bytes) -> RobotsFile:
        """The rules of a robots.txt as it was received, of which the first 500 KiB count. Garbage has no rules."""
        return cls(read(body))

    def allowed(self, url: str, agent: str) -> bool:
        """Whether the product token `agent` may fetch this absolute URL; True for /robots.txt itself."""
        return self._of(agent).allowed(url)

    def rule(self, url: str, agent: str) -> str:
        """The line that decides, such as `Disallow: /private/`; empty if none matches."""
        return str(self._of(agent).decisive(url) or "")

    def crawl_delay(self, agent: str) -> float | None:
        """Seconds between requests, 0 to MAX_CRAWL_DELAY, the longest if there are several; None if the file gives none."""
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
