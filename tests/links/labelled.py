"""Sixty-four small pages whose kind was set by hand when they were written: for the accuracy of the page kind.

Half index, half content; Chinese and English; addresses with and without file names. Several are meant to be hard: index
pages with an introduction, articles of two lines, pages without headings, numbers in the names of lists.
"""

from __future__ import annotations

from collections.abc import Iterator

_ZH = (
    "主题爬虫从几个种子网页出发，只下载与主题有关的网页，因此比通用爬虫省下许多时间和带宽。",
    "判断一个链接值不值得访问，要看它的锚文本、周围的文字以及它所在网页的相关程度。",
    "实验表明，按照链接得分从高到低访问，前一千个网页中的相关网页比广度优先多出几倍。",
)
_EN = (
    "A focused crawler starts from a few seed pages and fetches only what belongs to its topic, saving time and bandwidth.",
    "Whether a link is worth a visit is told by its anchor, by the words around it and by the page on which it stands.",
    "In our trials the first thousand pages held several times as many relevant ones as those of a breadth-first crawl.",
)
_TITLES_ZH = (
    "爬虫的礼貌",
    "网页去重方法",
    "链接打分入门",
    "分词工具比较",
    "域名解析缓存",
    "增量抓取周期",
    "站点结构图",
    "隧道穿越",
)
_TITLES_EN = (
    "Being polite",
    "Finding duplicates",
    "Scoring links",
    "Cutting words",
    "Caching names",
    "Looking again",
    "Site graphs",
    "Tunnels",
)


def _page(title: str, body: str) -> str:
    menu = "".join(f"<li><a href='/{name}/'>{name}</a></li>" for name in ("home", "news", "about", "contact"))
    body = f"<div id='menu'><ul>{menu}</ul></div>{body}<div id='footer'>© site</div>"
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


def _items(titles: tuple[str, ...], suffix: str = "") -> str:
    return "".join(f"<li><a href='/a/{number}.html'>{title}</a>{suffix}</li>" for number, title in enumerate(titles * 2))


def _list(titles: tuple[str, ...]) -> str:
    return f"<div class='list'><ul>{_items(titles)}</ul></div>"


def _dated_list(titles: tuple[str, ...]) -> str:
    return f"<h1>{titles[0][:2]}</h1><ul class='news'>{_items(titles, ' <span>2024-05-01</span>')}</ul>"


def _portal(titles: tuple[str, ...]) -> str:
    boxes = "".join(f"<div class='box'><h2>{title}</h2><ul>{_items(titles[:3])}</ul></div>" for title in titles[:4])
    return f"<div id='content'>{boxes}</div>"


def _table(titles: tuple[str, ...]) -> str:
    rows = "".join(
        f"<tr><td><a href='/t/{n}'>{title}</a></td><td>{n * 7}</td><td>user{n}</td></tr>" for n, title in enumerate(titles)
    )
    return f"<table class='forum'><tr><th>topic</th><th>replies</th><th>by</th></tr>{rows}</table>"


def _introduced_list(titles: tuple[str, ...]) -> str:
    lead = _ZH[0][:20] if titles is _TITLES_ZH else _EN[0][:40]
    return f"<p>{lead}:</p>" + _list(titles)


def _article(text: tuple[str, ...]) -> str:
    paragraphs = "".join(f"<p>{sentence} {text[0]}</p>" for sentence in text)
    return f"<div class='article'><h1>{text[0][:12]}</h1><div class='date'>2024-05-01</div>{paragraphs}</div>"


def _without_heading(text: tuple[str, ...]) -> str:
    return "<div class='content'>" + "".join(f"<p>{sentence} {text[1]}</p>" for sentence in text) + "</div>"


def _short_note(text: tuple[str, ...]) -> str:
    return f"<div class='post'><h1>{text[1][:10]}</h1><p>{text[1]}</p></div>"


def _thread(text: tuple[str, ...]) -> str:
    posts = "".join(f"<div class='reply'><b>user{n}</b><div>{sentence}</div></div>" for n, sentence in enumerate(text * 2))
    return f"<h2>{text[2][:10]}</h2>{posts}"


def _manual(text: tuple[str, ...]) -> str:
    steps = "".join(
        f"<h3>{n}</h3><p>{sentence}</p><pre>scrapy crawl topic -a seeds=f{n}</pre>" for n, sentence in enumerate(text)
    )
    return f"<div class='section'><h1>{text[0][:8]}</h1>{steps}</div>"


_INDEX_URLS = (
    "http://{0}/", "http://{0}/news/", "http://{0}/list_12_3.html", "http://{0}/index.html", "http://{0}/forum/board.php",
    "http://{0}/archives/2019/", "http://{0}/tags.html", "http://{0}/topics.html",
)  # fmt: skip
_CONTENT_URLS = (
    "http://{0}/a/20240501/t20240501_12345.html", "http://{0}/posts/617807d7.html", "http://{0}/docs/crawling.html",
    "http://{0}/2024/05/01/being-polite/", "http://{0}/view.php?tid=48211", "http://{0}/notes/being-polite.html",
    "http://{0}/pages/20427d78/", "http://{0}/wiki/Focused_crawler",
)  # fmt: skip


def labelled() -> Iterator[tuple[str, str, str]]:
    """(url, html, kind) of each page."""
    for host, titles, text in (("zh.example.cn", _TITLES_ZH, _ZH), ("en.example.org", _TITLES_EN, _EN)):
        makers = (_list, _dated_list, _portal, _table, _introduced_list)
        for number in range(16):
            url = _INDEX_URLS[number % 8].format(host)
            yield url, _page(titles[number % 8], makers[number % 5](titles)), "index"
        writers = (_article, _without_heading, _short_note, _thread, _manual)
        for number in range(16):
            url = _CONTENT_URLS[number % 8].format(host)
            yield url, _page(text[number % 3][:12], writers[number % 5](text)), "content"
