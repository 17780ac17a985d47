"""Detects the language of a text's prose: by its script if that decides, else by letter statistics.

Pages about software are full of words that belong to no language, so only what reads as prose is counted: Han, Kana and Hangul
characters, and runs of at least three plain words. Identifiers, paths, dotted names and URLs are not plain words. If the
statistics are close, the page's label (`lang`) and the usual language of its host decide. They do not decide alone, because
templates are often labelled wrongly; but a short text has hardly any statistics. Measured by tools/eval/language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from resiliparse.parse.lang import detect_fast

from focuscrawl.recent import Recent
from focuscrawl.text.language_labels import code, tag

SAMPLE = 4_000
"""Characters of a text that are examined."""
_EAST_ASIAN = "\u1100-\u11ff\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_EAST_ASIAN_RUN = re.compile(f"[{_EAST_ASIAN}]+")
_KANA_OR_HANGUL = re.compile("[\u1100-\u11ff\u3041-\u3096\u30a1-\u30fa\uac00-\ud7a3]")
_PART = rf"(?:[^\W\d_{_EAST_ASIAN}][^\W\d_A-Z{_EAST_ASIAN}]++|[^\W\d_{_EAST_ASIAN}](?![A-Z])|[A-Z]++)"
"""A word without a capital inside, which would make it an identifier."""
_WORD = f"{_PART}(?:['’-]{_PART})*"
"""Not `*+`: before Python 3.11.5 that fails around alternatives (gh-106052)."""
_ASCII_PART = "(?:[A-Za-z][a-z]++|[A-Z]++|[a-z])"
_ASCII_WORD = f"{_ASCII_PART}(?:['’-]{_ASCII_PART})*"
_EAST_ASIAN_STOPS = "，。、：；（）《》「」"


def _runs_of(word: str, before: str, after: str) -> re.Pattern[str]:
    """A pattern for at least three words in a row, with a space and at most one mark between them."""
    space = r"[,;:.!?]?\s"
    return re.compile(rf"(?<![^\s{before}]){word}{space}{word}(?:{space}{word})+(?=[.,;:!?)\]\"'»”’…]*(?:[\s{after}]|\Z))")


_OPENING = "(\\[\"'«“„‘¿¡"
_RUNS = _runs_of(_WORD, f"{_OPENING}{_EAST_ASIAN}{_EAST_ASIAN_STOPS}", f"{_EAST_ASIAN}{_EAST_ASIAN_STOPS}")
_ASCII_RUNS = _runs_of(_ASCII_WORD, _OPENING, "")
"""The same for texts without other letters, twice as fast."""
_has_other_letters = re.compile(rf"[^\x00-\x7f](?:(?<=\w)|(?<=[{_EAST_ASIAN}{_EAST_ASIAN_STOPS}]))").search
"""Whether a text has a letter, or an East Asian mark, that `_ASCII_RUNS` does not know."""
_HAN_WEIGHT = 3
"""One Han character says as much as this many Latin letters."""
_EAST_ASIAN_SHARE = 0.3
"""If at least this share of the prose is in an East Asian script, it decides the language. Manuals that are translated in part
keep English sentences; an English page that quotes Chinese stays below."""
_KANA_SHARE = 0.1
"""With a larger share of Kana among its East Asian characters, a text that is not Korean is Japanese, else Chinese."""
_LITTLE = 100
"""With fewer letters of prose than this, the label and the host's habit are better than the statistics."""
_LEAST = 20
"""With fewer characters of prose than this, the whole text is examined; if that is as short, too, nothing is."""
_ALL = 110
"""Languages that are ranked; resiliparse knows 101."""
_CUTOFF = 1000
"""If the out-of-place rank is above this, resiliparse's answer is only a guess."""
_UNKNOWN = "unknown"
"""What resiliparse says of a text that is as far away from every language."""
_PRIOR_MARGIN = 1.07
"""The label or the habit is taken if its rank is at most this many times the best rank. In 200 characters of prose in twelve
languages of Latin script, English ranks 1.15 to 1.28 times as far away as the true language; in fragments of English manuals
that were taken for another language, at most 1.05 times."""
_ENGLISH_MARGIN = 1.04
"""The same for English, the habit of the web: fragments of it look Latin, Galician or Luxembourgish by a narrow margin."""


@dataclass(slots=True, frozen=True)
class Guess:
    """A language as ISO 639-1 code, empty if not known, and the number of letters of prose that it is based on."""

    language: str
    prose: int


def guess(text: str, html_lang: str = "", habit: str = "") -> Guess:
    """The main language of `text`.

    Args:
        text: without code if the caller can tell; code that remains is left out unless it reads as prose.
        html_lang: the page's own label, as written.
        habit: ISO 639-1 code of the usual language of the host.
    """
    return _guess(text, _expected(html_lang, habit))


def _expected(html_lang: str, habit: str) -> list[str]:
    """The languages that a text should have, the likeliest first, as ISO 639-1 codes."""
    return [language for language in (code(html_lang), habit) if language]


class _Prose(NamedTuple):
    """What of a text reads as prose."""

    text: str
    """Its East Asian characters if these decide its language, else its runs of plain words."""
    is_east_asian: bool
    amount: int
    """In letters; an East Asian character counts as several."""


def _guess(text: str, expected: Sequence[str]) -> Guess:
    text = text[:SAMPLE]
    prose = _prose(text)
    return Guess(_language(prose, text, expected), prose.amount)


