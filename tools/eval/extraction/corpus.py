"""Pages whose main text is known because they are made from it: for the floors of both extractors.

Eight page templates, each in Chinese and English, several lengths: menus, breadcrumbs, bylines, sidebars with related
articles, advertisements, share bars, comments and footers around the text, in old table layout and new sections alike.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass

_SUBJECTS = {
    "en": ("the crawler", "a seed page", "the frontier", "each host", "the topic model", "an archived copy", "the link scorer"),
    "zh": ("主题爬虫", "种子网页", "待抓队列", "每台主机", "主题模型", "归档的副本", "链接打分器"),
}
_VERBS = {
    "en": ("keeps", "visits", "remembers", "compares", "stores", "reads", "puts off"),
    "zh": ("保存", "访问", "记住", "比较", "存储", "阅读", "推迟"),
}
_OBJECTS = {
    "en": (
        "the words around a link", "pages that changed since last week", "what the rules of a site allow",
        "the shortest delay", "near duplicates of older pages", "answers that came too late", "the weights of its terms",
    ),
    "zh": (
        "链接周围的文字", "上周以来改变过的网页", "网站规则允许的内容", "最短的访问间隔", "旧网页的近似副本", "来得太晚的回答",
        "各个词项的权重",
    ),
}  # fmt: skip
_ENDS = {
    "en": (
        "before it goes on",
        "whenever the queue runs low",
        "although this costs time",
        "as the paper describes",
        "in every run",
    ),
    "zh": ("然后才继续工作", "每当队列快要见底的时候", "虽然这样要花费时间", "正如论文里所描述的那样", "在每一次运行之中"),
}
_CHROME = {
    "en": (
        "Home",
        "Latest news",
        "Contact us",
        "Related article about sports",
        "Buy cheap tickets now",
        "Share this",
        "All rights reserved",
    ),
    "zh": ("首页", "最新新闻", "联系我们", "相关阅读：体育比赛结果", "特价机票立即购买", "分享到微博", "版权所有 不得转载"),
}


Template = Callable[[str, list[str], str], str]
"""(title, paragraphs, language) -> HTML"""


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    language: str
    html: str
    truth: str


def corpus() -> list[Sample]:
    """The same forty-eight pages every time."""
    draw = random.Random(20240501)
    return [
        _sample(name, template, language, blocks, draw)
        for name, template in TEMPLATES.items()
        for language in ("en", "zh")
        for blocks in (3, 6, 14)
    ]


def digest(samples: list[Sample]) -> str:
    """Of all pages and texts: nobody changes the exam unseen."""
    return hashlib.sha256("\0".join(sample.html + "\0" + sample.truth for sample in samples).encode()).hexdigest()


def _sample(
    name: str, template: Callable[[str, list[str], str], str], language: str, blocks: int, draw: random.Random
) -> Sample:
    texts = [paragraph(language, draw) for _ in range(blocks)]
    title = sentence(language, draw)[:40].rstrip("，, ")
    return Sample(f"{name}-{language}-{blocks}", language, template(title, texts, language), "\n".join([title, *texts]))


def sentence(language: str, draw: random.Random) -> str:
    """One sentence; in English with a space behind it."""
    subject, verb, thing, end = (draw.choice(words[language]) for words in (_SUBJECTS, _VERBS, _OBJECTS, _ENDS))
    if language == "zh":
        return f"{subject}{verb}{thing}，{end}。"
    return f"{subject.capitalize()} {verb} {thing} {end}. "


def paragraph(language: str, draw: random.Random) -> str:
    """Two to five sentences."""
    return "".join(sentence(language, draw) for _ in range(draw.randint(2, 5))).strip()


def _shell(title: str, language: str, body: str) -> str:
    head = f"<title>{title}</title><script>var a = '<p>code</p>';</script>"
    return f"<!DOCTYPE html><html lang={language}><head>{head}</head><body>{body}</body></html>"


def words_of_chrome(language: str) -> tuple[str, ...]:
    """What stands around a text: home, news, contact, a related article, an advertisement, share, rights."""
    return _CHROME[language]


def links(language: str, count: int, word: int = 1) -> str:
    """List items with a link each."""
    return "".join(f"<li><a href='/{n}.html'>{_CHROME[language][word]} {n}</a></li>" for n in range(count))


def _ps(texts: list[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _sections(title: str, texts: list[str], language: str) -> str:
    chrome = _CHROME[language]
    return _shell(title, language, (
        f"<header><nav><ul>{links(language, 8)}</ul></nav></header>"
        f"<main><article><h1>{title}</h1>{_ps(texts)}</article></main>"
        f"<aside><h3>{chrome[3]}</h3><ul>{links(language, 6, 3)}</ul></aside><footer>{chrome[6]}</footer>"
    ))  # fmt: skip


def _blog(title: str, texts: list[str], language: str) -> str:
    chrome = _CHROME[language]
    return _shell(title, language, (
        f"<div class='navbar'><a href='/'>{chrome[0]}</a><a href='/c'>{chrome[2]}</a></div><div class='container'>"
        f"<div class='post'><h1 class='post-title'>{title}</h1><div class='post-meta'>2024-05-01</div>"
        f"<div class='post-content'>{_ps(texts)}</div><div class='share'><a href='#'>{chrome[5]}</a></div></div>"
        f"<div class='sidebar'><ul>{links(language, 12)}</ul></div></div>"
        f"<div class='footer'>{chrome[6]}</div>"
    ))  # fmt: skip


def _tables(title: str, texts: list[str], language: str) -> str:
    chrome = _CHROME[language]
    return _shell(title, language, (
        f"<table width=960><tr><td colspan=2><a href=/>{chrome[0]}</a> | <a href=/c>{chrome[2]}</a></td></tr>"
        f"<tr><td width=160><ul>{links(language, 10)}</ul></td>"
        f"<td><font size=5>{title}</font><br><br>{'<br><br>'.join(texts)}</td></tr>"
        f"<tr><td colspan=2 align=center>{chrome[6]}</td></tr></table>"
    ))  # fmt: skip


def _news(title: str, texts: list[str], language: str) -> str:
    chrome = _CHROME[language]
    advert = f"<div class='ad'><a href='/buy'>{chrome[4]}</a></div>"
    return _shell(title, language, (
        f"<div id='top'>{links(language, 15)}</div><div id='main'>"
        f"<div class='crumb'><a href='/'>{chrome[0]}</a> &gt; <a href='/n'>{chrome[1]}</a></div>"
        f"<h1>{title}</h1><div class='info'>2024-05-01 10:00</div>"
        f"<div id='artibody'>{_ps(texts[:2])}{advert}{_ps(texts[2:])}</div>"
        f"<div class='related'><h2>{chrome[3]}</h2><ul>{links(language, 8, 3)}</ul></div></div>"
        f"<div id='footer'>{chrome[6]}</div>"
    ))  # fmt: skip


def _divs(title: str, texts: list[str], language: str) -> str:
    chrome = _CHROME[language]
    blocks = "".join(f"<div>{text}</div>" for text in texts)
    return _shell(title, language, (
        f"<div><a href=/>{chrome[0]}</a></div><div><div><h2>{title}</h2><div>{blocks}</div></div></div><div>{chrome[6]}</div>"
    ))  # fmt: skip


def _comments(title: str, texts: list[str], language: str) -> str:
    chrome = _CHROME[language]
    notes = "".join(f"<li class='comment'><b>user{n}</b><p>{chrome[5]}!</p></li>" for n in range(5))
    return _shell(title, language, (
        f"<nav>{links(language, 5)}</nav><article class='entry'><h1>{title}</h1>{_ps(texts)}</article>"
        f"<section id='comments'><ol>{notes}</ol></section><footer><p>{chrome[6]}</p></footer>"
    ))  # fmt: skip


def _manual(title: str, texts: list[str], language: str) -> str:
    sections = "".join(f"<div class='section'><h2>{number}</h2><p>{text}</p></div>" for number, text in enumerate(texts))
    return _shell(title, language, (
        f"<div class='related'><ul>{links(language, 4)}</ul></div><div class='document'><div class='body' role='main'>"
        f"<h1>{title}</h1>{sections}</div></div><div class='sphinxsidebar'><ul>{links(language, 20)}</ul></div>"
        f"<div class='footer'>{_CHROME[language][6]}</div>"
    ))  # fmt: skip


def _inline(title: str, texts: list[str], language: str) -> str:
    chrome = _CHROME[language]
    marked = [f"<p><strong>{text[:4]}</strong><a href='/w'>{text[4:9]}</a>{text[9:]}</p>" for text in texts]
    return _shell(title, language, (
        f"<ul class='menu'>{links(language, 9)}</ul><div class='content'><h1>{title}</h1>{''.join(marked)}</div>"
        f"<div class='pager'><a href='/p'>{chrome[1]}</a></div><div class='copyright'>{chrome[6]}</div>"
    ))  # fmt: skip


TEMPLATES: dict[str, Template] = {
    "sections": _sections, "blog": _blog, "tables": _tables, "news": _news, "divs": _divs, "comments": _comments,
    "manual": _manual, "inline": _inline,
}  # fmt: skip
