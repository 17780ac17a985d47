"""What a page says about itself beside its text: author, dates, canonical URL, name of the site, category, licence.

Each is taken from the first of these sources that has it:

| | |
|---|---|
| author | JSON-LD `author` (else `creator`); meta (`AUTHOR`); microdata; a link `rel=author`; hAtom, `p-author` |
| published | JSON-LD `datePublished`, Baidu's `pubDate`; meta (`PUBLISHED`); microdata; the URL; one shown; 发布时间; scripts |
| modified | JSON-LD `dateModified`, `upDate`; meta (`MODIFIED`); microdata; a line such as "Last updated on …", 最后更新 |
| canonical | `link rel=canonical`; `og:url` |
| site name | `og:site_name`; JSON-LD `WebSite`, `isPartOf`, `publisher`; meta `application-name` |
| category | breadcrumbs, the page above, the section of an article: `focuscrawl.reading.category` |
| licence | JSON-LD `license`; `rel=license`; meta `dc.rights`, `dcterms.license` …; a Creative Commons link beside the word |

Dates are read by htmldate's parser (Barbaresi 2020, "htmldate: A Python package to extract publication dates from web pages"),
not by its search of the whole page, which takes 3 to 11 ms and finds dates in the examples of manuals. A date is the day as
the page writes it, `2021-03-04`, without time or zone. A day before 1990, or later than the day after the fetch, is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from itertools import islice, takewhile
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import orjson
from selectolax.lexbor import LexborHTMLParser, LexborNode

from focuscrawl.politeness.reserved import RSL
from focuscrawl.reading.category import category_of
from focuscrawl.reading.licence import licence_of, licence_of_link
from focuscrawl.text import clean
from focuscrawl.text.document import Document
from focuscrawl.text.head import Meta
from focuscrawl.text.layout import is_comments
from focuscrawl.url.normalize import normalize

Node: TypeAlias = dict[str, Any]

MAX_NAME = 200
"""Characters of an author's or a site's name."""
MAX_AUTHORS = 20
MAX_JSON = 500_000
"""Characters of a JSON-LD element; longer ones are not read."""
MAX_NODES = 500
"""Nodes of JSON-LD that are examined."""
MAX_DATES = 50
"""Elements with a date that are examined."""
EARLIEST = datetime(1990, 1, 1)
"""The web's first year. Older texts have the date on which they were put there."""
AUTHOR = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "citation_authors")
"""Names of meta elements, Open Graph and Dublin Core among them, the most reliable first. So are the next two."""
PUBLISHED = (
    "article:published_time", "og:published_time", "og:article:published_time", "datepublished", "dcterms.issued",
    "dc.date.issued", "dcterms.created", "dc.date.created", "dc.date", "dcterms.date", "citation_publication_date",
    "citation_date", "citation_online_date", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate", "publish_date",
    "publish-date", "date",
)  # fmt: skip
MODIFIED = (
    "article:modified_time", "og:updated_time", "og:article:modified_time", "datemodified", "dcterms.modified",
    "dc.date.modified", "last-modified", "lastmod", "revised", "updated",
)  # fmt: skip
_ARTICLES = re.compile(r"(?:Article|Posting|Report|Review|Question|Recipe|Book|Course|Dataset|Documentation|CreativeWork)$")
_PAGES = re.compile(r"Page$")
"""Types of schema.org that describe the page: an article on it, and the page as such."""
_BAIDU = "ziyuan.baidu.com/contexts/cambrian.jsonld"
"""The context of what Chinese sites say of an article to Baidu, without a type: `title`, `pubDate`, `upDate`."""
_UPDATE = re.compile(r"updat|modif|revis|更新|修改|修[订訂]", re.IGNORECASE)
"""In the label of a date that is not that of publication."""
_SHOWN = (
    "time, .date, .post-date, .entry-date, .published, .pubdate, .post-time, .publish-date, .post_date, .post-meta, "
    ".entry-meta, .article-meta, .byline"
)
"""Elements that show readers the date of publication."""
_SHOWN_WITH_SOURCE = ".time, .info, .source, .pubtime, .article-info, .post-info, .post_info, .news-info"
"""Elements that may show it in a line such as 来源：央视网 2024年03月10日 19:22, but may be anything else."""
_LINE = 100
"""Most characters of such a line."""
_UPDATED = re.compile(
    r"(?:last\s+(?:updated?|modified|changed|edited|revised)|updated\s+on|"
    r"(?:最[后後]|最近|上次)?(?:更新|修改|修[订訂]|[编編][辑輯])(?:[于於]|[时時][间間]|日期)|"
    r"(?:最[后後]|最近|上次)(?:更新|修改|修[订訂]|[编編][辑輯])(?=\s*[:：])|"
    r"(?:最[后後]|上次)(?:更新|修改|修[订訂]|[编編][辑輯])(?=\s*\d))"
    r"(?:\s+(?:on|at))?\s*[:：]?\s*([^\n]{6,40})",
    re.IGNORECASE,
)
_PUBLISHED_ON = re.compile(
    r"(?<![\u4e00-\u9fff])(?:[发發][布佈]|[发發]表)(?:[时時][间間]|日期)\s*[:：]?\s*"
    r"(\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2})"
)
"""The line below the title of many Chinese pages: 发布时间：2021年3月4日. Neither 最新版本发布时间 nor 发表于 (comments)."""
_VARIABLES = (
    "var ct",
    "createTime",
    "publishTime",
    "publish_time",
    "publishDate",
    "publish_date",
    "pubTime",
    "pubtime",
    "pubDate",
)
"""Variables from which a script shows the date of publication, as on pages of WeChat: `var ct = "1710153000"`."""
_ASSIGNED = re.compile(r"\s*=\s*([\"'])(\d{10}|\d{4}\s*[-/.年][^\"'\n]{3,30})\1")
_CHINA = timezone(timedelta(hours=8))
"""Seconds are counted in scripts of Chinese sites."""
_REPLY_TYPE = re.compile(r"/(?:(?:User)?Comments?|Answer)$")
_REPLY_PROPERTIES = frozenset({"comment", "review", "answer", "suggestedanswer", "acceptedanswer"})
_NUMERIC_DATE = re.compile(r"(?<!\d)(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)")
"""ISO 8601, and 2021年3月4日, which htmldate does not read."""
_MONTH = re.compile(r"\d{4}[-/.]\d{1,2}")
"""A month, which htmldate would take for its first day."""
_PATH_DATE = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?:[/-]|$)")
_IN_BRACKETS = re.compile(r"\s*[<(][^<>()]*(?:@|://)[^<>()]*[>)]")
"""An author's e-mail or URL: `Ada <ada@a.example>`."""
_NO_NAME = re.compile(
    r"^(?:https?:|www\.|@?\w+@)|^(?:\d+|admin|administrator|author|root|unknown|none|null|undefined)$|^discuz! team\b",
    re.IGNORECASE,
)


