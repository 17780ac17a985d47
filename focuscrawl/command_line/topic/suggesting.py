"""`scrapy topic suggest`: the loop in which keywords find pages, and terms of the picked pages find better ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.command_line.context import Context
from focuscrawl.command_line.crawls import crawl_for_topic
from focuscrawl.command_line.output import print_json, print_parts
from focuscrawl.command_line.topic import keys
from focuscrawl.command_line.topic.editing import many
from focuscrawl.command_line.topic.named_pages import listed, loader_of, open_topic, read_url
from focuscrawl.errors import BadInput, quoted
from focuscrawl.report.plain import plural
from focuscrawl.report.table import Table
from focuscrawl.report.translation import Language
from focuscrawl.store.crawls import Crawl, all_crawls
from focuscrawl.topics.crawl_labels import pass_on
from focuscrawl.topics.file_changes import TermEdits
from focuscrawl.topics.page_sources import Sources, apply_answers
from focuscrawl.topics.rounds import PagesAtHand, candidates_part, changes_parts, compared, terms_table
from focuscrawl.topics.suggesting import BY_SIMILARITY, Candidate, RankedTerm, candidates, queries_of, ranked_terms
from focuscrawl.topics.workspace import Workspace

ASKED_PAGES, ASKED_TERMS, MOST_TERMS = 10, 15, 30


def suggest_pages(context: Context, options: argparse.Namespace) -> int:
    workspace = open_topic(context, options.name)
    sources = _sources(context, options, workspace.paths.name)
    try:
        pages_at_hand = PagesAtHand(sources.latest())
        changing = options.pick or options.reject or options.terms or options.negative
        if changing or options.json:
            _once(workspace, sources, pages_at_hand, options, context.language)
        else:
            with keys.keyboard() as read:
                _loop(workspace, sources, pages_at_hand, Dialogue(read, context.language), many(options.query))
    finally:
        sources.close()
        pass_on(all_crawls(context.crawls_dir), workspace)  # rejected pages are labelled
    return 0


def _once(
    workspace: Workspace, sources: Sources, pages_at_hand: PagesAtHand, options: argparse.Namespace, language: Language
) -> None:
    """One round without questions, with the answers in the options."""
    queries = many(options.query) or queries_of(workspace)
    pages = sources.find(workspace, queries)
    pages_at_hand.add([*workspace.texts.values(), *pages])
    before = pages_at_hand.snapshot(workspace)
    picked, rejected = (_urls(many(values), [page.url for page in pages]) for values in (options.pick, options.reject))
    sources.hold(workspace, [*picked, *rejected])
    edits = TermEdits(keywords=many(options.terms), negative=many(options.negative))
    _apply(workspace, picked, rejected, edits)
    changes = compared(before, pages_at_hand.snapshot(workspace)) if picked or rejected or edits else None
    found, terms = candidates(workspace, pages), ranked_terms(workspace, MOST_TERMS)
    if options.json:
        rows = {"pages": found, "terms": terms, "changes": changes}
        print_json({"topic": workspace.paths.name, "queries": queries, **rows})
    else:
        print_parts([*_round(found, terms, queries), *(changes_parts(changes) if changes else [])], language)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Where answers come from, and in which language questions are asked."""

    read: keys.Read
    language: Language

    def ask(self, questions: Sequence[str]) -> list[str]:
        return keys.ask(questions, self.read, sys.stdout, _=self.language)

    def show(self, parts: Sequence[str | Table]) -> None:
        print_parts(parts, self.language)


