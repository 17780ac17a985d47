"""Which pieces of a kept page are its text without a vote of the extractors, by their place on the page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from focuscrawl.text.document import Document
from focuscrawl.text.layout import HEADED_PARTS, Layout, bytes_of, is_main_heading, is_prose
from focuscrawl.text.lead import lead_of
from focuscrawl.text.titles import titles_and_main_headings

_FLOW_SHARE = 0.2
"""Least share of an article's text in a flow whose other parts need no vote."""
_PARAGRAPHS = 4
"""Least paragraphs in a flow without links that need no vote either."""
_ROWS = 4
"""Least rows of a list within the text that need no vote either."""
_OF_MANUALS = "code, kbd, pre, samp, tt"
"""What manuals have, from which extractors leave out what belongs to them."""
_IN_FLOW = HEADED_PARTS | {"table", "tbody", "tr", "td", "th"}
"""What stands in one flow with the element around it."""


def certain_of(page: Layout, chosen: list[int], document: Document) -> set[int]:
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
        linked, size = bytes_of([page.pieces[at] for at in rows])
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
    titles = titles_and_main_headings(page)

    def is_certain(at: int) -> bool:
        return flows[at] in texts or at in titles or page.pieces[at].kind in ("code", "table")

    return set(filter(is_certain, chosen))


def _flow(page: Layout, at: int) -> str | int:
    """The innermost element around this one, or this one, that is no part of a text: by its tag and first class, because a text
    may stand in many boxes of one kind, or its index if it has no class and is no section."""
    while at > 0 and page.elements[at].tag in _IN_FLOW:
        at = page.elements[at].parent
    box = page.elements[at]
    first = box.classes.split(maxsplit=1)[:1]
    return f"{box.tag}.{first[0]}" if first else box.tag if box.tag == "section" else at
