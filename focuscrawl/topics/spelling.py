"""Terms as people write them: `telescop` is shown as `telescopes` where the topic's texts say so."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from focuscrawl.text.segment import Segmenter

_word = re.compile(r"[A-Za-z0-9]+(?:\+\+|#)?")


def spellings(segmenter: Segmenter, texts: Iterable[str]) -> dict[str, str]:
    """Each English term of the texts with its most frequent form; others are written as they are."""
    words = Counter(word.lower() for text in texts for word in _word.findall(text))
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, n in words.items():
        terms = segmenter.terms(word)
        if len(terms) == 1 and terms[0].isascii():
            forms[terms[0]][word] += n
    return {term: min(found, key=lambda word: (-found[word], word)) for term, found in forms.items()}
