"""Main text on the platforms that people build corpora of: precision, recall and F1 of words by template, in Markdown.

Run: `python -m tools.eval.extraction.platforms.score`. Each template is how one platform writes its pages, or one kind of site;
the words are our own, so that the text is known to the word. The pages of a site are read one after the other, as a crawl reads
them. Templates with a star were looked at while the extractor was made; the others were left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable
from functools import partial
from statistics import mean

from focuscrawl.text.blocks import plain
from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text, main_text
from focuscrawl.text.extractors import EXTRACTORS
from focuscrawl.text.repeated import Site
from tools.eval.extraction.corpus import Sample
from tools.eval.extraction.measure import grams, overlap
from tools.eval.extraction.platforms import (
    blogs,
    divs,
    forums,
    goods,
    listings,
    modern,
    news,
    readers,
    records,
    reference,
    writing,
)
from tools.eval.extraction.platforms.writer import Platform, samples

PLATFORMS = (
    *news.PLATFORMS,
    *blogs.PLATFORMS,
    *forums.PLATFORMS,
    *reference.PLATFORMS,
    *goods.PLATFORMS,
    *readers.PLATFORMS,
    *records.PLATFORMS,
    *listings.PLATFORMS,
    *writing.PLATFORMS,
    *modern.PLATFORMS,
    *divs.PLATFORMS,
)
GROUPS = tuple(dict.fromkeys(platform.group for platform in PLATFORMS))
Scores = tuple[float, float, float]
"""Precision, recall and F1."""


def kept(pages: Iterable[Sample]) -> list[str]:
    """The texts of a site's pages as a crawl keeps them: each with what the pages before taught."""
    site, texts = Site(), []
    for page in pages:
        found = main_text(parse(page.html), f"http://site.example/{page.name}", site)
        site.learn(page.name, found.digests, found.votes)
        texts.append(plain(found.blocks))
    return texts


def fast(pages: Iterable[Sample]) -> list[str]:
    return [fast_text(parse(page.html)) for page in pages]


def _alone(name: str) -> Callable[[Iterable[Sample]], list[str]]:
    return lambda pages: [EXTRACTORS[name](page.html, "") for page in pages]


READERS = {"kept": kept, "fast": fast} | {name: _alone(name) for name in EXTRACTORS}


def score(platform: Platform, reader: Callable[[Iterable[Sample]], list[str]]) -> Scores:
    """Means over the pages of a platform's site."""
    pages = samples(platform)
    found = [_score(text, page.truth) for text, page in zip(reader(pages), pages, strict=True)]
    return _means(found)


def _score(text: str, truth: str) -> Scores:
    precision, recall = overlap(grams(text), grams(truth))
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _means(found: Collection[Scores]) -> Scores:
    return mean(each[0] for each in found), mean(each[1] for each in found), mean(each[2] for each in found)


def table(platforms: Collection[Platform]) -> list[str]:
    names = [f"{name}: P R F1" for name in READERS]
    lines = [f"| platform | group | {' | '.join(names)} |", f"|---|---|{'---|' * len(READERS)}"]
    found = {platform: [score(platform, reader) for reader in READERS.values()] for platform in platforms}
    for platform, scores in found.items():
        lines.append(_row(f"{'* ' * platform.tuned}{platform.name}, {platform.language}", platform.group, scores))
    means: dict[str, Callable[[Platform], bool]] = {
        **{f"mean of {group}": partial(_in_group, group) for group in GROUPS},
        "mean of those looked at": lambda platform: platform.tuned,
        "mean of those left out": lambda platform: not platform.tuned,
    }
    for title, wanted in means.items():
        chosen = [scores for platform, scores in found.items() if wanted(platform)]
        if chosen:
            lines.append(_row(title, str(len(chosen)), [_means(by_reader) for by_reader in zip(*chosen, strict=True)]))
    return lines


def _in_group(group: str, platform: Platform) -> bool:
    return platform.group == group


def _row(name: str, group: str, scores: Iterable[Scores]) -> str:
    return f"| {name} | {group} | {' | '.join(' '.join(f'{value:.3f}' for value in each) for each in scores)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", help="groups of platforms, such as news; all without any")
    groups = parser.parse_args().groups
    if unknown := set(groups) - set(GROUPS):
        parser.error(f"no group {min(unknown)!r}")
    print("\n".join(table([platform for platform in PLATFORMS if not groups or platform.group in groups])))


if __name__ == "__main__":
    main()
