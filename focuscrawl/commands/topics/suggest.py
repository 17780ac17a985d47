"""`scrapy topic suggest`: the loop from keywords to pages to terms to better pages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from focuscrawl.commands.topics import keys
from focuscrawl.commands.topics.pages import address
from focuscrawl.commands.topics.sources import Sources
from focuscrawl.commands.topics.subcommand import Context, print_json, print_parts
from focuscrawl.commands.topics.terms import many
from focuscrawl.errors import BadInput, quoted
from focuscrawl.report.plain import one_line, plural
from focuscrawl.report.table import Table
from focuscrawl.topics.file_changes import TermEdits
from focuscrawl.topics.paths import existing
from focuscrawl.topics.rounds import Pool, candidates_table, changes_parts, compared, terms_table
from focuscrawl.topics.suggesting import Candidate, RankedTerm, candidates, plain, queries_of, ranked_terms
from focuscrawl.topics.workspace import Workspace

USAGE = (
    "suggest NAME [--crawl NAME] [--searx URL] [--list FILE] [--query A,B] [--most N]"
    " [--pick URL|N,...] [--reject URL|N,...] [--terms A,B] [--negative A,B] [--json]"
)
SUMMARY = (
    "Find pages in your crawls, by a SearXNG instance or from a list; pick some, see their terms ranked, pick some, and again."
    " On a terminal by single keys; with --pick, --reject, --terms, --negative or --json one round without questions."
)
ASKED_PAGES, ASKED_TERMS, MOST_TERMS = 10, 15, 30


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    for option in ("--crawl", "--searx", "--list"):
        parser.add_argument(option, default="")
    parser.add_argument("--most", type=int, default=20)
    for option in ("--query", "--pick", "--reject", "--terms", "--negative"):
        parser.add_argument(option, action="append", default=[])
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    if options.most < 1:
        raise BadInput(f"--most {options.most}: 1 or more is wanted.")
    workspace = Workspace(existing(context.topics_dir, options.name), context.day, context.min_weight)
    sources = Sources(context, options.crawl, options.searx, options.list, options.most)
    try:
        pool = Pool(sources.latest())
        said = options.pick or options.reject or options.terms or options.negative
        if said or options.json:
            _once(workspace, sources, pool, options)
        else:
            with keys.keyboard() as read:
                _loop(workspace, sources, pool, read, many(options.query))
    finally:
        sources.close()
    return 0


def _once(workspace: Workspace, sources: Sources, pool: Pool, options: argparse.Namespace) -> None:
    """One round as the options say it."""
    queries = many(options.query) or queries_of(workspace)
    pages = sources.find(workspace, queries)
    pool.add([*workspace.texts.values(), *pages])
    before = pool.snapshot(workspace)
    picked, rejected = (_addresses(many(values), [page.url for page in pages]) for values in (options.pick, options.reject))
    sources.hold(workspace, [*picked, *rejected])
    edits = TermEdits(keywords=many(options.terms), negative=many(options.negative))
    _apply(workspace, picked, rejected, edits)
    changes = compared(before, pool.snapshot(workspace)) if picked or rejected or edits else None
    found, terms = candidates(workspace, pages), ranked_terms(workspace, MOST_TERMS)
    if options.json:
        told = changes.plain() if changes else None
        print_json(
            {"topic": workspace.paths.name, "queries": queries, "pages": plain(found), "terms": plain(terms), "changes": told}
        )
    else:
        print_parts([*_round(found, terms, queries), *(changes_parts(changes) if changes else [])])


def _loop(workspace: Workspace, sources: Sources, pool: Pool, read: keys.Read, queries: Sequence[str]) -> None:
    """Rounds until the user is content. Every answer is on disk when its round's table is shown."""
    while True:
        pages = sources.find(workspace, queries or queries_of(workspace))
        pool.add([*workspace.texts.values(), *pages])
        before = pool.snapshot(workspace)
        found = candidates(workspace, pages)
        print_parts([candidates_table(found, "Pages") if found else "No page was found; other keywords may find some."])
        _ask_pages(workspace, sources, [page for page in found if not page.answer][:ASKED_PAGES], read)
        _ask_terms(workspace, read)
        print_parts(["", *changes_parts(compared(before, pool.snapshot(workspace)))])
        if keys.question("Enter another round   q done", read, sys.stdout) == "q":
            return


def _ask_pages(workspace: Workspace, sources: Sources, found: Sequence[Candidate], read: keys.Read) -> None:
    questions = [
        f"{one_line(page.title, 70) or '(no title)'}\n    {one_line(page.url, 100)}\n    {page.excerpt}" for page in found
    ]
    answers = keys.ask(questions, read, sys.stdout)
    by_answer = {
        kind: [page.url for page, answer in zip(found, answers, strict=True) if answer == kind]
        for kind in (keys.ACCEPT, keys.REJECT)
    }
    sources.hold(workspace, [*by_answer[keys.ACCEPT], *by_answer[keys.REJECT]])
    _apply(workspace, by_answer[keys.ACCEPT], by_answer[keys.REJECT], TermEdits())


def _ask_terms(workspace: Workspace, read: keys.Read) -> None:
    terms = [term for term in ranked_terms(workspace, MOST_TERMS) if term.standing not in ("keyword", "negative")][:ASKED_TERMS]
    if not terms:
        return
    print_parts([terms_table(terms, "Terms of the picked pages: accept makes a keyword, reject a negative term")])
    answers = keys.ask([f"{term.word}   ({term.weight:.3f}, {plural(term.texts, 'page')})" for term in terms], read, sys.stdout)
    words = {
        kind: [term.word for term, answer in zip(terms, answers, strict=True) if answer == kind]
        for kind in (keys.ACCEPT, keys.REJECT)
    }
    _apply(workspace, [], [], TermEdits(keywords=words[keys.ACCEPT], negative=words[keys.REJECT]))


def _apply(workspace: Workspace, picked: Sequence[str], rejected: Sequence[str], edits: TermEdits) -> None:
    if rejected:
        workspace.reject(rejected)
    if picked:
        workspace.pick(picked)
    if edits:
        workspace.edit(edits)


def _addresses(entries: Sequence[str], found: Sequence[str]) -> list[str]:
    """URLs, or numbers of the pages found."""
    urls = []
    for entry in entries:
        if not entry.isdecimal():
            urls.append(address(entry))
        elif 1 <= int(entry) <= len(found):
            urls.append(found[int(entry) - 1])
        else:
            raise BadInput(f"{quoted(entry)} is no number of a page; {len(found)} were found.")
    return urls


def _round(found: Sequence[Candidate], terms: Sequence[RankedTerm], queries: Sequence[str]) -> list[str | Table]:
    told: list[str | Table] = [f"Searched for: {', '.join(queries)}"] if queries else []
    told.append(candidates_table(found, "Pages") if found else "No page was found; other keywords may find some.")
    if terms:
        told.append(terms_table(terms, "Terms of the picked pages"))
    return told