@dataclass(slots=True, frozen=True)
class Metadata:
    """Fields are empty if the page does not say. Dates are days in ISO 8601, `2021-03-04`."""

    author: str = ""
    """Names, with `; ` between several."""
    published: str = ""
    modified: str = ""
    """Never before `published`."""
    canonical: str = ""
    """A normal absolute URL; it may be the page's own."""
    site_name: str = ""
    licence: str = ""
    """See `focuscrawl.reading.licence`."""
    category: str = ""
    """See `focuscrawl.reading.category`."""


def metadata_of(document: Document, head: Meta, url: str, fetched_at: float) -> Metadata:
    """Everything known of a page beside its text, in 0.4 to 1.2 ms (`tools/bench/stages.py`).

    Args:
        document: The page.
        head: What was read from its head.
        url: Its normal URL.
        fetched_at: Epoch seconds; 0: not known. No date is later than the day after it.
    """
    nodes = _json_ld(document.tree)
    base = normalize(head.base, url) or url
    fetched = datetime.fromtimestamp(fetched_at, UTC).replace(tzinfo=None) if fetched_at else datetime(9998, 1, 1)
    dates = _Dates(document, head, nodes, url, fetched + timedelta(days=1))
    published = dates.published()
    modified = dates.modified()
    return Metadata(
        author=_author(document.tree, head, nodes),
        published=published,
        modified=modified if modified >= published else "",
        canonical=_canonical(head, base),
        site_name=_site_name(head, nodes),
        category=category_of(document.tree, nodes, url),
        licence=_licence(document.tree, head, nodes, base),
    )