def _prose(text: str) -> _Prose:
    ascii_letters = text.isascii() or not _has_other_letters(text)
    east_asian = "" if ascii_letters else "".join(_EAST_ASIAN_RUN.findall(text))
    runs = (_ASCII_RUNS if ascii_letters else _RUNS).findall(text)
    prose = "\n".join(runs)
    letters, characters = len(prose) - prose.count(" "), _HAN_WEIGHT * len(east_asian)
    if east_asian and characters >= _EAST_ASIAN_SHARE * (characters + letters):
        return _Prose(east_asian, True, characters)
    return _Prose(prose, False, letters)


def _language(prose: _Prose, text: str, expected: Sequence[str]) -> str:
    return _east_asian_language(prose.text) if prose.is_east_asian else _by_statistics(prose.text, text, expected)


def _east_asian_language(characters: str) -> str:
    kana_or_hangul = "".join(_KANA_OR_HANGUL.findall(characters))
    if not kana_or_hangul:
        return "zh"
    kana = sum(character < "\u3400" and character > "\u3040" for character in kana_or_hangul)
    hangul = len(kana_or_hangul) - kana
    if 2 * hangul >= len(characters):
        return "ko"
    return "ja" if kana > _KANA_SHARE * len(characters) else "zh"


def _by_statistics(prose: str, text: str, expected: Sequence[str]) -> str:
    if len(prose) < _LITTLE:
        if expected:
            return expected[0]
        prose = prose if len(prose) >= _LEAST else text
    best, rank = detect_fast(prose, cutoff=_CUTOFF) if len(prose) >= _LEAST else (_UNKNOWN, 0)
    if best == _UNKNOWN:
        return expected[0] if expected else ""
    if best == [*expected, "en"][0]:  # nearly always, and the ranks of all take twice as long
        return best
    found = detect_fast(prose, cutoff=_CUTOFF, n_results=_ALL)
    ranks = dict(found) if isinstance(found, list) else {}
    for language, margin in [*((language, _PRIOR_MARGIN) for language in expected), ("en", _ENGLISH_MARGIN)]:
        if language in ranks and ranks[language] <= margin * rank:
            return language
    return best


# --- the usual language of a host ------------------------------------------------------------------------------------------


class Habits:
    """Counts the languages of hosts' pages so far, for the hosts seen most recently."""

    MAX_HOSTS = 10_000
    LEAST_PAGES = 3
    LEAST_PROSE = 200
    """A page counts if it has at least this many letters of prose."""
    LEAST_SHARE = 0.6
    _MOST = 100
    """After this many pages of a host all its counts are halved, so that a habit can change."""

    def __init__(self) -> None:
        self._hosts: Recent[str, Counter[str]] = Recent(self.MAX_HOSTS)

    def of(self, host: str) -> str:
        """ISO 639-1 code of the language of most pages of the host; empty if there is none, or too few pages are known."""
        counts = self._hosts.get(host)
        if not counts or counts.total() < self.LEAST_PAGES:
            return ""
        language, pages = counts.most_common(1)[0]
        return language if pages >= self.LEAST_SHARE * counts.total() else ""

    def note(self, host: str, guess: Guess) -> None:
        """Count a page of the host, if it has enough prose to count."""
        if not guess.language or guess.prose < self.LEAST_PROSE:
            return
        counts = self._hosts.get(host, Counter())
        counts[guess.language] += 1
        if counts.total() > self._MOST:
            counts = Counter({language: pages // 2 for language, pages in counts.items() if pages > 1})
        self._hosts.note(host, counts)


# --- pages in several languages ----------------------------------------------------------------------------------

_MIXED_SHARE = 0.2
"""Least share of the prose that makes a language one of the page's languages."""
_OWN_LANGUAGE = 200
"""Least letters of prose of a paragraph that is judged alone. Shorter ones are judged together with others of their script."""
_MOST_PARAGRAPHS = 2_000
"""Paragraphs that are judged one by one."""


def tags(paragraphs: Sequence[str], html_lang: str = "", habit: str = "") -> list[str]:
    """BCP 47 tags of the languages with at least a fifth of the prose, the main one first. `paragraphs`: without code."""
    whole, expected = "\n".join(paragraphs), _expected(html_lang, habit)
    first = tag(_guess(whole, expected).language, whole, html_lang)
    # The script tells Chinese, Japanese and Korean paragraphs: none in another script is to be expected in these.
    prose = _prose_by_tag(paragraphs, html_lang, [language for language in expected if language not in ("zh", "ja", "ko")])
    least = _MIXED_SHARE * sum(prose.values())
    others = sorted((found for found in prose if prose[found] >= least and found != first), key=lambda found: -prose[found])
    return [found for found in (first, *others) if found]


def _prose_by_tag(paragraphs: Sequence[str], html_lang: str, expected: Sequence[str]) -> Mapping[str, int]:
    found: Counter[str] = Counter()
    rest: dict[bool, list[str]] = {True: [], False: []}
    for paragraph in paragraphs[:_MOST_PARAGRAPHS]:
        if len(paragraph) < _OWN_LANGUAGE and paragraph.isascii():  # most are, and `_prose` would say the same
            rest[False].append(paragraph)
            continue
        sample = paragraph[:SAMPLE]
        prose = _prose(sample)
        if prose.amount >= _OWN_LANGUAGE:
            found[tag(_language(prose, sample, expected), paragraph, html_lang)] += prose.amount
        else:
            rest[prose.is_east_asian].append(paragraph)
    for short in rest.values():
        whole = "\n\n".join(short)  # so that no run goes on in the next one
        together = _guess(whole, expected)
        if together.prose >= _LITTLE:
            found[tag(together.language, whole, html_lang)] += together.prose * len(whole) // min(len(whole), SAMPLE)
    return found
