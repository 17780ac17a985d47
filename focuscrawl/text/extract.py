"""Extracts the main text in two tiers: a fast one for every page, and a vote for the pages that are kept.

Both start from the page's layout: `focuscrawl.text.main_element` finds the main element and what is text inside it. The fast
tier ends there (1-2 ms on a parsed page). The second tier asks three extractors (resiliparse, readability, trafilatura:
50-100 ms together, imported on first use), as far as the text depends on their answers, and uses what the site's pages have in
common (`focuscrawl.text.repeated`). A piece that is on nearly all pages is left out unless two extractors keep it. A notice,
which is prose that at least half of ten pages or more have around their own, is left out without a vote. Any other piece that
two extractors keep stays, wherever it is, but on the first pages of a site not if the page calls it boilerplate. Small boxes
beside the flow of an article's text, and those before and after the text of another page, stay only if two extractors keep
them, and so does prose there that the page calls boilerplate. On manuals they all stay. No extractor decides alone, because on
manuals readability takes one section for the article, trafilatura leaves out code and tables, and resiliparse leaves out boxes,
and Chinese characters between two inline elements.
docs/measured.md has means of 28 templates.
"""

from __future__ import annotations

import logging
import re
import zlib
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from focuscrawl.text import clean
from focuscrawl.text.beside import beside_text, tail_of, teasers_of
from focuscrawl.text.blocks import CELL, Block, plain
from focuscrawl.text.boilerplate import HARD, MARKED
from focuscrawl.text.document import Document
from focuscrawl.text.layout import Layout, Piece, is_main_heading, is_prose
from focuscrawl.text.lead import lead_of
from focuscrawl.text.main_element import main_element, main_pieces
from focuscrawl.text.marks import marked_layout
from focuscrawl.text.piece_blocks import blocks
from focuscrawl.text.posts import is_stamp
from focuscrawl.text.remarks import is_remark, may_be_read
from focuscrawl.text.repeated import Site, digest
from focuscrawl.text.titles import begins_title, stands_for_title

MAX_TEXT = 200_000
"""Characters of main text that are kept."""
MAX_VOTED_HTML = 400_000
MAX_VOTED_TAGS = 6_000
"""Pages above these limits, without scripts and styles, are not voted on, because the slow extractors take seconds on them."""
_RAW_TEXT = re.compile(r"<(script|style)\b.*?(?:</\1\b[^>]*>?|\Z)", re.IGNORECASE | re.DOTALL)
"""A script or a style, up to the end of the page if it is not closed, as browsers read it."""
_ENOUGH = 50
"""Bytes. If there is less main text, all text is taken. It is one sentence, in Chinese seventeen characters."""
_ADVERTISEMENTS = [".ad", ".ads", ".advert", ".advertisement", ".advertising", ".sponsored", "#ad", "#ads", "ins.adsbygoogle"]

_FLOW_SHARE = 0.2
"""Least share of an article's text in a flow whose other parts need no vote."""
_PARAGRAPHS = 4
"""Least paragraphs in a flow without links that need no vote either."""
_ROWS = 4
"""Least rows of a list within the text that need no vote either."""
_OF_MANUALS = "code, kbd, pre, samp, tt"
"""What manuals have, from which extractors leave out what belongs to them."""
_PARTS = frozenset({
    "p", "ul", "ol", "li", "dl", "dt", "dd", "pre", "blockquote", "table", "tbody", "tr", "td", "th",
    "h1", "h2", "h3", "h4", "h5", "h6",
})  # fmt: skip
"""Parts of a text, which stand in one flow with each other."""

VOTED, FAST = "vote", "fast"
_AGREE = 2
"""Number of extractors that must agree to overrule the layout."""
_KEPT_SHARE = 0.6
"""Share of a piece's shingles that must be in an extractor's text. Not all, because each joins inline elements differently."""
_SHINGLE = 8
"""Characters of a shingle, letters and digits only."""
_LEAST_ADDED = 20
"""Least letters of a piece outside the main element that may be added. Shorter ones may be in the text by chance."""


