"""The votes of the extractors on the pieces of one page."""

from __future__ import annotations

import re
from collections.abc import Collection

from focuscrawl.text import clean
from focuscrawl.text.extractors import EXTRACTORS
from focuscrawl.text.repeated import Site

MAX_VOTED_HTML = 400_000
MAX_VOTED_TAGS = 6_000
"""Pages above these limits, without scripts and styles, are not voted on, because the slow extractors take seconds on them."""
_RAW_TEXT = re.compile(r"<(script|style)\b.*?(?:</\1\b[^>]*>?|\Z)", re.IGNORECASE | re.DOTALL)
"""A script or a style, up to the end of the page if it is not closed, as browsers read it."""
_AGREE = 2
"""Number of extractors that must agree to overrule the layout."""
_KEPT_SHARE = 0.6
"""Share of a piece's shingles that must be in an extractor's text. Not all, because each joins inline elements differently."""
_SHINGLE = 8
"""Characters of a shingle, letters and digits only."""


class Vote:
    """Whether two extractors keep a piece, for the pieces of one page.

    No vote is held if votes on the same subject ended alike on the pages before. The subject of a piece that many pages have is
    its text, that of another piece its place. An extractor reads the page only once a piece depends on its answer, the cheapest
    one first: on three of four pages the third would change nothing."""

    def __init__(self, bare_texts: list[str], html: str, url: str, site: Site, lost: Collection[int]) -> None:
        """`bare_texts`: the `clean.bare` text of each piece. `html`: the source; empty for a page that no extractor is to read.
        `lost`: subjects on which no vote is held, because the answer is no."""
        self._bare_texts, self._html, self._url, self._site, self._lost = bare_texts, _source(html), url, site, lost
        self._extractors = list(EXTRACTORS.values()) if self._html else []
        self._texts: list[_Text] = []
        """What the first extractors keep, in the order of `_extractors`; the others were not asked yet."""
        self.ended: dict[int, set[bool]] = {}
        """How the votes that were held have ended, by subject."""

    @property
    def asks(self) -> bool:
        """Whether the extractors may be asked."""
        return bool(self._html)

    def __call__(self, at: int, subject: int) -> bool:
        """Whether at least two extractors keep the piece with this index."""
        settled = False if subject in self._lost else self._site.settled(subject)
        if settled is not None or not self._extractors:
            return bool(settled)
        won = self._hold(at)
        self.ended.setdefault(subject, set()).add(won)
        return won

    def _hold(self, at: int) -> bool:
        """Ask one extractor after the other until the rest cannot change the result."""
        kept = 0
        for number in range(len(self._extractors)):
            kept += self._text(number).holds(self._bare_texts[at])
            if kept >= _AGREE or kept + len(self._extractors) - number - 1 < _AGREE:
                break
        return kept >= _AGREE

    def _text(self, number: int) -> _Text:
        if number == len(self._texts):
            self._texts.append(_Text(self._extractors[number](self._html, self._url)))
        return self._texts[number]


class _Text:
    """The text that an extractor keeps."""

    def __init__(self, text: str) -> None:
        lines = [bare_line for line in text.split("\n") if (bare_line := clean.bare(line))]
        whole = "".join(lines)
        self._lines = frozenset(lines)
        self._shingles = {whole[at : at + _SHINGLE] for at in range(len(whole) - _SHINGLE + 1)}

    def holds(self, bare_text: str) -> bool:
        """Whether this piece is in the text, with tolerance for how inline elements are joined."""
        if len(bare_text) < _SHINGLE + 4:  # a share of the one or two shingles that are compared below says nothing
            return bare_text in self._lines
        starts = range(0, len(bare_text) - _SHINGLE + 1, 3)
        return sum(bare_text[at : at + _SHINGLE] in self._shingles for at in starts) > _KEPT_SHARE * len(starts)


def _source(html: str) -> str:
    """The source that extractors read, without scripts and styles if it is large, as many news sites write their state into
    their pages; empty if it is too large even so."""
    if _is_large(html):
        html = _RAW_TEXT.sub("", html)
    return "" if _is_large(html) else html


def _is_large(html: str) -> bool:
    return len(html) > MAX_VOTED_HTML or html.count("<") > MAX_VOTED_TAGS
