"""Brings links into their normal form, the canonical URL: one per page, by changes that still lead to the same page.

It follows RFC 3986 section 6.2.2 (case, percent-encoding, dot segments) and 6.2.3 (default port, empty path), with the
tolerance of the WHATWG URL standard, because links are written for browsers: tabs and line ends are dropped, backslashes and
`http:/x` are accepted, and raw Chinese is encoded as UTF-8 in the path and in the page's charset in the query. Beyond both
standards, tracking parameters, session ids and fragments are removed. Query parameters keep their order, which may matter to
the site.

Cost: about 1 microsecond for a URL seen before, 3-9 for a new one. Results are cached by their absolute form, so that the
navigation links of a site cost little on each of its pages.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from focuscrawl.url.authority import normal_authority

MAX_INPUT = 8192
"""Characters. Hardly any server accepts a longer URL (RFC 9110, section 4.1, asks for 8 000), so a longer reference is refused
unread, and one whose normal form is longer has none: what is remembered of thousands of URLs would take gigabytes."""
_CACHED = 2048
"""Longer URLs are not cached, so that the cache's memory is bounded."""

_EDGE = "".join(map(chr, range(0x21)))
"""Control characters and space, which are stripped from the ends of a URL (WHATWG URL, section 4.4)."""
_STRIPPED = re.compile(r"[\t\n\r]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_CLEAN = re.compile(
    r"(https?)://([a-z0-9.\-]++(?::[0-9]++)?)/[A-Za-z0-9\-._~!$*'+,=:@/]*+(?:%[89A-F][0-9A-F][A-Za-z0-9\-._~!$*'+,=:@/]*+)*"
)
"""A URL that is normal if its host is and it has no dot segment: nothing to encode or decode but what is no ASCII and encoded
already, no query, no `;` or `(` of a session."""
_OTHER_IN_PATH = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@/]")
_OTHER_IN_QUERY = re.compile(r"[^A-Za-z0-9\-._~!$&()*+,;=:@/?]")
_PIECES_IN_PATH = re.compile(r"%(?:[0-9A-Fa-f]{2})?|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]+")
_PIECES_IN_QUERY = re.compile(r"%(?:[0-9A-Fa-f]{2})?|[^A-Za-z0-9\-._~!$&()*+,;=:@/?%]+")
_DOT_SEGMENT = re.compile(r"/\.\.?(?:/|$)")
_MARKS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!*()")
"""Bytes that are decoded if written as %XX: the unreserved characters, and the marks that RFC 2396 counted among them, which
wikis and scripts write both ways."""
_CHARSETS = {
    "gb2312": "gbk", "gbk": "gbk", "gb18030": "gb18030", "big5": "big5hkscs", "big5hkscs": "big5hkscs",
    "cp950": "big5hkscs", "euc_jp": "euc_jp", "shift_jis": "cp932", "cp932": "cp932", "euc_kr": "cp949",
    "cp949": "cp949", "iso8859-1": "cp1252", "ascii": "cp1252", "koi8-r": "koi8-r", "koi8-u": "koi8-u",
    "cp874": "cp874",
}  # fmt: skip


def normalize(url: str, base: str = "", charset: str = "utf-8") -> str | None:
    """The normal form, an absolute http(s) URL, of the reference `url` on the page `base`; None if there is none.

    `charset` is the page's, in which queries are sent. A normal form is its own normal form. Never raises: other schemes,
    control characters, impossible hosts and ports, and a relative reference without a base give None.
    """
    if len(url) > MAX_INPUT:
        return None
    is_plain = " " not in url and url.isprintable()  # a cheap test, which most URLs pass
    if not is_plain:
        url = url.strip(_EDGE)
    if "#" in url:
        url = url.partition("#")[0]
    if not is_plain:
        url = _STRIPPED.sub("", url)
        if _CONTROL.search(url):
            return None
    absolute = url if url.startswith(("http://", "https://")) else _resolve(url, base, charset)
    if absolute is None or (size := len(absolute)) > MAX_INPUT:
        return None
    return _normal(absolute, charset) if size <= _CACHED else _normal.__wrapped__(absolute, charset)


@lru_cache(maxsize=1024)  # each link of a page is split by all who ask where it lies
def split(url: str) -> tuple[str, str]:
    """A normal URL as (origin, tail): `http://host[:port]` and `/path?query`."""
    cut = url.find("/", 8)
    return (url, "/") if cut < 0 else (url[:cut], url[cut:])


def join(origin: str, tail: str) -> str:
    """The inverse of `split`."""
    return origin + tail


