"""Hosts with different wishes, and what the access log says of how they were kept."""

from __future__ import annotations

from itertools import pairwise

from tests.crawl.site import Hit, Reply, Site, page

DELAY, ADDRESS_DELAY = 0.3, 0.4
HOSTS = {
    "pace.test": "127.30.0.1",
    "wait.test": "127.30.0.2",
    "closed.test": "127.30.0.3",
    "moved.test": "127.30.0.4",
    "forbidden.test": "127.30.0.5",
    "busy.test": "127.30.0.6",
    "limit.test": "127.30.0.7",
    "tags.test": "127.30.0.8",
    "twin.test": "127.30.0.9",
    "other.test": "127.30.0.9",
}
SLACK = 0.05
"""Seconds between sending and our clock on the server's side."""


def once(status: int, wait: str, then: Reply) -> list[Reply]:
    """The replies to a first and a second request."""
    return [Reply(status, "later", (("Retry-After", wait),)), then]


def web(site: Site) -> None:
    """Homes of all hosts with a few pages each."""
    for host in HOSTS:
        site.answers[f"{host}/"] = page(f"home of {host}", [f"/{number}" for number in range(4)])
        for number in range(4):
            site.answers[f"{host}/{number}"] = page(f"{host} {number}")
    site.answers["wait.test/robots.txt"] = Reply(body="User-agent: *\nCrawl-delay: 0.9\n")
    site.answers["closed.test/robots.txt"] = Reply(503)
    site.answers["moved.test/robots.txt"] = Reply(302, "", (("Location", "/rules.txt"),))
    site.answers["moved.test/rules.txt"] = Reply(body="User-agent: focuscrawl\nDisallow: /1\nAllow: /1/open\n")
    site.answers["forbidden.test/robots.txt"] = Reply(403)
    site.answers["pace.test/robots.txt"] = Reply(body="User-agent: *\nDisallow: /private\n")
    site.answers["pace.test/"] = page("home of pace", ["/0", "/1", "/2", "/private/x", "/3"])
    for host, status in (("busy.test", 503), ("limit.test", 429)):
        replies = iter(once(status, "2", page(f"{host} at last")))
        site.answers[f"{host}/0"] = lambda hit, replies=replies: next(replies)  # type: ignore[misc]
    site.answers["tags.test/"] = page("tags", ["/noindex", "/nofollow", "/header", '/rel" rel="nofollow'])
    site.answers["tags.test/noindex"] = page("unlisted", ["/behind"], head='<meta name="robots" content="noindex">')
    site.answers["tags.test/nofollow"] = page("dead end", ["/never"], head='<meta name="robots" content="nofollow">')
    closed = page("header", ["/neither"])
    site.answers["tags.test/header"] = Reply(200, closed.body, (*closed.headers, ("X-Robots-Tag", "focuscrawl: none")))
    site.answers["tags.test/behind"] = page("behind an unlisted page")


def gaps(hits: list[Hit]) -> list[float]:
    """Seconds between requests."""
    return [later.t - earlier.t for earlier, later in pairwise(hits)]


def of(site: Site, host: str) -> list[Hit]:
    return [hit for hit in site.hits if hit.host == host]
