"""Names causes in words: why URLs were not stored, with what a person can do about it; why links were refused; why runs end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus

from focuscrawl.text.language_labels import named


@dataclass(slots=True, frozen=True)
class Cause:
    words: str
    advice: str = ""


CAUSES: dict[str, Cause] = {
    "dns": Cause(
        "there is no such host: its name has no address",
        "check its spelling if it is a seed's host, and the network if nearly all hosts are affected",
    ),
    "dns-failed": Cause("no name server had an answer for the host", "check DNS_SERVERS if many hosts are affected"),
    "unreachable": Cause("no answer came"),
    "timeout": Cause("the server did not answer in time", "run again later; DOWNLOAD_TIMEOUT sets the patience"),
    "connect": Cause("no connection to the server", "the server is down or the network blocks it; run again later"),
    "reset": Cause("the server broke off the connection", "a higher POLITENESS_DELAY often helps"),
    "slow": Cause("the answer came too slowly to wait for", "run again when the server is less busy"),
    "partial": Cause("the answer ended before it was complete", "run again later"),
    "truncated": Cause("the answer was cut off", "run again later"),
    "tls": Cause("the secure connection failed", "the site's protocol is broken; try its http URL"),
    "certificate": Cause("the host's certificate is not good", "TLS_POLICY=note reads such hosts, and notes it with each page"),
    "protocol": Cause("the answer was not valid HTTP"),
    "headers": Cause("the response headers never ended"),
    "http-0.9": Cause("the answer has no status line: HTTP/0.9, or no HTTP at all"),
    "coding": Cause("the answer could not be unpacked to its end", "run again later"),
    "bomb": Cause("the answer was made to unpack to far more than ARCHIVE_BODY_BYTES"),
    "length": Cause(
        "the answer is longer than DOWNLOAD_MAXSIZE, or a document than ARCHIVE_BODY_BYTES", "these set the limits, in bytes"
    ),
    "robots": Cause("robots.txt forbids it", "these pages stay out; `scrapy why URL` names the line"),
    "robots-wait": Cause("robots.txt could not be read, so the host waits", "it is asked again later, by this run or the next"),
    "noindex": Cause("the page asks not to be indexed"),
    "type": Cause("the answer is not a text page", "an exclude pattern in the topic file saves these requests"),
    "address": Cause("the IP address is not allowed", "internal networks are closed; GUARD_ALLOW_NETWORKS opens one"),
    "port": Cause("the port is not allowed", "GUARD_ALLOW_PORTS opens one"),
    "scheme": Cause("the scheme is not http or https"),
    "badurl": Cause("the URL is not valid"),
    "url": Cause("a URL rule refused it"),
    "scope": Cause("it lies outside the scope"),
    "depth": Cause("too many clicks from a seed"),
    "redirect-loop": Cause("redirects led in a circle", "some sites do so to visitors without cookies"),
    "redirect-broken": Cause("a redirect had no usable target"),
    "mirror": Cause(
        "its host shows the pages of another one, of which it has nearly all",
        "`scrapy frontier add` queues it again; FRONTIER_BARREN_SHARE=0 keeps everything",
    ),
    "repeats": Cause(
        "it waited in a part of the web that mostly says what was said before, or has files, not pages",
        "`scrapy frontier add` queues it again; FRONTIER_BARREN_SHARE=0 keeps everything",
    ),
    "removed": Cause("an operator removed it", "`scrapy frontier add` puts it back"),
    "dropped": Cause("a component of your own did not let it through", "`scrapy frontier add` queues it again"),
    "crash": Cause("the crawler stopped three times while it read this page", "please report the URL"),
    "document": Cause("the document is broken, or larger than the limits of reading"),
    "encrypted": Cause("the document asks for a password"),
    "parse": Cause("the page could not be read", "please report the URL"),
    "internal": Cause("an error inside the crawler", "the log has the details; please report it"),
    "aborted": Cause("the crawl stopped first", "run again with the same name: it goes on"),
    "http-401": Cause("the page needs a login"),
    "http-403": Cause("the server refuses this crawler", "set CONTACT so that site owners can reach you, and slow down"),
    "http-404": Cause("the page does not exist"),
    "soft404": Cause("the server answers 200, but the page is empty or says that it does not exist"),
    "http-410": Cause("the page is gone for good"),
    "http-429": Cause("the server asks for fewer requests", "the crawl slows down by itself; raise POLITENESS_DELAY"),
    "http-503": Cause("the server is overloaded", "the crawl slows down by itself; raise POLITENESS_DELAY"),
}


def cause(name: str) -> Cause:
    """Words for any cause; an unknown one keeps its name."""
    if name in CAUSES:
        return CAUSES[name]
    if name.startswith("http-") and name[5:].isdigit():
        return _of_status(int(name[5:]))
    from focuscrawl.frontier.outcome import REDIRECT_REFUSED  # as in `rules`

    if name.startswith(REDIRECT_REFUSED):
        return Cause(f"it redirects to a URL that is refused: {rule_words(name.removeprefix(REDIRECT_REFUSED))}")
    return Cause(name.replace("-", " ") or "unknown")


LATER = "run again later: these pages are then tried once more"


def _of_status(status: int) -> Cause:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "unusual answer"
    if 500 <= status < 600:
        return Cause(f"server error {status} ({phrase})", LATER)
    return Cause(f"HTTP status {status} ({phrase})")


# Why links were not followed, and why crawls stop: the rules' names in words.


@cache
def rules() -> dict[str, str]:
    """Words by the name of the rule."""
    from focuscrawl.url import filters, scope, traps  # `scrapy runs` does without their patterns

    return {**traps.REASONS, **scope.REASONS, **filters.REASONS, **RULES}


RULES = {
    "nofollow": "the page or the link asks not to be followed (nofollow)",
    "ugc": "the link is marked as written by a visitor (rel=ugc)",
    "sponsored": "the link is marked as paid for (rel=sponsored)",
    "language": "the link says that it leads to a language for which the topic does not ask (hreflang)",
    "duplicate": "the page that links there repeats another one",
    "tunnel": "too many irrelevant pages in a row lead there",
    "depth": "too many clicks from a seed",
    "foreign": "it belongs to another worker (PARTITION_FOREIGN=drop)",
    "memory": "the bounded queues have no room for it",
}
"""Those that do not lie in the URL."""

# Why a run ends. A new reason needs words here and a row in docs/commands.md. It is a failure unless PLANNED_STOPS names it.

STOPS: dict[str, str] = {
    "empty": "no waiting URL falls due soon",
    "max_pages": "the wanted number of pages was reached",
    "max_relevant": "the wanted number of relevant pages was reached",
    "max_requests": "the wanted number of requests was made",
    "minutes": "the time was up",
    "fresh": "nothing is due any more",
    "budget": "the request budget is used up",
    "harvest": "the share of relevant pages fell below the limit",
    "promise": "too few relevant pages are expected",
    "edge": "the edge of the topic was reached: no waiting URL promises a relevant page",
    "drift": "the crawl drifted away from its topic",
    "outage": "most hosts with pages do not answer now",
    "no_topic": "no topic could be made",
    "stopped": "an operator stopped the crawl",
    "running": "another process was at work",
    "lost": "another process took this one for dead",
    "failure": "it failed; the log has the error",
    "SIGINT": "Ctrl-C was pressed, or the job was cancelled in Scrapyd",
    "SIGTERM": "a signal asked it to end",
    "shutdown": "the program that started it ended it",
    "cancelled": "cancelled",
    "finished": "finished",
}

FIGURES = frozenset({"harvest", "promise", "edge", "drift", "no_topic"})
"""Reasons whose words are shown before their figures or details."""

PLANNED_STOPS = frozenset({
    "finished", "empty", "max_pages", "max_relevant", "max_requests", "minutes", "harvest", "promise", "edge", "drift", "fresh",
    "budget",
})  # fmt: skip
"""Reasons of a crawl that has done what was asked, so that its exit code is 0."""


def rule_words(name: str) -> str:
    """Words for any rule; an unknown one keeps its name."""
    return rules().get(name, name.replace("-", " "))


def other_language_words(language: str, asked: Collection[Sequence[str]]) -> str:
    """Why a page in this language is not relevant. `asked`: for each topic, the languages that it asks for instead."""
    names = dict.fromkeys(named(each) for languages in asked for each in languages)
    return f"it is in {named(language)}, and the topic{'s ask' if len(asked) > 1 else ' asks'} for {' or '.join(names)}"


def stop_words(reason: str, why: str = "") -> str:
    """Why a run ended, with its figures (`why`) if there are any. An empty reason means that the run never came to its end."""
    if reason and why:
        return f"{STOPS[reason]} ({why})" if reason in FIGURES else why
    return STOPS.get(reason, reason) if reason else "it did not end cleanly"
