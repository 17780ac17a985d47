"""Writes the pages of a platform: elements by short paths, words by a draw that remembers which of them are the text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from tools.eval.extraction.corpus import Sample, paragraph, sentence

PAGES = 6
"""Of one site. The kept tier believes that words repeat once it has read five."""


@dataclass(frozen=True, slots=True)
class Platform:
    name: str
    group: str
    language: str
    write: Callable[[Writer], str]
    """One page's HTML."""
    tuned: bool = False
    """Was it looked at while the extractor was made? The others were left out."""


class Writer:
    """The words of one page. What the methods of the first group return is also kept as its text."""

    def __init__(self, site: str, number: int, language: str) -> None:
        self.number, self.language = number, language
        """Of the page on its site, from 0 on."""
        self.draw = random.Random(f"{site} {number} {language}")
        self.title = self.headline()
        self.truth: list[str] = []

    def text(self, words: str) -> str:
        self.truth.append(words)
        return escape(words, quote=False)

    def titled(self) -> str:
        return self.text(self.title)

    def heading(self) -> str:
        return self.text(self.headline())

    def line(self) -> str:
        """One sentence."""
        return self.text(sentence(self.language, self.draw).strip())

    def paragraph(self) -> str:
        return self.text(paragraph(self.language, self.draw))

    def paragraphs(self, count: int, path: str = "p") -> str:
        return "".join(el(path, self.paragraph()) for _ in range(count))

    def several(self, least: int) -> int:
        """A number that differs from page to page."""
        return least + self.draw.randrange(4)

    # --- around the text -----------------------------------------------------------------------------------------------

    def headline(self) -> str:
        """The title of this page or another."""
        return re.split("[，,.]| (?:before|whenever|although|as|in every) ", sentence(self.language, self.draw))[0]

    def others(self, count: int, path: str = "li/a") -> str:
        """Titles of other pages, or the same with what stands beside them, where the path ends in a link."""
        return "".join(el(path, self.headline()) for _ in range(count))

    def said(self) -> str:
        """What a reader says of the text."""
        return paragraph(self.language, self.draw)

    def chrome(self, english: str, chinese: str) -> str:
        return chinese if self.language == "zh" else english

    def menu(self, path: str = "li/a") -> str:
        names = ("首页 新闻 体育 财经 科技 教育 旅游 视频" if self.language == "zh" else _MENU).split()
        return "".join(el(path, name) for name in names)

    def name(self, number: int = 0) -> str:
        """Of a person: the author of the page is number 0."""
        names = ("林小满 周大路 许知远山 何田田" if self.language == "zh" else "AdaBirch TomReed MayLowe LeePike").split()
        return names[number % len(names)] + str(number or "")

    @property
    def day(self) -> str:
        return f"2024-03-{self.number + 11}"


_MENU = "Home World Business Science Travel Culture Opinion Video"


def el(path: str, *inside: str) -> str:
    """Nested elements, from outside in: `el("main/p.lead[lang=en]", "Words")`. Without a name an element is a `div`."""
    before: list[str] = []
    after: list[str] = []
    for name, marks, attributes in _STEP.findall(path):
        tag, classes = name or "div", " ".join(re.findall(r"\.([^#.]+)", marks))
        own_id = "".join(re.findall("#([^#.]+)", marks))
        given = [f'id="{own_id}"' * bool(own_id), f'class="{classes}"' * bool(classes)]
        given += [
            f'{key}="{value}"' for key, _, value in (pair.partition("=") for pair in re.findall(r"\[([^]]*)]", attributes))
        ]
        before.append(f"<{' '.join(filter(None, (tag, *given)))}>")
        after.append(f"</{tag}>")
    return "".join((*before, *inside, *reversed(after)))


_STEP = re.compile(r"(?=[\w#.\[])([a-z][\w-]*)?((?:[#.][\w-]+)*)((?:\[[^]]*])*)(?:/|$)")


def page(w: Writer, title: str, *body: str, path: str = "body", head: str = "") -> str:
    """A whole page. `title`: with `{}` for the page's own. `path`: the body and the elements around all."""
    start = f'<meta charset="utf-8"><title>{title.format(w.title)}</title><meta property="og:title" content="{w.title}">{head}'
    return f'<!DOCTYPE html><html lang="{w.language}"><head>{start}</head>{el(path, *body)}</html>'


def samples(platform: Platform) -> list[Sample]:
    """The same pages of one site every time."""
    made = []
    for number in range(PAGES):
        writer = Writer(platform.name, number, platform.language)
        html = platform.write(writer)
        made.append(Sample(f"{platform.name}/{number}", platform.language, html, "\n".join(writer.truth)))
    return made
