"""Cuts Chinese text into words, by rjieba or by jieba itself, with user words; traditional characters become simplified.

jieba keeps a cache of its dictionary in the shared temporary directory and loads whatever it finds there. Ours is built in a
private directory that is removed a second later, so that nothing that a stranger left there is ever read.
"""

from __future__ import annotations

import logging
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import metadata
from importlib.resources import files
from importlib.util import find_spec
from types import ModuleType
from typing import Any

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
"""The Chinese characters, for a class in a pattern."""

Cut = Callable[[str], Iterable[str]]
WordsOf = dict[str, tuple[str, ...]]
"""User words, each with the words into which it would be cut if it, and those that are longer, were none."""


@cache
def jieba_module() -> ModuleType:
    """The jieba package, imported without its messages on standard error, and without pkg_resources."""
    with warnings.catch_warnings(), _hidden("pkg_resources"):
        warnings.simplefilter("ignore")
        import jieba
    jieba.setLogLevel(logging.ERROR)
    module: ModuleType = jieba
    return module


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Importing the module raises ImportError meanwhile. jieba finds its files without pkg_resources as well, which is
    deprecated and takes 4 MB."""
    there = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if there is None:
            del sys.modules[name]
        else:
            sys.modules[name] = there


@cache
def _jieba_base() -> Any:
    tokenizer = jieba_module().Tokenizer()
    with tempfile.TemporaryDirectory(prefix="focuscrawl-") as private:
        tokenizer.tmp_dir = private
        tokenizer.initialize()
    return tokenizer


def jieba_tokenizer(user_words: tuple[str, ...]) -> Any:
    """jieba's tokenizer with these words added. The dictionary is read once (1 s, 60 MB) and copied."""
    return _jieba_with(user_words)[0]


@lru_cache(maxsize=8)
def _jieba_with(user_words: tuple[str, ...]) -> tuple[Any, WordsOf]:
    base, tokenizer = _jieba_base(), jieba_module().Tokenizer()
    tokenizer.FREQ, tokenizer.total, tokenizer.initialized = dict(base.FREQ), base.total, True
    return tokenizer, _added(user_words, tokenizer.lcut, tokenizer.add_word)


def _added(user_words: Iterable[str], cut: Cut, add: Callable[[str], object]) -> WordsOf:
    """Add the words to a dictionary, the shorter ones first, so that the longer ones may be cut into these."""
    words_of: WordsOf = {}
    for word in sorted(user_words, key=len):
        words_of[word] = tuple(cut(word))
        add(word)
    return words_of


def forget_dictionary() -> None:
    """Free the memory of jieba's dictionary (70 MB). A later call of `jieba_tokenizer` reads it again."""
    _jieba_with.cache_clear()
    _jieba_base.cache_clear()


def reference_cutter(user_words: tuple[str, ...], parts: bool = False) -> Cut:
    """A function that cuts a text into a list of words by jieba itself; `parts` as for `Segmenter`."""
    tokenizer = jieba_tokenizer(user_words)
    cut: Cut = tokenizer.lcut_for_search if parts else tokenizer.lcut
    return cut


class Cutter:
    """Cuts text with some user words. The dictionary is loaded when the first Chinese text comes."""

    def __init__(self, name: str, load: Callable[[], tuple[Cut, WordsOf]]) -> None:
        self.name = name
        """Name with version."""
        self._loaded = cache(load)

    def cut(self, text: str) -> Iterable[str]:
        """The words of a text."""
        return self._loaded()[0](text)

    def words_of(self, word: str) -> tuple[str, ...]:
        """The words into which a user word would be cut if it were none."""
        return self._loaded()[1].get(word, ())


def _jieba(user_words: tuple[str, ...], parts: bool) -> Cutter:
    def cut(text: str) -> Iterable[str]:
        return reference_cutter(user_words, parts)(text)  # asked for each time, so that it can be forgotten

    def load() -> tuple[Cut, WordsOf]:
        return cut, _jieba_with(user_words)[1]

    return Cutter(f"jieba {metadata.version('jieba')}", load)


