"""The quality of a text as prose to train on: signals of three published filters, and the share of their rules that it passes.

- Gopher: Rae et al. 2021, "Scaling Language Models: Methods, Analysis & Insights from Training Gopher" (arXiv:2112.11446),
  appendix A: quality filtering, and repetition removal with the thresholds of table A1.
- C4: Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer" (JMLR 21:140),
  section 2.2.
- FineWeb: Penedo et al. 2024, "The FineWeb Datasets: Decanting the Web for the Finest Text Data at Scale" (arXiv:2406.17557).

For Chinese, thresholds and stop words are those of FineWeb2 (Penedo et al. 2025, arXiv:2506.20920; its file `cmn_Hani.yml`) if
it has some, and words are cut by jieba. Its authors dropped the rule on short lines, and so do we. They did not use C4's rules,
which are applied here with Chinese punctuation. Rules that need words do not judge Japanese, Thai and other languages that we
cannot cut.

A signal describes a page and forbids nothing. All signals are of the text without its code, whose share is `code_share`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, chain
from math import inf

from focuscrawl.text.chinese import cutter, simplified

MAX_WORDS = 20_000
"""Only this many first words of a text are searched for repeated n-grams."""
TERMINAL = (".", "?", "!", '"', "'", "。", "？", "！", "．", "｡", "”", "’", "」", "』")
"""Characters that end a line of prose: FineWeb's five, and their Chinese counterparts."""
C4_TERMINAL = tuple(mark for mark in TERMINAL if mark not in "'’")
ELLIPSES = ("...", "…")
BULLETS = ("•", "-", "‣", "▪", "·", "*", "●", "○", "■", "◦")
SHORT_LINE = 30
"""Characters (FineWeb)."""
C4_LEAST_WORDS = 5
"""Least words of a line that C4 keeps."""
STOP_WORDS = frozenset({"the", "be", "to", "of", "and", "that", "have", "with"})
"""Gopher's English stop words."""
STOP_WORDS_CHINESE = frozenset("的年在月是和日了于·为有被人中他与后也而由")
"""FineWeb2's Chinese stop words, in simplified characters."""
_UNSPACED = frozenset({"ja", "th", "lo", "km", "my", "bo", "dz"})
"""Languages without spaces between words that nothing here can cut."""
_SENTENCE_END = re.compile(r"[。！？｡]+|[.!?]+(?=[\"'”’)\]]*(?:\s|$))")
_WORD = re.compile(r"[^\W_]")
_LETTER = re.compile(r"[^\W\d_]")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


@dataclass(slots=True, frozen=True)
class QualityRule:
    """The bounds of a signal. The filter's authors discarded texts outside of them."""

    signal: str
    least: float = -inf
    most: float = inf
    chinese: tuple[float, float] | None = None
    """Bounds for Chinese if they differ; `ANY` if the rule was dropped."""
    exclusive: bool = False
    """Whether the bound itself fails, too."""
    words: bool = True
    """Whether the rule needs words."""
    languages: frozenset[str] = frozenset()
    """Languages that the rule holds for; empty: all."""

    def bounds(self, language: str) -> tuple[float, float]:
        """The least and the most for this language (ISO 639-1)."""
        return self.chinese if self.chinese and language == "zh" else (self.least, self.most)

    def holds_for(self, language: str) -> bool:
        """Whether texts in this language are judged by this rule."""
        if self.words and language in _UNSPACED:
            return False
        return self.bounds(language) != ANY and (not self.languages or language in self.languages)

    def passes(self, value: float, language: str) -> bool:
        least, most = self.bounds(language)
        return least < value < most if self.exclusive else least <= value <= most


