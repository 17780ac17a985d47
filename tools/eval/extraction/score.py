"""How much of a page's main text does an extractor find, and how little else? Prints a table by template.

Run: `python -m tools.eval.extraction.score`.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from statistics import mean

from focuscrawl.text.blocks import plain
from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text, main_text
from tools.eval.extraction import generators
from tools.eval.extraction.corpus import TEMPLATES, Sample, corpus

_TOKEN = re.compile("[a-z0-9]+|[\u4e00-\u9fff]")
TIERS: dict[str, Callable[[Sample], str]] = {
    "fast": lambda sample: fast_text(parse(sample.html)),
    "best": lambda sample: plain(main_text(parse(sample.html)).blocks),
}


def f1(found: str, truth: str) -> float:
    """Harmonic mean of precision and recall of pairs of neighboring words (Chinese: characters), titles included."""
    got, want = _pairs(found), _pairs(truth)
    common = sum((got & want).values())
    return 2 * common / (sum(got.values()) + sum(want.values())) if common else 0.0


def scores(samples: list[Sample]) -> dict[str, float]:
    """Mean F1 by `tier/language`."""
    return {
        f"{tier}/{language}": mean(f1(extract(s), s.truth) for s in samples if s.language == language)
        for tier, extract in TIERS.items()
        for language in ("en", "zh")
    }


def _pairs(text: str) -> Counter[tuple[str, str]]:
    tokens = _TOKEN.findall(text.lower())
    return Counter(pairwise(tokens))


def main() -> None:
    for samples, names in ((corpus(), TEMPLATES), (generators.samples(), generators.GENERATORS)):
        print(f"{'template':10}" + "".join(f"{tier + ' ' + language:>10}" for tier in TIERS for language in ("en", "zh")))
        for name in names:
            by_tier = scores([sample for sample in samples if sample.name.startswith(name + "-")])
            print(f"{name:10}" + "".join(f"{value:10.3f}" for value in by_tier.values()))
        print(f"{'all':10}" + "".join(f"{value:10.3f}" for value in scores(samples).values()))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
