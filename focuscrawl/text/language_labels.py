"""Names of languages: the code that rules use, and the tag that a page gets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from focuscrawl.text.chinese import script

_TRADITIONAL_LABEL = re.compile(r"zh[-_](?:hant|tw|hk|mo)\b", re.IGNORECASE)
_SIMPLIFIED_LABEL = re.compile(r"zh[-_](?:hans|cn|sg|my)\b", re.IGNORECASE)
_CODE = re.compile(r"[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)


NAMES = {
    "ar": "Arabic", "cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "id": "Indonesian",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""English names of some languages by their codes."""


def is_code(text: str) -> bool:
    """Whether it is a code of ISO 639, with or without a region.

    >>> is_code("zh"), is_code("en_US"), is_code("Chinese")
    (True, True, False)
    """
    return _CODE.fullmatch(text) is not None


def primary(tag: str) -> str:
    """The first part of a tag in lower case: `zh-Hans`, `en_US` -> `zh`, `en`."""
    return re.split("[-_]", tag.strip(), maxsplit=1)[0].lower()


def named(tag: str) -> str:
    """The English name of a language; its code if that has none here."""
    return NAMES.get(primary(tag), primary(tag))


def asks_for(languages: Sequence[str], language: str) -> bool:
    """Whether somebody who asks for these languages (none: any) wants a page in `language`; empty: it is not known.

    >>> asks_for(["zh"], "zh-Hans"), asks_for(["zh"], "en"), asks_for(["zh"], ""), asks_for([], "en")
    (True, False, True, True)
    """
    return not languages or not language or primary(language) in languages


def code(label: str) -> str:
    """The ISO 639-1 code in a label: `zh-CN`, `en_US` -> `zh`, `en`; empty if it is not such a label."""
    head = primary(label)
    return head if len(head) == 2 and head.isascii() and head.isalpha() else ""


def tag(language: str, text: str, html_lang: str = "") -> str:
    """The BCP 47 tag: for Chinese `zh-Hans` or `zh-Hant`, by the characters or, if these do not decide, by the label; else
    `language`."""
    if language != "zh":
        return language
    found = script(text)
    if not found:
        found = "Hant" if _TRADITIONAL_LABEL.match(html_lang) else "Hans" if _SIMPLIFIED_LABEL.match(html_lang) else ""
    return f"zh-{found}" if found else "zh"
