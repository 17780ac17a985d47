"""Which charsets does the page claim, and which of them makes sense of its bytes?

Labels go through the WHATWG Encoding Standard's table (section 4.2, as resiliparse holds it), then to the widest
superset that the web uses under that name: `gb2312` and `gbk` mean gb18030, `big5` means Big5-HKSCS.
"""

from __future__ import annotations

import re
from functools import lru_cache

from resiliparse.parse.encoding import map_encoding_to_html5

_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:+-]{2,40})", re.IGNORECASE)
_META = re.compile(rb"<meta\s[^>]{0,400}?charset\s*=\s*[\"']?\s*([\w.:+-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.:+-]{2,40})", re.IGNORECASE)
_PRESCAN = 4096
"""Bytes in which a meta or XML declaration is looked for; browsers read 1024."""

_SUPERSETS = {
    "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-11": "cp874",
}  # fmt: skip
_NAMES = {
    "big5hkscs": "big5", "cp950": "big5", "cp932": "shift_jis", "cp949": "euc-kr", "euc_jp": "euc-jp", "utf_8": "utf-8",
    "utf-16-le": "utf-16le", "utf-16-be": "utf-16be", "iso2022_jp": "iso-2022-jp", "hz": "hz-gb-2312",
}  # fmt: skip
_BEYOND_STANDARD = {"cp936": "gb18030", "ms936": "gb18030", "utf8mb4": "utf-8", "hz-gb-2312": "hz", "cp950": "big5hkscs"}

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
"""The most frequent Han characters of both scripts and Hangul syllables: about half of running text, a few per cent of
what comes out when bytes are read in the wrong charset."""
_CJK = re.compile("[\u1100-\u11ff\u2e80-\u2fdf\u3040-\u30ff\u3400-\u9fff\ue000-\uf8ff\uac00-\ud7a3\uf900-\ufaff\uff61-\uff9f]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc]")


@lru_cache(maxsize=256)
def codec_of(label: str) -> str:
    """Python's codec for a charset label as browsers read it; empty for what is no web charset (`utf-7`, `none`)."""
    label = label.strip().lower()
    known = _BEYOND_STANDARD.get(label) or map_encoding_to_html5(label, fallback_utf8=False)
    return _SUPERSETS.get(known, known) if known else ""


def name_of(codec: str) -> str:
    """The name that a page's charset goes by outside: `gb18030`, `big5`, `utf-8`; Python's `codecs.lookup` knows it."""
    return _NAMES.get(codec, codec)


def declared(body: bytes, content_type: str) -> list[str]:
    """Codecs that the page claims, without repeats: header first, then meta, then XML declaration."""
    head = body[:_PRESCAN]
    labels: list[str] = []
    if header := _HEADER.search(content_type):
        labels.append(header[1])
    labels += [found[1].decode("ascii", "replace") for found in (_META.search(head), _XML.search(head)) if found]
    return list(dict.fromkeys(codec for codec in map(codec_of, labels) if codec))


def cjk_sense(text: str, japanese: bool) -> tuple[float, int]:
    """(share of frequent characters among the CJK ones, their number): is this really Chinese, Japanese or Korean?

    Kana count as frequent where the charset is a `japanese` one only: EUC-JP read as GBK has right kana and wrong kanji.
    Private-use and half-width characters count as CJK that is never frequent: they are what wrong readings make.
    """
    found = _CJK.findall(text)
    if not found:
        return 0.0, 0
    sense = sum(map(COMMON.__contains__, found)) + (len(_KANA.findall(text)) if japanese else 0)
    return sense / len(found), len(found)
