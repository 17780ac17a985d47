"""Near-duplicate data whose truth is known: bilingual pages made from a seed, and the changes that make copies of them.

A document belongs to a cluster; documents of one cluster are the same page. The cases:

article      80 to 1 200 words               short        15 to 60 words
template     a site's frame of 60 words around 30 to 60 own ones: different pages that share most of their text
sequel       repeats half of an article's paragraphs and goes on in its own words: a different page
bag          an article's words in another order: the same SimHash, a different page

and the copies: date, advertisement, share bar, 2 % of the words edited, paragraphs in another order, and a mirror,
which has all of the first four.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

Paragraphs = list[list[str]]

_VOWELS = ("a", "e", "i", "o", "u", "an", "er", "is")
_SYLLABLES = [consonant + vowel for consonant in "bcdfglmnprstv" for vowel in _VOWELS]
_HAN = [chr(0x4E00 + 7 * place) for place in range(2900)]


@dataclass(slots=True, frozen=True)
class Document:
    """One page: its text, its words in order, and the cluster that says which pages are the same."""

    cluster: int
    kind: str
    language: str
    text: str
    words: tuple[str, ...]


class Language:
    """A vocabulary with Zipf's distribution, in which articles on different subjects share the common words only."""

    def __init__(self, name: str, draw: random.Random) -> None:
        self.name = name
        pieces = _HAN if name == "zh" else _SYLLABLES
        size = (1, 3) if name == "zh" else (1, 4)
        made = {"".join(draw.choices(pieces, k=draw.randint(*size))) for _ in range(6000)}
        self.words = sorted(made)
        draw.shuffle(self.words)
        self.common = list(accumulate(1 / (rank + 3) for rank in range(len(self.words))))

    def writer(self, draw: random.Random) -> Callable[[int], list[str]]:
        """A source of words about one subject: a third of them from 60 words of its own."""
        subject = draw.sample(self.words, 60)
        weights = list(accumulate(1 / (rank + 1) for rank in range(60)))

        def write(count: int) -> list[str]:
            own = draw.choices(subject, cum_weights=weights, k=count)
            other = draw.choices(self.words, cum_weights=self.common, k=count)
            return [mine if draw.random() < 1 / 3 else theirs for mine, theirs in zip(own, other, strict=True)]

        return write

    def text(self, paragraphs: Paragraphs) -> str:
        """The paragraphs as a page would have them."""
        join, stop = ("", "。\n") if self.name == "zh" else (" ", ".\n")
        return stop.join(join.join(words) for words in paragraphs)


def split(words: Sequence[str], size: int = 60) -> Paragraphs:
    """Paragraphs of about `size` words."""
    return [list(words[start : start + size]) for start in range(0, len(words), size)]


def flat(paragraphs: Paragraphs) -> list[str]:
    """All words in order."""
    return [word for paragraph in paragraphs for word in paragraph]


def dated(paragraphs: Paragraphs, draw: random.Random) -> Paragraphs:
    """Another date on top."""
    day = [
        str(draw.randint(2001, 2024)),
        str(draw.randint(1, 12)),
        str(draw.randint(1, 28)),
        f"{draw.randint(0, 23)}:05",
    ]
    return [day, *paragraphs]


