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


# The text rewritten in its own words.


def _sentences(page: State) -> list[list[str]]:
    """Of each paragraph, without the full stops."""
    end = "。" if page.language == "zh" else "."
    return [[sentence.strip() for sentence in text.split(end) if sentence.strip()] for text in page.paragraphs]


def _written(page: State, paragraphs: list[list[str]]) -> State:
    end, gap = ("。", "") if page.language == "zh" else (".", " ")
    return replace(page, paragraphs=tuple(gap.join(sentence + end for sentence in sentences) for sentences in paragraphs))


def _reordered(page: State, author: Author) -> Pair:
    """Every sentence stays, at another place."""
    paragraphs = _sentences(page)
    every = [sentence for sentences in paragraphs for sentence in sentences]
    author.chance.shuffle(every)
    return page, _written(page, [[every.pop() for _ in sentences] for sentences in paragraphs])


def _recombined(page: State, author: Author) -> Pair:
    """Each sentence begins as it did and ends as another one."""
    paragraphs, english = _sentences(page), page.language == "en"
    cut = [
        (tuple(words[:half]), tuple(words[half:]))
        for sentences in paragraphs
        for sentence in sentences
        for words in [sentence.split() if english else list(sentence)]
        for half in [len(words) // 2]
    ]
    ends = [end for _, end in cut]
    author.chance.shuffle(ends)
    gap = " " if english else ""
    every = [gap.join((*start, *end)) for (start, _), end in zip(cut, ends, strict=True)]
    return page, _written(page, [[every.pop() for _ in sentences] for sentences in paragraphs])


# Tables of numbers, and lists that look like one but hold nothing but dates and counters.

_ROWS = 6
"""For each paragraph of an article of that size."""


def _table(page: State, author: Author) -> State:
    """A paragraph, and names with a price, the difference to yesterday and a stock."""
    names = author.titles(_ROWS * len(page.paragraphs))
    rows = tuple((_name(page.language, name), *_figures(author)) for name in names)
    return replace(page, paragraphs=page.paragraphs[:1], rows=rows)


def _name(language: str, title: str) -> str:
    return title[:4] if language == "zh" else " ".join(title.split()[-2:])


def _figures(author: Author) -> tuple[str, str, str]:
    draw = author.chance.randrange
    return f"{draw(900)}.{draw(100):02}", f"{draw(-99, 99) / 10:+} %", f"{draw(5000)}"


def _numbers(share: float) -> Edit:
    """Other numbers in this share of the rows, in one at least."""

    def edit(page: State, author: Author) -> Pair:
        old = _table(page, author)
        places = author.chance.sample(range(len(old.rows)), max(round(share * len(old.rows)), 1))
        rows = tuple((row[0], *_figures(author)) if at in places else row for at, row in enumerate(old.rows))
        return old, replace(old, rows=rows)

    return edit


def _one_number(page: State, author: Author) -> Pair:
    old = _table(page, author)
    name, _, *rest = old.rows[-1]
    return old, replace(old, rows=(*old.rows[:-1], (name, "1234.56", *rest)))


def _on_table(edit: Edit) -> Edit:
    return lambda page, author: edit(_table(page, author), author)


def _list(page: State, author: Author) -> Pair:
    """Titles, each with what `date`, `counter` and `comments` show on two visits."""
    rows = [
        tuple(zip(*((title, title), *(author.chance.choice(_TIMES[kind][page.language]) for kind in _LISTED)), strict=True))
        for title in author.titles(_ROWS * len(page.paragraphs))
    ]
    old = replace(page, paragraphs=page.paragraphs[:1])
    return replace(old, rows=tuple(row[0] for row in rows)), replace(old, rows=tuple(row[1] for row in rows))


_LISTED = ("date", "counter", "comments")


def _topics(page: State, author: Author) -> Pair:
    """As forums list them: replies and views as numbers alone in their columns."""
    draw = author.chance.randrange
    names = author.titles(_ROWS * len(page.paragraphs))
    rows = [(name, author.title().split()[0][:6], draw(50), draw(3000)) for name in names]
    head = ("Topic", "Author", "Replies", "Views") if page.language == "en" else ("主题", "作者", "回复", "查看")

    def listed(more: int) -> State:
        lines = [(name, by, str(replies + more), str(views + 37 * more)) for name, by, replies, views in rows]
        return replace(page, paragraphs=page.paragraphs[:1], rows=(head, *lines))

    return listed(0), listed(1)


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
SAME_WORDS: dict[str, Edit] = {"sentences reordered": _reordered, "sentences recombined": _recombined}
"""Changes that keep the vocabulary."""
TABLE_CHANGES: dict[str, Edit] = {
    "one number of a table": _one_number, "third of a table": _numbers(0.34), "all of a table": _numbers(1.0),
}  # fmt: skip
TABLE_NO_CHANGE: dict[str, Edit] = {
    **{f"table, {kind}": _on_table(edit) for kind, edit in NO_CHANGE.items() if kind != "plain advertisement"},
    "list of articles": _list, "list of topics": _topics,
}  # fmt: skip
EVERY = NO_CHANGE | CHANGES | SAME_WORDS | TABLE_CHANGES | TABLE_NO_CHANGE
"""New ones come last: the number of an edit chooses its texts."""
