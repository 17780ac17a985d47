"""The days on which a page was published and last modified, as the page itself says.

Each is taken from the first of the sources that has it, in the order of `PageDates.published` and `PageDates.modified`. Dates
are read by htmldate's parser (Barbaresi 2020, "htmldate: A Python package to extract publication dates from web pages"), not by
its search of the whole page, which takes 3 to 11 ms and finds dates in the examples of manuals; what it does not know, by
`focuscrawl.reading.written_dates`. A date is the day as the page writes it, `2021-03-04`, without time or zone; of a moment in
UTC, the day that the page shows its readers for it, which is that of its author, or else on a page in Chinese the day in China.
A day before 1990, or later than the day after the fetch, is not taken, nor one that may be of another month (`3/4/2021`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta, timezone
from functools import cache, cached_property
from itertools import islice, takewhile
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from focuscrawl.reading.dateline import UPDATE, days_beside_title
from focuscrawl.reading.json_ld import Node, rank_of
from focuscrawl.reading.replies import ancestors, not_of_replies
from focuscrawl.reading.written_dates import YEAR_FIRST, YEAR_WRITTEN, dates_in, is_ambiguous
from focuscrawl.text import clean
from focuscrawl.text.document import Document
from focuscrawl.text.head import Meta
from focuscrawl.text.layout import size_of

MAX_DATES = 50
"""Elements with a date that are examined."""
EARLIEST = datetime(1990, 1, 1)
"""The web's first year. Older texts have the date on which they were put there."""
PUBLISHED = (
    "article:published_time", "og:published_time", "og:article:published_time", "datepublished", "dcterms.issued",
    "dc.date.issued", "dcterms.created", "dc.date.created", "dc.date", "dcterms.date", "citation_publication_date",
    "citation_date", "citation_online_date", "parsely-pub-date", "sailthru.date", "pubdate", "publishdate", "publish_date",
    "publish-date", "bytedance:published_time", "weibo: article:create_at", "date",
)  # fmt: skip
MODIFIED = (
    "article:modified_time", "og:updated_time", "og:article:modified_time", "datemodified", "dcterms.modified",
    "dc.date.modified", "last-modified", "lastmod", "revised", "updated",
    "bytedance:updated_time", "weibo: article:update_at",
)  # fmt: skip
"""Names of meta elements, as `PUBLISHED`, the most reliable first."""
_SHOWN = (
    "time, .date, .post-date, .entry-date, .published, .pubdate, .post-time, .publish-date, .post_date, .post-meta, "
    ".entry-meta, .article-meta, .byline"
)
"""Elements that show readers the date of publication."""
_SHOWN_WITH_SOURCE = ".time, .info, .source, .pubtime, .article-info, .post-info, .post_info, .news-info"
"""Elements that may show it in a line such as 来源：央视网 2024年03月10日 19:22, but may be anything else."""
_LINE = 100
"""Most characters of such a line."""
_TEASER = 24
"""Least bytes of the other words in the link of a teaser. *Published on* and the like are shorter."""
_UPDATED = re.compile(
    r"(?:last\s+(?:updated?|modified|changed|edited|revised)|updated\s+on|"
    r"(?:最[后後]|最近|上次)?(?:更新|修改|修[订訂]|[编編][辑輯])(?:[于於]|[时時][间間]|日期)|"
    r"(?:最[后後]|最近|上次)(?:更新|修改|修[订訂]|[编編][辑輯])(?=\s*[:：])|"
    r"(?:最[后後]|上次)(?:更新|修改|修[订訂]|[编編][辑輯])(?=\s*\d))"
    r"(?:\s+(?:on|at))?\s*[:：]?\s*([^\n]{6,40})",
    re.IGNORECASE,
)
_MAY_BE_UPDATED = re.compile("last\\s|updated\\s|更新|修改|修订|修訂|编辑|编輯|編辑|編輯").search
"""Whether a text in lower case may have `_UPDATED`, which takes ten times as long to look for."""
_PUBLISHED_ON = re.compile(
    r"(?<![\u4e00-\u9fff])(?:[发發][布佈]|[发發]表)(?:[时時][间間]|日期)\s*[:：]?\s*"
    r"(\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2})"
)
"""The line below the title of many Chinese pages: 发布时间：2021年3月4日. Neither 最新版本发布时间 nor 发表于 (comments)."""
_PUBLISHED_LABEL = re.compile(
    r"(?<![^\W_])(?:(?:first |date )?(?:published|posted)|(?:publication|publishing|posting) date|date of publication"
    r"|veröffentlicht|veröffentlichung|veröffentlichungsdatum|erscheinungsdatum|erschienen|erstellt|geschrieben|gepostet|verfasst"
    r"|publiziert|eingestellt|publié|date de publication|mise? en ligne|paru|publicado|publicada|fecha de publicación"
    r"|data de publicação|pubblicat[oa]|data di pubblicazione|gepubliceerd|geplaatst|publicerad|publiceret|publisert"
    r"|opublikowan[oa]|data publikacji|опубликован[оа]|дата публикации|опубліковано|yayınlan?ma tarihi"
    r"|掲載日|公開日|投稿日|등록일|작성일|입력)"
    r"(?:(?: by| von| par| por| da| door) [^\n:]{2,30}?)?(?: on| am| vom| le| el| il| em| op| den)?\s?[:：]?\s?(?=\S)",
    re.IGNORECASE,
)
"""Labels of the date of publication: *Published on*, *Posted by Ada on*. Not *Release date*, which is that of a program."""
_BEFORE_YEAR = 70
"""Most characters before the year of such a date, its label among them …"""
_BEHIND_YEAR = 15
"""… and behind it, where month and day may stand, and the end of a range."""
_WEEKDAY = 14
"""Most characters between a label and its date: *Thursday*."""
_ASSIGNED = tuple(
    re.compile(rf"{variable}\s*=\s*([\"'])(\d{{10}}|\d{{4}}\s*[-/.年][^\"'\n]{{3,30}})\1")
    for variable in ("var ct", "createTime", "pub(?:lish(?:Time|_time|Date|_date)|Time|time|Date)")
)
"""Variables from which a script shows the date of publication, as on pages of WeChat: `var ct = "1710153000"`. Each pattern
begins with plain letters, by which `re` finds it fast."""
_CHINA = timezone(timedelta(hours=8))
"""Of seconds in scripts, which Chinese sites count, and of moments on pages in Chinese: of all places where most people write
in it."""
_IN_UTC = re.compile(r"\s*(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]00:?00)\s*")
"""A moment as generators of blogs write it for machines."""
_A_DAY = timedelta(days=1)
_MONTH = re.compile(r"\d{4}[-/.]\d{1,2}")
"""A month, which htmldate would take for its first day."""
_PATH_DATE = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?:[/-]|$)")


