"""Pages of the recorded webs whose main text is known, because their site marks it: each template's own main element.

A template is a site and one of its kinds of pages, told by the URL. The truth is the text of the template's main
element (and of the title where that stands outside of it), without what `without` names. Pages with fewer than `LEAST`
characters of truth, or whose main element is mostly links, are tables of contents and are left out.
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from focuscrawl.text.complexity import is_heavy
from focuscrawl.text.decode import decode
from focuscrawl.text.walk import INLINE
from tools.eval.webs.recorded import WEBS, body_of, opened

PAGES = 40
"""Of one template."""
LEAST = 200
MOST_LINKED = 0.6


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    language: str
    host: str
    path: str
    """Pattern of the path, from its beginning."""
    main: str
    """Selectors of the main element, and of the title outside of it, in document order; of each the first match counts."""
    without: str = ""
    """Selectors of what inside the main element is none of the text."""
    tuned: bool = False
    """Was it looked at while the extractor was made? The others were left out."""


_DOCBOOK = ", ".join(f"body > div.{name}" for name in ("chapter", "sect1", "section", "refentry", "preface", "appendix"))
_RTD = "div[role=main]"
_HUGO = "section.section h1 | section.section div.content"
_BOOK = "#main-content article | #main-content section"
_BUTTERFLY = "h1.post-title | #article-container"
_CELL = "table > tbody > tr > td"
_SECOND = f"body > table:nth-of-type(2) > tbody > tr > td > {_CELL}:nth-of-type(2)"
_PYDOCTOR_SEARCH = "#current-docs-container, #search-results-container, #showPrivate"
_BANNER = "[itemprop=articleBody] > div.admonition:first-child"
"""On versions, on each page."""
_MARKS = "a.headerlink, a.header-anchor, a.anchor"
_SET_APART = "span.classifier"
"""What a style sheet sets apart from the words just before it: Sphinx's types of parameters."""

