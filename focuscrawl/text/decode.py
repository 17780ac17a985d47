"""Bytes to text, whatever the page says about itself.

Order: byte order mark, UTF-16 by its NULs, strict UTF-8, UTF-8 with a few bad bytes, then the declared charsets (header,
meta) if they decode and make sense, then what the bytes themselves say. A label is a claim, not a fact: GBK pages
labelled UTF-8 or ISO-8859-1, Big5 pages labelled gb2312 and the reverse are common, and gb18030 decodes most Big5 without
an error, so that the frequency of the characters decides between them.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from resiliparse.parse.encoding import detect_encoding

from focuscrawl.text.charset import cjk_sense, codec_of, declared, name_of

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_CJK_CODECS = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949")
_JAPANESE = ("cp932", "euc_jp")
_CONTROLS = [chr(code) for code in (*range(9), 0x0B, *range(0x0E, 0x20), 0x7F, 0xFEFF, 0xFFFE, 0xFFFF)]
_NO_CONTROLS = str.maketrans("", "", "".join(_CONTROLS))
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_SAMPLE = 16384
"""Bytes from the first non-ASCII one on that a charset is judged by."""
_SENSE = 0.3
"""Share of frequent characters from which text counts as real CJK; right readings have 0.4-0.8, wrong ones under 0.15."""
_UNDECLARED = 6
"""CJK characters that evidence against the declared charset, or without one, must rest on."""
_CERTAIN = 0.45
"""From here on, without a malformed byte and with `_ENOUGH` characters, no other charset is tried."""
_ENOUGH = 20
_DECLARED_BONUS = 0.1
_GOOD_PER_BAD = 4
"""Well-formed UTF-8 characters for each malformed sequence that make a page a damaged UTF-8 one."""
_BAD_SHARE = 0.02


@dataclass(slots=True, frozen=True)
class Decoded:
    text: str
    """Without byte order mark and control characters other than tab and line ends."""
    charset: str
    """A name that `codecs.lookup` knows: `utf-8`, `gb18030`, `big5`, `windows-1252`, …"""
    bad: int = 0
    """Malformed sequences, each replaced by U+FFFD."""


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Reads `body` in the charset that it really has. Never raises; `content_type` is the header's whole value."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _read(body[len(mark) :], codec)
    if codec := _wide(body) or _seven_bit(body, content_type):
        return _read(body, codec)
    try:
        return _cleaned(body.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _read(body, _eight_bit(body, content_type))


def decode_as(body: bytes, charset: str) -> str:
    """The text of a body whose charset `decode` has found before."""
    for mark, _ in _MARKS:
        body = body.removeprefix(mark)
    return _read(body, codec_of(charset) or charset).text


def _read(body: bytes, codec: str) -> Decoded:
    text = body.decode(codec, "replace")
    return _cleaned(text, codec, text.count("\ufffd"))


def _cleaned(text: str, codec: str, bad: int = 0) -> Decoded:
    if any(control in text for control in _CONTROLS):  # ten times faster than a regular expression
        text = text.translate(_NO_CONTROLS)
    return Decoded(text, name_of(codec), bad)


def _wide(body: bytes) -> str:
    """UTF-16 without a mark: markup is ASCII, so every other byte of its beginning is NUL."""
    head = body[:512]
    if b"\0" not in head:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 4 * even and odd * 4 >= len(head) // 2:
        return "utf-16-le"
    if even > 4 * odd and even * 4 >= len(head) // 2:
        return "utf-16-be"
    return ""


def _seven_bit(body: bytes, content_type: str) -> str:
    """ISO-2022-JP and HZ hide in ASCII bytes; they are believed only when declared and their escapes are there."""
    for escape, codec in ((b"\x1b$", "iso2022_jp"), (b"~{", "hz")):
        if escape in body and codec in declared(body, content_type):
            return codec
    return ""


def _eight_bit(body: bytes, content_type: str) -> str:
    """The codec of bytes that are not strict UTF-8."""
    first = _HIGH_BYTE.search(body)
    sample = body[first.start() if first else 0 :][:_SAMPLE]
    claims = declared(body, content_type)
    if _damaged_utf8(sample):
        return "utf-8"
    best, sense, characters = _most_sensible(sample, claims)
    if sense >= _SENSE and (best in claims or characters >= _UNDECLARED):
        return best
    for codec in claims:
        if codec != "utf-8" and _fits(sample, codec):
            return codec
    if "utf-8" in claims and sample.decode("utf-8", "replace").count("\ufffd") == 1:
        return "utf-8"
    guess = codec_of(detect_encoding(body) or "")
    return guess if guess and guess != "utf-8" and _fits(sample, guess) else "cp1252"


def _damaged_utf8(sample: bytes) -> bool:
    text = sample.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return beyond_ascii - bad >= _GOOD_PER_BAD * bad


def _most_sensible(sample: bytes, claims: list[str]) -> tuple[str, float, int]:
    """(codec, share of frequent characters, CJK characters) of the best East Asian reading; ("", 0, 0) if none fits."""
    best = ("", 0.0, 0)
    for codec in dict.fromkeys([*(claim for claim in claims if claim in _CJK_CODECS), *_CJK_CODECS]):
        text = sample.decode(codec, "replace")
        bad = text.count("\ufffd")
        if bad > 1 + _BAD_SHARE * len(sample):
            continue
        sense, characters = cjk_sense(text, codec in _JAPANESE)
        if sense >= _CERTAIN and characters >= _ENOUGH and not bad:
            return codec, sense, characters
        sense += (_DECLARED_BONUS if codec in claims else 0.0) - bad / (characters + 1)
        if sense > best[1]:
            best = (codec, sense, characters)
    return best


def _fits(sample: bytes, codec: str) -> bool:
    bad = sample.decode(codec, "replace").count("\ufffd")
    return bad <= 1 + _BAD_SHARE * len(sample) / 8
