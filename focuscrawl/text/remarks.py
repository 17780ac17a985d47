"""Recognizes by its words what is no text wherever it stands, as appeals to readers and credits, or below a text, as the
imprint."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from focuscrawl.text import clean
from focuscrawl.text.layout import Layout, Piece, is_prose

_SHORT = 60
"""Most bytes of an appeal, or of the names of editors."""
_CALLS = re.compile(
    r"(?:(?:story|article)continuesbelow)?(?:this)?advertisement|(?:share|listento)this(?:article|story|post)"
    r"|广告|廣告|(?:点击|點擊)?(?:展[开開]|[阅閱][读讀])全文|分享[至到].{0,12}"
    r"|(?:打[开開]|下[载載]).{0,8}(?:app|客[户戶]端)(?:(?:[阅閱][读讀]|查?看|[观觀]看).{0,10})?"
)
"""What asks readers for something, alone in its paragraph, in the same form."""
_EDITED = re.compile(
    r"(?:[（(\[【][编編][辑輯]|[（(\[【]?(?:(?:[责責]任|值班|[实實][习習]|本文|[网網][络絡])[编編][辑輯]|[责責][编編]))\s*[:：]"
    r"\s*[\u4e00-\u9fff·]{2,4}(?:[\s、，,/]+[\u4e00-\u9fff·]{2,4})*\s*[）)\]】]?"
)
"""The names of those who have edited a Chinese article, in a paragraph of their own."""
_CREDIT = re.compile(
    r"[\s(\[]*(?:©|(?:foto(?:s|graf|grafie|nachweis|quelle)?|photo(?:s|graph|graphs|grapher|graphie)?|images?|pictures?|titelbild"
    r"|bild(?:er|nachweis|quelle|rechte)?|cr[ée]di(?:t|to)s?|imagen|fot\.|zdjęcie|фото|kuva|kép|billede|görsel"
    r"|图片来源|圖片來源|图源|圖源|摄影|攝影|供图|供圖|写真提供|사진)"
    r"(?:\s+(?:by|courtesy|credits?|photo))*\s*[:：©](?!\s*\d)"
    r"|(?:photo(?:s|graph|graphs)?|images?|pictures?)\s+(?:by|courtesy\s+of)\s)",
    re.IGNORECASE,
)
"""The beginning of a line that says whose a picture is. A number behind a label, as in `Credits: 3`, is no name."""
_CREDITED = 100
"""Most bytes of such a line, which is made of names."""
_CHINESE_NAME = 8
"""Most characters of a Chinese name in such a line, as in 新华社记者李四. 支持夜景模式和人像模式 is a feature of a phone."""
_IN_NAMES = re.compile(
    r"(?:by|via|for|of|the|and|courtesy|von|vom|van|de|den|der|des|di|da|del|du|la|le|el|e|i|y|et|und|für|privat|private|archiv|dpa|afp"
    r"|ap|epa|imago|picture|alliance|getty|istock|shutterstock|unsplash|pixabay|pexels|flickr|wikimedia|commons|zvg|cc)\W*"
)
"""Words in such a line that may be written small."""
_LABELLED = re.compile(r"\W{0,2}\w[^:：]{0,30}[:：]\s*\S")
"""The beginning of a line that says something in one place, as each line of a film's crew does."""
_FIELDS = 2
"""Least other lines beside a credit that make it one of a list."""
_IMPRINT = 300
"""Most bytes of a line of the imprint."""
_MAY_BE_IMPRINT = ("©", "opyright", "OPYRIGHT", "(c)", "(C)", "eserved", "ESERVED", "ICP", "公网安备", "版权所有", "版權所有")
"""One of these is in each such line. It takes a tenth of the time to look for them."""
_RIGHTS = re.compile(
    r"\W{0,3}(?:copyright|©|\(c\))\W{0,5}(?:copyright|©|\(c\))?\W{0,5}(?:by\b|\d{4})|.{0,100}\ball rights reserved\b"
    r"|\W{0,3}(?:copyright.{0,40})?版[权權]所有(?![者人])|.{0,100}(?:ICP[备備证證]|公网安备)\s*\d",
    re.IGNORECASE | re.DOTALL,
)
"""The beginning of a line that says whose the site is."""
_SENTENCE = re.compile("[，。]|[a-z][.,] ")
_CHINESE = re.compile("[\u4e00-\u9fff]{4}")
"""A text in Chinese has the first where it has the second; addresses, numbers and lists of names have not."""


def is_remark(page: Layout, at: int) -> bool:
    """Whether a piece asks readers for something, or says who has edited the text, or whose a picture is."""
    piece = page.pieces[at]
    if piece.kind != "paragraph" or piece.size > _CREDITED:
        return False
    return (piece.size <= _SHORT and _remarks(piece.text)) or (_credits(piece.text) and not _is_field(page, at))


def _is_field(page: Layout, at: int) -> bool:
    """Whether a credit is one of a list of lines with labels, as in a film's crew: other such lines stand right beside it, in
    one element, and say something else."""
    parent = page.elements[page.pieces[at].element].parent

    def is_field(piece: Piece) -> bool:
        return (
            page.elements[piece.element].parent == parent
            and piece.size <= _CREDITED
            and _LABELLED.match(piece.text) is not None
        )

    before, after = page.pieces[max(0, at - _FIELDS) : at], page.pieces[at + 1 : at + 1 + _FIELDS]
    fields = (*takewhile(is_field, reversed(before)), *takewhile(is_field, after))
    return sum(not _credits(piece.text) for piece in fields) >= _FIELDS


@lru_cache(maxsize=4096)
def _remarks(text: str) -> bool:
    return _CALLS.fullmatch(clean.bare(text)) is not None or _EDITED.fullmatch(text.strip()) is not None


def _credits(text: str) -> bool:
    """Whether a text says whose a picture is, and no more: a label, and names behind it."""
    label = _CREDIT.match(text)
    if label is None or "，" in text or "。" in text:
        return False
    words = re.split(r"[\s/、]+", text[label.end() :].strip())
    return bool(words[0]) and all(_may_be_name(word) for word in words)


def _may_be_name(word: str) -> bool:
    if _CHINESE.search(word):
        return len(word) <= _CHINESE_NAME
    return not word[:1].islower() or _IN_NAMES.fullmatch(word) is not None


def imprint_below(page: Layout, inside: Sequence[int]) -> set[int]:
    """Which of these pieces, of the main text, are the imprint below it."""
    found: set[int] = set()
    for at in reversed(inside):
        piece = page.pieces[at]
        if _is_imprint(piece):
            found.add(at)
        elif is_prose(piece):
            break
    return found


def may_be_read(piece: Piece) -> bool:
    """Whether a long piece may be a text: neither an imprint nor Chinese without a comma or full stop, as an address is."""
    text = piece.text
    if not text.isascii() and _SENTENCE.search(text) is None and _CHINESE.search(text) is not None:
        return False
    return not _is_imprint(piece)


def _is_imprint(piece: Piece) -> bool:
    """Whether a piece says whose the site is."""
    return (
        piece.size <= _IMPRINT
        and piece.kind != "code"
        and any(map(piece.text.__contains__, _MAY_BE_IMPRINT))
        and _RIGHTS.match(piece.text.strip()) is not None
    )