class PageDates:
    """The sources of dates of one page. If several elements have a date and do not agree, they are dates of a list of pages,
    and none is taken."""

    def __init__(self, document: Document, head: Meta, nodes: list[Node], url: str, latest: datetime) -> None:
        self._document, self._head, self._nodes, self._url, self._latest = document, head, nodes, url, latest
        self._tree = document.tree

    def published(self) -> str:
        return (
            self._agreed(self._as_shown(self._in_json("datePublished", "dateCreated", "pubDate", "datePosted")))
            or self._first(self._as_shown(self._in_head(PUBLISHED)))
            or self._agreed(_dates_of(self._document.marked("[itemprop~=datePublished], time[pubdate]", "itemprop", "pubdate")))
            or self._first(_in_path(self._url))
            or self._agreed(self._shown())
            or self._agreed(self._beside_title)
            or self._agreed(_labelled(_PUBLISHED_ON, [part for part in self._ends if "发" in part or "發" in part]))
            or self._agreed(self._said())
            or self._agreed(self._shown(_SHOWN_WITH_SOURCE, _LINE))
            or self._agreed(_in_scripts(self._document.html))
        )

    def modified(self) -> str:
        return (
            self._agreed(self._in_json("dateModified", "upDate"))
            or self._first(self._in_head(MODIFIED))
            or self._agreed(_dates_of(self._document.marked("[itemprop~=dateModified]", "itemprop")))
            or self._agreed(_labelled(_UPDATED, [part for part in self._ends if _MAY_BE_UPDATED(part.lower())]))
        )

    def _first(self, texts: Iterable[str]) -> str:
        """The first valid date; empty if there is none."""
        return next((found for text in texts if (found := self._day(text))), "")

    def _agreed(self, texts: Iterable[str]) -> str:
        """The date if all valid ones are the same; empty if they differ or there is none."""
        found = {self._day(text) for text in texts} - {""}
        return found.pop() if len(found) == 1 else ""

    def _day(self, text: str) -> str:
        """The date in a text. Of a moment in UTC, the day that the page shows for it, or on a page in Chinese that of China."""
        if (moment := _in_utc(text)) is not None:
            if shown := self._days_shown.get(moment):
                return shown
            if self._is_chinese and moment.replace(tzinfo=None) <= self._latest:
                text = moment.astimezone(_CHINA).date().isoformat()
        return day(text, self._latest)

    def _as_shown(self, texts: Iterable[str]) -> Iterator[str]:
        """With the day in the page's URL, or that beside its title, for a moment in UTC on that day or on one next to it: it is
        that of the author. Of pages in Chinese the day is known."""
        for text in texts:
            moment = None if self._is_chinese else _in_utc(text)
            yield (self._day_near(moment.date()) if moment is not None else "") or text

    def _day_near(self, other: date) -> str:
        """The day in the page's URL, or beside its title, if it is this day or one next to it."""
        days = (self._first(_in_path(self._url)), self._agreed(self._beside_title))
        return next((each for each in days if each and abs(date.fromisoformat(each) - other) <= _A_DAY), "")

    @cached_property
    def _beside_title(self) -> list[str]:
        return [each.isoformat() for each in days_beside_title(self._document, self._head, self._text)]

    @cached_property
    def _is_chinese(self) -> bool:
        return self._head.language.lower().startswith("zh")

    @cached_property
    def _days_shown(self) -> dict[datetime, str]:
        """The days that the page shows in words for moments in UTC: at eight in the morning of China a new day begins there."""
        shown: dict[datetime, str] = {}
        for node in self._tree.css("time[datetime]")[:MAX_DATES]:
            moment = _in_utc(node.attributes["datetime"] or "")
            words = day(node.text(deep=True)[:100], self._latest) if moment is not None else ""
            if moment is not None and words and abs(date.fromisoformat(words) - moment.date()) <= _A_DAY:
                shown[moment] = words
        return shown

    def _in_json(self, *keys: str) -> list[str]:
        """The values of the first of these keys that the nodes have: those of articles, else those of pages."""
        for rank in (0, 1):
            nodes = [node for node in self._nodes if rank_of(node) == rank]
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
        if len(self._articles) > 1:
            return iter(())
        found = _of_article(self._articles[0], selector) if self._articles else self._main.css(selector)
        own = (node for node in found[:MAX_DATES] if not UPDATE.search(_label(node)) and not _is_of_linked_page(node))
        shown = not_of_replies(own)
        return _dates_of(node for node in shown if not longest or len(clean.line(node.text(deep=True))) <= longest)

    def _said(self) -> Iterator[str]:
        """The dates behind labels such as *Published on* at the two ends of the page."""
        for part in self._ends:
            for year in YEAR_WRITTEN.finditer(part):
                near = part[max(0, year.start() - _BEFORE_YEAR) : year.end() + _BEHIND_YEAR]
                for label in _PUBLISHED_LABEL.finditer(near):
                    behind = dates_in(near[label.end() :], self._head.language)
                    yield from (each.day.isoformat() for each in behind if each.start <= _WEEKDAY)

    @cached_property
    def _articles(self) -> list[LexborNode]:
        """The first two articles."""
        return [*islice(not_of_replies(self._document.marked("article", "article")), 2)]

    @cached_property
    def _main(self) -> LexborNode | LexborHTMLParser:
        return next(iter(self._document.marked("main, [role=main]", "main", "role")), self._tree)

    @cached_property
    def _ends(self) -> tuple[str, str]:
        """The text at the two ends of the page. Words such as "Last updated on" in the middle are about something else."""
        return self._text[:3000], self._text[3000:][-3000:]

    @cached_property
    def _text(self) -> str:
        body = self._tree.body
        return body.text(separator=" ", strip=True) if body is not None else ""


