"""Text to clean terms: lower-cased, English stemmed, Chinese simplified and cut into words, stop words dropped.

Pages are cut by `rjieba` (0.3 ms a page) if it is installed, and else by `jieba` (15 ms), both with the same dictionary and
user words. A topic's own texts are always cut by `jieba`, the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import metadata
from importlib.resources import files
from itertools import chain
from typing import Self

from focuscrawl.text.chinese import HAN, SOURCE, cutter, forget_dictionary, reference_cutter, simplified
from focuscrawl.text.keyword_spellings import with_spellings, without_hyphens
from focuscrawl.text.stems import ASCII_WORDS, JOINT, stemmer
from focuscrawl.text.vocabulary import Groups, Vocabulary

# --- words that say nothing about any topic, in English and Chinese ------------------------------------------------------


def _read(name: str) -> frozenset[str]:
    lines = files("focuscrawl.text").joinpath("data", name).read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def function_words() -> frozenset[str]:
    """Lower-cased words that any text of either language has, as they stand there (not stemmed)."""
    return _read("stopwords_en.txt") | _read("stopwords_zh.txt")


@cache
def foreign_function_words() -> frozenset[str]:
    """Lower-cased function words of some other languages. They are terms, but say nothing in a keyword of several words."""
    return _read("stopwords_other.txt")


URL_WORDS = frozenset(("www", "http", "https", "com", "org", "net", "html", "htm", "utm"))
"""Words of URLs, which stand on pages about anything, too. In a keyword they are what somebody means: `html parser`."""


@cache
def stop_words() -> frozenset[str]:
    """All words that are no terms."""
    return function_words() | URL_WORDS


# --- words that mean the same, as one term: the topic's own dictionary -----------------------------------------------------
# Each group is read as terms, and the terms of every member are replaced by those of the first. So `区块链` and `distributed
# ledger` count as `blockchain`, in a topic and in every text that is compared with it.

Terms = tuple[str, ...]


class Synonyms:
    """The groups of one topic, ready to replace. `cut` gives the plain terms of a word or phrase."""

    def __init__(self, groups: Iterable[Sequence[str]], cut: Callable[[str], Sequence[str]]) -> None:
        self.words: dict[str, Terms] = {}
        """Single terms, with the terms that replace them."""
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
        for phrases in self._phrases.values():
            phrases.sort(key=lambda pair: -len(pair[0]))

    def join(self, terms: list[str]) -> list[str]:
        """The terms, with phrases of several terms replaced, the longest first. O(terms). Single terms were replaced before, by
        `words`."""
        if not self._phrases or self._phrases.keys().isdisjoint(terms):
            return terms
        joined: list[str] = []
        at = 0
        while at < len(terms):
            length, replacement = self._match(terms, at)
            joined += replacement
            at += length
        return joined

    def _match(self, terms: list[str], at: int) -> tuple[int, Sequence[str]]:
        """The length of the phrase that begins at index `at`, and what replaces it; without a phrase, the term itself."""
        for phrase, replacement in self._phrases.get(terms[at], ()):
            if tuple(terms[at : at + len(phrase)]) == phrase:
                return len(phrase), replacement
        return 1, terms[at : at + 1]


# --- what the user gave in several words, as terms of their own -------------------------------------------------------------


class Phrases:
    """What the user gave in several words. A text that has all of their terms in a row has the phrase as one more term, because
    each word by itself stands on pages about something else, too."""

    def __init__(self, phrases: Iterable[Sequence[str]]) -> None:
        self._by_first: dict[str, dict[Terms, str]] = {}
        for phrase in map(tuple, phrases):
            if len(phrase) > 1:
                self._by_first.setdefault(phrase[0], {})[phrase] = JOINT.join(phrase)

    def term(self, terms: Sequence[str]) -> str:
        """The term of the phrase with these terms; empty if there is no such phrase."""
        return self._by_first.get(terms[0], {}).get(tuple(terms), "") if terms else ""

    def mark(self, terms: list[str]) -> list[str]:
        """The terms, each phrase in front of its first term. O(terms)."""
        if not self._by_first or self._by_first.keys().isdisjoint(terms):
            return terms
        marked: list[str] = []
        for at, term in enumerate(terms):
            phrases = self._by_first.get(term, {})
            marked += [joined for phrase, joined in phrases.items() if tuple(terms[at : at + len(phrase)]) == phrase]
            marked.append(term)
        return marked


_has_han = re.compile(f"[{HAN}]").search
_all_han = re.compile(f"[{HAN}]+").fullmatch


def has_han(text: str) -> bool:
    """Whether the text has a Chinese character."""
    return _has_han(text) is not None


_has_fullwidth = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]").search
_HALFWIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def halfwidth(text: str) -> str:
    """The text with ASCII signs in place of full-width ones, as some Chinese typesetting has for letters and digits (`５Ｇ`);
    the text itself where it has no such letter or digit. Its length stays the same."""
    return text.translate(_HALFWIDTH) if _has_fullwidth(text) else text


TOKENS = re.compile(rf"[^\W_{HAN}]+(?:\+\+|#)?|[{HAN}]+")
"""The words of a text, among which `c++` and `c#`, and its runs of Chinese characters."""
_words = re.compile(r"[^\W_]+(?:\+\+|#)?")
"""The tokens of a text without Chinese characters."""

MAX_WORD = 40
"""Longer runs of letters are codes or broken text."""
MAX_DIGITS = 4
"""A year is a term, longer numbers are not."""
LEAST_COMPOUND = 4
"""Characters. A shorter Chinese word is no phrase, but one thing."""
CACHED_WORDS = 30_000
"""Most different tokens whose terms are remembered, in 10 MB. Two thousand real pages have 45 000 different ones. Ten thousand
have 100 000, and take a tenth longer to cut than if all of these were remembered."""


def plain_word(word: str) -> str:
    """A word of the user as it is compared with texts."""
    return simplified(halfwidth(word.strip()).lower())


def terms_alone(user_words: Iterable[str]) -> frozenset[str]:
    """The user words, which are terms whatever they are, and the words of URLs in them."""
    words = frozenset(user_words)
    return words | url_words_in(words)


def url_words_in(words: Iterable[str]) -> frozenset[str]:
    """The words of URLs in words and phrases of the user, in which they are terms (`html parser`)."""
    return URL_WORDS.intersection(chain.from_iterable(map(TOKENS.findall, words)))


def says_nothing(word: str) -> bool:
    """Whether a lower-case word is no term where it is not the user's: a stop word, one letter or character, a code."""
    return word in stop_words() or not 2 <= len(word) <= (MAX_DIGITS if word.isdecimal() else MAX_WORD)


