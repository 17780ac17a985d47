"""Pages as two states: what the author wrote, and what stands around it and changes by itself.

Five templates (new sections, divs with telling names, divs without, old tables, a byline inside the text), each in English and
Chinese, with texts of the synthetic web: a clock, a date, counters, advertisements and lists of other pages around an article
or a table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from synthweb.prose import Writer

LANGUAGES = ("en", "zh")
SIZES = (120, 300, 900)
"""Words of the main text."""
TOPICS = ("cooking", "astronomy")


@dataclass(frozen=True, slots=True)
class State:
    """One version of a page."""

    language: str
    title: str
    paragraphs: tuple[str, ...]
    clock: str
    """In the head of the page."""
    published: str
    """In the byline."""
    counter: str
    comments: str
    related: tuple[str, ...]
    marked_advert: str
    """In an element whose class says what it is."""
    plain_advert: str = ""
    """In the middle of the text, in an element like any other; empty: there is none."""
    head_title: str = ""
    """In the title element, when it is another than the heading."""
    noise: int = 0
    """In scripts, tokens and URLs of pictures."""
    rows: tuple[tuple[str, ...], ...] = ()
    """Of a table under the text."""


@dataclass(slots=True)
class Author:
    """Writes in one language; the same number gives the same texts."""

    language: str
    seed: int
    chance: random.Random = field(init=False)
    writer: Writer = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.writer = Writer(self.language, TOPICS[self.seed % len(TOPICS)], self.seed)

    def sentence(self) -> str:
        return self.writer.sentence("w")

    def paragraph(self) -> str:
        return self.writer.text(30)[0]

    def title(self) -> str:
        return self.writer.title()

    def titles(self, number: int) -> tuple[str, ...]:
        return tuple(self.writer.title() for _ in range(number))

    def page(self, words: int) -> State:
        """A page of the first day."""
        english = self.language == "en"
        return State(
            self.language,
            self.title(),
            tuple(self.writer.text(words)),
            clock="Saturday, 21 November 2026 10:32" if english else "2026年11月21日 星期六 10:32",
            published="Nov 5, 2026" if english else "2026年11月5日",
            counter="1,234 views" if english else "阅读(1234)",
            comments="12 comments" if english else "评论 12",
            related=self.titles(6),
            marked_advert=self.sentence(),
        )


def _head(state: State) -> str:
    token = f"<script>var token='{state.noise:x}';</script><meta name=csrf content='{state.noise}'>"
    title = state.head_title or state.title
    return f"<!DOCTYPE html><html lang={state.language}><head><meta charset=utf-8><title>{title}</title>{token}</head>"


def _list(titles: tuple[str, ...]) -> str:
    return "<ul>" + "".join(f"<li><a href='/{abs(hash_of(title))}.html'>{title}</a></li>" for title in titles) + "</ul>"


def hash_of(text: str) -> int:
    """A number of a text that does not depend on the process."""
    return sum(place * ord(char) for place, char in enumerate(text, 1)) % 100_000


def _text(state: State, tag: str = "p") -> str:
    blocks = [f"<{tag}>{text}</{tag}>" for text in state.paragraphs]
    middle = len(blocks) // 2
    if state.plain_advert:
        blocks.insert(middle, f"<{tag}>{state.plain_advert}</{tag}>")
    if state.marked_advert:
        blocks.insert(middle, f"<div class='ad'><a href='/buy?n={state.noise}'>{state.marked_advert}</a></div>")
    if state.rows:
        lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in state.rows)
        blocks.append("<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>")
    return "".join(blocks)


def _menu(state: State) -> str:
    names = ("Home", "News", "About us", "Contact") if state.language == "en" else ("首页", "新闻", "关于我们", "联系方式")
    return "".join(f"<li><a href='/{place}'>{name}</a></li>" for place, name in enumerate(names))


def _sections(state: State) -> str:
    return _head(state) + (
        f"<body><header><nav><ul>{_menu(state)}</ul></nav><time>{state.clock}</time></header><main><article><h1>{state.title}</h1>"
        f"<p class=byline>{state.published} · {state.counter} · {state.comments}</p>{_text(state)}</article></main>"
        f"<aside>{_list(state.related)}</aside><footer>© 2026</footer></body></html>"
    )


def _named_divs(state: State) -> str:
    return _head(state) + (
        f"<body><div class=header><div class=date>{state.clock}</div><ul class=menu>{_menu(state)}</ul></div>"
        f"<div class=content><h1>{state.title}</h1><div class=meta>{state.published} {state.counter}</div>{_text(state)}"
        f"<div class=comments>{state.comments}</div></div><div class=sidebar>{_list(state.related)}</div>"
        f"<div class=footer>© 2026</div></body></html>"
    )


def _bare_divs(state: State) -> str:
    return _head(state) + (
        f"<body><div>{state.clock}</div><div><ul>{_menu(state)}</ul></div><div><h2>{state.title}</h2><div>{state.published}"
        f" {state.counter} {state.comments}</div><div>{_text(state, 'div')}</div></div>"
        f"<div>{_list(state.related)}</div></body></html>"
    )


def _tables(state: State) -> str:
    return _head(state) + (
        f"<body><table width=960><tr><td colspan=2>{state.clock}</td></tr><tr><td width=160><ul>{_menu(state)}</ul>"
        f"{_list(state.related)}</td><td><font size=5>{state.title}</font><br>{state.published} {state.counter}<br><br>"
        f"{_text(state)}<br>{state.comments}</td></tr></table></body></html>"
    )


def _bylines(state: State) -> str:
    views, notes = f"<span>{state.counter}</span>", f"<span>{state.comments}</span>"
    return _head(state) + (
        f"<body><div id=top>{state.clock}<ul>{_menu(state)}</ul></div><div id=main><div class=post><h1>{state.title}</h1>"
        f"<p>{state.published}{views}{notes}</p>{_text(state)}<p>{state.published} | {state.clock}</p></div></div>"
        f"<div id=related><h3>+</h3>{_list(state.related)}</div></body></html>"
    )


TEMPLATES: dict[str, Callable[[State], str]] = {
    "sections": _sections, "named divs": _named_divs, "bare divs": _bare_divs, "tables": _tables, "bylines": _bylines,
}  # fmt: skip