def _labelled(dates: re.Pattern[str], texts: Iterable[str]) -> Iterator[str]:
    """Dates in lines such as "Last updated on …"."""
    return (found[1] for text in texts for found in dates.finditer(text))


def _of_article(article: LexborNode, selector: str) -> list[LexborNode]:
    """The elements of this kind in the article. If it has none, and no title, those above it in the element that holds it and
    a title, which must not be the whole page: what stands below the article belongs to others."""
    own = article.css(selector)
    if own or article.css_first("h1") is not None:
        return own
    around = next((each for each in ancestors(article) if each.css_first("h1") is not None), article)
    if around.tag in ("body", "html"):
        return []
    return [*takewhile(lambda node: node.mem_id != article.mem_id, around.css(f"article, {selector}"))]


def _is_of_linked_page(node: LexborNode) -> bool:
    """Whether a date stands in a link with other words, which is a teaser of another page."""
    link = next((around for around in ancestors(node) if around.tag == "a"), None)
    return link is not None and size_of(link.text(deep=True)) - size_of(node.text(deep=True)) >= _TEASER


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
    for pattern in _ASSIGNED:
        for found in islice(pattern.finditer(html), MAX_DATES):
            if not html[found.start() - 1 : found.start()].isalnum():
                seconds = found[2].isdigit()
                yield datetime.fromtimestamp(int(found[2]), _CHINA).date().isoformat() if seconds else found[2]


def _in_utc(text: str) -> datetime | None:
    """The moment in a text that has no other, if it is written in UTC."""
    written = _IN_UTC.fullmatch(text)
    try:
        return datetime.fromisoformat(f"{written[1]}+00:00") if written else None
    except ValueError:
        return None


def day(text: str, latest: datetime) -> str:
    """The first date in a short text as `2021-03-04`; empty if there is none from `EARLIEST` to `latest`, or if its day and
    month may be the other way round."""
    text = clean.line(text, 100)
    if _MONTH.fullmatch(text) or is_ambiguous(text):
        return ""
    if written := YEAR_FIRST.search(text):
        try:
            found = datetime(int(written["year"]), int(written["month"]), int(written["day"]))
        except ValueError:
            return ""
        return found.date().isoformat() if EARLIEST <= found <= latest else ""
    try:
        if known := _parser()(text, "%Y-%m-%d", False, EARLIEST, latest):
            return known
    except (ValueError, OverflowError):
        return ""
    others = (each.day for each in dates_in(text, language=""))
    return next((each.isoformat() for each in others if EARLIEST.date() <= each <= latest.date()), "")


@cache
def _parser() -> Callable[..., str | None]:
    import logging

    from htmldate.extractors import try_date_expr  # imported here because it imports dateparser, which takes 0.2 s

    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    parser: Callable[..., str | None] = try_date_expr
    return parser