def _resolve(url: str, base: str, charset: str) -> str | None:
    """The reference as an absolute URL that begins with `http://` or `https://`, not yet in normal form."""
    scheme = _SCHEME.match(url) if ":" in url else None
    if scheme:
        name = scheme[1].lower()
        if name not in ("http", "https"):
            return None
        rest = url[scheme.end() :]
        slashes = len(rest) - len(rest.lstrip("/\\"))
        if slashes >= 2 or not base.lower().startswith(name + ":"):
            return f"{name}://{rest[slashes:]}"
        url = rest  # `http:path` on an http page is a relative reference
    known = _base(base, charset) if len(base) <= _CACHED else _base.__wrapped__(base, charset)
    return None if known is None else _relative(url, known)


class _Base(NamedTuple):
    """A normal URL to which references are relative, and those beginnings of it that come before them."""

    url: str
    scheme: str
    """`http://`"""
    origin: str
    page: str
    """Without the query."""
    directory: str
    """With the slash at its end."""


@lru_cache(maxsize=256)
def _base(base: str, charset: str) -> _Base | None:
    """A page's base, which is cached because it is that of each of its links."""
    url = normalize(base, charset=charset) if base else None
    if url is None:
        return None
    page = url.partition("?")[0]
    return _Base(url, url[: url.index("/") + 2], split(url)[0], page, page[: page.rindex("/") + 1])


def _relative(url: str, base: _Base) -> str:
    """A reference without a scheme as an absolute URL."""
    first = url[:1]
    if first in ("/", "\\"):
        return base.scheme + url.lstrip("/\\") if url[1:2] in ("/", "\\") else base.origin + url
    if not url:
        return base.url
    return base.page + url if first == "?" else base.directory + url


@lru_cache(maxsize=4096)
def _normal(absolute: str, charset: str) -> str | None:
    """The normal form of an absolute URL. Most URLs are normal as written, which is cheaper to see than to rebuild them."""
    clean = _CLEAN.fullmatch(absolute)
    if clean and "/." not in absolute and normal_authority(clean[1], clean[2]) == clean[2]:
        return absolute
    return _rebuilt(absolute, charset)


def _rebuilt(absolute: str, charset: str) -> str | None:
    scheme, _, rest = absolute.partition("://")
    rest, _, query = rest.partition("?")
    if "\\" in rest:
        rest = rest.replace("\\", "/")
    raw, _, path = rest.lstrip("/").partition("/")
    authority = normal_authority(scheme, raw) if len(raw) <= _CACHED else None
    if authority is None:
        return None
    if path and _OTHER_IN_PATH.search(path):
        path = _PIECES_IN_PATH.sub(_path_piece, path)
    path = _without_dots(without_sessions("/" + path))
    if query:
        if _OTHER_IN_QUERY.search(query):
            query = _encoded_query(query, charset)
        query = without_noise(query)
    if "%00" in path or "%00" in query:
        return None
    url = f"{scheme}://{authority}{path}?{query}" if query else f"{scheme}://{authority}{path}"
    return url if len(url) <= MAX_INPUT else None


def _path_piece(piece: re.Match[str]) -> str:
    """A match of `_PIECES_IN_PATH` in normal percent-encoding."""
    text = piece[0]
    return _percent(text) if text[0] == "%" else quote(text, safe="")


def _encoded_query(query: str, charset: str) -> str:
    codec = _query_codec(charset)

    def encoded(piece: re.Match[str]) -> str:
        text = piece[0]
        if text[0] == "%":
            return _percent(text)
        # characters that the charset lacks are sent as character references, as browsers do
        return quote(text.encode(codec, "xmlcharrefreplace"), safe="")

    return _PIECES_IN_QUERY.sub(encoded, query)


def _percent(text: str) -> str:
    """`%` or `%XX` in normal form."""
    if len(text) == 1:
        return "%25"  # a lone percent sign stands for itself
    byte = int(text[1:], 16)
    return chr(byte) if byte in _MARKS else text.upper()


@lru_cache(maxsize=256)
def _query_codec(charset: str) -> str:
    """Python's name for the charset in which a browser would send queries; UTF-8 for one that Python does not know."""
    try:
        name = codecs.lookup(charset.strip()).name
    except (LookupError, ValueError):
        return "utf-8"
    if name in _CHARSETS:
        return _CHARSETS[name]
    return name if name.startswith(("iso8859-", "cp125")) else "utf-8"


def _without_dots(path: str) -> str:
    """The path, which begins with a slash, without dot segments (RFC 3986 section 5.2.4)."""
    if "/." not in path or not _DOT_SEGMENT.search(path):
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