@dataclass(slots=True, frozen=True)
class MainText:
    """The main text of a page as blocks, and what it was chosen from."""

    blocks: list[Block]
    extractor: str
    """`vote`, or `fast` if the extractors were not asked."""
    template: str
    """The main element and those around it; the same for pages of a site that are built alike."""
    link_share: float
    """Share of the text that is in links."""
    digests: list[int]
    """Digests of all pieces on the page, for `repeated.Site.learn`."""
    votes: dict[int, set[bool]]
    """How the votes on this page have ended, by subject, also for `repeated.Site.learn`."""


def fast_text(document: Document) -> str:
    """The main text, one line per block or row (several for code); all text if there is next to no main text. Linear."""
    page = marked_layout(document)
    return "\n".join(map(_on_lines, _blocks(page, main_pieces(page, main_element(page)), document)))


def _on_lines(block: Block) -> str:
    """The text of a block without the places of a table's cells."""
    if CELL not in block.text:
        return block.text
    if block.kind != "table":
        return block.text.replace(CELL, " ")
    return "\n".join(" ".join(filter(None, row.split(CELL))) for row in block.text.split("\n"))


def main_text(document: Document, url: str = "", site: Site | None = None, *, vote: bool = True) -> MainText:
    """The main text by layout, extractors and the site's other pages. Never raises for odd markup.

    Takes 2-100 ms, so the caller chooses the pages. `site` is what is known of the page's site; without `vote` the extractors
    are not asked, as on pages too large for them.
    """
    page, site = marked_layout(document, formulas=True), site or Site()
    bare_texts = [clean.bare(piece.text) for piece in page.pieces]
    digests = [digest(bare_text) for bare_text in bare_texts]
    source = _source(document.html) if vote else ""
    asked = bool(source)
    notices = _notices(page, digests, site)
    shared = site.always(digests) | notices
    # Headings are exempt, because those of manuals repeat.
    repeated = {at: digests[at] for at, piece in enumerate(page.pieces) if digests[at] in shared and piece.kind != "heading"}
    vote_on = _Vote(bare_texts, source, url, site, notices)
    root, chosen = _without_repeated(page, repeated, vote_on)
    chosen = _with_clauses(page, digests, root, chosen, notices)
    if asked:
        certain = _certain(page, chosen, document)
        chosen = [at for at in chosen if at in certain or vote_on(at, _surroundings(page, at))]
        often = site.often(digests)
        # Which pieces of a new site repeat is not known yet; what its names call boilerplate, as the life of an author, does.
        trusted = MARKED if site.known else 0
        candidates = [at for at, piece in enumerate(page.pieces) if piece.boilerplate <= trusted and digests[at] not in often]
        missing = _missing(page, bare_texts, chosen, candidates)
        others = beside_text(page, page.elements[0]) | teasers_of(page) if missing else ()
        chosen = sorted({*chosen, *(at for at in missing if at not in others and vote_on(at, _surroundings(page, at)))})
        chosen = sorted(set(chosen) - tail_of(page, chosen))
    made = _blocks(page, chosen, document)
    return MainText(made, VOTED if asked else FAST, _template(page, root), _link_share(page, chosen), digests, vote_on.ended)


def _source(html: str) -> str:
    """The source that extractors read, without scripts and styles if it is large, as many news sites write their state into
    their pages; empty if it is too large even so."""
    if _is_large(html):
        html = _RAW_TEXT.sub("", html)
    return "" if _is_large(html) else html


def _is_large(html: str) -> bool:
    return len(html) > MAX_VOTED_HTML or html.count("<") > MAX_VOTED_TAGS


def _certain(page: Layout, chosen: list[int], document: Document) -> set[int]:
    """Those of the chosen pieces that need no vote: title, lead, code and tables, which extractors lose, what stands in one
    flow with a good part of the text, and the headings directly above these. On a page that does not call itself an article
    also prose, and what stands between the first and the last prose of the flow. All of them on a manual, or without a flow."""
    certain = _in_flow(page, chosen)
    if not page.is_article:
        prose = [at for at in chosen if is_prose(page.pieces[at]) and page.pieces[at].kind != "heading"]
        text = [at for at in prose if at in certain]
        if not text or document.tree.css_first(_OF_MANUALS) is not None:
            return set(chosen)
        certain.update(prose, (at for at in chosen if text[0] < at < text[-1]))
    certain |= _lists_within(page, chosen)
    certain -= _called_boilerplate(page, chosen)
    if (lead := lead_of(page)) is not None:
        certain.add(lead)
    for heading, below in zip(reversed(chosen[:-1]), reversed(chosen[1:]), strict=True):
        if page.pieces[heading].kind == "heading" and below in certain:
            certain.add(heading)
    return certain


