"""Names of languages: the code that rules use, and the tag that a page gets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from focuscrawl.errors import quoted
from focuscrawl.text.chinese import script

_TRADITIONAL_LABEL = re.compile(r"zh[-_](?:hant|tw|hk|mo)\b", re.IGNORECASE)
_SIMPLIFIED_LABEL = re.compile(r"zh[-_](?:hans|cn|sg|my)\b", re.IGNORECASE)

NAMES = {
    "ar": "Arabic", "cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "id": "Indonesian",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""English names of some languages by their codes."""
KNOWN = frozenset({
    "af", "ar", "as", "az", "ba", "be", "bg", "bn", "bo", "br", "ca", "ce", "cs", "cv", "cy", "da", "de", "dv", "el", "en",
    "eo", "es", "et", "eu", "fa", "fi", "fo", "fr", "fy", "ga", "gd", "gl", "gu", "ha", "he", "hi", "hr", "hu", "hy", "id",
    "io", "is", "it", "ja", "jv", "ka", "kk", "km", "kn", "ko", "ku", "ky", "la", "lb", "lt", "lv", "mg", "mk", "ml", "mn",
    "mr", "mt", "my", "ne", "nl", "no", "or", "pa", "pl", "ps", "pt", "rm", "ro", "ru", "sa", "sc", "sd", "si", "sk", "sl",
    "so", "sq", "sr", "sv", "sw", "ta", "te", "tg", "th", "tk", "tl", "tr", "tt", "ug", "uk", "ur", "uz", "vi", "vo", "yi",
    "zh",
})  # fmt: skip
"""Codes of the languages that are recognized: those of resiliparse (a test compares them)."""
_MEANT = {"cn": "zh", "tw": "zh", "hk": "zh", "jp": "ja", "kr": "ko", "eng": "en", "chi": "zh", "zho": "zh"}
"""The languages that people mean by codes of countries and by those of three letters."""


def primary(tag: str) -> str:
    """The first part of a tag in lower case: `zh-Hans`, `en_US` -> `zh`, `en`."""
    return re.split("[-_]", tag.strip(), maxsplit=1)[0].lower()


def asked(codes: Sequence[str]) -> tuple[str, ...]:
    """The languages that somebody asks for by their codes of ISO 639, with or without a region, each once.

    >>> asked(["zh-CN", "en", "zh"])
    ('zh', 'en')

    Raises ValueError, as `refuse_unknown` does.
    """
    for given in codes:
        refuse_unknown(given)
    return tuple(dict.fromkeys(map(primary, codes)))


def refuse_unknown(given: str) -> None:
    """Raises ValueError, with what is right, if a tag begins with no known language: hardly a page would be in it."""
    if primary(given) not in KNOWN:
        meant = _MEANT.get(primary(given))
        hint = f"; for {NAMES[meant]}, write {meant}" if meant else ", such as zh or en"
        raise ValueError(f"{quoted(given)} is not the code of a known language{hint}")


def refuse_never_given(given: str) -> None:
    """Raises ValueError, as `refuse_unknown` does, if no page gets such a tag: a page of few words, or in a script that is not
    recognized, gets the code of two letters with which it is labelled, such as `nb` or `lo`.

    >>> refuse_never_given("nb-NO")
    >>> refuse_never_given("cn")
    Traceback (most recent call last):
    ValueError: 'cn' is not the code of a known language; for Chinese, write zh
    """
    if primary(given) in _MEANT or not code(given):
        refuse_unknown(given)


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