_first: list[tuple[str, ...]] = []
"""At most one entry: the user words of the segmenter that was made first. It uses the dictionary that rjieba makes when it is
imported, which all of its callers share."""


@cache
def _first_dictionary() -> tuple[Any, WordsOf]:
    import rjieba

    return rjieba, _added(_first[0], rjieba.cut, lambda word: rjieba.add_word(word, None, None))


def _own_dictionary(user_words: tuple[str, ...]) -> tuple[Any, WordsOf]:
    import rjieba

    dictionary = rjieba.Jieba()
    return dictionary, _added(user_words, dictionary.cut, lambda word: dictionary.add_word(word, None, None))


def _rjieba(user_words: tuple[str, ...], parts: bool) -> Cutter:
    """The first caller, with user words or without, gets the dictionary that rjieba has anyway, because another takes 25 MB.
    As with jieba, the dictionary is loaded (0.1 s, 30 MB) with the first Chinese text, because indexing English pages needs
    none."""
    if not _first:
        _first.append(user_words)

    def load() -> tuple[Cut, WordsOf]:
        dictionary, words_of = _first_dictionary() if _first == [user_words] else _own_dictionary(user_words)
        return dictionary.cut_for_search if parts else dictionary.cut, words_of

    return Cutter(f"rjieba {metadata.version('rjieba')}", load)


def cutter(user_words: tuple[str, ...], prefer: str = "", parts: bool = False) -> Cutter:
    """What cuts; see `Segmenter` for `prefer` and `parts`."""
    if prefer not in ("", "jieba", "rjieba"):
        raise ImportError(f"no segmenter is called {prefer!r}; there are jieba and rjieba")
    if prefer == "rjieba" or (not prefer and find_spec("rjieba")):
        return _rjieba(user_words, parts)
    return _jieba(user_words, parts)


# --- traditional characters as simplified ones, so that both scripts give the same terms --------------------------------
# Character by character (OpenCC's table), because terms need not be good prose, only the same in both scripts. A character that
# simplified text uses, too (乾, 著), stays, so that no simplified text is ever changed.

SOURCE = "OpenCC 1.4.2"
"""The source of the table, which is part of a segmenter's name."""


@cache
def _pairs() -> dict[str, str]:
    lines = files("focuscrawl.text").joinpath("data", "simplified.txt").read_text("utf-8").splitlines()
    return {pair[0]: pair[1] for line in lines if not line.startswith("#") for pair in line.split()}


def simplified(text: str) -> str:
    """`text` with traditional characters replaced; 0.1 ms for 5 000 Chinese characters, 0.5 ms if some are replaced.

    >>> simplified("網絡爬蟲 crawler")
    '网络爬虫 crawler'
    """
    if text.isascii():
        return text
    found = _pairs().keys() & set(text)
    return text.translate({ord(char): _pairs()[char] for char in found}) if found else text


@cache
def _one_script_only() -> tuple[frozenset[str], frozenset[str]]:
    """The characters of the table that occur in one script only, as (traditional forms, simplified forms)."""
    return frozenset(_pairs()), frozenset(_pairs().values()) - frozenset(_pairs())


def script(text: str) -> str:
    """`Hant` or `Hans` (ISO 15924), whichever has more characters in `text`; empty if no character tells them apart.

    A few simplified forms are traditional characters, too (后, 里), but are outnumbered in any sentence.

    >>> script("網絡爬蟲"), script("网络爬虫"), script("中文")
    ('Hant', 'Hans', '')
    """
    traditional, simplified_forms = _one_script_only()
    characters = Counter(text)
    hant = sum(count for character, count in characters.items() if character in traditional)
    hans = sum(count for character, count in characters.items() if character in simplified_forms)
    return "" if hant == hans else "Hant" if hant > hans else "Hans"
