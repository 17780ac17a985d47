"""Decodes the bytes of a page into text, in the charset that they really have, whatever the page declares.

These are tried in order: byte order mark, UTF-16 by its NULs, strict UTF-8, UTF-8 with a few bad bytes, then the declared
charsets (header, meta) if they decode and make sense, then detection from the bytes. Labels are often wrong: GBK pages labelled
UTF-8 or ISO-8859-1, Big5 pages labelled gb2312 and the reverse are common. Since gb18030 decodes most Big5 without an error,
the frequency of the characters decides between them.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

from focuscrawl.text.coding import unzip
from focuscrawl.text.sniff import media_type

MOST_UNPACKED = 16 << 20
"""Bytes of an unpacked file that are read."""
XHTML = "application/xhtml+xml"
_VOID = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
_EMPTY_ELEMENT = re.compile(rf"""<(?!(?:{_VOID})[\s/])([a-zA-Z][^\s/<>]*+)((?:[^<>"'/]++|"[^"<]*+"|'[^'<]*+'|/(?!>))*)/>""")
"""Linear: the alternatives begin differently. Not `*+` around them, which fails before Python 3.11.5 (gh-106052)."""
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
"""Bytes by which a charset is judged, from the first non-ASCII one on."""
_SENSE = 0.3
"""Least share of frequent characters in real CJK text. Right readings have 0.4-0.8, wrong ones less than 0.15."""
_UNDECLARED = 6
"""Least CJK characters for a charset that is not the declared one, or if none is declared."""
_CERTAIN = 0.45
"""With this share, no malformed byte and `_ENOUGH` characters, no other charset is tried."""
_ENOUGH = 20
_DECLARED_BONUS = 0.1
"""Added to the share of frequent characters for a declared charset, so that others must be clearly better."""
_GOOD_PER_BAD = 4
"""With this many well-formed UTF-8 characters per malformed sequence, a page is taken for damaged UTF-8."""
_BAD_SHARE = 0.02
"""With this many malformed sequences per byte, a charset is ruled out."""


@dataclass(slots=True, frozen=True)
class Decoded:
    text: str
    """Without byte order mark and control characters other than tab and line ends."""
    charset: str
    """A name that `codecs.lookup` knows: `utf-8`, `gb18030`, `big5`, `windows-1252`, …"""
    bad: int = 0
    """Malformed sequences, each replaced by U+FFFD."""


def decode(body: bytes, content_type: str = "") -> Decoded:
    """The text of `body` in the charset that it really has. Never raises. `content_type`: the whole value of the header.

    A gzip file is read as what it holds, as far as it is whole. Elements without content of XHTML, as `<a id="1"/>`, get an
    end tag, since a parser of HTML would take them for open."""
    decoded = _decoded(unzip(body, MOST_UNPACKED).body, content_type)
    if media_type(content_type) == XHTML:
        return replace(decoded, text=_EMPTY_ELEMENT.sub(r"<\1\2></\1>", decoded.text))
    return decoded


def _decoded(body: bytes, content_type: str) -> Decoded:
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _read(body[len(mark) :], codec)
    if codec := _wide(body) or _seven_bit(body, content_type):
        return _read(body, codec)
    try:
        return _cleaned(body.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _read(body, _eight_bit(body, content_type))


def _read(body: bytes, codec: str) -> Decoded:
    text = body.decode(codec, "replace")
    return _cleaned(text, codec, text.count("\ufffd"))


def _cleaned(text: str, codec: str, bad: int = 0) -> Decoded:
    if any(map(text.__contains__, _CONTROLS)):  # ten times faster than a regular expression
        text = text.translate(_NO_CONTROLS)
    return Decoded(text, name_of(codec), bad)


def _wide(body: bytes) -> str:
    """The codec of UTF-16 without a mark, empty if it is not that. Markup is ASCII, so every other byte at its beginning is
    NUL."""
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
    """The codec of ISO-2022-JP or HZ, else empty. Both consist of ASCII bytes, so they must be declared and show their
    escapes."""
    for escape, codec in ((b"\x1b$", "iso2022_jp"), (b"~{", "hz")):
        # Its first byte alone is rare, and found in a twentieth of the time.
        if escape[:1] in body and escape in body and codec in declared(body, content_type):
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
    # One malformed sequence among few characters, so `_damaged_utf8` could not tell.
    if "utf-8" in claims and sample.decode("utf-8", "replace").count("\ufffd") == 1:
        return "utf-8"
    guess = codec_of(detect_encoding(body) or "")
    return guess if guess and guess != "utf-8" and _fits(sample, guess) else "cp1252"


def _damaged_utf8(sample: bytes) -> bool:
    """Whether it is UTF-8 with a few malformed sequences."""
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
    """Whether hardly any byte is malformed in this codec: an eighth of what an East Asian one may have, whose characters are
    judged, too."""
    bad = sample.decode(codec, "replace").count("\ufffd")
    return bad <= 1 + _BAD_SHARE * len(sample) / 8


# --- the charsets that a page declares, and whether its bytes make sense in one -------------------------------------------
# Labels go through the WHATWG Encoding Standard's table (section 4.2, as resiliparse holds it), then to the widest
# superset that the web uses under that name: `gb2312` and `gbk` mean gb18030, `big5` means Big5-HKSCS.

_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:+-]{2,40})", re.IGNORECASE)
_META = re.compile(rb"<meta\s[^>]{0,400}?charset\s*=\s*[\"']?\s*([\w.:+-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.:+-]{2,40})", re.IGNORECASE)
_PRESCAN = 4096
"""Bytes in which a meta or XML declaration is searched; browsers read 1024."""

_SUPERSETS = {
    "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-11": "cp874",
}  # fmt: skip
_NAMES = {
    "big5hkscs": "big5", "cp950": "big5", "cp932": "shift_jis", "cp949": "euc-kr", "euc_jp": "euc-jp", "utf_8": "utf-8",
    "utf-16-le": "utf-16le", "utf-16-be": "utf-16be", "iso2022_jp": "iso-2022-jp", "hz": "hz-gb-2312",
}  # fmt: skip
_BEYOND_STANDARD = {
    "cp936": "gb18030", "ms936": "gb18030", "utf8mb4": "utf-8", "hz-gb-2312": "hz", "cp950": "big5hkscs",
    "x-mac-cyrillic": "mac-cyrillic", "x-mac-ukrainian": "mac-cyrillic",
}  # fmt: skip
"""Labels beyond the standard, and those of the standard that resiliparse lacks."""

_HAN = (
    "的一是了不在有人我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当"
    "没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手"
    "应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平"
    "系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白"
    "却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔页网站搜索网页技术"
    "這個們來為國說時會對過發後種經麼學現當沒動還進樣開從實軍無與長機業將兩間問並應戰頭體見產話給門東聲員處義條氣題爾別變總電數報結務場計資許統區隊"
    "決馬書聽達強難權設記類據邊張該規萬覺術領確傳師觀識帶導爭運頁網技術關點內認論兒"
)
_HANGUL = "이다는에을의가고를한은하지로기도사자시어리나아인대그서해들수일있게라부정보과주구장것면제상와만년소신원공전화여비적"
COMMON = frozenset(_HAN + _HANGUL)
"""The most frequent Han characters of both scripts and Hangul syllables. They make about half of running text, but only a few
per cent of text that was read in the wrong charset."""
_CJK = re.compile("[\u1100-\u11ff\u2e80-\u2fdf\u3040-\u30ff\u3400-\u9fff\ue000-\uf8ff\uac00-\ud7a3\uf900-\ufaff\uff61-\uff9f]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc]")


@lru_cache(maxsize=256)
def codec_of(label: str) -> str:
    """Python's codec for a charset label as browsers read it; empty if it is not a charset of the web (`utf-7`, `none`)."""
    label = label.strip().lower()
    known = _BEYOND_STANDARD.get(label) or map_encoding_to_html5(label, fallback_utf8=False)
    return _SUPERSETS.get(known, known) if known else ""


def name_of(codec: str) -> str:
    """The name of a codec for use outside: `gb18030`, `big5`, `utf-8`. Python's `codecs.lookup` knows it."""
    return _NAMES.get(codec, codec)


def declared(body: bytes, content_type: str) -> list[str]:
    """The codecs that the page declares, without repeats: header first, then meta, then XML declaration."""
    head = body[:_PRESCAN]
    labels: list[str] = []
    if header := _HEADER.search(content_type):
        labels.append(header[1])
    labels += [found[1].decode("ascii", "replace") for found in (_META.search(head), _XML.search(head)) if found]
    return list(dict.fromkeys(codec for codec in map(codec_of, labels) if codec))


def cjk_sense(text: str, japanese: bool) -> tuple[float, int]:
    """How likely this is really Chinese, Japanese or Korean: (share of frequent characters among CJK characters, number of CJK
    characters).

    Kana count as frequent only in a `japanese` charset, because EUC-JP read as GBK has right kana and wrong kanji. Private-use
    and half-width characters count as CJK that is never frequent, because wrong readings produce them.
    """
    found = _CJK.findall(text)
    if not found:
        return 0.0, 0
    sense = sum(map(COMMON.__contains__, found)) + (len(_KANA.findall(text)) if japanese else 0)
    return sense / len(found), len(found)
