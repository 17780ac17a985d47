"""Every pair through the same reading, cutting and comparing as in a crawl; what came out, for each kind of edit.

python -m tools.eval.change_detection.measure
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from focuscrawl.items import PageSignature
from focuscrawl.reading.page import read_page
from focuscrawl.recrawl.page_signature import changed, distance, signature_of
from focuscrawl.recrawl.state import MATERIAL
from focuscrawl.text.segment import Segmenter
from tools.eval.change_detection.edits import EVERY, NO_CHANGE, TABLE_NO_CHANGE
from tools.eval.change_detection.pages import LANGUAGES, SIZES, TEMPLATES, Author, State

URL = "http://a.test/news/1.html"


@dataclass(slots=True, frozen=True)
class Case:
    kind: str
    language: str
    template: str
    size: int
    old: str
    new: str


@dataclass(slots=True)
class Outcome:
    """Of all cases of one kind and language."""

    cases: int = 0
    changed: int = 0
    material: int = 0
    """More than 3 bits."""
    bits: list[int] = field(default_factory=list)
    templates: dict[str, int] = field(default_factory=dict)
    """Changed, by template."""

    @property
    def mean(self) -> float:
        return sum(self.bits) / self.cases


def cases() -> Iterator[Case]:
    """The same pairs every time: each edit on each template, language and size."""
    for number, (language, template, size) in enumerate(
        (language, template, size) for language in LANGUAGES for template in TEMPLATES for size in SIZES
    ):
        for place, (kind, edit) in enumerate(EVERY.items()):
            author = Author(language, 100 * number + place)
            old, new = edit(author.page(size), author)
            yield Case(kind, language, template, size, _html(template, old), _html(template, new))


def _html(template: str, state: State) -> str:
    return TEMPLATES[template](state)


def digest(kinds: Collection[str]) -> str:
    """Of all pairs of these kinds: nobody changes the exam unseen."""
    total = hashlib.sha256()
    for case in cases():
        if case.kind in kinds:
            total.update(f"{case.kind}\0{case.old}\0{case.new}\0".encode())
    return total.hexdigest()


def mark(html: str, segmenter: Segmenter) -> PageSignature:
    reading = read_page(html.encode(), "text/html; charset=utf-8", URL)
    whole = reading.whole
    return signature_of(reading.title, segmenter.terms(whole), whole)


def measure() -> dict[tuple[str, str], Outcome]:
    """By kind and language."""
    segmenter, found = Segmenter(), dict[tuple[str, str], Outcome]()
    for case in cases():
        old, new = mark(case.old, segmenter), mark(case.new, segmenter)
        outcome = found.setdefault((case.kind, case.language), Outcome())
        bits = distance(old, new)
        outcome.cases += 1
        outcome.changed += changed(old, new)
        outcome.material += bits > MATERIAL
        outcome.bits.append(bits)
        if changed(old, new):
            outcome.templates[case.template] = outcome.templates.get(case.template, 0) + 1
    return found


def main() -> None:
    kinds, quiet = list(EVERY), NO_CHANGE | TABLE_NO_CHANGE
    for (kind, language), outcome in sorted(measure().items(), key=lambda item: (kinds.index(item[0][0]), item[0][1])):
        counts = f"{outcome.cases:3} cases, changed {outcome.changed:3}, > {MATERIAL} bits {outcome.material:3}"
        print(f"{kind:26} {language}  {counts}, {outcome.mean:4.1f} bits  {outcome.templates if kind in quiet else ''}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
