"""Documents as HTML, in three layouts."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from synthweb.document import Anchor, Document
from synthweb.labels import LABELS
from synthweb.prose import Writer
from synthweb.revising import revise

FRAMES = (
    '<div id="header">{nav}</div>\n<div class="wrap"><div class="main">{main}</div>\n'
    '<div class="side">{side}</div></div>\n'
    '<div id="footer">{foot}</div>',
    "<header><nav>{nav}</nav></header>\n<main>{main}</main>\n<aside>{side}</aside>\n<footer>{foot}</footer>",
    '<table width="960"><tr><td colspan="2" class="top">{nav}</td></tr>\n<tr><td class="cont">{main}</td>\n'
    '<td class="right">{side}</td></tr>\n<tr><td colspan="2" class="bottom">{foot}</td></tr></table>',
)


def anchor_html(anchor: Anchor) -> str:
    """An `a` element."""
    rel = f' rel="{anchor.rel}"' if anchor.rel else ""
    return f'<a href="{escape(anchor.href)}"{rel}>{escape(anchor.text, quote=False)}</a>'


def list_html(anchors: Iterable[Anchor], heading: str = "") -> str:
    """A heading and a list; nothing for no links."""
    items = "\n".join(f"<li>{anchor_html(anchor)}</li>" for anchor in anchors)
    head = f"<h3>{heading}</h3>\n" if heading else ""
    return f"{head}<ul>\n{items}\n</ul>\n" if items else ""


def paragraphs_of(document: Document) -> list[str]:
    """The text of a document: what an extractor should find."""
    recipe = document.recipe
    if recipe is None:
        return []
    writer = Writer(recipe.language, recipe.topic, recipe.seed, recipe.edits, recipe.edit_seed)
    writer.title()
    return revise(writer.text(recipe.words), document.revisions, recipe)


def text_html(document: Document, paragraphs: list[str]) -> str:
    """Paragraphs with the inline links behind the first ones, and the advertisement in the middle."""
    parts, inline = [], list(document.inline)
    for at, paragraph in enumerate(paragraphs):
        link = f" ({anchor_html(inline[at])})" if at < len(inline) else ""
        parts.append(f"<p>{paragraph}{link}</p>")
        if document.ad and at == 0:
            parts.append(f'<div class="ad">{document.ad}</div>')
    return "\n".join(parts)


def head_html(document: Document, description: str, charset: str) -> str:
    """The head; `charset` is the label to write into it, empty for none."""
    lines = [f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">'] if charset else []
    lines.append(f"<title>{document.title} - {document.site}</title>")
    if document.keywords:
        lines.append(f'<meta name="keywords" content="{",".join(document.keywords)}">')
    if description:
        lines.append(f'<meta name="description" content="{escape(description)}">')
    if document.robots:
        lines.append(f'<meta name="robots" content="{document.robots}">')
    address, media_type = document.feed
    if address:
        lines.append(f'<link rel="alternate" type="{media_type}" href="{address}">')
    return "\n".join(lines)


def render(document: Document, charset: str = "") -> str:
    """The HTML of a document, with `charset` as the label in its head."""
    words = LABELS[document.label.language]
    paragraphs = paragraphs_of(document)
    counter = f" | {document.counter}" if document.counter else ""
    info = f'<div class="info">{words["published"]} {document.date}{counter}</div>\n'
    dated = info if document.label.kind == "article" else ""
    trail = " &gt; ".join(map(anchor_html, document.trail))
    main = f'<div class="crumb">{trail}</div>\n' if trail else ""
    main += f"<h1>{document.title}</h1>\n{dated if document.label.kind == 'article' else ''}{text_html(document, paragraphs)}\n"
    main += list_html(document.entries)
    frame = FRAMES[document.theme].format(
        nav=list_html(document.nav) + (f'<div class="clock">{document.clock}</div>\n' if document.clock else ""),
        main=main,
        side=(f"<p>{document.today}</p>\n" if document.today else "")
        + list_html(document.related, words["related"])
        + list_html(document.sidebar, words["hot"]),
        foot=" | ".join(map(anchor_html, document.footer)),
    )
    head = head_html(document, paragraphs[0][:120] if paragraphs else "", charset)
    lang = {"zh": "zh-CN"}.get(document.label.language, document.label.language)
    return f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n{head}\n</head>\n<body>\n{frame}\n</body>\n</html>\n'