def _canonical(head: Meta, base: str) -> str:
    written = head.canonical or head.named.get("og:url", "").strip()
    return (normalize(written, base) or "") if written else ""


# --- JSON-LD ---------------------------------------------------------------------------------------------------------------


def _json_ld(tree: LexborHTMLParser) -> list[Node]:
    """The nodes of the page's JSON-LD, those of articles first, then those of pages, then others. References by `@id` are
    replaced by the nodes that they refer to."""
    found: list[Node] = []
    for script in tree.css('script[type="application/ld+json"]')[:20]:
        text = script.text(deep=True)
        if len(text) <= MAX_JSON:
            found += islice(_nodes(_parsed(text)), MAX_NODES - len(found))
    known = {node["@id"]: node for node in found if isinstance(node.get("@id"), str) and len(node) > 1}
    resolved = [{name: _resolved(value, known) for name, value in node.items()} for node in found]
    return sorted(resolved, key=_rank)


def _parsed(text: str) -> Any:
    text = text.strip().removeprefix("<!--").removesuffix("-->").strip().rstrip(";")
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        try:
            return orjson.loads(" ".join(text.split()))  # line ends within strings, which JSON forbids
        except orjson.JSONDecodeError:
            return None


def _nodes(value: Any) -> Iterator[Node]:
    """The objects at the top level of a JSON-LD document, in its top-level lists, and in a `@graph`."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += reversed(item)
        elif isinstance(item, dict):
            if "@graph" in item:
                waiting.append(item["@graph"])
            else:
                yield item


def _resolved(value: Any, known: dict[str, Node]) -> Any:
    """A value, or a list of values, with references replaced by the nodes that they refer to."""
    found = [_referred(each, known) for each in (value if isinstance(value, list) else [value])]
    return found if isinstance(value, list) else found[0]


def _referred(value: Any, known: dict[str, Node]) -> Any:
    is_reference = isinstance(value, dict) and len(value) <= 2 and isinstance(value.get("@id"), str)
    return known.get(value["@id"], value) if is_reference else value


def _rank(node: Node) -> int:
    """How well a node describes the page: 0 for an article, 1 for a page, 2 for anything else."""
    kind = _type(node)
    if _BAIDU in str(node.get("@context")):
        return 0
    return 0 if _ARTICLES.search(kind) else 1 if _PAGES.search(kind) else 2


def _type(node: Node) -> str:
    kind = node.get("@type")
    return str(kind[0] if isinstance(kind, list) and kind else kind or "")


def _described(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes that describe the page itself, not its site, authors, pictures or breadcrumbs."""
    return (node for node in nodes if _rank(node) < 2)


def _strings(value: Any) -> Iterator[str]:
    """Names in a value of JSON-LD: a text, an object with a name or several, or a list of these."""
    for item in value if isinstance(value, list) else [value]:
        name = item.get("name") if isinstance(item, dict) else item
        yield from (each for each in (name if isinstance(name, list) else [name]) if isinstance(each, str) and each.strip())


# --- dates -----------------------------------------------------------------------------------------------------------------