ANY = (-inf, inf)
RULES = (
    QualityRule("gopher_words", 50, 100_000),
    QualityRule("gopher_mean_word_length", 3, 10, chinese=(1, 5)),
    QualityRule("gopher_hashes_per_word", most=0.1),
    QualityRule("gopher_ellipses_per_word", most=0.1),
    QualityRule("gopher_bullet_lines", most=0.9, words=False),
    QualityRule("gopher_ellipsis_lines", most=0.3, words=False),
    QualityRule("gopher_alphabetic_words", 0.8, chinese=(0.735, inf)),
    QualityRule("gopher_stop_words", 2, languages=frozenset({"en", "zh"})),
    QualityRule("gopher_duplicate_lines", most=0.3, chinese=(-inf, 0.287), words=False),
    QualityRule("gopher_duplicate_line_characters", most=0.2, words=False),
    QualityRule("gopher_duplicate_paragraphs", most=0.3, words=False),
    QualityRule("gopher_duplicate_paragraph_characters", most=0.2, words=False),
    QualityRule("gopher_top_2_gram", most=0.20, chinese=(-inf, 0.256)),
    QualityRule("gopher_top_3_gram", most=0.18, chinese=(-inf, 0.201)),
    QualityRule("gopher_top_4_gram", most=0.16, chinese=(-inf, 0.171)),
    QualityRule("gopher_duplicate_5_grams", most=0.15, chinese=(-inf, 0.198)),
    QualityRule("gopher_duplicate_6_grams", most=0.14, chinese=(-inf, 0.182)),
    QualityRule("gopher_duplicate_7_grams", most=0.13, chinese=(-inf, 0.167)),
    QualityRule("gopher_duplicate_8_grams", most=0.12, chinese=(-inf, 0.154)),
    QualityRule("gopher_duplicate_9_grams", most=0.11, chinese=(-inf, 0.14)),
    QualityRule("gopher_duplicate_10_grams", most=0.10, chinese=(-inf, 0.127)),
    QualityRule("c4_sentences", 3),
    QualityRule("c4_curly_brackets", most=0, words=False),
    QualityRule("c4_lorem_ipsum", most=0, words=False),
    QualityRule("fineweb_punctuated_lines", least=0.12, chinese=(0.106, inf), exclusive=True, words=False),
    QualityRule("fineweb_duplicate_characters", most=0.1, exclusive=True, words=False),
    QualityRule("fineweb_short_lines", most=0.67, chinese=ANY, exclusive=True, words=False),
)


@dataclass(slots=True, frozen=True)
class Quality:
    words: int = 0
    signals: dict[str, float] = field(default_factory=dict)
    """Signals by the names in `RULES`; shares are 0 to 1. Empty for an empty text."""
    quality: float = 0.0
    """Share of the rules of this language that the text passes, 0 to 1."""


def assess(paragraphs: Iterable[str], language: str, bullets: int = 0) -> Quality:
    """The signals of a text. Linear.

    Args:
        paragraphs: The text's blocks without code; a block may have several lines.
        language: ISO 639-1, as `focuscrawl.text.language.detect` gives it.
        bullets: Number of lines that the page marks as list items, whose bullets are not part of their text.
    """
    kept = [paragraph for paragraph in paragraphs if paragraph.strip()]
    lines = [line for paragraph in kept for line in map(str.strip, paragraph.split("\n")) if line]
    if not lines:
        return Quality()
    tokens = [_tokens(line, language) for line in lines]
    every = list(chain.from_iterable(tokens))
    words = [token for token in every if token.isalnum() or _WORD.search(token)]
    signals = {
        **_words(words, every, lines, language),
        **_lines(lines, kept, bullets),
        **_repeated(words),
        **_c4(lines, tokens),
        **_fineweb(lines),
    }
    signals = {rule.signal: round(signals[rule.signal], 4) for rule in RULES}
    judged = sum(rule.holds_for(language) for rule in RULES)
    return Quality(len(words), signals, round(1 - len(failed_rules(signals, language)) / judged, 4))


def failed_rules(signals: Mapping[str, float], language: str) -> list[QualityRule]:
    """The rules of this language that a text with these signals does not pass."""
    judged = (rule for rule in RULES if rule.signal in signals and rule.holds_for(language))
    return [rule for rule in judged if not rule.passes(signals[rule.signal], language)]


@cache
def _chinese() -> Callable[[str], Iterable[str]]:
    return cutter(()).cut


def _tokens(line: str, language: str) -> list[str]:
    """Words and punctuation: by jieba in Chinese and Japanese, else split at spaces, as in Gopher."""
    if language in ("zh", "ja"):
        return [token for token in _chinese()(simplified(line)) if not token.isspace()]
    return line.split()


# --- Gopher ----------------------------------------------------------------------------------------------------------------


def _words(words: Sequence[str], every: Sequence[str], lines: Sequence[str], language: str) -> dict[str, float]:
    count = len(words) or 1
    bare = words if language in ("zh", "ja") else [word if word.isalnum() else _EDGES.sub("", word) for word in words]
    stops = STOP_WORDS_CHINESE if language == "zh" else STOP_WORDS
    return {
        "gopher_words": float(len(words)),
        "gopher_mean_word_length": sum(map(len, bare)) / count,
        "gopher_hashes_per_word": sum(line.count("#") for line in lines) / count,
        "gopher_ellipses_per_word": sum(line.count("...") + line.count("…") for line in lines) / count,
        "gopher_alphabetic_words": sum(token.isalpha() or _LETTER.search(token) is not None for token in every)
        / (len(every) or 1),
        "gopher_stop_words": float(sum(word.lower() in stops for word in bare)),
    }


