"""Bodies that hurt parsers: depth, breadth, length, odd types, wrong charsets."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from functools import cache

from synthweb.hostile.case import Case, html_reply, wrap
from synthweb.prose import Writer
from synthweb.wire import Reply

MEGABYTE = 1 << 20
BOMB_BYTES = 300 * MEGABYTE
MARK_EN = "telescope galaxy nebula"
MARK_ZH = "天文望远镜观测星系和星云"
TEXT_ZH = "".join(Writer("zh", "astronomy", 5).text(120))


def text_page(extra: str = "", title: str = "Telescope and galaxy") -> bytes:
    """A page on astronomy with something nasty in it."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in Writer("en", "astronomy", 4).text(120))
    return wrap(f"<p>{MARK_EN}</p>{text}{extra}", title)


def chinese_page(meta: str = "") -> str:
    """A Chinese page, with a label in its head if one is given."""
    label = f'<meta charset="{meta}">' if meta else ""
    return f"<html><head>{label}<title>{MARK_ZH}</title></head><body><p>{MARK_ZH}。{TEXT_ZH}</p></body></html>"


@cache
def bomb() -> bytes:
    """A gzip body of 300 kB that unpacks to 300 MiB."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9, mtime=0) as packer:
        for _ in range(BOMB_BYTES // MEGABYTE):
            packer.write(b"<p>a</p>" * (MEGABYTE // 8))
    return out.getvalue()


def page(make: Callable[[], bytes], what: str, accepts: tuple[str, ...] = ("page",), contains: str = MARK_EN) -> Case:
    """A case that is a body labelled as UTF-8 HTML."""
    return Case(lambda: html_reply(make()), accepts, what, contains)


def charset(encoding: str, header: str, meta: str, what: str) -> Case:
    """A Chinese page in one encoding that is told as another."""
    content_type = "text/html" + (f"; charset={header}" if header else "")
    return Case(lambda: html_reply(chinese_page(meta).encode(encoding), content_type), ("page",), what, MARK_ZH)


def gzipped() -> Reply:
    """The bomb with its right length."""
    return html_reply(bomb(), headers=(("Content-Encoding", "gzip"),))


def nested(tag: str, count: int, inside: str) -> bytes:
    """A text page with elements inside each other."""
    return text_page(f"<{tag}>" * count + inside + f"</{tag}>" * count)


ODD_HREFS = (
    "mailto:a@b.test",
    "javascript:void(0)",
    "data:text/html,hi",
    "tel:123",
    "about:blank",
    "ftp://x.test/",
    "http://[::1",
    "//",
    "http://a b/",
    "/a\tb",
    "/%00",
    "/%zz",
    "/..%2f..%2fetc/passwd",
    "http://user:secret@hostile.test/",
    "?a=\ud7ff",
    "/%2e%2e/x",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://xn--/",
    "/" + "segment/" * 500,
    "/?" + "&".join(f"p{n}=1" for n in range(3000)),
    "http://" + "a" * 300 + ".test/",
    "/" + "x" * 5000,
)

BODIES: dict[str, Case] = {
    "/nested-div-100k": page(lambda: nested("div", 100_000, "deep"), "100 000 nested div", ("page", "failed")),
    "/nested-table-2k": page(lambda: nested("table><tr><td", 2000, "deep"), "2 000 nested tables", ("page", "failed")),
    "/links-200k": page(
        lambda: text_page("".join(f'<a href="/none/{n}">{n}</a> ' for n in range(200_000))),
        "200 000 links",
        ("page", "truncated"),
    ),
    "/br-200k": page(lambda: text_page("word<br>" * 200_000), "200 000 br elements"),
    "/attributes-1m": page(
        lambda: text_page("<p " + "a=1 " * 1_000_000 + ">x</p>"), "a million attributes", ("page", "failed")
    ),
    "/attribute-5mb": page(lambda: text_page(f'<p title="{"x" * 5 * MEGABYTE}">x</p>'), "an attribute of 5 MB"),
    "/one-line-12mb": page(lambda: text_page("word " * (12 * MEGABYTE // 5)), "a line of 12 MB", ("page", "truncated")),
    "/cjk-run-12mb": page(lambda: text_page("星" * (4 * MEGABYTE)), "12 MB of Chinese without a space", ("page", "truncated")),
    "/unclosed": page(lambda: text_page("<p><b><i><table><tr><td><ul><li>" * 3000), "nothing is ever closed"),
    "/title-1mb": page(lambda: text_page(title="star " * (MEGABYTE // 5)), "a title of 1 MB"),
    "/title-markup": page(
        lambda: text_page(title="=cmd()\n\u202eevil&lt;script&gt;alert(1)&lt;/script&gt;"), "a title with markup"
    ),
    "/nul-bytes": page(lambda: text_page("a\x00b\x01c\ufffe\x1b[2J"), "NUL and control characters"),
    "/bad-byte": page(lambda: text_page("bad @ byte").replace(b"@", b"\xff"), "a byte that is no UTF-8"),
    "/odd-links": page(lambda: text_page("".join(f'<a href="{href}">x</a>' for href in ODD_HREFS)), "links of every odd form"),
    "/meta-refresh-self": page(
        lambda: text_page('<meta http-equiv="refresh" content="0; url=/meta-refresh-self">'),
        "refreshes itself for ever",
    ),
    "/empty": page(lambda: b"", "no body at all", ("page", "failed", "filtered"), ""),
    "/only-script": page(lambda: wrap("<script>var a = 1;</script>"), "nothing but a script", contains=""),
    "/frameset": page(lambda: b'<frameset><frame src="/empty"></frameset>', "nothing but frames", contains=""),
    "/gzip-bomb": Case(gzipped, ("failed", "truncated"), "300 kB that unpack to 300 MiB"),
    "/binary-as-html": page(
        lambda: b"%PDF-1.4\n" + bytes(range(256)) * 400, "a broken PDF that says it is HTML", ("filtered", "failed"), ""
    ),
    "/html-as-octets": Case(
        lambda: html_reply(text_page(), "application/octet-stream"), ("page", "filtered"), "HTML that says it is binary"
    ),
    "/no-type": Case(lambda: html_reply(text_page(), ""), ("page",), "no Content-Type", MARK_EN),
    "/disposition": Case(
        lambda: html_reply(text_page(), headers=(("Content-Disposition", 'attachment; filename="../../../etc/passwd"'),)),
        ("page", "filtered"),
        "a file name that climbs",
    ),
    "/wrong-charset-gbk-as-utf8": charset("gb18030", "utf-8", "", "GB18030 that the header calls UTF-8"),
    "/wrong-charset-utf8-as-gb2312": charset("utf-8", "", "gb2312", "UTF-8 that the page calls GB2312"),
    "/wrong-charset-meta-against-header": charset("gb18030", "utf-8", "gb18030", "header and page contradict each other"),
    "/no-charset-gbk": charset("gb18030", "", "", "GB18030 that says nothing"),
    "/no-charset-utf8": charset("utf-8", "", "", "UTF-8 that says nothing"),
    "/utf16-bom": charset("utf-16", "", "", "UTF-16 with a byte order mark"),
    "/utf8-bom-as-gbk": charset("utf-8-sig", "gbk", "", "a UTF-8 byte order mark under a GBK label"),
}