# --- parameters that say how a visitor came, not which page is meant -------------------------------------------------------
# Tracking parameters name a campaign or a click, session parameters a visit. Both give one page endless URLs. The lists have
# names that are used for nothing else; if a name is ambiguous (`sid`, `from`), its value decides.

_TRACKING_PREFIXES = (
    "utm_", "mtm_", "pk_", "piwik_", "matomo_", "hsa_", "__hs", "_hs", "hmsr", "hmpl", "hmcu", "hmkw", "hmci",
)  # fmt: skip
_TRACKING_NAMES = """
    gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid fbclid fb_action_ids fb_action_types fb_source
    msclkid yclid ysclid ymclid twclid ttclid igshid igsh li_fat_id mc_cid mc_eid mkt_tok _ga _gl _openstat vero_id
    vero_conv oly_enc_id oly_anon_id wickedid rb_clickid s_cid ns_mchannel ns_source ns_campaign ns_linkname at_medium
    at_campaign at_custom1 hsctatracking spm scm spm_id_from from_spmid vd_source share_source share_medium share_plat
    share_session_id share_tag share_from unique_k bsource bd_vid qhclickid sudaref tt_from isappinstalled nsukey wfr
    wx_header scene_from trk_info trkcampaign sc_campaign sc_channel sc_content sc_medium sc_outcome sc_geo sc_country
    frommodule
"""
_TRACKING = frozenset(_TRACKING_NAMES.split())
_TRACKING_VALUES = {
    "from": frozenset({"timeline", "singlemessage", "groupmessage"}),  # WeChat's share sheet
    "for": frozenset({"pc"}),  # beside wfr=spider
    "source": frozenset({"rss", "wechat_timeline", "wechat_session"}),
}
_SESSION = frozenset({
    "jsessionid", "jsessionidsso", "phpsessid", "phpsessionid", "cftoken", "oscsid", "zenid", "xtsessionid",
    "asp.net_sessionid",
})  # fmt: skip
_SESSION_IF_TOKEN = frozenset({"sid", "s", "ses", "sess", "sessid", "session", "sessionid", "session_id", "session-id", "_sid"})
_TOKEN = re.compile(
    r"(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-f]{16,}"  # hexadecimal with both letters and digits
    r"|[0-9a-f]{32,}"
    r"|(?=[a-z]*[0-9])[0-9a-z]{24,}",
    re.IGNORECASE,
)
_SHORT_NAMES = frozenset({"s", "ses"})  # `s` is also the search box of WordPress

_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid)=[^/;]*", re.IGNORECASE)
_PATH_TOKEN = re.compile(r";(?:sid|sessionid)=([^/;]*)", re.IGNORECASE)
_COOKIELESS = re.compile(r"(?:/\((?:[A-Za-z]\([0-9A-Za-z]{24}\))+\))+(?=/)")
"""ASP.NET's session id in the path: `/(S(lit3py55t21z5v55vlm25s55))/page.aspx`."""


def without_sessions(path: str) -> str:
    """A path in normal percent-encoding without the session ids that servers put into paths."""
    if ";" in path:
        path = _PATH_SESSION.sub("", path)
        path = _PATH_TOKEN.sub(lambda m: "" if _TOKEN.fullmatch(m[1]) else m[0], path)
    return _COOKIELESS.sub("", path) if "/(" in path else path


def without_noise(query: str) -> str:
    """A query in normal percent-encoding without tracking, session and empty parameters, in the same order."""
    pieces = query.split("&")
    coldfusion = "cftoken=" in query.lower()
    return "&".join(piece for piece in pieces if piece and not _is_noise(piece, coldfusion))


def _is_noise(piece: str, coldfusion: bool) -> bool:
    """Whether this is a tracking or session parameter. `coldfusion`: whether the query has a `cftoken`, because `cfid` is a
    session only beside it."""
    name, _, value = piece.partition("=")
    name = name.lower()
    if name in _TRACKING or name.startswith(_TRACKING_PREFIXES):
        return True
    if name in _TRACKING_VALUES:
        return value.lower() in _TRACKING_VALUES[name] or (name == "source" and "---" in value)  # `source=home---5` of Medium
    if name in _SESSION or name.startswith("aspsessionid") or (coldfusion and name == "cfid"):
        return True
    if name not in _SESSION_IF_TOKEN:
        return False
    return bool(_TOKEN.fullmatch(value)) and (name not in _SHORT_NAMES or len(value) >= 32)
