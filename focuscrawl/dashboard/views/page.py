"""One URL: why it was fetched or not, how it was found, its text, versions and links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from focuscrawl.command_line.option_values import url_of
from focuscrawl.errors import BadInput
from focuscrawl.inspect.explained import explained
from focuscrawl.items import counted
from focuscrawl.recrawl.diff import diff
from focuscrawl.report import score_parts
from focuscrawl.report.page_content import content_table
from focuscrawl.report.revisits.changes_page import shortened
from focuscrawl.report.revisits.page_freshness import freshness_parts
from focuscrawl.report.score import scores_of
from focuscrawl.report.table import Table
from focuscrawl.report.why import answer, reason, sentence
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import Explanation, PageFacts
from focuscrawl.store.pages.browsing import alike, linking_pages, path_to, title_and_text
from focuscrawl.store.pages.links import stored_links
from focuscrawl.store.revisits.versions import VersionDiff, diff_of
from focuscrawl.store.workers.status import store_now
from focuscrawl.url.key import url_key

QUERY = frozenset({"url", "version", "beside"})
MOST_LINKS, MOST_LINKING, MOST_ALIKE = 200, 50, 30
LONGEST_TEXT = 20_000
"""Characters of a text that are shown."""
LONGEST_COMPARED = 200_000
"""Characters of two texts that are compared."""
AGENT, POLICY = "our agent", "our policy"
"""Keys that the dashboard adds to the query: our product token in robots.txt, and the setting RECRAWL_POLICY."""


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    if not query.get("url"):
        raise BadInput("which page? Give its URL as url=")
    url, now = url_of(query["url"]), store_now(db)
    facts = explained(db, url)
    page, agent, policy = facts.page, query.get(AGENT, "*"), query.get(POLICY, "optimal")
    found: dict[str, object] = {
        "url": url, "at": now, "answer": answer(facts), "reason": reason(facts), "sentence": sentence(facts, now, agent),
        "page": _page(page),
        "state": facts.entry.state.name if facts.entry else "", "parent": _parent(facts), "scores": _scores(facts),
        "search": asdict(facts.search) if facts.search else None,
        "host": asdict(facts.host) if facts.host else None, "near": list(facts.near), "inlinks": facts.inlinks,
        "announced_by": list(facts.announced_by),
        "labels": {topic: asdict(label) for topic, label in facts.labels.items()},
        "verdicts": {topic: asdict(verdict) for topic, verdict in facts.verdicts.items()},
        "other_languages": facts.other_languages,
        "path": [asdict(step) for step in path_to(db, facts.found_on.page_id if facts.found_on else 0)],
        "linking": [asdict(each) for each in linking_pages(db, *url_key(url).url_id, MOST_LINKING)],
        "freshness": _tables(freshness_parts(facts.freshness, facts.entry, now, policy)),
        "content": _tables([content_table(facts.content, url)] if facts.content else []),
        "text": "", "links": [], "more_links": 0, "alike": [], "versions": [], "diff": None,
    }  # fmt: skip
    return found | _of_page(db, page, facts, query) if page else found


def _of_page(db: Database, page: PageFacts, facts: Explanation, query: Mapping[str, str]) -> dict[str, object]:
    """The data that only a stored page has."""
    links = sorted(stored_links(db, page.page_id), key=lambda link: (bool(link.refused), -link.score))
    text = title_and_text(db, page.page_id)
    versions = facts.freshness.versions if facts.freshness else ()
    return {
        "text": text[1][:LONGEST_TEXT] if text else "", "text_cut": bool(text and len(text[1]) > LONGEST_TEXT),
        "links": [
            {"url": link.url, "anchor": link.anchor, "score": link.score, "refused": link.refused, "parts": link.parts}
            for link in links[:MOST_LINKS]
        ],
        "more_links": max(len(links) - MOST_LINKS, 0),
        "alike": [asdict(each) for each in alike(db, page.page_id, MOST_ALIKE)],
        "versions": [asdict(version) for version in reversed(versions)],
        "diff": _diff(db, page, query),
    }  # fmt: skip


def _diff(db: Database, page: PageFacts, query: Mapping[str, str]) -> dict[str, object] | None:
    """The difference from a former version, or between this page and another one. Raises BadInput."""
    if number := query.get("version"):
        found = diff_of(db, page.page_id, int(number)) if number.isdecimal() and len(number) < 10 else None
        if found is None:
            raise BadInput(f"version {number[:20]!r} of this page is not kept")
        return asdict(shortened(found)) | {"beside": ""}
    if other := query.get("beside"):
        mine, its = (title_and_text(db, page_id) for page_id in (page.page_id, _number(other)))
        if mine is None or its is None:
            raise BadInput(f"there is no page number {other[:20]!r} to compare it with")
        pieces = diff(mine[1][:LONGEST_COMPARED], its[1][:LONGEST_COMPARED])
        return asdict(shortened(VersionDiff(0, 0, mine[0], its[0], pieces))) | {"beside": other}
    return None


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def _page(page: PageFacts | None) -> dict[str, object] | None:
    return asdict(page) | {"terms": counted(page.terms)} if page else None


def _parent(facts: Explanation) -> dict[str, object] | None:
    """The page on which the URL was found, with the text of the link. `redirected`: where that leads, if it redirected to the
    URL."""
    parent = facts.found_on
    if parent is None:
        return None
    link = parent.link
    return {
        "url": parent.url, "title": parent.title, "relevance": parent.relevance, "relevant": parent.relevant,
        "anchor": link.anchor if link else "", "context": link.context if link else "",
        "redirected": link.url if link and link.url != facts.url else "",
    }  # fmt: skip


def _scores(facts: Explanation) -> list[dict[str, object]]:
    """The parts of its scores, as charts."""
    return [waterfall(score.title, score.parts, score.score, score.total) for score in scores_of(facts)]


def waterfall(title: str, parts: Mapping[str, float], score: float, total: str) -> dict[str, object]:
    """A waterfall chart: each bar begins where the one before it ends. Positions and widths are shares of the chart's width.
    `score` is the end of the last bar, and `total` its name."""
    at, ends = 0.0, [0.0, score]
    bars: list[dict[str, Any]] = []
    for name, value in parts.items():
        topic, words = score_parts.topic_and_words(name)
        bars.append(
            {"topic": topic, "words": words, "meaning": score_parts.meaning(name), "value": value, "from": at, "to": at + value}
        )
        at += value
        ends.append(at)
    lowest, span = min(ends), max(max(ends) - min(ends), 1e-9)
    for bar in bars:
        bar["left"] = (min(bar["from"], bar["to"]) - lowest) / span
        bar["width"] = abs(bar["value"]) / span
    return {"title": title, "total": total, "bars": bars, "score": score, "zero": -lowest / span,
        "sum_left": (min(0.0, score) - lowest) / span,
        "sum_width": abs(score) / span}  # fmt: skip


def _tables(parts: list[str | Table] | list[Table]) -> list[dict[str, object]]:
    """The tables among these parts of the report, as plain values."""
    return [
        {"title": part.title, "columns": [column.title for column in part.columns], "rows": [list(row) for row in part.rows]}
        for part in parts
        if isinstance(part, Table)
    ]
