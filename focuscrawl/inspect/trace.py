"""Runs the stages of a crawl on one page for `scrapy trace`, by the crawl's own rules. It only reads the store.

Every stage is the function that a crawl calls. What the crawl has learned (document frequencies, page model, order strategy,
tunnelling, yields of parts of the web) comes from the store, see `focuscrawl.inspect.learned_state`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from focuscrawl.config.options import Options
from focuscrawl.crawl.page_reading import set_facts
from focuscrawl.crawl.relevance.stored_topic import judge_of
from focuscrawl.dedup.methods import DedupMethod
from focuscrawl.errors import BadInput
from focuscrawl.inspect.learned_state import LearnedState
from focuscrawl.inspect.stored_web import DECIDED_AGAIN
from focuscrawl.items import Duplicate, Lease, Link, Page, Verdict, counted
from focuscrawl.links.series import text_or_frames
from focuscrawl.politeness.guard import Guard
from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.reading.content import ArchivedResponse, read_content
from focuscrawl.reading.page import read_page
from focuscrawl.report.plain import count, percent, plural
from focuscrawl.report.reasons import cause, other_language_words
from focuscrawl.report.trace import Trace
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import Explanation
from focuscrawl.store.outlook import term_forms
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.pages.verdicts import best_of, topics_of
from focuscrawl.store.workers.status import store_now
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.stems import spelled
from focuscrawl.text.vocabulary import Vocabulary
from focuscrawl.url.authority import port_of
from focuscrawl.url.key import url_key
from models.page.page_context import model_input
from models.page.page_model import PageModel, verdict_on

PAGE_RULES = DECIDED_AGAIN | {"nofollow"}
"""Rules that may have refused a link when it was found, and are asked again with what is known now."""


@dataclass(slots=True, frozen=True)
class Tools:
    """The objects by which a crawl decides."""

    db: Database
    models: dict[str, PageModel]
    """Page models by topic; the only one of a crawl of one topic has an empty name."""
    segmenter: Segmenter
    dedup: DedupMethod
    guard: Guard
    state: LearnedState
    """The crawl's link rules and order strategy. They know nothing of the crawl until `score` lets them learn."""
    agent: str
    """Product token in robots.txt."""
    best_text: bool


def tools_of(crawl: Crawl, db: Database, options: Options, guard: Guard) -> Tools:
    """The tools as the crawl would have them.

    Args:
        crawl: the crawl, whose topic judges the page.
        db: its store, opened for reading.
        options: the present settings.
        guard: what may be connected to, by the present settings.

    Raises:
        BadInput: the crawl has no topic yet.
    """
    models = {name: _model(crawl, db, name, options.relevance_model) for name in topics_of(db) or ("",)}
    vocabulary = Vocabulary.of_all(model.topic.evidence.vocabulary for model in models.values())
    segmenter = Segmenter.of(vocabulary, options.relevance_segmenter)
    return Tools(
        db=db,
        models=models,
        segmenter=segmenter,
        dedup=options.dedup,
        guard=guard,
        state=LearnedState(db, crawl.name, options, models, segmenter),
        agent=options.robotstxt_user_agent,
        best_text=options.relevance_best_text,
    )


def _model(crawl: Crawl, db: Database, name: str, kind: str) -> PageModel:
    judge = judge_of(db, name, kind, store_now(db))
    if judge is None:
        raise BadInput(f"crawl {crawl.name!r} has no topic yet; let it fetch its first pages")
    return judge


def page_of(facts: Explanation, status: int, headers: tuple[tuple[str, str], ...], body: bytes, fetched_at: float) -> Page:
    """The page that the crawl would make of an answer."""
    url, entry = facts.url, facts.entry
    hid, uid = url_key(url).url_id
    lease = Lease(hid, uid, url, entry.priority, entry.depth, entry.distance) if entry else Lease(hid, uid, url)
    page = Page(lease, url, status, fetched_at, headers=headers, body=body)
    page.content_type = next((value for name, value in headers if name.lower() == "content-type"), "")
    return page


def admit_url(trace: Trace, tools: Tools, url: str, now: float, archived: bool = False) -> None:
    """Apply the rules on the URL alone, as for a link to it. Raises TraceEnded if one refuses, unless it was fetched before."""
    linking = Page(Lease(0, 0, ""), "", fetched_at=now)
    rule = trace.step("url", lambda: tools.state.rules.url_rule(url, linking), lambda rule: rule or "no rule refuses it")
    if rule and not archived:
        raise trace.end("end", f"a link to it is refused by the rule {rule}; only as a seed would it be fetched")


def admit_address(trace: Trace, tools: Tools, url: str, ip_address: str) -> None:
    """Ask the guard, under the present settings, about the IP address of a page that was fetched before."""
    parts = urlsplit(url)
    port = port_of(parts)
    trace.step(
        "guard",
        lambda: tools.guard.problem(ip_address, port),
        lambda problem: f"now refused: {problem}" if problem else f"{ip_address} port {port} is allowed",
    )


def admit_robots(trace: Trace, tools: Tools, url: str, robots: RobotsState | None, archived: bool = False) -> None:
    """Apply the origin's robots rules. Raises TraceEnded if they forbid the URL, unless the page is archived."""
    allowed = trace.step("robots", lambda: allowed_by(robots, url, tools.agent), lambda answer: answer[1])[0]
    if not allowed and not archived:
        raise trace.end("end", "it is not fetched")