class _Dates:
    """The sources of dates of one page. If several elements have a date and do not agree, they are dates of a list of pages,
    and none is taken."""

    def __init__(self, document: Document, head: Meta, nodes: list[Node], url: str, latest: datetime) -> None:
        self._document, self._head, self._nodes, self._url, self._latest = document, head, nodes, url, latest
        self._tree = document.tree

    def published(self) -> str:
        return (
            self._agreed(self._in_json("datePublished", "dateCreated", "pubDate"))
            or self._first(self._in_head(PUBLISHED))
            or self._agreed(_dates_of(self._tree.css("[itemprop~=datePublished], time[pubdate]")))
            or self._first(_in_path(self._url))
            or self._agreed(self._shown())
            or self._agreed(self._in_text(_PUBLISHED_ON))
            or self._agreed(self._shown(_SHOWN_WITH_SOURCE, _LINE))
            or self._agreed(_in_scripts(self._document.html))
        )

    def modified(self) -> str:
        return (
            self._agreed(self._in_json("dateModified", "upDate"))
            or self._first(self._in_head(MODIFIED))
            or self._agreed(_dates_of(self._tree.css("[itemprop~=dateModified]")))
            or self._agreed(self._in_text(_UPDATED))
        )

    def _first(self, texts: Iterable[str]) -> str:
        """The first valid date; empty if there is none."""
        return next((found for text in texts if (found := day(text, self._latest))), "")

    def _agreed(self, texts: Iterable[str]) -> str:
        """The date if all valid ones are the same; empty if they differ or there is none."""
        found = {day(text, self._latest) for text in texts} - {""}
        return found.pop() if len(found) == 1 else ""

    def _in_json(self, *keys: str) -> list[str]:
        """The values of the first of these keys that the nodes have: those of articles, else those of pages."""
        for rank in (0, 1):
            nodes = [node for node in self._nodes if _rank(node) == rank]
            for key in keys:
                if found := [node[key] for node in nodes if isinstance(node.get(key), str)]:
                    return found
        return []

    def _in_head(self, names: Iterable[str]) -> Iterator[str]:
        return (self._head.named[name] for name in names if name in self._head.named)

    def _shown(self, selector: str = _SHOWN, longest: int = 0) -> Iterator[str]:
        """Dates of publication that are shown in the article, or above it where it has only the text, without title and date;
        none if there are several articles. `selector`: the elements that show them; `longest`: the most characters of their
        texts, 0: any."""
        articles = [*islice(_not_of_replies(self._tree.css("article")), 2)]
        if len(articles) > 1:
            return iter(())
        if articles:
            found = _of_article(articles[0], selector)
        else:
            found = (self._tree.css_first("main, [role=main]") or self._tree).css(selector)
        shown = _not_of_replies(node for node in found[:MAX_DATES] if not _UPDATE.search(_label(node)))
        return _dates_of(node for node in shown if not longest or len(clean.line(node.text(deep=True))) <= longest)

    def _in_text(self, labelled: re.Pattern[str]) -> Iterator[str]:
        """Dates in lines such as "Last updated on …"."""
        body = self._tree.body
        text = body.text(separator=" ", strip=True) if body is not None else ""
        # Only at the ends of the page, because such words in the middle are about something else.
        for part in (text[:3000], text[3000:][-3000:]):
            yield from (found[1] for found in labelled.finditer(part))


def _of_article(article: LexborNode, selector: str) -> list[LexborNode]:
    """The elements of this kind in the article. If it has none, and no title, those above it in the element that holds it and
    a title, which must not be the whole page: what stands below the article belongs to others."""
    own = article.css(selector)
    if own or article.css_first("h1") is not None:
        return own
    around = next((each for each in _ancestors(article) if each.css_first("h1") is not None), article)
    if around.tag in ("body", "html"):
        return []
    return [*takewhile(lambda node: node.mem_id != article.mem_id, around.css(f"article, {selector}"))]


