"""Makes `background.txt.gz` and `function_words.txt`, the frequencies bundled with the project. For developers only:

    pip install wordfreq && python -m models.data.make_background

wordfreq is not needed at run time. Sources and licence: README.md beside this file.
"""

from __future__ import annotations

import gzip
import heapq
import math
from collections import defaultdict
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path

from focuscrawl.text.segment import Segmenter, function_words

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


def function_word_frequencies() -> dict[str, float]:
    """Frequency in running text of each function word, as it stands there."""
    import wordfreq

    known = [wordfreq.get_frequency_dict(language, "large") for language in KEEP]
    found = {word: max(frequencies.get(word, 0.0) for frequencies in known) for word in function_words()}
    return {word: frequency for word, frequency in found.items() if frequency}


def table(frequencies: Iterable[tuple[str, float]]) -> bytes:
    """The file of these words."""
    levels: defaultdict[int, list[str]] = defaultdict(list)
    for word, frequency in frequencies:
        levels[round(-math.log(frequency) / STEP)].append(word)
    return (HEADER + "".join(f"{level} {' '.join(sorted(words))}\n" for level, words in sorted(levels.items()))).encode()


def main() -> None:
    """Write the files beside this one."""
    segmenter, here, terms = Segmenter(), Path(__file__).parent, list[tuple[str, float]]()
    for language, keep in KEEP.items():
        terms += heapq.nlargest(keep, term_frequencies(language, segmenter).items(), key=itemgetter(1))
    with open(here / "background.txt.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
        out.write(table(terms))
    (here / "function_words.txt").write_bytes(table(function_word_frequencies().items()))


if __name__ == "__main__":
    main()
