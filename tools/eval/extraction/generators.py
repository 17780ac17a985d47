"""Pages as the generators of documentation and blogs write them, with prose, code, lists and tables of our own.

One template a generator: the elements and class names are those of its default theme, the words are made by `corpus`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from tools.eval.extraction.corpus import Sample, links, paragraph, sentence, words_of_chrome


@dataclass(frozen=True, slots=True)
class Text:
    """A text in the order of its blocks."""

    title: str
    lead: str
    heading: str
    code: str
    items: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]
    end: str

    def plain(self) -> str:
        rows = (f"{name}\t{meaning}" for name, meaning in self.rows)
        return "\n".join((self.title, self.lead, self.heading, self.code, *self.items, *rows, self.end))


def samples() -> list[Sample]:
    """The same pages every time: each generator in Chinese and English, a short and a long one."""
    draw = random.Random(20261122)
    return [
        _sample(name, write, language, size, draw)
        for name, write in GENERATORS.items()
        for language in ("en", "zh")
        for size in (1, 4)
    ]


def _sample(name: str, write: Callable[[Text, str], str], language: str, size: int, draw: random.Random) -> Sample:
    names = [f"{draw.choice(_VERBS)}_{draw.choice(_NOUNS)}" for _ in range(3 + size)]
    code = "\n".join(f"{name} = crawler.{name}(limit={draw.randint(1, 90)})  # {number}" for number, name in enumerate(names))
    text = Text(
        sentence(language, draw)[:30].rstrip("，, "),
        "".join(paragraph(language, draw) for _ in range(size)),
        sentence(language, draw)[:20].rstrip("，, "),
        code,
        tuple(sentence(language, draw).strip() for _ in range(1 + size)),
        tuple((name, sentence(language, draw).strip()) for name in names),
        "".join(paragraph(language, draw) for _ in range(size)),
    )
    return Sample(f"{name}-{language}-{size}", language, write(text, language), text.plain())


_VERBS = ("read", "store", "score", "lease", "merge", "trace")
_NOUNS = ("page", "topic", "host", "queue", "model", "robots")


def _body(text: Text, code: str = "<pre><code>{}</code></pre>", level: int = 2) -> str:
    """Everything under the title, as Markdown becomes HTML."""
    items = "".join(f"<li>{item}</li>" for item in text.items)
    rows = "".join(f"<tr><td><code>{name}</code></td><td>{meaning}</td></tr>" for name, meaning in text.rows)
    return (
        f"<p>{text.lead}</p><h{level} id='a'><a class='header-anchor' href='#a'>#</a> {text.heading}</h{level}>"
        f"{code.format(escape(text.code))}<ul>{items}</ul><table><tbody>{rows}</tbody></table><p>{text.end}</p>"
    )


def _page(text: Text, language: str, body: str) -> str:
    head = f"<meta charset=utf-8><title>{text.title} | Handbook</title><script>var app = {{}};</script>"
    return f"<!DOCTYPE html><html lang={language}><head>{head}</head><body>{body}</body></html>"


def _vuepress(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    side = f"<ul class='sidebar-links'>{links(language, 30)}</ul>"
    return _page(text, language, (
        "<div id='app'><div class='theme-container'><header class='navbar'><a class='home-link'>"
        f"<span class='site-name'>{chrome[0]}</span></a><div class='links'>"
        f"<nav class='nav-links'>{links(language, 6)}</nav></div>"
        f"</header><div class='sidebar-mask'></div><aside class='sidebar'>{side}</aside><main class='page'>"
        f"<div class='theme-default-content content__default'><h1 id='t'><a class='header-anchor'>#</a> {text.title}</h1>"
        f"{_body(text, _HIGHLIGHT)}</div><footer class='page-edit'><div class='last-updated'><i>{chrome[1]}</i>"
        f"</div></footer><div class='page-nav'><p class='inner'><span class='prev'><a>{chrome[3]}</a></span>"
        f"<span class='next'><a>{chrome[5]}</a></span></p></div></main></div></div>"
    ))  # fmt: skip


_HIGHLIGHT = "<div class='language-python extra-class'><pre class='language-python'><code>{}</code></pre></div>"


def _vitepress(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    return _page(text, language, (
        f"<div id='app'><div class='Layout'><header class='VPNav'>{links(language, 6)}</header><aside class='VPSidebar'>"
        f"<nav class='nav'>{links(language, 25)}</nav></aside><div class='VPContent has-sidebar'><div class='VPDoc has-aside'>"
        f"<div class='container'><div class='aside'><div class='VPDocAsideOutline'>{links(language, 4)}</div></div>"
        f"<div class='content'><div class='content-container'><main class='main'><div class='vp-doc'><div><h1>{text.title}</h1>"
        f"{_body(text, _HIGHLIGHT)}</div></div></main><footer class='VPDocFooter'><p>{chrome[1]}</p><nav class='prev-next'>"
        f"<a>{chrome[3]}</a></nav></footer></div></div></div></div></div></div></div>"
    ))  # fmt: skip


def _docusaurus(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    code = (
        "<div class='language-python codeBlockContainer'><div class='codeBlockContent'><pre class='prism-code'><code>{}</code>"
        "</pre><div class='buttonGroup'><button>Copy</button></div></div></div>"
    )
    return _page(text, language, (
        f"<div id='__docusaurus'><div class='skipToContent'><a>{chrome[0]}</a></div>"
        f"<nav class='navbar'>{links(language, 6)}</nav>"
        f"<div class='docsWrapper'><div class='docRoot'><aside class='theme-doc-sidebar-container'><nav class='menu'>"
        f"<ul class='theme-doc-sidebar-menu menu__list'>{links(language, 30)}</ul></nav></aside><main class='docMainContainer'>"
        "<div class='container'><div class='row'><div class='col docItemCol'><div class='docItemContainer'><article>"
        f"<nav class='theme-doc-breadcrumbs'><ul class='breadcrumbs'>{links(language, 2)}</ul></nav>"
        f"<div class='theme-doc-markdown markdown'><header><h1>{text.title}</h1></header>{_body(text, code)}</div>"
        f"<footer class='theme-doc-footer'><div class='tags'>{links(language, 2, 3)}</div></footer></article>"
        f"<nav class='pagination-nav'><a>{chrome[3]}</a></nav></div></div><div class='col col--3'>"
        f"<div class='tableOfContents'>{links(language, 3)}</div></div></div></div></main></div></div>"
        f"<footer class='footer'>{chrome[6]}</footer></div>"
    ))  # fmt: skip


def _gitbook(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    return _page(text, language, (
        "<div class='book'><div class='book-summary'><nav role='navigation'>"
        f"<ul class='summary'>{links(language, 30)}</ul></nav>"
        "</div><div class='book-body'><div class='body-inner'><div class='book-header' role='navigation'>"
        f"<h1><a>{chrome[0]}</a></h1></div><div class='page-wrapper'><div class='page-inner'><div id='book-search-results'>"
        "<div class='search-noresults'><section class='normal markdown-section'>"
        f"<h1>{text.title}</h1>{_body(text)}</section></div>"
        "<div class='search-results'><div class='has-results'><h1 class='search-results-title'></h1></div></div>"
        "</div></div></div>"
        f"</div><a class='navigation navigation-next'>{chrome[3]}</a></div></div>"
    ))  # fmt: skip


def _mkdocs(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    code = "<div class='highlight'><table class='highlighttable'><tr><td class='linenos'><pre>1\n2\n3\n4</pre></td>"
    code += "<td class='code'><div><pre><code>{}</code></pre></div></td></tr></table></div>"
    return _page(text, language, (
        f"<header class='md-header'><nav>{chrome[0]}</nav></header><div class='md-container'><main class='md-main'>"
        "<div class='md-main__inner md-grid'><div class='md-sidebar md-sidebar--primary'>"
        f"<nav class='md-nav'>{links(language, 30)}"
        f"</nav></div><div class='md-sidebar md-sidebar--secondary'><nav class='md-nav'>{links(language, 4)}</nav></div>"
        "<div class='md-content'><article class='md-content__inner md-typeset'>"
        f"<h1>{text.title}</h1>{_body(text, code)}</article>"
        f"</div></div></main><footer class='md-footer'><nav>{links(language, 2)}</nav>{chrome[6]}</footer></div>"
    ))  # fmt: skip


def _sphinx(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    code = "<div class='highlight-python notranslate'><div class='highlight'><pre>{}</pre></div></div>"
    return _page(text, language, (
        "<div class='wy-grid-for-nav'><nav class='wy-nav-side'><div class='wy-side-scroll'>"
        f"<ul>{links(language, 30)}</ul></div>"
        "</nav><section class='wy-nav-content-wrap'><div class='wy-nav-content'><div class='rst-content'>"
        f"<div role='navigation'><ul class='wy-breadcrumbs'>{links(language, 3)}</ul><hr></div>"
        f"<div role='main' class='document'><div itemprop='articleBody'><section id='s'><h1>{text.title}"
        f"<a class='headerlink' href='#s'>¶</a></h1>{_body(text, code)}</section></div></div><footer>"
        "<div class='rst-footer-buttons'>"
        f"<a>{chrome[3]}</a></div><hr><div role='contentinfo'><p>{chrome[6]}</p></div></footer></div></div></section></div>"
    ))  # fmt: skip


def _javadoc(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    return _page(text, language, (
        f"<div class='flex-box'><header role='banner' class='flex-header'><nav><div class='top-nav' id='navbar-top'>"
        f"<ul class='nav-list'>{links(language, 9)}</ul></div><div class='sub-nav'>{chrome[5]}</div></nav></header>"
        f"<div class='flex-content'><main role='main'><div class='header'><h1 class='title'>{text.title}</h1></div>"
        f"<section class='class-description'><div class='block'>{_body(text)}</div></section></main>"
        f"<footer role='contentinfo'><hr><p class='legal-copy'><small>{chrome[6]}</small></p></footer></div></div>"
    ))  # fmt: skip


def _gtk_doc(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    code = "<pre class='programlisting'>{}</pre>"
    return _page(text, language, (
        f"<table class='navigation' id='top' width='100%'><tr><td width='100%' class='shortcuts'><a>{chrome[0]}</a> | "
        f"<a>{chrome[1]}</a></td><td><a><img src='u'></a></td></tr></table><div class='refentry'><div class='refnamediv'>"
        f"<h1>{text.title}</h1></div><div class='refsect1'>{_body(text, code)}</div></div>"
        "<div class='footer'><hr>Generated by GTK-Doc V1.33.1</div>"
    ))  # fmt: skip


def _man(text: Text, language: str) -> str:
    rows = "\n".join(f"       <b>{name}</b>\n              {meaning}" for name, meaning in text.rows)
    items = "\n".join(f"       {item}" for item in text.items)
    head = f"<b>{text.title}</b>\n\n       {text.lead}\n\n<b>{text.heading}</b>\n{escape(text.code)}"
    pre = f"{head}\n{items}\n{rows}\n\n{text.end}"
    return _page(text, language, f"<pre>\n{pre}\n</pre>")


def _next(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    code = "<figure class='highlight python'><table><tr><td class='gutter'><pre>1<br>2<br>3<br>4</pre></td>"
    code += "<td class='code'><pre>{}</pre></td></tr></table></figure>"
    return _page(text, language, (
        "<main class='main'><div class='column'><header class='header'>"
        f"<nav class='site-nav'>{links(language, 5)}</nav></header>"
        f"<aside class='sidebar'><div class='post-toc'><ol class='nav'>{links(language, 8)}</ol></div></aside></div>"
        "<div class='main-inner post posts-expand'><div class='post-block'><article class='post-content'>"
        "<header class='post-header'>"
        f"<h1 class='post-title'>{text.title}</h1><div class='post-meta-container'><div class='post-meta'>2026-11-22 "
        f"<a>{chrome[1]}</a></div></div></header><div class='post-body'>{_body(text, code)}</div><footer class='post-footer'>"
        f"<div class='post-copyright'><ul><li>{chrome[6]}</li></ul></div><div class='post-nav'><a>{chrome[3]}</a>"
        "</div></footer>"
        f"</article></div></div></main><footer class='footer'><div class='copyright'>{chrome[6]}</div></footer>"
    ))  # fmt: skip


def _butterfly(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    recent = "".join(f"<div class='aside-list-item'><a>{chrome[3]} {number}</a><time>2026</time></div>" for number in range(5))
    return _page(text, language, (
        f"<div id='sidebar'><div id='sidebar-menus'>{links(language, 5)}</div></div><div class='post' id='body-wrap'>"
        f"<header class='post-bg' id='page-header'><nav id='nav'>{links(language, 5)}</nav><div id='post-info'>"
        f"<h1 class='post-title'>{text.title}</h1><div id='post-meta'>2026-11-22 | {chrome[1]}</div></div></header>"
        "<main class='layout' id='content-inner'><div id='post'><article class='post-content' id='article-container'>"
        f"{_body(text)}</article><div class='post-copyright'><span>{chrome[6]}</span><a>http://a.example/</a></div>"
        f"<nav class='pagination-post' id='pagination'><a>{chrome[3]}</a></nav></div>"
        "<div class='aside-content' id='aside-content'>"
        f"<div class='card-widget card-recent-post'>{recent}</div></div></main><footer id='footer'>{chrome[6]}</footer></div>"
    ))  # fmt: skip


def _php(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    lines = "{}"
    code = (
        f"<div class='example-contents'><div class='phpcode'><code><span style='color: #000'>{lines}</span></code></div></div>"
    )
    body = _body(text, code, 3).replace(escape(text.code), escape(text.code).replace("\n", "<br>"))
    return _page(text, language, (
        f"<div class='navbar navbar-fixed-top'><ul class='nav'>{links(language, 2)}</ul></div>"
        "<div id='breadcrumbs' class='clearfix'>"
        f"<ul class='breadcrumbs-container'>{links(language, 3)}</ul></div><div id='layout' class='clearfix'>"
        f"<div id='layout-content'><div class='refentry'><div class='refnamediv'><h1 class='refname'>{text.title}</h1></div>"
        f"<div class='refsect1 description'>{body}</div></div></div></div><footer>{chrome[6]}</footer>"
    ))  # fmt: skip


_SCREEN = "<pre class='screen'>{}</pre>"


def _docbook(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    navigation = (
        f"<table width='100%'><tr><th colspan='3'>{chrome[0]}</th></tr><tr><td><a>{chrome[3]}</a></td><td><a>{chrome[1]}</a>"
    )
    return _page(text, language, (
        f"<div class='navheader'>{navigation}</td></tr></table><hr></div><div class='section'><div class='titlepage'><div><div>"
        f"<h1 class='title'>{text.title}</h1></div></div></div>{_body(text, _SCREEN)}</div>"
        f"<div class='navfooter'><hr>{navigation}</td></tr></table></div>"
    ))  # fmt: skip


def _news(text: Text, language: str) -> str:
    chrome = words_of_chrome(language)
    teasers = "".join(f"<li><a><img src='i'><h3>{chrome[3]} {number}</h3></a></li>" for number in range(8))
    return _page(text, language, (
        f"<div class='top-bar'>{links(language, 12)}</div><div class='channel-menu'>{links(language, 9, 3)}</div>"
        f"<div class='wrap'><div class='left-col'><h1>{text.title}</h1><div class='info'>2026-11-22 10:00</div>"
        f"<div class='article-body'>{_body(text)}</div><div class='share-bar'><a>{chrome[5]}</a></div>"
        f"<div class='related-news'><h2>{chrome[3]}</h2><ul>{links(language, 8, 3)}</ul></div></div>"
        f"<div class='right-col'><div class='hot'><h2>{chrome[1]}</h2><ul>{teasers}</ul></div></div></div>"
        f"<div class='site-foot'>{links(language, 6)}<p>{chrome[6]}</p></div>"
    ))  # fmt: skip


GENERATORS: dict[str, Callable[[Text, str], str]] = {
    "vuepress": _vuepress, "vitepress": _vitepress, "docusaurus": _docusaurus, "gitbook": _gitbook, "mkdocs": _mkdocs,
    "sphinx": _sphinx, "javadoc": _javadoc, "gtk-doc": _gtk_doc, "man": _man, "next": _next, "butterfly": _butterfly,
    "php": _php, "docbook": _docbook, "news": _news,
}  # fmt: skip