def _loop(
    workspace: Workspace, sources: Sources, pages_at_hand: PagesAtHand, dialogue: Dialogue, queries: Sequence[str]
) -> None:
    """Rounds of questions until the user ends them. All answers of a round are on disk before its table is shown."""
    while True:
        pages = sources.find(workspace, queries or queries_of(workspace))
        pages_at_hand.add([*workspace.texts.values(), *pages])
        before = pages_at_hand.snapshot(workspace)
        found = candidates(workspace, pages)
        dialogue.show(_offered(found))
        _ask_pages(workspace, sources, [page for page in found if not page.answer][:ASKED_PAGES], dialogue)
        _ask_terms(workspace, dialogue)
        dialogue.show(["", *changes_parts(compared(before, pages_at_hand.snapshot(workspace)))])
        if keys.question(dialogue.language("Enter another round   q done"), dialogue.read, sys.stdout) == "q":
            return


def _ask_pages(workspace: Workspace, sources: Sources, found: Sequence[Candidate], dialogue: Dialogue) -> None:
    answers = dialogue.ask([page.question(dialogue.language) for page in found])
    picked, rejected = _accepted_and_rejected([page.url for page in found], answers)
    sources.hold(workspace, [*picked, *rejected])
    _apply(workspace, picked, rejected, TermEdits())


def _ask_terms(workspace: Workspace, dialogue: Dialogue) -> None:
    terms = [term for term in ranked_terms(workspace, MOST_TERMS) if term.standing not in ("keyword", "negative")][:ASKED_TERMS]
    if not terms:
        return
    dialogue.show([terms_table(terms, "Terms of the picked pages: accept makes a keyword, reject a negative term")])
    _ = dialogue.language
    answers = dialogue.ask([f"{term.word}   ({term.weight:.3f}{_(', ')}{_(plural(term.texts, 'page'))})" for term in terms])
    keywords, negative = _accepted_and_rejected([term.word for term in terms], answers)
    _apply(workspace, [], [], TermEdits(keywords=keywords, negative=negative))


def _accepted_and_rejected(values: Sequence[str], answers: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of these values, those that were accepted and those that were rejected."""
    accepted, rejected = (
        [value for value, answer in zip(values, answers, strict=True) if answer == kind] for kind in (keys.ACCEPT, keys.REJECT)
    )
    return accepted, rejected


def _apply(workspace: Workspace, picked: Sequence[str], rejected: Sequence[str], edits: TermEdits) -> None:
    apply_answers(workspace, picked, rejected)
    if edits:
        workspace.edit(edits)


def _urls(entries: Sequence[str], found: Sequence[str]) -> list[str]:
    """The URLs of entries that are URLs or numbers of pages that were found. Raises BadInput."""
    urls = []
    for entry in entries:
        if not entry.isdecimal():
            urls.append(read_url(entry))
        elif 1 <= int(entry) <= len(found):
            urls.append(found[int(entry) - 1])
        else:
            raise BadInput(f"{quoted(entry)} is not the number of a page; {len(found)} were found.")
    return urls


def _round(found: Sequence[Candidate], terms: Sequence[RankedTerm], queries: Sequence[str]) -> list[str | Table]:
    parts: list[str | Table] = [f"Searched for: {', '.join(queries)}"] if queries else []
    parts += _offered(found)
    if terms:
        parts.append(terms_table(terms, "Terms of the picked pages"))
    return parts


def _offered(found: Sequence[Candidate]) -> list[str | Table]:
    return [candidates_part(found), *([BY_SIMILARITY] if found else [])]


# Where the pages come from -------------------------------------------------------------------------------------------


def _sources(context: Context, options: argparse.Namespace, topic: str) -> Sources:
    """The sources that the options name; a crawl if they name none. Raises BadInput if a source does not exist."""
    urls = listed(options.list) if options.list else []
    named = options.crawl or not (options.searx or options.list)
    crawl = _chosen(context, options.crawl, topic) if named else None
    return Sources(loader_of(context), options.most, crawl=crawl, searx=options.searx, listed=urls)


def _chosen(context: Context, name: str, topic: str) -> Crawl:
    try:
        return crawl_for_topic(context, name, topic)
    except BadInput as error:
        if name:
            raise
        raise BadInput(f"{error}. Without a crawl, --searx URL or --list FILE give pages") from None
