"""Which language is this text? By script where the script decides, else by letter statistics."""

from __future__ import annotations

import re

from resiliparse.parse.lang import detect_fast

SAMPLE = 4_000
"""Characters that are looked at."""
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HANGUL = re.compile("[\u1100-\u11ff\uac00-\ud7a3]")
_LETTER = re.compile(r"[^\W\d_]")
_EAST_ASIAN_SHARE = 0.15
"""Of the letters. A Han character says as much as three Latin letters, and manuals are full of code."""
_KANA_SHARE = 0.1
_RELIABLE = 200
"""Characters below which statistics guess worse than the page's own label."""
_CUTOFF = 1000
"""Out-of-place rank above which resiliparse's answer is a guess."""


def detect(text: str, html_lang: str = "") -> str:
    """ISO 639-1 code of the main language, from the text first and the page's `lang` second; empty when unknown."""
    text = text[:SAMPLE]
    han, kana, hangul = (len(script.findall(text)) for script in (_HAN, _KANA, _HANGUL))
    east_asian = han + kana + hangul
    letters = len(_LETTER.findall(text)) if east_asian else 0
    if east_asian and east_asian >= _EAST_ASIAN_SHARE * letters:
        if hangul >= han + kana:
            return "ko"
        return "ja" if kana > _KANA_SHARE * east_asian else "zh"
    label = code(html_lang)
    if len(text) < _RELIABLE and label:
        return label
    found, rank = detect_fast(text)
    return found if rank <= _CUTOFF and len(found) == 2 and len(text) >= 20 else label


def code(label: str) -> str:
    """`zh-CN`, `en_US` -> `zh`, `en`; empty for what is no such label."""
    head = re.split("[-_]", label.strip().lower(), maxsplit=1)[0]
    return head if len(head) == 2 and head.isascii() and head.isalpha() else ""