def _lists_within(page: Layout, chosen: list[int]) -> set[int]:
    """The chosen pieces that are rows of lists between prose, as ingredients are: items, of which not most are links, or boxes
    of one name without a link."""
    prose = [at for at in chosen if is_prose(page.pieces[at])]
    lists: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for at in chosen:
        element = page.elements[page.pieces[at].element]
        name = "li" if element.tag == "li" else element.name
        if name and prose and prose[0] < at < prose[-1]:
            lists[element.parent, name].append(at)

    def is_list(name: str, rows: Sequence[int]) -> bool:
        linked, size = sum(page.pieces[at].linked for at in rows), sum(page.pieces[at].size for at in rows)
        return len(rows) >= _ROWS and (2 * linked < size if name == "li" else not linked)

    return {at for (_, name), rows in lists.items() if is_list(name, rows) for at in rows}


def _called_boilerplate(page: Layout, chosen: list[int]) -> set[int]:
    """Those of the chosen pieces that the page's names call boilerplate, as a blog's sidebar, though they read like a text. On
    a page that does not call itself an article not those between other prose, where manuals have remarks in boxes. Title, code
    and tables are not among them, because extractors lose these."""
    pieces = page.pieces
    called = {at for at in chosen if pieces[at].boilerplate}
    prose = [at for at in chosen if at not in called and is_prose(pieces[at])]

    def is_apart(at: int) -> bool:
        is_lost = is_main_heading(pieces[at]) or pieces[at].kind in ("code", "table")
        return not is_lost and (page.is_article or not prose[0] < at < prose[-1])

    return set(filter(is_apart, called)) if prose else set()


def _in_flow(page: Layout, chosen: list[int]) -> set[int]:
    """The title, code and tables among the chosen pieces, and what stands in one flow with a good part of their text, or with
    enough paragraphs without links, as the lines of a poem."""
    flows = {at: _flow(page, page.pieces[at].element) for at in chosen}
    held, linked, paragraphs = Counter[str | int](), Counter[str | int](), Counter[str | int]()
    for at, flow in flows.items():
        piece = page.pieces[at]
        held[flow] += piece.size - piece.linked
        linked[flow] += piece.linked
        paragraphs[flow] += page.elements[piece.element].tag == "p"
    least = _FLOW_SHARE * held.total()
    texts = {flow for flow in held if held[flow] >= least or (paragraphs[flow] >= _PARAGRAPHS and not linked[flow])}
    titles = _titles(page, chosen)

    def is_certain(at: int) -> bool:
        return flows[at] in texts or at in titles or page.pieces[at].kind in ("code", "table")

    return set(filter(is_certain, chosen))


def _titles(page: Layout, chosen: list[int]) -> set[int]:
    """The main headings among the chosen pieces, and others with which the page's title begins, or else what stands for one."""
    pieces = page.pieces
    titles = {at for at in chosen if pieces[at].kind == "heading" and begins_title(pieces[at], page.title)}
    titles.update(at for at in chosen if is_main_heading(pieces[at]))
    return titles or {at for at in chosen if stands_for_title(pieces[at], page.title)}


def _flow(page: Layout, at: int) -> str | int:
    """The innermost element around this one, or this one, that is no part of a text: by its tag and first class, because a text
    may stand in many boxes of one kind, or its index if it has no class and is no section."""
    while at > 0 and page.elements[at].tag in _PARTS:
        at = page.elements[at].parent
    box = page.elements[at]
    first = box.classes.split(maxsplit=1)[:1]
    return f"{box.tag}.{first[0]}" if first else box.tag if box.tag == "section" else at


def digests_of(document: Document) -> list[int]:
    """Digests of all pieces on the page, as in `MainText`, without choosing from them."""
    return [digest(clean.bare(piece.text)) for piece in marked_layout(document, formulas=True).pieces]


