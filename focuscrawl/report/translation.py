"""Translates pages of the dashboard, reports and summaries on the terminal from English into Chinese.

English is the language of the program. `zh.toml` has its Chinese words, and `zh_sentences.toml` the forms of sentences that are
made elsewhere, as a crawl stores why it stopped as a sentence. Text without a translation is shown in English, and marked so.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

LANGUAGES = {"en": "English", "zh": "中文"}
TAGS = {"en": "en", "zh": "zh-Hans"}
LONGEST = 500
"""Most characters of a sentence that is translated, because it may quote a URL, and each form is tried on it."""
NUMBER, NUMBERS = r"[\d.,]+", frozenset({"n", "low", "high"})
NAME, NAMES = r"[^;\s]+", frozenset({"word"})
VALUE = r"(?:(?!\. )[^;])+?"
QUOTE, QUOTES = ".*?", frozenset({"quoted"})
PLACE = re.compile(r"{(\w+)}")
CHINESE = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Language:
    code: str = "en"

    @property
    def tag(self) -> str:
        """The language tag for the attribute `lang`."""
        return TAGS[self.code]

    def __call__(self, text: str, **values: object) -> str:
        """`text` in this language, with the values in place of `{name}`. Without values it may be a sentence that contains its
        own (see `translated`)."""
        words = text
        if self.code == "zh":
            words = catalogue().get(text) or (text if values else self.translated(text) or text)
        return words.format(**values) if values else words

    def plural(self, number: int, one: str, many: str) -> str:
        """`one` or `many`, with `{n}` as the number."""
        return self(one if number == 1 else many, n=f"{number:,}")

    def translated(self, sentence: str) -> str | None:
        """A sentence that was made elsewhere, wholly in this language; None if it has no translation."""
        if self.code != "zh":
            return sentence
        return _chinese(sentence) if len(sentence) <= LONGEST else None


ENGLISH = Language()


def _chinese(text: str) -> str | None:
    """The Chinese of a sentence, by the catalogue, by a form that fits, or clause by clause; None if there is none."""
    if text in catalogue():
        return catalogue()[text]
    if text.endswith("."):
        whole = _chinese(text[:-1])
        return whole + "。" if whole else None
    for form, chinese in sentences():
        if found := form.fullmatch(text):
            return filled(chinese, {name: _value(name, value) for name, value in found.groupdict().items()})
    for between, joined in ((". ", "。"), ("; ", "；")):
        if between in text:
            clauses = [_chinese(clause) for clause in text.split(between)]
            return joined.join(clause for clause in clauses if clause) if all(clauses) else None
    return None


def _value(name: str, value: str) -> str:
    """What stands in the place of this name: its Chinese if it has one, unless it is quoted from a page."""
    return value if name in QUOTES else _chinese(value) or value


def filled(form: str, values: Mapping[str, str]) -> str:
    """The form with its values. Numbers and names have a blank beside them; two Chinese words have none between them."""
    parts = PLACE.split(form)
    parts[1::2] = [values[name] for name in parts[1::2]]
    for at in range(1, len(parts), 2):
        before, value, after = parts[at - 1], parts[at], parts[at + 1]
        if CHINESE.match(value[:1]) and (before != " " or CHINESE.match(parts[at - 2][-1:])):
            parts[at - 1] = before.removesuffix(" ")
        if CHINESE.match(value[-1:]) and (after != " " or CHINESE.match(parts[at + 2][:1])):
            parts[at + 1] = after.removeprefix(" ")
    return "".join(parts)


@lru_cache(maxsize=1)
def sentences() -> list[tuple[re.Pattern[str], str]]:
    """The forms of sentences and clauses as patterns, with their Chinese."""
    return [(_form(english), chinese) for english, chinese in _read("zh_sentences.toml").items()]


def _form(english: str) -> re.Pattern[str]:
    """The pattern of a form. A placeholder matches as little as possible and no end of a clause; one that is named after a
    number matches a number, `{word}` no blank, so that a form of a title fits no sentence that begins like it, and `{quoted}`
    any text of a page."""
    parts = PLACE.split(english)
    return re.compile("".join(_group(part) if at % 2 else re.escape(part) for at, part in enumerate(parts)))


def _group(name: str) -> str:
    kinds = ((NUMBERS, NUMBER), (NAMES, NAME), (QUOTES, QUOTE))
    return f"(?P<{name}>{next((pattern for names, pattern in kinds if name in names), VALUE)})"


@lru_cache(maxsize=1)
def catalogue() -> dict[str, str]:
    """The Chinese words by the English ones."""
    return _read("zh.toml")


def _read(name: str) -> dict[str, str]:
    """All tables of a file joined into one."""
    text = (resources.files("focuscrawl.report") / name).read_text(encoding="utf-8")
    return {english: chinese for part in tomllib.loads(text).values() for english, chinese in part.items()}
