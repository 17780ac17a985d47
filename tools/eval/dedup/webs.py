"""Near-duplicate data from pages of recorded webs, changed like the generated ones. Read for measuring only."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from focuscrawl.dedup import shingles
from focuscrawl.dedup.grams import Hashes
from tools.eval.dedup.corpus import Document, Paragraphs, copies, flat
from tools.eval.webs.recorded import opened

_WORD = re.compile(r"\w+")
_PARAGRAPH = 40
_STRANGERS = 0.5
"""Recorded pages that resemble each other more are not taken: nobody has said whether they are the same page."""


def documents(web: Path, pages: int, seed: int = 1) -> list[Document]:
    """`pages` pages of one recorded web and two copies of each, in random order."""
    draw = random.Random(seed)
    made: list[Document] = []
    taken: list[tuple[str, Paragraphs]] = []
    known: list[Hashes] = []
    for language, paragraphs in _pages(web, draw):
        runs = shingles.shingles(flat(paragraphs))
        if all(shingles.resemblance(runs, other) < _STRANGERS for other in known):
            known.append(runs)
            taken.append((language, paragraphs))
        if len(taken) == pages:
            break
    vocabulary = sorted({word for _, paragraphs in taken for word in flat(paragraphs)})

    def write(count: int) -> list[str]:
        return draw.choices(vocabulary, k=count)

    for cluster, (language, paragraphs) in enumerate(taken):
        variants = copies(paragraphs, draw, language, write)
        chosen = draw.sample(sorted(variants), 2)
        for kind, each in [("page", paragraphs), *((f"page, {name}", variants[name]) for name in chosen)]:
            text = ("" if language == "zh" else " ").join(flat(each))
            made.append(Document(cluster, kind, language, text, tuple(flat(each))))
    draw.shuffle(made)
    return made


def _pages(web: Path, draw: random.Random) -> Iterator[tuple[str, Paragraphs]]:
    """Main texts of at least 30 words from all over the web, as paragraphs of words."""
    from resiliparse.extract.html2text import extract_plain_text

    with opened(web) as database:
        rows = [row for (row,) in database.execute("select rowid from page where status = 200")]
        for row in draw.sample(rows, len(rows)):
            (body,) = database.execute("select body from page where rowid = ?", (row,)).fetchone()
            text = extract_plain_text(_html(zlib.decompress(body)), main_content=True)
            language = "zh" if re.search("[\u4e00-\u9fff]{8}", text) else "en"
            paragraphs = _joined([_words(line, language) for line in text.splitlines()])
            if 30 <= len(flat(paragraphs)) <= 5000:
                yield language, paragraphs


def _joined(lines: Paragraphs) -> Paragraphs:
    """Lines put together to paragraphs of at least 40 words: a list's items are no paragraphs."""
    paragraphs: Paragraphs = []
    for words in lines:
        if paragraphs and len(paragraphs[-1]) < _PARAGRAPH:
            paragraphs[-1] += words
        elif words:
            paragraphs.append(list(words))
    return paragraphs


def _html(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("gb18030", "replace")


def _words(line: str, language: str) -> list[str]:
    if language == "en":
        return _WORD.findall(line.lower())
    import rjieba

    return [word for word in rjieba.cut(line.lower()) if _WORD.match(word)]