def _lines(lines: Sequence[str], paragraphs: Sequence[str], bullets: int) -> dict[str, float]:
    written = sum(line.startswith(BULLETS) for line in lines)
    same_lines, in_lines = _duplicates(lines)
    same_paragraphs, in_paragraphs = _duplicates(paragraphs)
    return {
        "gopher_bullet_lines": min(max(written, bullets) / len(lines), 1.0),
        "gopher_ellipsis_lines": sum(line.endswith(ELLIPSES) for line in lines) / len(lines),
        "gopher_duplicate_lines": same_lines,
        "gopher_duplicate_line_characters": in_lines,
        "gopher_duplicate_paragraphs": same_paragraphs,
        "gopher_duplicate_paragraph_characters": in_paragraphs,
    }


def _duplicates(parts: Sequence[str]) -> tuple[float, float]:
    """Shares of the parts, and of their characters, that repeat an earlier one."""
    once = set(parts)
    characters = sum(map(len, parts))
    return (len(parts) - len(once)) / len(parts), (characters - sum(map(len, once))) / characters


TOP = (2, 3, 4)
"""n of the n-grams whose most frequent one is a signal (Gopher, table A1)."""
DUPLICATE = (5, 6, 7, 8, 9, 10)
"""n of the n-grams whose repeated ones are a signal."""


def _repeated(words: Sequence[str]) -> dict[str, float]:
    """Shares of the words' characters in the most frequent n-gram (0 if none occurs twice), and in n-grams that occurred
    earlier in the text, each word counted once. An n-gram can only repeat where its first n - 1 words do."""
    words = words[:MAX_WORDS]
    numbers: dict[str, int] = {}
    # An n-gram is a number, too: that of its first n - 1 words, times the number of different words, plus that of its last.
    ids = [numbers.setdefault(word, len(numbers)) for word in words]
    ends = [0, *accumulate(map(len, words))]
    size, starts, grams = len(numbers), list(range(len(ids))), ids
    found: dict[str, float] = {}
    for n in range(2, DUPLICATE[-1] + 1):
        if starts and starts[-1] + n > len(ids):
            starts.pop()
        grams = [gram * size + ids[start + n - 1] for start, gram in zip(starts, grams, strict=False)]
        counts = Counter(grams)
        if n in TOP:
            found[f"gopher_top_{n}_gram"] = _top(starts, grams, counts, ends, n)
        elif n in DUPLICATE:
            found[f"gopher_duplicate_{n}_grams"] = _covered(starts, grams, ends, n)
        # Numbered again from 0 on, so that the numbers stay small.
        again = {gram: number for number, (gram, count) in enumerate(counts.items()) if count > 1}
        starts = [start for start, gram in zip(starts, grams, strict=True) if gram in again]
        grams = [again[gram] for gram in grams if gram in again]
    return found


def _top(starts: Sequence[int], grams: Sequence[int], counts: Mapping[int, int], ends: Sequence[int], n: int) -> float:
    """The share of the characters in the most frequent n-gram; of equally frequent ones the longest counts."""
    most = max(counts.values(), default=0)
    if most < 2:
        return 0.0
    tops = {gram for gram, count in counts.items() if count == most}
    longest = max(ends[start + n] - ends[start] for start, gram in zip(starts, grams, strict=True) if gram in tops)
    return min(most * longest / ends[-1], 1.0)


def _covered(starts: Sequence[int], grams: Sequence[int], ends: Sequence[int], n: int) -> float:
    """The share of the characters in n-grams that occurred earlier in the text."""
    seen: set[int] = set()
    characters = upto = 0  # the words before index `upto` were counted
    for start, gram in zip(starts, grams, strict=True):
        if gram in seen:
            characters += ends[start + n] - ends[start if start > upto else upto]
            upto = start + n
        else:
            seen.add(gram)
    return characters / ends[-1] if characters else 0.0


# --- C4 and FineWeb --------------------------------------------------------------------------------------------------------


def _c4(lines: Sequence[str], tokens: Sequence[Sequence[str]]) -> dict[str, float]:
    """C4's signals. Sentences are counted in the lines that C4 keeps: at least five words, ended like a sentence, without
    `javascript`."""
    kept = [line for line, parts in zip(lines, tokens, strict=True) if _is_kept(line, len(parts))]
    return {
        "c4_sentences": float(sum(len(_SENTENCE_END.findall(line)) for line in kept)),
        "c4_curly_brackets": float(sum(line.count("{") for line in lines)),
        "c4_lorem_ipsum": float(any("lorem ipsum" in line.lower() for line in lines)),
    }


def _is_kept(line: str, words: int) -> bool:
    ended = line.endswith(C4_TERMINAL) and not line.endswith(ELLIPSES)
    return ended and words >= C4_LEAST_WORDS and "javascript" not in line.lower()


def _fineweb(lines: Sequence[str]) -> dict[str, float]:
    return {
        "fineweb_punctuated_lines": sum(line.endswith(TERMINAL) for line in lines) / len(lines),
        "fineweb_duplicate_characters": _duplicates(lines)[1],
        "fineweb_short_lines": sum(len(line) <= SHORT_LINE for line in lines) / len(lines),
    }
