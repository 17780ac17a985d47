"""Other ways to write the English words of a topic, so that a page counts however it spells them.

- **As one word** where the topic has two, or a hyphen: `webframework` for `web framework`.
- **With a hyphen behind its first letter**: `e-mail` for `email`, `b-tree` for `btree`. Elsewhere such a word is read without
  its letter, which says something else.
- **British or American**: `colour` and `color`, `optimise` and `optimize`, `centre` and `center`, `catalogue` and `catalog`.

Spellings follow from endings alone. Many that come out so nobody writes (`errour`), and these match nothing. What the user gave
as a word of its own is no spelling of another. Inflected forms have the same stem anyway.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

LEAST_LETTERS = 5
"""Shorter words are too often other words when they are spelled otherwise (`tour`, `tor`)."""
ENDINGS = (
    ("our", "or"), ("re", "er"), ("ise", "ize"), ("isation", "ization"), ("ising", "izing"), ("yse", "yze"), ("ysing", "yzing"),
    ("ogue", "og"), ("ence", "ense"),
)  # fmt: skip
"""British, American. Behind each of them may stand an s."""
CONSONANT = "re"
"""The British ending that must follow a consonant (`centre`, not `software`)."""
WORDS_OF_THEIR_OWN = frozenset({"louvre", "prolog", "prologue", "timber", "timbre"})
"""Their other spellings, by these endings, mean something else."""
_plain_word = re.compile(r"([a-z])-?([a-z]{3,})").fullmatch
_parts = re.compile(r"[a-z0-9]+").findall


def with_spellings(groups: Sequence[tuple[str, ...]], words: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """These groups of synonyms and those of the topic's other words, each with the other spellings of its members.

    `words`: lower-cased words and phrases of the topic, the members of the groups among them."""
    members = {member for group in groups for member in group}
    apart = dict.fromkeys(part for word in words for part in (word, *_parts(word)) if part not in members)
    grown = ((*group, *_others(group, words)) for group in (*groups, *((word,) for word in apart)))
    return tuple(group for group in grown if len(group) > 1)


def _others(group: Sequence[str], words: Collection[str]) -> list[str]:
    return [other for word in group for other in spellings(word) if other not in words and other not in group]


def spellings(word: str) -> list[str]:
    """The other spellings of a lower-cased word or phrase.

    >>> spellings("web framework"), spellings("colours"), spellings("centre"), spellings("catalog")
    (['webframework'], ['colors'], ['center'], ['catalogue'])
    """
    parts = _parts(word)
    if not word.isascii() or not parts:
        return []
    if len(parts) > 1:
        return ["".join(parts)]
    [plain] = parts
    bare, plural = (plain[:-1], "s") if plain.endswith("s") else (plain, "")
    pairs = (pair for british, american in ENDINGS for pair in ((british, american), (american, british)))
    return [bare.removesuffix(ending) + other + plural for ending, other in pairs if _may_end(bare, ending, other)]


def _may_end(word: str, ending: str, other: str) -> bool:
    if len(word) < LEAST_LETTERS or not word.endswith(ending) or word in WORDS_OF_THEIR_OWN:
        return False
    return CONSONANT not in (ending, other) or word[-len(ending) - 1] not in "aeiou"


def without_hyphens(words: Collection[str]) -> Callable[[str], str]:
    """A function that removes the hyphen behind the first letter of these words, and of those that begin with them, from a
    lower-cased text."""
    parts = (part for word in words for part in word.split())
    found = {f"{match[1]}-{match[2]}": f"{match[1]}{match[2]}" for part in parts if (match := _plain_word(part))}
    if not found:
        return lambda text: text
    replace = re.compile(rf"(?<![a-z0-9-])(?:{'|'.join(sorted(found))})").sub

    def remove(text: str) -> str:
        if "-" not in text or not any(map(text.__contains__, found)):
            return text
        return replace(lambda match: found[match[0]], text)

    return remove
