"""How a language is called: the code that rules go by, and the tag that a page gets."""

from __future__ import annotations

import re

from focuscrawl.text.chinese import script

_TRADITIONAL_LABEL = re.compile(r"zh[-_](?:hant|tw|hk|mo)\b", re.IGNORECASE)
_SIMPLIFIED_LABEL = re.compile(r"zh[-_](?:hans|cn|sg|my)\b", re.IGNORECASE)


def code(label: str) -> str:
    """`zh-CN`, `en_US` -> `zh`, `en`; empty for what is no such label."""
    head = re.split("[-_]", label.strip().lower(), maxsplit=1)[0]
    return head if len(head) == 2 and head.isascii() and head.isalpha() else ""


def tag(language: str, text: str, html_lang: str = "") -> str:
    """BCP 47 tag: `zh-Hans` or `zh-Hant` by the characters, by the label where they do not tell; else `language`."""
    if language != "zh":
        return language
    found = script(text)
    if not found:
        found = "Hant" if _TRADITIONAL_LABEL.match(html_lang) else "Hans" if _SIMPLIFIED_LABEL.match(html_lang) else ""
    return f"zh-{found}" if found else "zh"
