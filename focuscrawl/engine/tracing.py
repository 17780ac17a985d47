"""The stages of a crawl, run once on one page for `scrapy trace`. Reads the store and writes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from focuscrawl.dedup.method import DedupMethod
from focuscrawl.items import Duplicate, Link, Page, Verdict
from focuscrawl.links.extract import links_of
from focuscrawl.links.pagekind import headings_of, page_kind
from focuscrawl.politeness.guard import Guard
from focuscrawl.politeness.metarobots import directives, unfollowed
from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.report.plain import count, percent
from focuscrawl.report.trace import Trace
from focuscrawl.store.duplicates import DuplicateFinder
from focuscrawl.store.explain import RobotsFacts
from focuscrawl.text.decode import decode
from focuscrawl.text.document import Document, parse
from focuscrawl.text.extract import best_text, fast_text
from focuscrawl.text.meta import Meta, meta
from focuscrawl.text.segment import Segmenter, detect_language
from focuscrawl.text.tame import tame
from focuscrawl.text.weight import is_heavy
from focuscrawl.url.filters import refusing_rule
from focuscrawl.url.traps import trap_rule
from models.link_score import LinkScorer
from models.tunnelling import follow
from models.vsm import TopicModel


@dataclass(slots=True, frozen=True)
class Tools:
    """What a crawl decides with."""

    db: sqlite3.Connection
    model: TopicModel
    segmenter: Segmenter
    dedup: DedupMethod
    guard: Guard
    agent: str
    """Product token in robots.txt."""
    tunnel_depth: int
    best_text: bool


def admit(trace: Trace, tools: Tools, url: str, address: str, robots: RobotsFacts | None, now: float) -> None:
    """The stages before a fetch. Raises TraceEnded where one refuses."""
    rule = trace.step("url", lambda: refusing_rule(url) or trap_rule(url, 0, now), lambda rule: rule or "no rule refuses it")
    if rule:
        raise trace.end("end", f"a link to it is refused by the rule {rule}; only as a seed would it be fetched")
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if address:
        problem = trace.step(
            "guard", lambda: tools.guard.problem(address, port), lambda problem: problem or f"{address} port {port} is allowed"
        )
        if problem:
            raise trace.end("end", "no connection is made to it")
    allowed = trace.step("robots", lambda: _robots(robots, url, tools.agent), lambda told: told[1])[0]
    if not allowed:
        raise trace.end("end", "it is not fetched")


def _robots(robots: RobotsFacts | None, url: str, agent: str) -> tuple[bool, str]:
    if robots is None:
        return True, "no robots.txt of this host in the store"
    if robots.state != "rules":
        allowed = robots.state == "allow"
        return allowed, f"status {robots.status}: {'no rules' if allowed else 'nothing may be fetched'}"
    file = RobotsFile.parse(robots.body)
    line = file.rule(url, agent)
    allowed = file.allowed(url, agent)
    return allowed, f"{'allowed' if allowed else 'forbidden'}{f' by {line}' if line else ', no line matches'}"


def read(trace: Trace, tools: Tools, page: Page) -> None:
    """From the body to main text and links, as the crawl's page reader does it. Fills the page."""
    decoded = trace.step("decode", lambda: decode(page.body, page.content_type), lambda found: f"charset {found.charset}")
    page.charset, html = decoded.charset, decoded.text
    if trace.step("weigh", lambda: is_heavy(html), lambda heavy: "heavy: it is tamed first" if heavy else "an ordinary page"):
        html = trace.step("tame", lambda: tame(html), lambda tamed: f"{count(len(tamed))} characters are left")
    document: Document = trace.step("parse", lambda: parse(html), lambda _: f"{count(len(html))} characters")
    head: Meta = trace.step("head", lambda: meta(document), lambda found: f"title “{found.title}”")
    page.title, page.keywords, page.description = head.title, head.keywords, head.description
    page.text = trace.step("fast text", lambda: fast_text(html), lambda text: f"{count(len(text))} characters")
    page.language = trace.step("language", lambda: detect_language(page.text), lambda found: found or "unknown")
    trace.step("page kind", lambda: page_kind(page.url, page.text, headings_of(document)), str)
    _obey(trace, tools, page, head)
    found = trace.step(
        "links", lambda: links_of(document, page.url, page.charset, head), lambda found: f"{count(len(found.links))} links"
    )
    page.links = found.links
    if tools.best_text:
        trace.step("best text", lambda: best_text(html, page.language, page.url), lambda text: f"{count(len(text))} characters")


def _obey(trace: Trace, tools: Tools, page: Page, head: Meta) -> None:
    values = [value for name, value in page.headers if name.lower() == "x-robots-tag"]
    told = trace.step(
        "meta robots",
        lambda: directives(head.robots, values, tools.agent, page.fetched_at),
        lambda found: ", ".join(name for name in ("noindex", "nofollow") if getattr(found, name)) or "nothing is forbidden",
    )
    page.noindex, page.nofollow = told.noindex, told.nofollow


def judge(trace: Trace, tools: Tools, page: Page) -> None:
    """From the text to verdict and duplicate. Fills the page."""
    page.words = trace.step(
        "segment", lambda: tools.segmenter.terms(f"{page.title}\n{page.text}"), lambda words: f"{count(len(words))} terms"
    )
    page.verdict = trace.step("relevance", lambda: tools.model.judge(page.words), _verdict)
    page.fingerprint = trace.step(
        "fingerprint", lambda: tools.dedup.fingerprint(page.text, page.words), lambda mark: f"simhash {mark.simhash:016x}"
    )
    finder = DuplicateFinder(tools.dedup)
    page.duplicate = trace.step("dedup", lambda: finder(tools.db, page), _duplicate)


def _verdict(found: Verdict) -> str:
    terms = ", ".join(f"{term} {share:.2f}" for term, share in found.terms[:6])
    word = "relevant" if found.relevant else "not relevant"
    return f"{found.score:.3f}, threshold {found.threshold:.3f}: {word}{'; ' if terms else ''}{terms}"


def _duplicate(found: Duplicate | None) -> str:
    return f"{found.kind} duplicate of {found.url} ({percent(found.similarity)})" if found else "no other page has this text"


def score(trace: Trace, tools: Tools, page: Page, recorded: Iterable[Link] = ()) -> None:
    """Rules and scores of the page's links. `recorded`: the links as the crawl stored them; their refusals by rules that
    only the crawl knows (scope, yield, depth) hold here too."""
    scorer = LinkScorer(tools.model, tools.segmenter)
    known = {link.url: link.refused for link in recorded if link.refused}
    relevant = bool(page.verdict and page.verdict.relevant)
    blanket = "nofollow" if page.nofollow else "duplicate" if page.duplicate else ""
    if not blanket and not follow(relevant, page.lease.distance, tools.tunnel_depth):
        blanket = "tunnel"

    def work() -> int:
        for link in page.links:
            link.refused = blanket or known.get(link.url, "") or _rule(link, page)
            if not link.refused:
                scorer.score(link, page)
        return sum(not link.refused for link in page.links)

    trace.step("link scores", work, lambda scored: f"{count(scored)} scored, {count(len(page.links) - scored)} refused")
    trace.links = page.links


def _rule(link: Link, page: Page) -> str:
    return refusing_rule(link.url) or trap_rule(link.url, page.lease.depth + 1, page.fetched_at) or unfollowed(link.rel)