def _label(node: LexborNode) -> str:
    """What tells what an element's date means: its class and title, and the words just before it."""
    before, texts = node.prev, []
    while before is not None and not before.is_element_node:
        if before.is_text_node:
            texts.append(before.text_content or "")
        before = before.prev
    words = "".join(reversed(texts)).rstrip()
    label = before.text(deep=True).strip() if before is not None else ""
    attributes = node.attributes
    own = f"{attributes.get('class') or ''} {attributes.get('title') or ''}"
    return f"{own} {label if len(label) <= 20 else ''} {words[-20:]}"


def _dates_of(nodes: Iterable[LexborNode]) -> Iterator[str]:
    for node in islice(nodes, MAX_DATES):
        attributes = node.attributes
        title = attributes.get("title") if node.tag == "abbr" else ""
        yield attributes.get("datetime") or attributes.get("content") or title or node.text(deep=True)[:100]


def _in_path(url: str) -> Iterator[str]:
    """The date in the path of a URL (`/2021/03/04/`), if there is one."""
    path = _PATH_DATE.search(urlsplit(url).path)
    return iter(["-".join(path.groups())] if path else [])


def _in_scripts(html: str) -> Iterator[str]:
    """Dates that scripts hold in a variable named after publication."""
    for name in _VARIABLES:
        at = html.find(name)
        for _ in range(MAX_DATES):
            if at < 0:
                break
            found = None if html[at - 1 : at].isalnum() else _ASSIGNED.match(html, at + len(name))
            if found:
                seconds = found[2].isdigit()
                yield datetime.fromtimestamp(int(found[2]), _CHINA).date().isoformat() if seconds else found[2]
            at = html.find(name, at + 1)


def day(text: str, latest: datetime) -> str:
    """The first date in a short text as `2021-03-04`; empty if there is none from `EARLIEST` to `latest`."""
    text = clean.line(text, 100)
    if _MONTH.fullmatch(text):
        return ""
    if written := _NUMERIC_DATE.search(text):
        try:
            found = datetime(int(written[1]), int(written[2]), int(written[3]))
        except ValueError:
            return ""
        return found.date().isoformat() if EARLIEST <= found <= latest else ""
    try:
        return _parser()(text, "%Y-%m-%d", False, EARLIEST, latest) or ""
    except (ValueError, OverflowError):
        return ""


@cache
def _parser() -> Callable[..., str | None]:
    import logging

    from htmldate.extractors import try_date_expr  # imported here because it imports dateparser, which takes 0.2 s

    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    parser: Callable[..., str | None] = try_date_expr
    return parser


# --- names -----------------------------------------------------------------------------------------------------------------


def _author(tree: LexborHTMLParser, head: Meta, nodes: list[Node]) -> str:
    for node in _described(nodes):
        for key in ("author", "creator"):
            if found := _names(_strings(node.get(key))):
                return found
    for name in AUTHOR:
        several = tree.css(f'meta[name="{name}" i]')[:MAX_AUTHORS] if name == "citation_author" else []
        written = [node.attributes.get("content") or "" for node in several] or [head.named.get(name, "")]
        if name == "citation_authors":
            written = written[0].split(";")
        if found := _names(written):
            return found
    for selector in ('[itemprop="author"]', 'a[rel~="author" i]', ".author.vcard .fn, .p-author"):
        if found := _names(_texts(_not_of_replies(tree.css(selector)))):
            return found
    return ""


