"""Changes that a user makes to the words of a topic, as new values for its file. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from focuscrawl.errors import BadInput
from focuscrawl.params import has_control, shown
from focuscrawl.text.folding import simplified
from focuscrawl.text.segment import Segmenter
from focuscrawl.topicfile import Topic
from focuscrawl.topics.writing import Values

LONGEST_WORD = 100


@dataclass(frozen=True, slots=True)
class TermEdits:
    """What is to change. A word that is named twice is where it was named last in this order."""

    remove: Sequence[str] = ()
    """Out of the topic: out of every list, and weight 0 if its texts bring it back."""
    keywords: Sequence[str] = ()
    negative: Sequence[str] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    synonyms: Sequence[tuple[str, ...]] = ()
    """Groups to add; one that shares a word with a group of the topic joins it."""

    def __bool__(self) -> bool:
        return bool(self.remove or self.keywords or self.negative or self.weights or self.synonyms)


def edited(topic: Topic, edits: TermEdits) -> Values:
    """New values of the keys of [topic] that change. Raises BadInput for words that have no term."""
    _check(edits)
    keywords, negative, weights = list(topic.keywords), list(topic.negative_terms), dict(topic.weights)
    groups = [tuple(word for word in group if not _in(word, edits.remove)) for group in topic.synonyms]
    for word in edits.remove:
        _take(word, keywords, negative, weights)
        weights[word] = 0.0
    for word in edits.keywords:
        _take(word, negative)
        _take(word, weights)
        if not _in(word, keywords):
            keywords.append(word)
    for word in edits.negative:
        _take(word, keywords)
        _take(word, weights)
        if not _in(word, negative):
            negative.append(word)
    for word, weight in edits.weights.items():
        _take(word, weights)
        weights[word] = weight
    groups = _joined([group for group in groups if len(group) > 1], edits.synonyms)
    return {"keywords": keywords, "synonyms": groups, "negative_terms": negative, "weights": weights}


def _check(edits: TermEdits) -> None:
    words = list(chain(edits.remove, edits.keywords, edits.negative, edits.weights, *edits.synonyms))
    segmenter = Segmenter(words)
    for word in words:
        if has_control(word) or len(word) > LONGEST_WORD or not segmenter.terms(word):
            raise BadInput(f"{shown(word)} is no word; a word or a short phrase is wanted, such as web crawler or 网络爬虫.")
    for word, weight in edits.weights.items():
        if not -1 <= weight <= 1:
            raise BadInput(f"The weight {weight:g} of {shown(word)} is not between -1 and 1.")
    for group in edits.synonyms:
        if len({_plain(word) for word in group}) < 2:
            raise BadInput(f"{shown('='.join(group))} names one word only; word=other is wanted, such as 区块链=blockchain.")


def _plain(word: str) -> str:
    return simplified(word.strip().lower())


def _in(word: str, words: Iterable[str]) -> bool:
    return _plain(word) in map(_plain, words)


def _take(word: str, *places: list[str] | dict[str, float]) -> None:
    for place in places:
        for other in [other for other in place if _plain(other) == _plain(word)]:
            if isinstance(place, dict):
                del place[other]
            else:
                place.remove(other)


def _joined(groups: list[tuple[str, ...]], new: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    for group in new:
        found = next((n for n, known in enumerate(groups) if any(_in(word, known) for word in group)), None)
        if found is None:
            groups.append(tuple(dict.fromkeys(group)))
        else:
            groups[found] += tuple(word for word in group if not _in(word, groups[found]))
    return groups
