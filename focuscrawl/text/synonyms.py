"""Words that mean the same, as one term: the topic's own dictionary.

Each group is read as terms; wherever the terms of a member stand, those of its first word are put. So `区块链` and
`distributed ledger` count as `blockchain`, in a topic and in every text that is compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Groups = tuple[tuple[str, ...], ...]
"""Each with two or more words or phrases; the first stands for all."""
Terms = tuple[str, ...]


class Synonyms:
    """The groups of one topic, ready to replace. `cut` gives the plain terms of a word or phrase."""

    def __init__(self, groups: Iterable[Sequence[str]], cut: Callable[[str], Sequence[str]]) -> None:
        self.words: dict[str, Terms] = {}
        """Single terms with what stands for them."""
        self._phrases: dict[str, list[tuple[Terms, Terms]]] = {}
        for group in groups:
            first, *others = (tuple(cut(word)) for word in group)
            for other in others:
                if not first or not other or other == first:
                    continue
                if len(other) == 1:
                    self.words[other[0]] = first
                else:
                    self._phrases.setdefault(other[0], []).append((other, first))
        for found in self._phrases.values():
            found.sort(key=lambda pair: -len(pair[0]))

    def join(self, terms: list[str]) -> list[str]:
        """The terms with phrases of several replaced, longest first; O(terms)."""
        if not self._phrases or self._phrases.keys().isdisjoint(terms):
            return terms
        joined: list[str] = []
        place = 0
        while place < len(terms):
            length, put = self._at(terms, place)
            joined += put
            place += length
        return joined

    def _at(self, terms: list[str], place: int) -> tuple[int, Sequence[str]]:
        for phrase, put in self._phrases.get(terms[place], ()):
            if tuple(terms[place : place + len(phrase)]) == phrase:
                return len(phrase), put
        return 1, terms[place : place + 1]
