"""The table of the WHATWG's MIME Sniffing Standard, section 7.1, and what lies beside it."""

from __future__ import annotations

import pytest

from focuscrawl.text.sniff import is_binary, is_html, media_type

TAGS = [
    "!DOCTYPE HTML", "HTML", "HEAD", "SCRIPT", "IFRAME", "H1", "DIV", "FONT", "TABLE", "A", "STYLE", "TITLE", "B", "BODY", "BR",
    "P", "!--",
]  # fmt: skip


@pytest.mark.parametrize("tag", TAGS)
def test_each_pattern_of_the_standard(tag: str) -> None:
    for text in (f"<{tag}>", f"<{tag.lower()} x", f"\n\t \r\f<{tag}>"):
        assert is_html(text.encode())
    for text in (f"<{tag}", f"<{tag}x>", f"x<{tag}>", f"<{tag}\n"):
        assert not is_html(text.encode())


def test_marks_and_xhtml() -> None:
    assert is_html(b"\xef\xbb\xbf<html>")
    assert is_html(b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">\n<html xmlns="x">')
    assert not is_html(b'<?xml version="1.0"?><rss><channel>')
    assert not is_html(b'<?xml version="1.0"?>' + b" " * 2000 + b"<html>")
    assert not is_html(b"")


@pytest.mark.parametrize("start", [b"\x89PNG\r\n\x1a\n", b"GIF89a\x00", b"PK\x03\x04", b"\x1f\x8b\x08", b"a\x0bb"])
def test_binary(start: bytes) -> None:
    assert is_binary(start)


@pytest.mark.parametrize(
    "text", ["望远镜".encode("gb18030"), "望遠鏡".encode("big5"), "望遠鏡".encode("iso-2022-jp"), b"\t\n\f\r\x1b x"]
)
def test_text_is_not_binary(text: bytes) -> None:
    assert not is_binary(text)
    assert not is_binary(text + b" " * 1445 + b"\0")


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("text/html", "text/html"),
        (" Text/HTML ; charset=utf-8", "text/html"),
        ("application/rss+xml;charset=x;y", "application/rss+xml"),
        ("; charset=utf-8", ""),
        ("", ""),
    ],
)
def test_media_type_has_neither_parameters_nor_capitals(label: str, expected: str) -> None:
    assert media_type(label) == expected
