"""The index of a crawl: tantivy's inverted index over our terms, in the folder `search` beside the store.

It can be deleted at any time, and is made anew from the store. What it has of the store is written with the pages in one
commit, so that a crash leaves it as it was before. One process writes at a time; any number read.

score = (BM25(words) + PAIR_WEIGHT * BM25(pairs of neighbours)) * (1 + PRIOR * relevance)

BM25 with k1=1.2 and b=0.75 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) is summed
over title and text, which are fields of their own: a word in the short title is worth more. The relevance is a factor, and not
a summand, so that it weighs alike whatever the number and the rarity of the words. It is applied to every page that matches,
the pairs to the best of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import orjson
import tantivy
from tantivy import Occur

from focuscrawl.search.query import Query
from focuscrawl.search.terms import Analyzer, is_han
from focuscrawl.text.segment import stop_words

DIRECTORY = "search"
FORMER = "search.sqlite"
"""What earlier versions kept."""
VERSION = 2
"""Of the fields, and of what is put into them."""
RUN_WEIGHT = 0.2
"""Of the characters of a Chinese query in their order, beside its words: they find what was cut in another way. Chosen on the
web dev of tools.eval.search: MRR of its Chinese anchors .91 from 0 to .25, and .90 with .5."""
PRIOR = 0.5
"""A page of relevance 1 counts half as much again as one of relevance 0 that says the same."""
PAIR_WEIGHT = 0.3
"""Of neighbours in a query that are neighbours in a page, beside the words themselves (Metzler and Croft, "A Markov Random
Field Model for Term Dependencies", 2005). Chosen on the web dev-en of tools.eval.search: MRR of its anchors .82 without, and
.86, .86 and .87 with .1, .3 and 1."""
RERANKED = 200
"""Pages that are ranked once more with the neighbours: these lists are long, and of all pages they would take too long."""
WRITER_BYTES = 20_000_000
"""Memory of the writer; tantivy wants 15 MB at least."""
STATE_ID = 0
"""In the place of a page's number: the document that holds the state."""


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """What the index is to know of a page."""

    page_id: int
    stamp: str
    """Changes with everything below."""
    host: str
    language: str
    title: str
    text: str
    at: float
    """Epoch seconds: its date."""
    relevance: float
    relevant: bool
    pending: bool
    """Its content is still to be read."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """Up to where the index has followed the store."""

    version: int = 0
    analyzer: str = ""
    last_page: int = 0
    last_change: int = 0
    definition: str = ""
    """What the whole collection depends on: when it changes, the index is made anew."""
    identity: str = ""
    """Of the last page: a crawl may have been deleted and made anew under its name."""


@dataclass(frozen=True, slots=True)
class Hit:
    page_id: int
    score: float
    """BM25 times prior, larger is better."""


class IndexLockedError(Exception):
    """Another process writes to the index."""


class SearchIndex:
    """The index in a directory, or in memory. Not safe for use from two threads at once.

    Raises what tantivy raises (ValueError, OSError and its own PanicException) where a file is damaged or cannot be written.
    """

    def __init__(self, path: Path | None, analyzer: Analyzer) -> None:
        """`path`: a directory, which is made; None: in memory."""
        self._analyzer = analyzer
        self._schema = _schema()
        if path is not None:
            path.mkdir(exist_ok=True)
        self._index = tantivy.Index(self._schema, str(path) if path is not None else None)
        self._writer: tantivy.IndexWriter | None = None
        self._cleared = False
        """What is committed is to be forgotten with the next commit."""
        self._reload()

    def _reload(self) -> None:
        self._cleared = False
        self._index.reload()
        self._searcher = self._index.searcher()
        found = self._searcher.search(self._term("kind", STATE), 1, count=False).hits
        self.state = IndexState(**orjson.loads(str(self._searcher.doc(found[0][1])["state"][0]))) if found else IndexState()
        if (self.state.version, self.state.analyzer) != (VERSION, self._analyzer.name):
            self.state = IndexState(VERSION, self._analyzer.name)

    # --- writing ---------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Become the one process that writes, and begin anew if the index is of another version or analyzer.

        Raises IndexLockedError when another process writes."""
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
        """Every page is to be forgotten with the next commit."""
        assert self._writer is not None
        self._writer.delete_all_documents()
        self._cleared = True
        self.state = IndexState(VERSION, self._analyzer.name)

    def put(self, page: IndexedPage) -> None:
        """Add a page, or write it in the place of what is known of it."""
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
        """All that was put and removed becomes visible, with the state."""
        assert self._writer is not None
        state = replace(state, version=VERSION, analyzer=self._analyzer.name)
        self._writer.delete_documents_by_term("page_id", STATE_ID)
        document = {"page_id": STATE_ID, "kind": STATE, "state": orjson.dumps(asdict(state)).decode()}
        self._writer.add_document(tantivy.Document.from_dict(document, self._schema))
        self._writer.commit()
        self._reload()

    def end(self) -> None:
        """Let others write. What was not committed is forgotten."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.rollback()
            writer.wait_merging_threads()
            self._reload()

    # --- what it holds ---------------------------------------------------------------------------------------------------

    @property
    def pages(self) -> int:
        return max(self._searcher.num_docs - 1, 0)

    def stamps(self, page_ids: Sequence[int]) -> dict[int, str]:
        """Of those of the pages that are indexed."""
        if not page_ids or self._cleared:
            return {}
        query = tantivy.Query.term_set_query(self._schema, "page_id", list(page_ids))
        found = (self._searcher.doc(address) for _, address in self._searcher.search(query, len(page_ids), count=False).hits)
        return {int(document["page_id"][0]): str(document["stamp"][0]) for document in found}

    def pending(self, limit: int) -> list[int]:
        """Pages that were indexed before their kept text was made."""
        if self._cleared:
            return []
        return [hit.page_id for hit in self._hits(self._term("kind", PENDING), limit)]

    # --- searching -------------------------------------------------------------------------------------------------------

    def find(self, query: Query, limit: int) -> list[Hit]:
        """The best pages; none where nothing of the query can be found."""
        hits = self._hits(self._compiled(query), max(limit, RERANKED))
        more = self._near(query, [hit.page_id for hit in hits])
        if more:
            hits = [Hit(hit.page_id, hit.score + PAIR_WEIGHT * more.get(hit.page_id, 0.0)) for hit in hits]
            hits.sort(key=lambda hit: (-hit.score, hit.page_id))
        return hits[:limit]

    def _near(self, query: Query, page_ids: Sequence[int]) -> dict[int, float]:
        """What the neighbours among the words of a query are worth in these pages, where they stand side by side. One search
        for each: a union of them would read their lists to the end, and each by itself only where these pages are."""
        words = " ".join(part.text for part in query.parts if part.kind == "words" and not part.phrase)
        pairs = dict.fromkeys(tuple(pair) for pair in self._analyzer.neighbours(words) if not stop_words().issuperset(pair))
        if not page_ids or not pairs:
            return {}
        found: dict[int, float] = {}
        # Not a set of terms: tantivy fills a bit for every page of the index for it, in each of the searches.
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
        hits = self._searcher.search(query, limit, count=False, weight_by_field="prior").hits
        numbers = self._searcher.fast_field_values("page_id", [address for _, address in hits])
        return [Hit(int(number or 0), score) for (score, _), number in zip(hits, numbers, strict=True)]

    def _compiled(self, query: Query) -> tantivy.Query:
        must = self._filters(query)
        must += [self._in_title(part.text) for part in query.parts if part.kind == "title"]
        phrases = [self._phrase(part.text) for part in query.parts if part.kind == "words" and part.phrase]
        words = [part.text for part in query.parts if part.kind == "words" and not part.phrase]
        ranked = [*phrases, *([self._any(words)] if words else [])]
        if words and phrases:  # the phrases say which pages, the words only which of them come first
            ranked[-1] = _any_of([ranked[-1], _constant(tantivy.Query.all_query(), 0.0)])
        if not ranked and not any(part.kind == "title" for part in query.parts):
            ranked = [_constant(tantivy.Query.all_query(), 1.0)]
        without = [self._phrase(part.text) for part in query.parts if part.kind == "without"]
        without += [self._term("host", host) for host in query.without_sites]
        without += [self._term("language", code) for code in query.without_languages]
        clauses = [(Occur.Must, each) for each in (*ranked, *must)] + [(Occur.MustNot, each) for each in without]
        return tantivy.Query.boolean_query(clauses)

    def _any(self, words: Sequence[str]) -> tantivy.Query:
        """Any of the words."""
        clauses = [clause for word in words for clause in self._word(word)]
        return _any_of(clauses or [self._phrase(word) for word in words])  # nothing but stop words: they are all there is

    def _word(self, text: str) -> list[tantivy.Query]:
        """Its terms in title and text, and the runs of Chinese characters in it as they stand, however they were cut. Several
        words belong together."""
        if len(text.split()) > 1:
            return [self._phrase(text)]
        terms = dict.fromkeys(self._analyzer.terms(text))
        clauses = [self._term(field, term) for term in terms for field in ("title", "body")]
        clauses += [tantivy.Query.boost_query(self._phrase(run), RUN_WEIGHT) for run in self._analyzer.runs(text)]
        if not terms and text.lower() not in stop_words():  # a long number, a single character
            clauses.append(self._phrase(text))
        return clauses

    def _phrase(self, text: str) -> tantivy.Query:
        return self._side_by_side(self._analyzer.sequence(text))

    def _side_by_side(self, tokens: Sequence[str]) -> tantivy.Query:
        """These tokens in this order, in the title or the text."""
        return _any_of([self._ordered(field, tokens) for field in ("title", "body")])

    def _in_title(self, text: str) -> tantivy.Query:
        return self._ordered("title", self._analyzer.sequence(text))

    def _ordered(self, field: str, tokens: Sequence[str]) -> tantivy.Query:
        """These tokens in this order in a field. A single Han character at an end may be part of a longer run in the page: it
        has to be there, and nothing is asked of its place."""
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
        """What pages must be, which counts for nothing in their order."""
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
"""Terms are counted; of sequences the positions are kept, too."""
PAGE, RELEVANT, PENDING, STATE = "page", "relevant", "pending", "state"
"""What documents are."""


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
    """The value of the field by which tantivy multiplies a score by `factor`: it multiplies by log2(2 + value)."""
    return math.exp2(factor) - 2


def _and_above(host: str) -> list[str]:
    """`a.b.example` -> itself, `b.example`, `example`."""
    labels = host.split(".")
    return [".".join(labels[place:]) for place in range(len(labels))]


def _codes(language: str) -> list[str]:
    """`zh-Hant` -> `zh`, `zh-hant`."""
    parts = language.lower().split("-")
    return ["-".join(parts[: place + 1]) for place in range(len(parts))]
