"""The search index of a crawl: tantivy's inverted index over our terms, in the directory `search` beside the store.

Invariant: pages, and the state up to where the index has followed the store, are written in one commit, so that a crash leaves
the index as it was before. One process writes at a time; any number read. The index can be deleted at any time, and is then
made again from the store.

score = (BM25(words) + PAIR_WEIGHT * BM25(pairs of neighbors)) * (1 + PRIOR * relevance)

BM25 with k1=1.2 and b=0.75 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) is summed
over title and text, which are separate fields, so that a word in the short title is worth more. The relevance is a factor, not
a summand, so that it weighs the same however many and however rare the words are. It is applied to every page that matches, the
pairs only to the best of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson
import tantivy
from tantivy import Occur

from focuscrawl.search.query import Query
from focuscrawl.search.terms import Analyzer, is_han
from focuscrawl.text.segment import function_words

DIRECTORY = "search"
FORMER = "search.sqlite"
"""The index file of earlier versions."""
VERSION = 3
"""To be raised when the fields, or what is put into them, change."""
RUN_WEIGHT = 0.2
"""Weight of the characters of a Chinese query in their order, relative to its words. They find text that was cut in another
way. Chosen on the web dev of tools.eval.search: the MRR of its Chinese anchors is .91 from 0 to .25, and .90 with .5."""
PRIOR = 0.5
"""A page of relevance 1 scores half as much again as one of relevance 0 with the same words."""
PAIR_WEIGHT = 0.3
"""Weight of words that are neighbors in the query and in a page, relative to the words themselves (Metzler and Croft, "A
Markov Random Field Model for Term Dependencies", 2005). Chosen on the web dev-en of tools.eval.search: the MRR of its anchors
is .82 without, and .86, .86 and .87 with .1, .3 and 1."""
RERANKED = 200
"""Best pages that are ranked again with the neighbors, whose lists are so long that ranking all pages would take too long."""
WRITER_BYTES = 17_000_000
"""Memory of the writer. With 20 MB an update takes 5 MB more. With tantivy's minimum of 15 it makes three times as many parts,
and takes a tenth more CPU time with merging them."""
STATE_ID = 0
"""Stands in place of a page's number in the document that holds the state."""


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """A page as it is put into the index."""

    page_id: int
    stamp: str
    """Differs whenever any of the fields below differs."""
    host: str
    language: str
    title: str
    text: str
    at: float
    """The page's date, in epoch seconds."""
    relevance: float
    relevant: bool
    pending: bool
    """Whether its content is still to be read."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """Up to where the index has followed the store."""

    version: int = 0
    analyzer: str = ""
    last_page: int = 0
    last_change: int = 0
    last_run: int = 0
    """All that the runs up to this one have stored is known."""
    basis: str = ""
    """What the whole collection depends on. If it changes, the index is made again."""
    identity: str = ""
    """Identifies the last page, because a crawl may have been deleted and a new one begun under its name."""


@dataclass(frozen=True, slots=True)
class Hit:
    page_id: int
    score: float
    """BM25 times prior; larger is better."""


class IndexLockedError(Exception):
    """Another process writes to the index."""


class SearchIndex:
    """The index in a directory, or in memory. Not safe for use from two threads at once.

    Raises what tantivy raises (ValueError, OSError and its own PanicException) if a file is damaged or cannot be written.
    """

    def __init__(self, path: Path | None, analyzer: Analyzer) -> None:
        """`path`: a directory, which is made if needed; None: the index is in memory."""
        self._analyzer = analyzer
        self._schema = _schema()
        if path is not None:
            path.mkdir(exist_ok=True)
        self._index = tantivy.Index(self._schema, str(path) if path is not None else None)
        self._writer: tantivy.IndexWriter | None = None
        self._cleared = False
        """Whether the next commit forgets all that was committed before."""
        self._reload()

    def _reload(self) -> None:
        """Read what was committed last. The state of another version or analyzer counts as that of an empty index."""
        self._cleared = False
        self._index.reload()
        self._searcher = self._index.searcher()
        found = self._searcher.search(self._term("kind", STATE), 1, count=False).hits
        kept = orjson.loads(str(self._searcher.doc(found[0][1])["state"][0])) if found else {}
        is_current = (kept.get("version"), kept.get("analyzer")) == (VERSION, self._analyzer.name)
        self.state = IndexState(**kept) if is_current else IndexState(VERSION, self._analyzer.name)

    # --- writing ---------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Become the one process that writes. An index of another version or analyzer is cleared.

        Raises IndexLockedError if another process writes."""
        if self._writer is not None:
            return
        try:
            self._writer = self._index.writer(WRITER_BYTES, 1)
        except ValueError as error:
            if "LockBusy" in str(error):
                raise IndexLockedError from None
            raise
        self._reload()
        if not self.state.last_page:
            self.clear()

    def clear(self) -> None:
        """Forget all pages with the next commit."""
        assert self._writer is not None
        self._writer.delete_all_documents()
        self._cleared = True
        self.state = IndexState(VERSION, self._analyzer.name)

    def put(self, page: IndexedPage) -> None:
        """Add a page, or replace it."""
        assert self._writer is not None
        self._writer.delete_documents_by_term("page_id", page.page_id)
        cut = self._analyzer
        document = {
            "page_id": page.page_id,
            "stamp": page.stamp,
            "kind": " ".join([PAGE, *([RELEVANT] if page.relevant else []), *([PENDING] if page.pending else [])]),
            "title": " ".join(cut.terms(page.title)),
            "body": " ".join(cut.terms(page.text)),
            "title_sequence": " ".join(cut.sequence(page.title)),
            "body_sequence": " ".join(cut.sequence(page.text)),
            "title_characters": " ".join(cut.characters(page.title)),
            "body_characters": " ".join(cut.characters(page.text)),
            "host": " ".join(_and_above(page.host)),
            "language": " ".join(_codes(page.language)),
            "at": int(page.at),
            "prior": _weight(1 + PRIOR * page.relevance),
        }
        self._writer.add_document(tantivy.Document.from_dict(document, self._schema))

    def remove(self, page_id: int) -> None:
        assert self._writer is not None
        self._writer.delete_documents_by_term("page_id", page_id)

    def commit(self, state: IndexState) -> None:
        """Make all that was put and removed visible, together with the state."""
        assert self._writer is not None
        state = replace(state, version=VERSION, analyzer=self._analyzer.name)
        self._writer.delete_documents_by_term("page_id", STATE_ID)
        document = {"page_id": STATE_ID, "kind": STATE, "state": orjson.dumps(state).decode()}
        self._writer.add_document(tantivy.Document.from_dict(document, self._schema))
        self._writer.commit()
        self._reload()

    def merge(self) -> None:
        """Have tantivy merge parts, if there are many of one size, and wait for it; writing must have begun.

        Each commit makes tantivy begin with that, but who ends without waiting gives it up."""
        writer, self._writer = self._writer, None
        assert writer is not None
        writer.commit()
        writer.wait_merging_threads()
        self._reload()

    def end(self) -> None:
        """Let other processes write. What was not committed is lost."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.rollback()
            writer.wait_merging_threads()
            self._reload()

    # --- what it holds ---------------------------------------------------------------------------------------------------

    @property
    def pages(self) -> int:
        return max(self._searcher.num_docs - 1, 0)

    @property
    def parts(self) -> int:
        """Number of parts (tantivy's segments), each of which is searched by itself."""
        return self._searcher.num_segments

    def stamps(self, page_ids: Sequence[int]) -> dict[int, str]:
        """The stamps, by page number, of those of the pages that are indexed."""
        if not page_ids or self._cleared:
            return {}
        query = tantivy.Query.term_set_query(self._schema, "page_id", list(page_ids))
        found = (self._searcher.doc(address) for _, address in self._searcher.search(query, len(page_ids), count=False).hits)
        return {int(document["page_id"][0]): str(document["stamp"][0]) for document in found}

    def pending(self, limit: int) -> list[int]:
        """Numbers of pages that were indexed before their content was read."""
        if self._cleared:
            return []
        return [hit.page_id for hit in self._hits(self._term("kind", PENDING), limit)]

    # --- searching -------------------------------------------------------------------------------------------------------

    def find(self, query: Query, limit: int) -> list[Hit]:
        """The best pages; none if nothing in the query can be searched."""
        hits = self._hits(self._compiled(query), max(limit, RERANKED))
        more = self._near(query, [hit.page_id for hit in hits])
        if more:
            hits = [Hit(hit.page_id, hit.score + PAIR_WEIGHT * more.get(hit.page_id, 0.0)) for hit in hits]
            hits.sort(key=lambda hit: (-hit.score, hit.page_id))
        return hits[:limit]

    def _near(self, query: Query, page_ids: Sequence[int]) -> dict[int, float]:
        """By page, what it is worth that neighbors in the query are neighbors in it, too. There is one search for each pair,
        because a union would read their whole lists, but a single pair is read only where these pages are."""
        words = " ".join(part.text for part in query.parts if part.kind == "words" and not part.phrase)
        pairs = dict.fromkeys(tuple(pair) for pair in self._analyzer.neighbors(words) if not function_words().issuperset(pair))
        if not page_ids or not pairs:
            return {}
        found: dict[int, float] = {}
        # Not a set of terms: for that tantivy would fill a bit for every page of the index in each of the searches.
        among = _constant(_any_of([self._page(page_id) for page_id in page_ids]), 0.0)
        for pair in pairs:
            for field in ("title", "body"):
                both = [(Occur.Must, among), (Occur.Must, self._ordered(field, pair))]
                for hit in self._hits(tantivy.Query.boolean_query(both), len(page_ids)):
                    found[hit.page_id] = found.get(hit.page_id, 0.0) + hit.score
        return found

    def _page(self, page_id: int) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "page_id", page_id, "basic")

    def _hits(self, query: tantivy.Query, limit: int) -> list[Hit]:
        """The pages with the best scores, which are multiplied by the field `prior` (see `_weight`)."""
        hits = self._searcher.search(query, limit, count=False, weight_by_field="prior").hits
        numbers = self._searcher.fast_field_values("page_id", [address for _, address in hits])
        return [Hit(int(number or 0), score) for (score, _), number in zip(hits, numbers, strict=True)]

    def _compiled(self, query: Query) -> tantivy.Query:
        """The query for tantivy, without the neighbors of words, which `_near` adds."""
        must = self._filters(query)
        must += [self._ordered("title", self._analyzer.sequence(part.text)) for part in query.parts if part.kind == "title"]
        phrases = [self._phrase(part.text) for part in query.parts if part.kind == "words" and part.phrase]
        words = [part.text for part in query.parts if part.kind == "words" and not part.phrase]
        ranked = [*phrases, *([self._any(words)] if words else [])]
        if words and phrases:  # the phrases decide which pages are found, the words only their order
            ranked[-1] = _any_of([ranked[-1], _constant(tantivy.Query.all_query(), 0.0)])
        if not ranked and not any(part.kind == "title" for part in query.parts):
            ranked = [_constant(tantivy.Query.all_query(), 1.0)]
        without = [self._phrase(part.text) for part in query.parts if part.kind == "without"]
        without += [self._term("host", host) for host in query.without_sites]
        without += [self._term("language", code) for code in query.without_languages]
        clauses = [(Occur.Must, each) for each in (*ranked, *must)] + [(Occur.MustNot, each) for each in without]
        return tantivy.Query.boolean_query(clauses)

    def _any(self, words: Sequence[str]) -> tantivy.Query:
        """A query for any of the words."""
        clauses = [clause for word in words for clause in self._word(word)]
        return _any_of(clauses or [self._phrase(word) for word in words])  # only stop words, so these are searched

    def _word(self, text: str) -> list[tantivy.Query]:
        """Queries for the terms of a word in title and text, and for its runs of Chinese characters, however they were cut in
        the page. Several words in `text` belong together."""
        if len(text.split()) > 1:
            return [self._phrase(text)]
        terms = dict.fromkeys(self._analyzer.terms(text))
        clauses = [self._term(field, term) for term in terms for field in ("title", "body")]
        clauses += [tantivy.Query.boost_query(self._phrase(run), RUN_WEIGHT) for run in self._analyzer.runs(text)]
        if not terms and text.lower() not in function_words():  # a long number, a single character
            clauses.append(self._phrase(text))
        return clauses

    def _phrase(self, text: str) -> tantivy.Query:
        return self._side_by_side(self._analyzer.sequence(text))

    def _side_by_side(self, tokens: Sequence[str]) -> tantivy.Query:
        """A query for these tokens in this order, in the title or the text."""
        return _any_of([self._ordered(field, tokens) for field in ("title", "body")])

    def _ordered(self, field: str, tokens: Sequence[str]) -> tantivy.Query:
        """A query for these tokens in this order in a field. A single Han character at an end may be part of a longer run in
        the page, so it must only be there, at any place."""
        inner, single = list(tokens), list[str]()
        for end in (0, -1):
            if inner and is_han(inner[end]) and len(inner[end]) == 1:
                single.append(inner.pop(end))
        parts = [self._term(f"{field}_characters", character) for character in single]
        if len(inner) > 1:
            parts.append(tantivy.Query.phrase_query(self._schema, f"{field}_sequence", [*inner]))
        elif inner:
            parts.append(self._term(f"{field}_sequence", inner[0]))
        return tantivy.Query.boolean_query([(Occur.Must, part) for part in parts]) if parts else tantivy.Query.empty_query()

    def _filters(self, query: Query) -> list[tantivy.Query]:
        """Queries that pages must match, without an effect on their order."""
        found = [self._term("kind", RELEVANT if query.relevant else PAGE)]
        if query.sites:
            found.append(_any_of([self._term("host", host) for host in query.sites]))
        if query.languages:
            found.append(_any_of([self._term("language", code) for code in query.languages]))
        if query.after is not None or query.before is not None:
            first = None if query.after is None else int(query.after)
            last = None if query.before is None else int(query.before) - 1
            found.append(tantivy.Query.range_query(self._schema, "at", tantivy.FieldType.Integer, first, last))
        return [_constant(each, 0.0) for each in found]

    def _term(self, field: str, value: str | int) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, value, INDEX_OPTIONS.get(field, "basic"))