def _blocks(page: Layout, chosen: list[int], document: Document) -> list[Block]:
    """Blocks of the chosen pieces. If these are next to nothing, all pieces but boilerplate; if there are none, all words."""
    made = blocks(page, chosen, MAX_TEXT)
    if sum([page.pieces[at].size for at in chosen]) >= _ENOUGH:
        return made
    more = blocks(page, main_pieces(page, 0), MAX_TEXT)
    if len(plain(more)) > 2 * len(plain(made)):
        return more
    return made or [Block("paragraph", line) for line in document.text(MAX_TEXT).split("\n") if line]


def _notices(page: Layout, digests: list[int], site: Site) -> set[int]:
    """Digests of the paragraphs of prose that most pages of the site have, and so are about none of them. They look like text
    on each single page, so that extractors keep them. One that stands on this page twice, as in its text and in a box that all
    pages have, may be this page's own."""
    mostly, times = site.mostly(digests), Counter(digests)
    prose = (at for at, piece in enumerate(page.pieces) if piece.kind == "paragraph" and is_prose(piece))
    return {digests[at] for at in prose if digests[at] in mostly and times[digests[at]] == 1}


def _with_clauses(page: Layout, digests: list[int], root: int, chosen: list[int], notices: set[int]) -> list[int]:
    """The chosen pieces, with those of `notices` that are clauses, which a contract or a leaflet repeats within its own text:
    paragraphs without a link between the first and the last prose. A notice stands before that text or after it, or leads
    somewhere."""
    prose = [at for at in chosen if is_prose(page.pieces[at]) and page.pieces[at].kind != "heading"]
    if not notices or not prose:
        return chosen
    clauses = {
        at
        for at in main_pieces(page, root)
        if prose[0] < at < prose[-1] and digests[at] in notices and not page.pieces[at].linked
    }
    return sorted(clauses.union(chosen))


def _without_repeated(page: Layout, repeated: dict[int, int], vote_on: _Vote) -> tuple[int, list[int]]:
    """The main element and its pieces, without those in `repeated` that fewer than two extractors keep. `repeated`: the pieces
    that many pages of the site have, with their digests. If leaving them out would not change which element is the main
    one, only those in it are voted on."""
    root = main_element(page)
    counted = [at for at in repeated if page.pieces[at].boilerplate < HARD]  # often none: the others are boilerplate anyway
    if counted and root != _root_without(page, counted):
        repeated = {at: piece for at, piece in repeated.items() if not vote_on(at, piece)}
        root = _root_without(page, repeated)
    return root, [at for at in main_pieces(page, root) if at not in repeated or vote_on(at, repeated[at])]


def _root_without(page: Layout, out: Collection[int]) -> int:
    """The main element that there would be if these pieces were boilerplate. Their marks are as before afterwards."""
    signs = [page.pieces[at].boilerplate for at in out]
    for at in out:
        page.pieces[at].boilerplate = HARD
    root = main_element(page)
    for at, sign in zip(out, signs, strict=True):
        page.pieces[at].boilerplate = sign
    return root


def _missing(page: Layout, bare_texts: list[str], chosen: list[int], candidates: list[int]) -> list[int]:
    """Those of the candidates that are not chosen, but would be if two extractors kept them: neither lists of links, nor
    dates with what stands beside them, nor imprints and addresses, nor remarks, nor already in the text."""
    text, taken = "".join(bare_texts[at] for at in chosen), set(chosen)

    def missing(at: int, piece: Piece) -> bool:
        return (
            at not in taken
            and len(bare_texts[at]) >= _LEAST_ADDED
            and 2 * piece.linked < piece.size
            and (is_prose(piece) or not is_stamp(piece))
            and may_be_read(piece)
            and not is_remark(page, at)
            and bare_texts[at] not in text
        )

    return [at for at in candidates if missing(at, page.pieces[at])]


def _template(page: Layout, root: int) -> str:
    """The main element and the two around it: `main/div.content/article.post`."""
    return clean.line("/".join(reversed(_around(page, root)[:3])), 100)


def _around(page: Layout, at: int) -> list[str]:
    """An element and its ancestors, the innermost first, by tag and first class."""
    path: list[str] = []
    while at >= 0:
        element = page.elements[at]
        first = _NUMBER.sub("", element.classes.partition(" ")[0])
        path.append(f"{element.tag}.{first}" if first else element.tag)
        at = element.parent
    return path


