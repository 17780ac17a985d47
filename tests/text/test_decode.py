from __future__ import annotations

import codecs
import gzip
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.text.decode import decode
from tests.linear_time import linear

SIMPLIFIED = (
    "主题爬虫只下载与主题有关的网页，它从几个种子开始，根据链接的文字和上下文判断哪些页面值得先去看。"
    "我们在这里说明它的工作方法。"
)
TRADITIONAL = (
    "主題爬蟲只下載與主題有關的網頁，它從幾個種子開始，根據連結的文字和上下文判斷哪些頁面值得先去看。"
    "我們在這裡說明它的工作方法。"
)
LABELS = ("", "utf-8", "gb2312", "gbk", "big5", "iso-8859-1", "windows-1252", "shift_jis", "no-such-charset")
BODIES = {
    "gbk": (SIMPLIFIED, "gbk"), "gb18030": (SIMPLIFIED + "𠮷㐀", "gb18030"), "big5": (TRADITIONAL, "big5"),
    "utf-8": (SIMPLIFIED, "utf-8"), "utf-16-le": (SIMPLIFIED, "utf-16-le"), "utf-16-be": (SIMPLIFIED, "utf-16-be"),
}  # fmt: skip


def html(text: str, label: str) -> str:
    meta = f'<meta charset="{label}">' if label else ""
    return f"<html><head>{meta}<title>{text[:8]}</title></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize("name", BODIES)
def test_intact_whatever_header_and_meta_say(name: str) -> None:
    text, codec = BODIES[name]
    for header, label in product(LABELS, LABELS):
        page = html(text, label)
        content_type = f"text/html; charset={header}" if header else "text/html"
        assert decode(page.encode(codec), content_type).text == page, (header, label)


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_byte_order_mark_beats_header_and_meta(mark: bytes, codec: str) -> None:
    page = html(SIMPLIFIED, "gbk")
    assert decode(mark + page.encode(codec), "text/html; charset=big5").text == page


def test_one_bad_byte_stays_utf8() -> None:
    body = html(SIMPLIFIED, "gbk").encode()
    cut = body.index("只".encode())
    decoded = decode(body[:cut] + b"\xff" + body[cut:], "text/html; charset=gbk")
    assert (decoded.charset, decoded.bad) == ("utf-8", 1)
    assert decoded.text.replace("\ufffd", "") == html(SIMPLIFIED, "gbk")


def test_gbk_cut_in_the_middle_of_a_character() -> None:
    decoded = decode(html(SIMPLIFIED, "gb2312").encode("gbk").partition("方法".encode("gbk"))[0] + b"\xb7")
    assert decoded.charset == "gb18030"
    assert "它的工作" in decoded.text


def test_a_gbk_fragment_in_a_utf8_page_spoils_only_itself() -> None:
    decoded = decode(html(SIMPLIFIED, "").encode() + "<p>广告</p>".encode("gbk"))
    assert decoded.charset == "utf-8"
    assert SIMPLIFIED in decoded.text


@pytest.mark.parametrize(
    ("text", "codec", "content_type", "charset"),
    [
        ("Le café à côté, déjà fermé", "cp1252", "text/html; charset=iso-8859-1", "cp1252"),
        ("Новости и статьи о поисковых роботах", "cp1251", "text/html; charset=windows-1251", "cp1251"),
        ("日本語のページもたまにあります。これはテストです。", "cp932", "text/html; charset=shift_jis", "shift_jis"),
        ("日本語のページもたまにあります。これはテストです。", "euc_jp", "text/html", "euc-jp"),
        ("日本語のページです", "iso2022_jp", "text/html; charset=iso-2022-jp", "iso-2022-jp"),
        ("한국어 페이지도 가끔 있습니다. 이것은 시험입니다.", "cp949", "text/html; charset=euc-kr", "euc-kr"),
        ("plain ascii", "ascii", "text/html; charset=gbk", "utf-8"),
        ("短", "gbk", "text/html; charset=gb2312", "gb18030"),
    ],
)
def test_other_charsets(text: str, codec: str, content_type: str, charset: str) -> None:
    decoded = decode(text.encode(codec), content_type)
    assert (decoded.text, decoded.charset) == (text, charset)
    codecs.lookup(decoded.charset)


def test_a_gzip_file_is_read_as_what_it_holds() -> None:
    packed = gzip.compress("<p>望远镜".encode("gb18030") * 50)
    assert (decode(packed).text, decode(packed).charset) == ("<p>望远镜" * 50, "gb18030")
    assert decode(packed[:-9]).text.startswith("<p>望远镜")


def test_control_characters_go_line_ends_stay() -> None:
    assert decode(b"a\0b\x08c\x7f\td\r\ne\xef\xbf\xbe\xef\xbb\xbf").text == "abc\td\r\ne"


@pytest.mark.parametrize("label", ["utf-7", "hex", "rot13", "idna", "x" * 40, "é"])
def test_labels_that_are_no_web_charset_are_ignored(label: str) -> None:
    assert decode(b"<p>+ADw-script+AD4-</p>", f"text/html; charset={label}").text == "<p>+ADw-script+AD4-</p>"


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(LABELS))
def test_any_bytes_become_text_that_can_be_stored(body: bytes, label: str) -> None:
    decoded = decode(body, f"text/html; charset={label}")
    assert decoded.text.encode().decode() == decoded.text
    assert "\0" not in decoded.text
    codecs.lookup(decoded.charset)


@pytest.mark.parametrize(
    ("xhtml", "text"),
    [
        ('<title/><p id="a"/>', '<title></title><p id="a"></p>'),
        ('<script src="x.js" />a<br/>b<img src="i"/>', '<script src="x.js" ></script>a<br/>b<img src="i"/>'),
        ("<svg:rect title=\"a > b\" x='/'/><colgroup/>", "<svg:rect title=\"a > b\" x='/'></svg:rect><colgroup></colgroup>"),
        ("<a href=http://a.test/ >x</a> 1 </ 2/> <b", "<a href=http://a.test/ >x</a> 1 </ 2/> <b"),
    ],
)
def test_empty_elements_of_xhtml_are_closed(xhtml: str, text: str) -> None:
    assert decode(xhtml.encode(), "Application/XHTML+XML; charset=utf-8").text == text
    assert decode(xhtml.encode(), "text/html").text == xhtml


def test_unclosed_elements_of_xhtml_take_linear_time() -> None:
    with linear():
        for hostile in ('<a b="' * 100_000, "<a /" * 100_000, "<a b='" + "/" * 500_000, "<" * 500_000):
            decode(hostile.encode(), "application/xhtml+xml")
