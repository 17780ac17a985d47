"""The robots.txt of each host of the synthetic web, and what it forbids."""

from __future__ import annotations

from dataclasses import dataclass

from synthweb.hosts import Host

MOVED = "/meta/rules.txt"
"""Where a redirecting robots.txt leads."""
CRAWL_DELAY = 1.0


@dataclass(frozen=True, slots=True)
class Rules:
    """What a host's robots.txt says to every crawler."""

    status: int
    disallow: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    crawl_delay: float = 0.0
    location: str = ""
    text: str = ""

    def allows(self, target: str) -> bool:
        """RFC 9309 section 2.2.2 for plain prefixes: the longest match wins, a tie allows; 5xx forbids everything."""
        if self.status >= 500:
            return False
        forbidden = max((len(prefix) for prefix in self.disallow if target.startswith(prefix)), default=-1)
        allowed = max((len(prefix) for prefix in self.allow if target.startswith(prefix)), default=-1)
        return allowed >= forbidden


def closed_section(host: Host) -> str:
    """Path prefix of the section that the host's robots.txt closes; empty if it closes none."""
    return f"/{host.sections[2].path}/" if host.role.robots in ("sections", "redirect") else ""


def rules_of(host: Host) -> Rules:
    """The rules in force on a host, redirects followed."""
    kind = host.role.robots
    if kind == "unavailable":
        return Rules(503, text="down for maintenance\n")
    if kind == "missing":
        return Rules(404, text="no rules\n")
    if kind == "delay":
        return with_text(Rules(200, ("/login",), crawl_delay=CRAWL_DELAY))
    if kind == "plain":
        return with_text(Rules(200, ("/login", "/admin/")))
    closed = closed_section(host)
    rules = Rules(200, ("/login", "/private/", closed), (f"{closed}1.html",), location=MOVED if kind == "redirect" else "")
    return with_text(rules)


def with_text(rules: Rules) -> Rules:
    """Write the file: comments, odd case, a group for another robot and unknown records, as real ones have."""
    lines = ["# robots.txt", "User-agent: greedybot", "Disallow: /", "", "user-agent: *"]
    lines += [f"Disallow: {prefix}   # closed" for prefix in rules.disallow]
    lines += [f"ALLOW: {prefix}" for prefix in rules.allow]
    if rules.crawl_delay:
        lines.append(f"Crawl-delay: {rules.crawl_delay:g}")
    lines.append("Unknown-record: yes")
    return Rules(200, rules.disallow, rules.allow, rules.crawl_delay, rules.location, "\n".join(lines) + "\n")