TEMPLATES = (
    Template("php manual", "zh", "www.php.net", r"/manual/zh/", "#layout-content", tuned=True),
    Template("debian-handbook", "zh", "debian-handbook.info", r"/browse/zh-CN/", _DOCBOOK, tuned=True),
    Template("Hexo NexT", "zh", "dunwu.github.io", r"/blog/pages/", "h1.post-title | .post-body", ".gutter", tuned=True),
    Template("Hugo blog", "zh", "leileiluoluo.github.io", r"/posts/", _HUGO, tuned=True),
    Template("LibreOffice help", "zh", "help.libreoffice.org", r"/7.4/zh-CN/text/", "#DisplayArea"),
    Template("Hexo Butterfly", "zh", "www.sujx.net", r"/\d{4}/\d\d/\d\d/", _BUTTERFLY, ".gutter", tuned=True),
    Template("Sphinx classic", "en", "docs.python.org", r"/3/(?!_modules|genindex)", "div.body"),
    Template("Sphinx rtd", "en", "docs.scrapy.org", r"/en/latest/(?!_modules|genindex)", _RTD, tuned=True),
    Template("Sphinx viewcode", "en", "docs.djangoproject.com", r"/en/3.2/_modules/", "#yui-main", tuned=True),
    Template("Sphinx django", "en", "docs.djangoproject.com", r"/en/3.2/(?!_modules|genindex)", "#yui-main", tuned=True),
    Template("DocBook PostgreSQL", "en", "www.postgresql.org", r"/docs/15/", _DOCBOOK, tuned=True),
    Template("AsciiDoc", "en", "git-scm.com", r"/docs/", "#header | #content", tuned=True),
    Template("man in pre", "en", "www.postfix.org", r"/[\w-]+\.\d\.html", "body", tuned=True),
    Template("plain sections", "en", "www.sqlite.org", r"/c3ref/", "body", ".nosearch > *:not(h2):not(a)", tuned=True),
    Template("Sphinx book", "en", "docs.dask.org", r"/en/stable/(?!genindex)", _BOOK, tuned=True),
    Template("Sphinx alabaster", "en", "docs.aiohttp.org", r"/en/stable/(?!_modules|genindex)", "div.body"),
    Template("Sphinx flask", "en", "flask.palletsprojects.com", r"/en/2.2.x/(?!genindex)", "div.body"),
    Template("Sphinx rtd b", "en", "ipython.readthedocs.io", r"/en/stable/(?!genindex)", _RTD, _BANNER, tuned=True),
    Template("Sphinx sqlalchemy", "en", "docs.sqlalchemy.org", r"/en/14/(?!_modules|genindex)", "#docs-body", tuned=True),
    Template("Sphinx viewcode b", "en", "docs.celeryq.dev", r"/en/stable/_modules/", "div.body", "div.deck"),
    Template("pydoctor", "en", "docs.twisted.org", r"/en/stable/api/", "#main", _PYDOCTOR_SEARCH, tuned=True),
    Template("DocBook Wireshark", "en", "www.wireshark.org", r"/docs/", _DOCBOOK),
    Template("Apache manual", "en", "httpd.apache.org", r"/docs/2.4/en/", "#page-content", "#quickview, #comments_section"),
    Template("Exim manual", "en", "www.exim.org", r"/exim-html-current/", "#chapter"),
    Template("Texinfo", "en", "www.gnupg.org", r"/documentation/manuals/", "body > div", "div.header"),
    Template("howto in body", "en", "www.postfix.org", r"/[A-Z_]+README\.html", "body"),
    Template("gtk-doc", "en", "www.gnutls.org", r"/reference/", "div.refentry"),
    Template("table layout", "en", "xmlsoft.org", r"/html/", _SECOND),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    template: Template
    url: str
    html: str
    truth: str
    code: str
    """The text of its blocks of code."""


def pages(webs: Path = WEBS, most: int = PAGES, names: Collection[str] = ()) -> Iterator[Page]:
    """The same ones in every run, template by template, of all templates or those named.

    Raises:
        FileNotFoundError: there are no recorded webs.
    """
    for language, name in (("zh", "dev"), ("en", "dev-en")):
        path = webs / f"{name}.sqlite"
        if not path.exists():
            raise FileNotFoundError(f"no recorded web {path}: set FOCUSCRAWL_WEBS to the folder with dev.sqlite")
        with opened(path) as database:
            for template in TEMPLATES:
                if template.language == language and (not names or template.name in names):
                    yield from _pages(database, template, most)


def _pages(database: sqlite3.Connection, template: Template, most: int) -> Iterator[Page]:
    prefix = f"http://{template.host}"
    found = database.execute("select url from page where status = 200 and url glob ? order by url", (prefix + "/*",))
    urls = [url for (url,) in found if re.match(template.path, url.removeprefix(prefix))]
    random.Random(7).shuffle(urls)
    taken = 0
    for url in urls:
        if taken == most:
            return
        html = decode(body_of(database, url), "text/html").text
        if not is_heavy(html) and (page := _page(template, url, html)):
            taken += 1
            yield page


def _page(template: Template, url: str, html: str) -> Page | None:
    tree = LexborHTMLParser(html)
    tree.strip_tags(["script", "style", "noscript", "template"])
    for node in tree.css(_MARKS):
        node.decompose()
    for node in tree.css(_SET_APART):
        node.insert_before(" ")
    if template.without:
        for node in tree.css(template.without):
            node.decompose()
    parts = [part for selector in template.main.split("|") if (part := tree.css_first(selector.strip())) is not None]
    truth = "\n".join(map(text_of, parts))
    linked = sum(len("".join(link.text().split())) for part in parts for link in part.css("a"))
    length = len("".join(truth.split()))
    if length < LEAST or linked > MOST_LINKED * length:
        return None
    return Page(template, url, html, truth, "\n".join(text_of(code) for part in parts for code in part.css(_CODE)))


_CODE = "pre, div.phpcode"


def text_of(node: LexborNode) -> str:
    """All of a node's text; elements that are not inline stand on lines of their own."""
    parts: list[str] = []
    _collect(node, parts)
    return "".join(parts)


def _collect(node: LexborNode, parts: list[str]) -> None:
    for child in node.iter(include_text=True):
        if child.is_text_node:
            parts.append(child.text(deep=False) or "")
        elif child.tag in INLINE:
            _collect(child, parts)
        else:
            parts.append("\n")
            _collect(child, parts)
            parts.append("\n")
