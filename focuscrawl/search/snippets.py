"""Snippets: the piece of a page's text that shows why it was found, with the words of the query marked. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.search.query import Query
from focuscrawl.search.terms import Analyzer, is_han
from focuscrawl.text.segment import function_words

COLUMNS = 200
"""Most columns of a terminal that a snippet takes. A Chinese character takes two."""
LEAD = 0.2
"""At most this share of the columns is before the first mark."""
SEARCHED = 100_000
"""Characters of a text that are searched for a snippet."""
_WIDE = re.compile("[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]")
_BREAK = re.compile(r"[\n。！？；!?]|(?<=[^\d\s])\.(?=\s)")
_BLANKS = re.compile(r"\s+")

Place = tuple[int, int, str]
"""(start, end, token)."""


@dataclass(frozen=True, slots=True)
class SnippetPiece:
    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Snippet:
    pieces: tuple[SnippetPiece, ...] = ()

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    @property
    def html(self) -> str:
        """The snippet as escaped text with `<mark>` around the words of the query, and no other markup."""
        return "".join(
            f"<mark>{html.escape(piece.text)}</mark>" if piece.marked else html.escape(piece.text) for piece in self.pieces
        )


def marked_tokens(query: Query, analyzer: Analyzer) -> frozenset[str]:
    """The tokens to be marked in the pages that this query finds."""
    wanted: set[str] = set()
    for part in query.parts:
        if part.kind != "without":
            words = [token for token in analyzer.sequence(part.text) if not is_han(token)]
            tokens = [*words, *(analyzer.runs(part.text) or analyzer.characters(part.text))]
            tokens += [] if part.phrase else analyzer.terms(part.text)
            wanted |= {token for token in tokens if token not in function_words() and (len(token) > 1 or len(tokens) == 1)}
    return frozenset(wanted)


def snippet(text: str, wanted: frozenset[str], analyzer: Analyzer) -> Snippet:
    """The piece of `text` with the most of the wanted tokens; its beginning if it has none."""
    text = text[:SEARCHED]
    places = analyzer.places(text, wanted)
    length = _characters(text, places[0][0] if places else 0)
    first = _best(places, (1 - LEAD) * length)
    start = _start(text, first, int(LEAD * length))
    end = _end(text, start + length)
    return Snippet(tuple(_pieces(text, start, end, [place for place in places if start <= place[0] and place[1] <= end])))


def _best(places: Sequence[Place], length: float) -> int:
    """The position where the best stretch of `length` characters begins: the one with the most different tokens, and of several
    such the one with the most occurrences."""
    best, found = 0, (0.0, 0)
    for number, (start, _, _) in enumerate(places):
        # Only the next twenty places are examined, which bounds the time on texts that repeat a token everywhere.
        tokens = [token for _, end, token in places[number : number + 20] if end <= start + length]
        value = (len(set(tokens)) + 0.1 * len(tokens), sum(map(len, set(tokens))))
        if value > found:
            best, found = start, value
    return best


def _characters(text: str, place: int) -> int:
    """How many characters from this place on fill a snippet."""
    sample = text[place : place + COLUMNS]
    wide = len(_WIDE.findall(sample)) / (len(sample) or 1)
    return int(COLUMNS / (1 + wide))


def _start(text: str, first: int, lead: int) -> int:
    """The beginning of the sentence that contains this position, or of a word at most `lead` characters before it."""
    before = text[max(first - lead, 0) : first]
    if first <= lead:
        return 0
    breaks = list(_BREAK.finditer(before))
    if breaks:
        return first - len(before) + breaks[-1].end()
    blank = before.find(" ")
    return first - len(before) + blank + 1


def _end(text: str, end: int) -> int:
    """The position after the last whole word before `end`."""
    if end >= len(text):
        return len(text)
    last = text[:end].rstrip()
    blank = last.rfind(" ", end - 20)
    return blank if blank > 0 and text[end].isascii() and text[end].isalnum() else len(last)


def _pieces(text: str, start: int, end: int, places: Sequence[Place]) -> list[SnippetPiece]:
    pieces, last = [SnippetPiece("…" if text[:start].strip() else "")], start
    for begin, stop, _ in places:
        pieces += [SnippetPiece(_flat(text[last:begin])), SnippetPiece(_flat(text[begin:stop]), True)]
        last = stop
    pieces += [SnippetPiece(_flat(text[last:end])), SnippetPiece(" …" if text[end:].strip() else "")]
    pieces[1] = SnippetPiece(pieces[1].text.lstrip(), pieces[1].marked)
    return [piece for piece in pieces if piece.text]


def _flat(text: str) -> str:
    """The text on one line."""
    return _BLANKS.sub(" ", text)
