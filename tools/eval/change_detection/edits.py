"""What may happen to a page between two visits: what is no change, and changes from a typing error to another article."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tools.eval.change_detection.pages import Author, State

Pair = tuple[State, State]
Edit = Callable[[State, Author], Pair]
"""From a page of the first day to its state on two visits."""

_TIMES: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "clock": {
        "en": (
            ("Saturday, 21 November 2026 10:32", "Sunday, 22 November 2026 9:05"),
            ("Nov 9 8:59 AM", "Nov 10 12:15 PM"),
            ("Thu, Dec 3", "Fri, Jan 1"),
            ("2026-11-21T10:32:07Z", "2027-01-02T00:00:59Z"),
            ("10:32 GMT, Tuesday, March 3", "10:32 GMT, Wednesday, May 12"),
        ),
        "zh": (
            ("2026年11月21日 星期六 10:32", "2026年12月1日 星期二 9:05"),
            ("1月5日 星期一", "11月16日 星期三"),
            ("二〇二六年十一月二十一日 星期六", "二〇二七年一月二日 星期六"),
            ("今天是2026年11月9日 周一 上午8点", "今天是2026年11月10日 周二 下午12点30分"),
            ("11/21 10:32:07", "1/2 9:05:00"),
        ),
    },
    "date": {
        "en": (
            ("Updated 21 November 2026", "Updated 2 December 2026"),
            ("Nov 5", "Nov 12"),
            ("Posted on Monday, May 4th, 2026", "Posted on Tuesday, June 16th, 2026"),
            ("2026/11/09", "2026/12/10"),
            ("3 hours ago", "2 days ago"),
            ("59 minutes ago", "1 hour ago"),
        ),
        "zh": (
            ("更新于2026年11月21日", "更新于2026年12月2日"),
            ("5 分钟前", "2 小时前"),
            ("23小时前", "3天前"),
            ("发布时间：2026-11-09 08:15", "发布时间：2026-12-10 17:40"),
            ("二零二六年十一月二十一日", "二零二六年十二月五日"),
            ("昨天 9:05", "11月6日"),
        ),
    },
    "counter": {
        "en": (
            ("1,234 views", "1,260 views"),
            ("999 views", "1.2k views"),
            ("Views123", "Views1244"),
            ("9 readers", "10 readers"),
            ("0.9 million visits", "12.5 million visits"),
        ),
        "zh": (
            ("阅读(1234)", "阅读(1260)"),
            ("阅读9999", "阅读12345"),
            ("9999次浏览", "1.2万次浏览"),
            ("浏览：8次", "浏览：15次"),
            ("点击量 3", "点击量 31"),
        ),
    },
    "comments": {
        "en": (("9 comments", "14 comments"), ("Comments (3)", "Comments (120)"), ("5replies", "12replies")),
        "zh": (("评论 9", "评论 14"), ("3条评论", "12条评论"), ("已有5人回复", "已有25人回复")),
    },
}  # fmt: skip
_PLACES = {"clock": "clock", "date": "published", "counter": "counter", "comments": "comments"}


def _time(kind: str) -> Edit:
    def edit(page: State, author: Author) -> Pair:
        old, new = author.chance.choice(_TIMES[kind][page.language])
        return replace(page, **{_PLACES[kind]: old}), replace(page, **{_PLACES[kind]: new})  # type: ignore[arg-type]

    return edit


def _title_number(page: State, author: Author) -> Pair:
    """In the title element, as mail programs and forums do."""
    forms = {
        "en": ((f"(9) {page.title}", f"(12) {page.title}"), (f"{page.title} - 5 May 2026", f"{page.title} - 16 June 2026")),
        "zh": ((f"(9) {page.title}", f"(12) {page.title}"), (f"{page.title}_2026年5月5日", f"{page.title}_2026年12月16日")),
    }
    old, new = author.chance.choice(forms[page.language])
    return replace(page, head_title=old), replace(page, head_title=new)


def _hidden(page: State, author: Author) -> Pair:
    return page, replace(page, noise=author.chance.getrandbits(40))


def _marked_advert(page: State, author: Author) -> Pair:
    return page, replace(page, marked_advert=author.sentence(), noise=7)


def _plain_advert(page: State, author: Author) -> Pair:
    return replace(page, plain_advert=author.sentence()), replace(page, plain_advert=author.sentence())


def _sidebar(page: State, author: Author) -> Pair:
    return page, replace(page, related=author.titles(6))


def _typo(page: State, author: Author) -> Pair:
    """A letter of one word."""
    place = author.chance.randrange(len(page.paragraphs))
    text = page.paragraphs[place]
    if page.language == "zh":
        at = author.chance.randrange(len(text) // 2)
        return page, _with(page, place, f"{text[:at]}错{text[at + 1 :]}")
    long_words = [word for word in text.split() if len(word) > 5 and word.isalpha()]
    word = author.chance.choice(long_words or text.split())
    return page, _with(page, place, text.replace(word, f"{word[:2]}x{word[3:]}", 1))


def _sentence(page: State, author: Author) -> Pair:
    place = author.chance.randrange(len(page.paragraphs))
    end = "。" if page.language == "zh" else ". "
    _, *others = page.paragraphs[place].split(end)
    return page, _with(page, place, end.join([author.sentence().rstrip(".。"), *others]))


def _moved(page: State, author: Author) -> Pair:
    first, *rest = page.paragraphs
    return page, replace(page, paragraphs=(*rest, first))


def _added(page: State, author: Author) -> Pair:
    place = author.chance.randrange(len(page.paragraphs) + 1)
    return page, replace(page, paragraphs=(*page.paragraphs[:place], author.paragraph(), *page.paragraphs[place:]))


def _title(page: State, author: Author) -> Pair:
    return page, replace(page, title=author.title())


def _half(page: State, author: Author) -> Pair:
    kept = page.paragraphs[: len(page.paragraphs) // 2]
    return page, replace(page, paragraphs=(*kept, *(author.paragraph() for _ in page.paragraphs[len(kept) :])))


def _replaced(page: State, author: Author) -> Pair:
    """Another article, about something else, in the same frame."""
    other = Author(page.language, author.seed + 1).page(100)
    extent = len(page.paragraphs)
    texts = Author(page.language, author.seed + 3)
    return page, replace(page, title=other.title, paragraphs=tuple(texts.paragraph() for _ in range(extent)))


def _with(page: State, place: int, text: str) -> State:
    return replace(page, paragraphs=(*page.paragraphs[:place], text, *page.paragraphs[place + 1 :]))


NO_CHANGE: dict[str, Edit] = {
    "clock": _time("clock"), "date": _time("date"), "counter": _time("counter"), "comments": _time("comments"),
    "number in the title": _title_number, "hidden": _hidden, "marked advertisement": _marked_advert,
    "plain advertisement": _plain_advert, "sidebar": _sidebar,
}  # fmt: skip
CHANGES: dict[str, Edit] = {
    "typing error": _typo, "title": _title, "moved paragraph": _moved, "sentence": _sentence, "paragraph added": _added,
    "half rewritten": _half, "other article": _replaced,
}  # fmt: skip
MATERIAL = ("half rewritten", "other article")
"""Of more than 3 bits, whatever the length of the page."""
