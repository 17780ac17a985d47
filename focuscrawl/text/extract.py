"""Extracts the main text in two tiers: a fast one for every page, and a vote for the pages that are kept.

Both start from the page's layout: `focuscrawl.text.main_element` finds the main element and what is text inside it. The fast
tier ends there (1 to 3 ms on a parsed page). The second tier asks three extractors (resiliparse, readability, trafilatura: some
40 ms together, imported on first use), as far as the text depends on their answers, and uses what the site's pages have in
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

import re
import zlib
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from focuscrawl.text import clean
from focuscrawl.text.beside import beside_text, tail_of, teasers_of
from focuscrawl.text.blocks import CELL, Block, plain
from focuscrawl.text.boilerplate import HARD, MARKED
from focuscrawl.text.certain import certain_of
from focuscrawl.text.document import Document
from focuscrawl.text.layout import Layout, Piece, bytes_of, is_prose
from focuscrawl.text.main_element import main_element, main_pieces
from focuscrawl.text.marks import marked_layout
from focuscrawl.text.piece_blocks import blocks
from focuscrawl.text.posts import is_stamp
from focuscrawl.text.remarks import is_remark, may_be_read
from focuscrawl.text.repeated import Site, digest
from focuscrawl.text.votes import Vote

MAX_TEXT = 200_000
"""Characters of main text that are kept."""
_ENOUGH = 50
"""Bytes. If there is less main text, all text is taken. It is one sentence, in Chinese seventeen characters."""
VOTED, FAST = "vote", "fast"
_NUMBER = re.compile(r"\d+")
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
    made = _blocks(page, main_pieces(page, main_element(page)), document)
    text = plain(made)
    return "\n".join(map(_on_lines, made)) if CELL in text else text


def _on_lines(block: Block) -> str:
    """The text of a block without the places of a table's cells."""
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
    notices = _notices(page, digests, site)
    vote_on = Vote(bare_texts, document.html if vote else "", url, site, notices)
    root, chosen = _without_repeated(page, _repeated(page, digests, site.always(digests) | notices), vote_on)
    chosen = _with_clauses(page, digests, root, chosen, notices)
    if vote_on.asks:
        certain = certain_of(page, chosen, document)
        chosen = [at for at in chosen if at in certain or vote_on(at, _surroundings(page, at))]
        often = site.often(digests)
        # Which pieces of a new site repeat is not known yet; what its names call boilerplate, as the life of an author, does.
        trusted = MARKED if site.known else 0
        candidates = [at for at, piece in enumerate(page.pieces) if piece.boilerplate <= trusted and digests[at] not in often]
        missing = _missing(page, bare_texts, chosen, candidates)
        chosen = sorted({*chosen, *(at for at in missing if vote_on(at, _surroundings(page, at)))})
        chosen = sorted(set(chosen) - tail_of(page, chosen))
    made = _blocks(page, chosen, document)
    extractor = VOTED if vote_on.asks else FAST
    return MainText(made, extractor, _template(page, root), _link_share(page, chosen), digests, vote_on.ended)


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


def _repeated(page: Layout, digests: list[int], shared: Collection[int]) -> dict[int, int]:
    """The pieces with one of these digests, and that digest. Headings are exempt, because those of manuals repeat."""
    return {at: digests[at] for at, piece in enumerate(page.pieces) if digests[at] in shared and piece.kind != "heading"}


def _without_repeated(page: Layout, repeated: dict[int, int], vote_on: Vote) -> tuple[int, list[int]]:
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
    dates with what stands beside them, nor imprints and addresses, nor remarks, nor beside the text, nor already in it."""
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

    found = [at for at in candidates if missing(at, page.pieces[at])]
    others = beside_text(page, page.elements[0]) | teasers_of(page) if found else ()
    return [at for at in found if at not in others]


def _template(page: Layout, root: int) -> str:
    """The main element and the two around it: `main/div.content/article.post`."""
    return clean.line("/".join(reversed(_path(page, root)[:3])), 100)


def _path(page: Layout, at: int) -> list[str]:
    """An element and its ancestors, the innermost first, by tag and first class."""
    path: list[str] = []
    while at >= 0:
        element = page.elements[at]
        first = _NUMBER.sub("", element.classes.partition(" ")[0])
        path.append(f"{element.tag}.{first}" if first else element.tag)
        at = element.parent
    return path


def _surroundings(page: Layout, at: int) -> int:
    """A number for the elements around a piece, which is the same on all pages of one template."""
    return zlib.crc32("/".join(_path(page, page.pieces[at].element)).encode("utf-8", "replace"))


def _link_share(page: Layout, chosen: list[int]) -> float:
    linked, size = bytes_of([page.pieces[at] for at in chosen])
    return round(linked / size, 4) if size else 0.0
