"""Makes `background.txt.gz`, the document frequencies bundled with the project. For developers only:

    pip install wordfreq && python -m models.data.make_background

wordfreq is not needed at run time. Sources and licence: README.md beside this file.
"""

from __future__ import annotations

import gzip
import heapq
import math
from collections import defaultdict
from operator import itemgetter
from pathlib import Path

from focuscrawl.text.segment import Segmenter

KEEP = {"en": 60_000, "zh": 80_000}
STEP = 0.1
"""Width of one level of frequency, in nats."""
HEADER = "# Words by level L; frequency in running text = exp(-L/10). From wordfreq 3.1 (CC BY-SA 4.0), see README.md\n"


def term_frequencies(language: str, segmenter: Segmenter) -> dict[str, float]:
    """Frequency in running text of each of our terms: the sum over the word forms that share the stem."""
    import wordfreq

    sums: defaultdict[str, float] = defaultdict(float)
    for word, frequency in wordfreq.get_frequency_dict(language, "large").items():
        for term in segmenter.terms(word):
            if not term.isdecimal() and term.isascii() == (language == "en"):
                sums[term] += frequency
    return sums


def main() -> None:
    """Write the file beside this one."""
    segmenter = Segmenter()
    levels: defaultdict[int, list[str]] = defaultdict(list)
    for language, keep in KEEP.items():
        frequencies = term_frequencies(language, segmenter)
        for term, frequency in heapq.nlargest(keep, frequencies.items(), key=itemgetter(1)):
            levels[round(-math.log(frequency) / STEP)].append(term)
    lines = [f"{level} {' '.join(sorted(words))}\n" for level, words in sorted(levels.items())]
    target = Path(__file__).with_name("background.txt.gz")
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
        out.write((HEADER + "".join(lines)).encode())
    print(f"{target}: {sum(map(len, levels.values()))} words, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
