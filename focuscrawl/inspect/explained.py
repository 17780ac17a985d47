"""Explains a URL by the store. Adds the part of the web for which it was refused, with what that part has brought, and the
topics that ask for pages in other languages.

A part is a directory, a template of URLs, the name of a query parameter, a host, a domain, first visits, or a mirror. Its
counts are not kept with the URL. They are the present ones, computed from what the crawl's workers have shared, and judged by
the share that was the bound of the last run.
"""

from __future__ import annotations

from dataclasses import replace

from focuscrawl.frontier.lanes import is_behind
from focuscrawl.frontier.states import ASIDE, BY_PART
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import Explanation, PageFacts, explain
from focuscrawl.store.outlook import term_forms
from focuscrawl.store.pages.page_texts import whole_text_of
from focuscrawl.store.pages.verdicts import languages_asked
from focuscrawl.store.workers.runs import last_setting
from focuscrawl.store.workers.status import store_now
from focuscrawl.text.language_labels import asks_for
from focuscrawl.text.stems import spelled


def explained(db: Database, url: str) -> Explanation:
    """The facts about a normalized URL."""
    facts = explain(db, url)
    entry, refusal = facts.entry, facts.refusal
    if entry is not None:
        closed = is_behind(entry.priority) or entry.error in ASIDE
    else:
        closed = refusal is not None and refusal.rule in BY_PART
    if facts.page:
        facts = replace(_as_written(db, facts, facts.page), other_languages=_others(db, facts.page.language))
    return replace(facts, part=_part(db, url, facts.found_on.url if facts.found_on else "")) if closed else facts


def _others(db: Database, language: str) -> dict[str, tuple[str, ...]]:
    return {topic: asked for topic, asked in languages_asked(db).items() if not asks_for(asked, language)}


def _as_written(db: Database, facts: Explanation, page: PageFacts) -> Explanation:
    """The facts with the terms that counted in the form that the page, or else other pages, write."""
    forms = term_forms(db, whole_text_of(db, page.page_id))
    verdicts = {topic: replace(verdict, terms=spelled(verdict.terms, forms)) for topic, verdict in facts.verdicts.items()}
    return replace(facts, page=replace(page, terms=spelled(page.terms, forms)), verdicts=verdicts)


def _part(db: Database, url: str, parent: str) -> str:
    # Imported here, because most URLs do not need it.
    from focuscrawl.crawl.link_rules import YIELDS_LOG
    from focuscrawl.crawl.sharing import take_over
    from focuscrawl.frontier.yields import YieldLimit

    share = last_setting(db, "FRONTIER_BARREN_SHARE")
    yields = YieldLimit(float(share)) if share else YieldLimit()
    take_over(db, YIELDS_LOG, yields, store_now(db))
    return yields.reason(url, parent)