def _not_of_replies(nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
    """Without those that describe a comment, an answer or a review that is part of what the page describes."""
    return (node for node in nodes if not _is_reply(node) and not any(map(_is_reply, _ancestors(node))))


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    around = node.parent
    while around is not None:
        yield around
        around = around.parent


def _is_reply(node: LexborNode) -> bool:
    attributes = node.attributes
    described = (attributes.get("itemprop") or "").lower().split()
    return (
        not _REPLY_PROPERTIES.isdisjoint(described)
        or _REPLY_TYPE.search(attributes.get("itemtype") or "") is not None
        or is_comments(attributes.get("class") or "")
    )


def _texts(nodes: Iterable[LexborNode]) -> list[str]:
    """The name in each element of microdata."""
    found = []
    for node in islice(nodes, 2 * MAX_AUTHORS):
        name = node.css_first('[itemprop="name"]') or node
        found.append(name.attributes.get("content") or name.text(deep=True)[: 2 * MAX_NAME])
    return found


def _names(texts: Iterable[str]) -> str:
    """The different names, without URLs and names such as `admin`. Empty if there are more than `MAX_AUTHORS`, because these
    are the authors of a list of pages."""
    names = (clean.line(_IN_BRACKETS.sub("", text), MAX_NAME).rstrip(".") for text in texts)
    found = list(dict.fromkeys(name for name in names if name and not _NO_NAME.search(name)))
    return clean.line("; ".join(found), MAX_NAME) if len(found) <= MAX_AUTHORS else ""


def _site_name(head: Meta, nodes: list[Node]) -> str:
    def named() -> Iterator[str]:
        yield head.named.get("og:site_name", "")
        for node in nodes:
            if _type(node) == "WebSite":
                yield from _strings(node)
        for key in ("isPartOf", "publisher"):
            for node in _described(nodes):
                yield from _strings(node.get(key))
        yield head.named.get("application-name", "")

    return next((name for text in named() if (name := clean.line(text, MAX_NAME))), "")


# --- licence ---------------------------------------------------------------------------------------------------------------

_RIGHTS = (
    "dcterms.license", "dc.license", "dc.rights.license", "dcterms.rights", "dc.rights", "license", "licence", "copyright",
)  # fmt: skip
"""Names of meta elements, the most reliable first."""
_COPYRIGHT = frozenset({"copyrightNotice", "dc.rights", "copyright"})
"""Names that are used for any remark on copyright, so that only a known licence is taken from them."""
_ABOUT_LICENCE = re.compile(r"licen[cs]e|\bCC\b|creative\s*commons|许可|許可|协议|協議|授权|授權|版权|版權|署名", re.IGNORECASE)


def _licence(tree: LexborHTMLParser, head: Meta, nodes: list[Node], base: str) -> str:
    for node in _described(nodes):
        for key in ("license", "copyrightNotice"):
            given = node.get(key)
            for value in given if isinstance(given, list) else [given]:
                text = value.get("@id") or value.get("url") if isinstance(value, dict) else value
                if isinstance(text, str) and (found := licence_of(text, base, key not in _COPYRIGHT)):
                    return found
    for link in tree.css("[rel~=license i][href], [itemprop=license][href]")[:20]:
        kind = (link.attributes.get("type") or "").lower()
        if kind != RSL and (found := licence_of_link(link.attributes.get("href") or "", link.text(deep=True), base)):
            return found
    for name in _RIGHTS:
        if name in head.named and (found := licence_of(head.named[name], base, name not in _COPYRIGHT)):
            return found
    return _marked(tree, base)


def _marked(tree: LexborHTMLParser, base: str) -> str:
    """The licence of Creative Commons that the page links to beside a word for licence; empty if it links to several."""
    links = tree.css('a[href*="creativecommons.org/licenses/"], a[href*="creativecommons.org/publicdomain/"]')[:20]
    licences = (licence_of(link.attributes.get("href") or "", base, sure=False) for link in links if _mentions_licence(link))
    found = set(filter(None, licences))
    return found.pop() if len(found) == 1 else ""


def _mentions_licence(link: LexborNode) -> bool:
    """Whether a link's words, picture or surroundings have a word for licence."""
    around = link.parent.text(deep=True)[:300] if link.parent is not None else ""
    picture = link.css_first("img[alt]")
    alternative = picture.attributes.get("alt") or "" if picture is not None else ""
    return bool(_ABOUT_LICENCE.search(f"{link.text(deep=True)} {alternative} {around}"))