def advertised(paragraphs: Paragraphs, draw: random.Random, write: Callable[[int], list[str]]) -> Paragraphs:
    """An advertisement between two paragraphs, at most a tenth of the page."""
    place = draw.randint(0, len(paragraphs))
    size = min(draw.randint(4, 14), max(1, len(flat(paragraphs)) // 10))
    return [*paragraphs[:place], write(size), *paragraphs[place:]]


def shared(paragraphs: Paragraphs, language: str) -> Paragraphs:
    """A share bar at the end, on a page long enough to have one."""
    bar = ["share", "this", "page", "facebook", "twitter", "email", "print"]
    if language == "zh":
        bar = ["分享", "到", "微博", "微信", "打印", "本页"]
    return [*paragraphs, bar[: max(1, len(flat(paragraphs)) // 10)]]


def edited(paragraphs: Paragraphs, draw: random.Random, write: Callable[[int], list[str]]) -> Paragraphs:
    """2 % of the words replaced, left out or doubled by a new one; at least one word."""
    changed = [list(paragraph) for paragraph in paragraphs]
    total = len(flat(changed))
    for _ in range(max(1, round(total * 0.02))):
        paragraph = draw.choice([each for each in changed if each])
        place = draw.randrange(len(paragraph))
        paragraph[place : place + 1] = draw.choice([[], write(1), [paragraph[place], *write(1)]])
    return changed


def reordered(paragraphs: Paragraphs, draw: random.Random) -> Paragraphs:
    """The paragraphs in another order."""
    return draw.sample(paragraphs, len(paragraphs))


def copies(
    paragraphs: Paragraphs, draw: random.Random, language: str, write: Callable[[int], list[str]]
) -> dict[str, Paragraphs]:
    """Every kind of copy of one page, by name."""
    mirror = edited(advertised(dated(paragraphs, draw), draw, write), draw, write)
    return {
        "date": dated(paragraphs, draw),
        "advertisement": advertised(paragraphs, draw, write),
        "share bar": shared(paragraphs, language),
        "edits": edited(paragraphs, draw, write),
        "order": reordered(paragraphs, draw),
        "mirror": shared(mirror, language),
    }


class _Maker:
    """Collects the documents of one language."""

    def __init__(self, name: str, draw: random.Random, first_cluster: int) -> None:
        self.language = Language(name, draw)
        self.draw = draw
        self.cluster = first_cluster
        self.documents: list[Document] = []

    def add(self, kind: str, paragraphs: Paragraphs, cluster: int | None = None) -> int:
        if cluster is None:
            cluster = self.cluster
            self.cluster += 1
        words = tuple(flat(paragraphs))
        self.documents.append(Document(cluster, kind, self.language.name, self.language.text(paragraphs), words))
        return cluster

    def article(self, kind: str, size: int) -> None:
        write = self.language.writer(self.draw)
        paragraphs = split(write(size))
        cluster = self.add(kind, paragraphs)
        made = copies(paragraphs, self.draw, self.language.name, write)
        for name in self.draw.sample(sorted(made), 2):
            self.add(f"{kind}, {name}", made[name], cluster)
        if kind == "article" and self.draw.random() < 0.3:
            half = paragraphs[: len(paragraphs) // 2]
            self.add("sequel", half + split(write(max(40, size - len(flat(half))))))
        if kind == "article" and self.draw.random() < 0.15:
            words = flat(paragraphs)
            self.add("bag", split(self.draw.sample(words, len(words))))

    def site(self, pages: int) -> None:
        frame = self.language.writer(self.draw)(60)
        write = self.language.writer(self.draw)
        for _ in range(pages):
            self.add("template", [frame[:30], write(self.draw.randint(30, 60)), frame[30:]])


def corpus(seed: int = 1, pages: int = 100) -> list[Document]:
    """About `pages * 9` documents in two languages, in random order; equal for an equal seed."""
    draw = random.Random(seed)
    documents: list[Document] = []
    for place, name in enumerate(("en", "zh")):
        maker = _Maker(name, draw, first_cluster=place * 1_000_000)
        for _ in range(pages):
            maker.article("article", int(80 * 15 ** draw.random()))
        for _ in range(pages // 4):
            maker.article("short", draw.randint(15, 60))
        for _ in range(pages // 20):
            maker.site(8)
        documents += maker.documents
    draw.shuffle(documents)
    return documents


def digest_of(documents: Iterable[Document]) -> str:
    """A digest of the whole data, to pin what was measured."""
    total = hashlib.sha256()
    for document in documents:
        total.update(f"{document.cluster}\t{document.kind}\t{document.text}\n".encode())
    return total.hexdigest()[:16]
