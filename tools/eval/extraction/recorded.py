"""Main text on the recorded webs, by template, beside each extractor alone: `python -m tools.eval.extraction.recorded`.

The truth is each site's own main element (`sites.py`). The pages of a site are read one after the other, as a crawl reads them:
the kept tier knows of a site what the pages before taught it. Templates with a star were looked at while the extractor was
made; the others were left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from statistics import mean

from focuscrawl.text.blocks import plain
from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text, main_text
from focuscrawl.text.extractors import EXTRACTORS
from focuscrawl.text.repeated import SiteTexts
from tools.eval.extraction.measure import grams, overlap
from tools.eval.extraction.sites import PAGES, TEMPLATES, Page, Template, pages

Extract = Callable[[Page], str]
NAMES = ("kept", "fast", *EXTRACTORS)


@dataclass(slots=True)
class Scores:
    """Of one extractor on the pages of one template, page by page."""

    f1: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    code: list[float] = field(default_factory=list)
    """Recall of the words in blocks of code."""
    seconds: list[float] = field(default_factory=list)

    def add(self, page: Page, text: str, seconds: float) -> None:
        found = grams(text)
        precision, recall = overlap(found, grams(page.truth))
        self.f1.append(2 * precision * recall / (precision + recall) if precision + recall else 0.0)
        self.recall.append(recall)
        if code := grams(page.code):
            self.code.append(overlap(found, code)[1])
        self.seconds.append(seconds)


def extractors() -> dict[str, Extract]:
    """By name; `kept` remembers the sites of the pages it was given."""
    sites = SiteTexts()

    def kept(page: Page) -> str:
        site = sites.of(page.template.host)
        found = main_text(parse(page.html), page.url, site)
        site.learn(page.url, found.digests, found.votes)
        return plain(found.blocks)

    def alone(name: str) -> Extract:
        return lambda page: EXTRACTORS[name](page.html, page.url)

    return {"kept": kept, "fast": lambda page: fast_text(parse(page.html))} | {name: alone(name) for name in EXTRACTORS}


def measure(most: int, names: Collection[str] = (), again: bool = False) -> dict[str, dict[str, Scores]]:
    """Scores by template and extractor. Times are of the processor, parsing included. `again`: with the sites known from a
    reading before."""
    found = {template.name: {name: Scores() for name in NAMES} for template in TEMPLATES}
    run = extractors()
    for page in pages(most=most, names=names) if again else ():
        run["kept"](page)
    for page in pages(most=most, names=names):
        for name, extract in run.items():
            start = time.process_time()
            text = extract(page)
            found[page.template.name][name].add(page, text, time.process_time() - start)
    return found


def table(found: dict[str, dict[str, Scores]]) -> list[str]:
    """Markdown: mean F1 by template, with the number of pages that lose more than half of their text."""
    lines = [f"| template | pages | {' | '.join(NAMES)} |", f"|---|---|{'---|' * len(NAMES)}"]
    templates = [template for template in TEMPLATES if found[template.name]["kept"].f1]
    for template in templates:
        scores = found[template.name]
        star = "* " if template.tuned else ""
        cells = [f"{mean(each.f1):.3f}{_lost(each)}" for each in scores.values() if each.f1]
        lines.append(f"| {star}{template.name}, {template.language} | {len(scores['kept'].f1)} | {' | '.join(cells)} |")
    for title, wanted in _GROUPS.items():
        chosen = [template.name for template in templates if wanted(template)]
        if not chosen:
            continue
        means = [mean(mean(found[name][each].f1) for name in chosen) for each in NAMES]
        lines.append(f"| {title} | {len(chosen)} | {' | '.join(f'{value:.3f}' for value in means)} |")
    every = {name: [scores[name] for scores in found.values()] for name in NAMES}
    if any(each.code for each in every["kept"]):
        code = [mean(value for each in every[name] for value in each.code) for name in NAMES]
        lines.append(f"| recall of code | | {' | '.join(f'{value:.3f}' for value in code)} |")
    spent = [1000 * mean(value for each in every[name] for value in each.seconds) for name in NAMES]
    lines.append(f"| ms a page | | {' | '.join(f'{value:.1f}' for value in spent)} |")
    return lines


_GROUPS: dict[str, Callable[[Template], bool]] = {
    "mean of all templates": lambda template: True,
    "mean of those looked at": lambda template: template.tuned,
    "mean of those left out": lambda template: not template.tuned,
    "mean of Chinese": lambda template: template.language == "zh",
    "mean of English": lambda template: template.language == "en",
}


def _lost(scores: Scores) -> str:
    lost = sum(recall < 0.5 for recall in scores.recall)
    return f" ({lost} lost)" if lost else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=PAGES, help="pages of a template at most")
    parser.add_argument("--again", action="store_true", help="with the sites known from a reading before")
    parser.add_argument("templates", nargs="*", help="names of templates; all without any")
    arguments = parser.parse_args()
    if unknown := set(arguments.templates) - {template.name for template in TEMPLATES}:
        parser.error(f"no template {min(unknown)!r}")
    try:
        print("\n".join(table(measure(arguments.pages, arguments.templates, arguments.again))))
    except FileNotFoundError as error:
        print(f"skipped: {error}")


if __name__ == "__main__":
    main()