INDEX_OPTIONS = {
    "title": "freq", "title_sequence": "position", "title_characters": "freq",
    "body": "freq", "body_sequence": "position", "body_characters": "freq",
}  # fmt: skip
"""How tantivy indexes each field: terms are counted, and the positions of sequences are kept, too."""
PAGE, RELEVANT, PENDING, STATE = "page", "relevant", "pending", "state"
"""Kinds of documents."""


def _schema() -> tantivy.Schema:
    fields = tantivy.SchemaBuilder()
    fields.add_integer_field("page_id", stored=True, indexed=True, fast=True)
    fields.add_text_field("kind", tokenizer_name="whitespace", index_option="basic")
    fields.add_text_field("stamp", stored=True, tokenizer_name="raw", index_option="basic")
    fields.add_text_field("state", stored=True, tokenizer_name="raw", index_option="basic")
    for name, option in INDEX_OPTIONS.items():
        fields.add_text_field(name, tokenizer_name="whitespace", index_option=option)
    for name in ("host", "language"):
        fields.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    fields.add_integer_field("at", fast=True, indexed=True)
    fields.add_float_field("prior", fast=True)
    return fields.build()


def _any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query([(Occur.Should, query) for query in queries])


def _constant(query: tantivy.Query, score: float) -> tantivy.Query:
    return tantivy.Query.const_score_query(query, score)


def _weight(factor: float) -> float:
    """The value of the field with which tantivy multiplies a score by `factor`, because it multiplies by log2(2 + value)."""
    return math.exp2(factor) - 2


def _and_above(host: str) -> list[str]:
    """A host and the domains above it: `a.b.example` -> itself, `b.example`, `example`."""
    labels = host.split(".")
    return [".".join(labels[place:]) for place in range(len(labels))]


def _codes(language: str) -> list[str]:
    """A language tag and the shorter codes of it: `zh-Hant` -> `zh`, `zh-hant`."""
    parts = language.lower().split("-")
    return ["-".join(parts[: place + 1]) for place in range(len(parts))]