def telling_words(keyword: str) -> str:
    """A keyword of the user without function words of other languages, where other words are left: `chemin fer`."""
    words = keyword.split()
    telling = [word for word in words if plain_word(word) not in foreign_function_words()]
    return " ".join(telling or words)


def several_words(keyword: str) -> bool:
    """Whether a keyword of the user is a phrase: whether more than one word of it tells anything."""
    return len(TOKENS.findall(telling_words(keyword))) > 1


def _names(longer: str, word: str) -> bool:
    """Whether a longer Chinese word names what the word does: a kind of it (高速铁路: 铁路), or with one more character what
    belongs to it (铁路局, 咖啡馆). What begins with the word and goes on may well be another thing (轨道交通: 轨道)."""
    return longer.endswith(word) or longer[:-1] == word


def weak_keywords(keywords: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """What a topic may not be told by: the keywords that are function words or consist of what is no term, and those of several
    words of which one counts alone, with that word."""
    words = {plain_word(keyword): keyword for keyword in keywords}
    alone, empty, reduced, joined = terms_alone(words), [], {}, without_hyphens(words)
    for plain, keyword in words.items():
        parts = joined(plain).replace("-", " ").split()
        telling = telling_words(" ".join(parts)).split()
        counted = [part for part in telling if any(token in alone or not says_nothing(token) for token in TOKENS.findall(part))]
        if plain and (plain in function_words() or plain in foreign_function_words() or not counted):
            empty.append(keyword)
        elif len(counted) == 1 < len(parts):
            reduced[keyword] = counted[0]
    return empty, reduced


class _Terms(dict[str, tuple[str, ...]]):
    """A cache from a token of the text to its terms. It is emptied when full, so that memory stays bounded."""

    def __init__(self, user_words: frozenset[str], words_of: Callable[[str], Terms]) -> None:
        """`words_of`: the words that make up a user word, as `Cutter.words_of` gives them."""
        super().__init__()
        self._words_of = words_of
        self._user_words = user_words
        self._within = tuple(word for word in sorted(user_words) if len(word) > 1 and _has_han(word))
        """The user words that a longer word may name, too."""
        self._stem = stemmer()
        self._same: dict[str, Terms] = {}

    def replace(self, same: dict[str, Terms]) -> None:
        """From now on replace single terms by these."""
        self.clear()
        self._same = same

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        terms = self[token] = self.cut(token, within=True)
        return terms

    def cut(self, token: str, within: bool) -> Terms:
        """The terms of a token; with `within`, also the user words that it names as a longer word."""
        terms = tuple([term for word in TOKENS.findall(token) if (term := self._term(word))])
        if token in self._user_words:
            terms += self.words_of(token)
        may_name = token.endswith(self._within) or token[:-1] in self._user_words
        if within and may_name and token not in self._user_words:
            terms += tuple([word for word in self._within if _names(token, word) and word not in terms])
        if self._same:
            terms = tuple(chain.from_iterable(self._same.get(term, (term,)) for term in terms))
        return terms

    def words_of(self, token: str) -> Terms:
        """The terms of the words that make up a longer Chinese word of the user (数据库查询); none where it is one word."""
        if len(token) < LEAST_COMPOUND or not _all_han(token):
            return ()
        found = tuple([word for word in self._words_of(token) if word != token and self._term(word)])
        return found if len(found) > 1 else ()

    def _term(self, word: str) -> str:
        """The term of one word, or an empty string where it has none."""
        if word in self._user_words:
            return self._stem(word) if word.isascii() else word
        if says_nothing(word):
            return ""
        return self._stem(word) if word.isascii() else word


class Segmenter:
    """Cuts text into terms for one topic. Not safe for use from two threads at once.

    `user_words` are added to the dictionary of Chinese words; user words of one letter or character are kept as terms, while
    others of that length are dropped; words of URLs (`http`) are terms where a user word has them. A Chinese word that ends
    with a user word, or has one character more, gives both. `synonyms` are groups of words and phrases that count as the first
    of them; they are user words, too. Where the terms of a user word of several words stand in a row, they give the phrase, too
    (`Phrases`), and a long Chinese user word that is no synonym gives the words that make it up (`_Terms.words_of`). `phrases`
    are not added to the dictionary: those of several words are found among the terms that a text has anyway. Other spellings of
    user words and phrases count as these (`text.keyword_spellings`), in all texts: `color` as the `colour` of a phrase.
    `prefer` forces `jieba` or `rjieba`; empty takes the faster one that is installed. With `parts` each long Chinese word also
    gives the words inside it, so that a search index finds it by them.
    Raises ImportError if the preferred one is missing.
    """

    def __init__(
        self,
        user_words: Iterable[str] = (),
        prefer: str = "",
        synonyms: Groups = (),
        phrases: Iterable[str] = (),
        *,
        parts: bool = False,
    ) -> None:
        self.user_words = tuple(sorted({plain_word(word) for word in chain(user_words, *synonyms)} - {""}))
        self.phrases = tuple(sorted({plain_word(word) for word in phrases}.difference(self.user_words)))
        self.chinese = tuple(word for word in self.user_words if _has_han(word))
        """The user words that have Chinese characters."""
        self._cutter = cutter(self.chinese, prefer, parts)
        members = {plain_word(word) for word in chain.from_iterable(synonyms)}  # each counts as one term
        alone = terms_alone(self.user_words) | url_words_in(self.phrases)
        self._terms = _Terms(alone, lambda word: () if word in members else self._cutter.words_of(word))
        self.synonyms = synonyms
        own = (*self.user_words, *self.phrases)
        self._plain = without_hyphens(own)
        # The members of the groups are cut without synonyms, which takes a segmenter that has none yet.
        self._synonyms, self._phrases = Synonyms((), self.terms), Phrases(())
        if groups := with_spellings(synonyms, own):
            self._synonyms = Synonyms(groups, self.reference_terms)
            self._terms.replace(self._synonyms.words)
        several = chain(filter(several_words, self.user_words), filter(self._has_several, self.phrases))
        self._phrases = Phrases(map(self._single_terms, several))

    @classmethod
    def of(cls, vocabulary: Vocabulary, prefer: str = "") -> Self:
        """The one that cuts for a topic, or for several in one crawl."""
        return cls(vocabulary.keywords, prefer, vocabulary.synonyms, vocabulary.phrases)

    @property
    def name(self) -> str:
        """Names and versions of what cuts, simplifies and stems, which are stored with the topic."""
        return f"{self._cutter.name}, PyStemmer {metadata.version('PyStemmer')}, {SOURCE}"

    def terms(self, text: str) -> list[str]:
        """The terms of `text` in their order; the text may mix languages. O(length)."""
        return self._phrases.mark(self._single_terms(text))

    def phrase(self, word: str) -> str:
        """The term of a user word or of one of the `phrases`, if it is of several words; empty for other words."""
        if self._terms.words_of(plain := plain_word(word)):
            return plain
        return self._phrases.term(self._single_terms(word))

    def counts_alone(self, word: str) -> str:
        """Of a word of the user that is cut into several the only one that is a term; empty if there are more, or none."""
        words = list(self._words(word))
        telling = self._telling(word)
        return telling[0] if len(telling) == 1 < len(words) else ""

    def _single_terms(self, text: str) -> list[str]:
        """The terms without phrases."""
        return self._synonyms.join(list(chain.from_iterable(map(self._terms.__getitem__, self._words(text)))))

    def _words(self, text: str) -> Iterable[str]:
        """The words, each of which may give terms."""
        is_ascii = text.isascii()
        text = self._plain((text if is_ascii else halfwidth(text)).lower())
        if is_ascii:  # the same tokens, found faster
            return ASCII_WORDS.findall(text)
        return self._cutter.cut(simplified(text)) if _has_han(text) else _words.findall(text)

    def _has_several(self, phrase: str) -> bool:
        """Whether more than one word of it is a term. A longer word that names a user word (高速铁路: 铁路) is still one."""
        return len(self._telling(phrase)) > 1

    def _telling(self, phrase: str) -> list[str]:
        """The words of it that are terms."""
        return [word for word in self._words(telling_words(phrase)) if self._terms[word]]

    def reference_terms(self, text: str, *, within: bool = True) -> list[str]:
        """Like `terms`, but Chinese is cut by jieba itself: for a topic's own texts (15 ms for 5 000 characters). Words that
        the user means as they stand are cut without `within`: a longer word does not give the user word that it names."""
        text = self._plain(simplified(halfwidth(text).lower()))
        if not _has_han(text):
            return self.terms(text)
        words = reference_cutter(self.chinese)(text)
        terms = (self._terms[word] if within else self._terms.cut(word, within=False) for word in words)
        return self._phrases.mark(self._synonyms.join(list(chain.from_iterable(terms))))

    def forget_reference(self) -> None:
        """Free the memory of jieba's dictionary, unless pages are cut by it, too: no text of the topic itself will be cut
        soon."""
        if not self._cutter.name.startswith("jieba"):
            forget_dictionary()


# --- for replays, which cut the same anchors and contexts again in every run ----------------------------------------------

SHORT = 2_000
"""Characters. Longer texts are pages, whose terms the replay keeps itself."""
KEPT = 150_000
"""Most texts that are remembered; then all are forgotten."""


class RememberingSegmenter(Segmenter):
    """A `Segmenter` that remembers the terms of short texts. The lists that it returns must not be changed."""

    def __init__(
        self, user_words: Iterable[str] = (), prefer: str = "", synonyms: Groups = (), phrases: Iterable[str] = ()
    ) -> None:
        self._texts: dict[str, list[str]] = {}
        super().__init__(user_words, prefer, synonyms, phrases)
        self._texts.clear()  # the synonyms themselves were cut before there were any

    def terms(self, text: str) -> list[str]:
        terms = self._texts.get(text)
        if terms is None:
            terms = super().terms(text)
            if len(text) <= SHORT:
                if len(self._texts) >= KEPT:
                    self._texts.clear()
                self._texts[text] = terms
        return terms