def allowed_by(robots: RobotsState | None, url: str, agent: str) -> tuple[bool, str]:
    """Whether the origin's robots rules allow the URL, and which line or status decides."""
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
    """Read main text and links from the body with the crawl's page reader, into `page`. Raises TraceEnded for a document that
    cannot be read."""
    reading = read_page(page.body, page.content_type, page.url)
    if reading.error:
        raise trace.end("end", f"it is not stored: {cause(reading.error).words} ({reading.error})")
    notes = {
        "decode": f"charset {reading.charset}, {plural(reading.bad_bytes, 'broken character')}",
        "weigh": "heavy: a worker process reads a sanitized copy" if reading.heavy else "an ordinary page",
        "parse": plural(len(page.body), "byte"),
        "meta": f"title “{reading.title}”",
        "text": plural(len(reading.text), "character") + (f" ({reading.note})" if reading.note else ""),
        "links": f"{plural(len(reading.links), 'link')}, {count(reading.links_bad)} broken, {reading.links_capped} too many",
        "describe": f"language {reading.language or 'unknown'}, {reading.kind} page; “{reading.summary[:60]}”",
    }
    for name, milliseconds in reading.timings.items():
        trace.note(name, notes.get(name, ""), milliseconds)
    trace.step("meta robots", lambda: set_facts(page, reading, tools.agent), lambda _: _directives(page))


def _directives(page: Page) -> str:
    return ", ".join(name for name in ("noindex", "nofollow") if getattr(page, name)) or "nothing is forbidden"


def judge(trace: Trace, tools: Tools, page: Page) -> None:
    """Judge relevance and look for duplicates by the text, and store the results in `page`."""
    page.words = trace.step("segment", lambda: tools.segmenter.terms(page.whole), lambda words: f"{count(len(words))} terms")
    given = model_input(page, page.words, tools.segmenter)
    verdicts, forms = {}, term_forms(tools.db, page.whole)
    for name, model in tools.models.items():
        decide = partial(verdict_on, model, *given, page.language)
        say = partial(_verdict, model=model, language=page.language, forms=forms)
        verdicts[name] = trace.step(f"relevance {name}".rstrip(), decide, say)
    page.verdict = best_of(verdicts)
    page.verdicts = verdicts if len(verdicts) > 1 else {}
    said = text_or_frames(page)
    page.fingerprint = trace.step(
        "fingerprint", lambda: tools.dedup.fingerprint(said, page.words), lambda mark: f"simhash {mark.simhash:016x}"
    )
    finder = DuplicateFinder(tools.dedup)
    page.duplicate = trace.step("dedup", lambda: finder(tools.db, page), _duplicate)
    if tools.best_text and page.verdict.relevant and not page.duplicate:
        read = partial(read_content, page.body, ArchivedResponse(page.url, page.content_type, page.headers, page.language))
        trace.step("read whole", read, lambda content: f"{plural(content.characters, 'character')} by {content.extractor}")


def _verdict(verdict: Verdict, model: PageModel, language: str, forms: Mapping[str, str]) -> str:
    """`forms`: how pages write the terms that are stems."""
    terms = ", ".join(f"{term} {share:.2f}" for term, share in spelled(counted(verdict.terms)[:6], forms))
    word = "relevant" if verdict.relevant else "not relevant"
    if not model.topic.asks_for(language):
        word += f", because {other_language_words(language, [model.topic.languages])}"
    return f"{verdict.relevance:.3f}, threshold {verdict.threshold:.3f}: {word}{'; ' if terms else ''}{terms}"


def _duplicate(duplicate: Duplicate | None) -> str:
    return (
        f"{duplicate.kind} duplicate of {duplicate.url} ({percent(duplicate.similarity)})"
        if duplicate
        else "no other page has this text"
    )


def score(trace: Trace, tools: Tools, page: Page, recorded: Iterable[Link] = ()) -> None:
    """Apply link rules and link scores to the page's links, with what the crawl has learned so far.

    Nothing is learned from the page itself, because the crawl has already learned from an archived page.
    `recorded`: the links as the crawl stored them. Refusals by rules that cannot be asked again are taken over from them.
    """
    state = tools.state
    trace.step("learned so far", state.learn, state.summary)
    trace.stages[-1] = replace(trace.stages[-1], milliseconds=None)  # a crawl has it in memory, so it is not the page's time
    known = {link.url: link.refused for link in recorded if link.refused and link.refused not in PAGE_RULES}

    def work() -> int:
        for link in page.links:
            link.refused = known.get(link.url, "")
        state.rules.refuse(page)
        state.order.see(page)
        return sum(not link.refused for link in page.links)

    trace.step("link scores", work, lambda scored: f"{count(scored)} scored, {count(len(page.links) - scored)} refused")
    trace.links = page.links


def run(trace: Trace, tools: Tools, page: Page, recorded: Sequence[Link] = ()) -> None:
    """Run all stages after the fetch. Reading and judging run once before they are timed, so that the times do not include what
    libraries load at their first use."""
    for each in (Trace(trace.url, trace.source), trace):
        copy = replace(page)
        read(each, tools, copy)
        judge(each, tools, copy)
    score(trace, tools, copy, recorded)