_NUMBER = re.compile(r"\d+")


def _link_share(page: Layout, chosen: list[int]) -> float:
    size = sum(page.pieces[at].size for at in chosen)
    return round(sum(page.pieces[at].linked for at in chosen) / size, 4) if size else 0.0


# --- the extractors and their votes ----------------------------------------------------------------------------------------


def _surroundings(page: Layout, at: int) -> int:
    """A number for the elements around a piece, which is the same on all pages of one template."""
    return zlib.crc32("/".join(_around(page, page.pieces[at].element)).encode("utf-8", "replace"))


class _Vote:
    """Whether two extractors keep a piece, for the pieces of one page.

    No vote is held if votes on the same subject ended alike on the pages before. The subject of a piece that many pages have is
    its text, that of another piece its place. An extractor reads the page only once a piece depends on its answer, the cheapest
    one first: on three of four pages the third would change nothing."""

    def __init__(self, bare_texts: list[str], html: str, url: str, site: Site, lost: Collection[int]) -> None:
        """`bare_texts`: the `clean.bare` text of each piece. `html`: the source; empty for a page that no extractor reads.
        `lost`: subjects on which no vote is held, because the answer is no."""
        self._bare_texts, self._html, self._url, self._site, self._lost = bare_texts, html, url, site, lost
        self._extractors = list(EXTRACTORS.values()) if html else []
        self._texts: list[_Text] = []
        """What the first extractors keep, in the order of `_extractors`; the others were not asked yet."""
        self.ended: dict[int, set[bool]] = {}
        """How the votes that were held have ended, by subject."""

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


def by_resiliparse(html: str, url: str = "") -> str:
    """The main content by resiliparse. Cubic in nesting depth."""
    return _plain(html, main_content=True)


def by_trafilatura(html: str, url: str = "") -> str:
    return _trafilatura()(html, url=url or None, include_comments=False, include_formatting=False) or ""


def by_readability(html: str, url: str = "") -> str:
    from readability.readability import Unparseable

    from focuscrawl.text.article import ArticleDocument

    logging.getLogger("readability").setLevel(logging.CRITICAL)
    try:
        article: str = ArticleDocument(html).summary(html_partial=True)
    except Unparseable:
        return ""
    return _plain(article)


EXTRACTORS: dict[str, Callable[[str, str], str]] = {
    "resiliparse": by_resiliparse, "readability": by_readability, "trafilatura": by_trafilatura,
}  # fmt: skip
"""Each takes a page's source and URL. They are in the order of their cost: 3, 15 and 25 ms."""


def _plain(html: str, *, main_content: bool = False) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    text: str = extract_plain_text(
        html,
        preserve_formatting=True,
        main_content=main_content,
        list_bullets=False,
        alt_texts=False,
        skip_elements=_ADVERTISEMENTS if main_content else None,
    )
    return text


class _StopWords:
    """The stop words of all languages, by which justext tells sentences from lists: 150 000 words as sorted hashes, in 1 MB (11
    MB while they are read, which takes 0.16 s, when the first word is asked for). A set of them takes 16 MB. One of 10¹⁴
    other words counts as a stop word, too."""

    def __contains__(self, word: str) -> bool:
        wanted, hashes = hash(word), _stop_hashes()
        at = bisect_left(hashes, wanted)
        return at < len(hashes) and hashes[at] == wanted


@cache
def _stop_hashes() -> array[int]:
    from justext.utils import get_stoplist, get_stoplists

    return array("q", sorted({hash(word) for language in get_stoplists() for word in get_stoplist(language)}))


@lru_cache(maxsize=1)
def _trafilatura() -> Callable[..., str | None]:
    from justext import core
    from trafilatura import external, extract, utils

    from focuscrawl.text.article import ONE_CLASS

    utils.HTML_PARSER.set_element_class_lookup(ONE_CLASS)
    vars(external)["JT_STOPLIST"] = _StopWords()
    vars(core)["define_stoplist"] = lambda words: words  # justext's own makes a set of them
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it reports every page without text as an error
    extractor: Callable[..., str | None] = extract
    return extractor
