from __future__ import annotations

import pytest

from focuscrawl.crawl.page_reading import is_readable
from focuscrawl.reading.documents.formats import format_of
from tests.reading.documents import files

HTML = b"<!doctype html><title>t</title><p>text</p>"


@pytest.mark.parametrize("label", ["", "application/octet-stream", "text/html; charset=utf-8", "application/msword"])
@pytest.mark.parametrize("form", ["pdf", "docx", "odt", "epub"])
def test_a_document_is_what_its_bytes_say(form: str, label: str) -> None:
    assert format_of(getattr(files, form)(), label, "http://a.example/x.html") == form


@pytest.mark.parametrize(
    ("body", "label", "url", "expected"),
    [
        (HTML, "application/pdf", "http://a.example/x.pdf", ""),
        (b"\n\n%PDF-1.7\n", "", "", "pdf"),
        (b"<p>%PDF-1.7 is how it begins", "text/html", "", ""),
        (files.zipped({"x.txt": "x"}), "application/epub+zip", "", ""),
        (files.zipped({"x": "x"}, "application/vnd.oasis.opendocument.text-template"), "", "", ""),
        (files.zipped({"x": "x"}, "application/vnd.oasis.opendocument.spreadsheet"), "", "", ""),
        (files.zipped({"META-INF/container.xml": "", "mimetype": files.EPUB}), "", "", "epub"),
        (b"# Title", "text/markdown; charset=utf-8", "http://a.example/", "markdown"),
        (b"# Title", "text/plain", "http://a.example/README.md?raw=1", "markdown"),
        (b"words", "text/plain; charset=gbk", "http://a.example/x.txt", "text"),
        (b"", "application/pdf", "http://a.example/x.pdf", ""),
    ],
)
def test_format(body: bytes, label: str, url: str, expected: str) -> None:
    assert format_of(body, label, url) == expected


@pytest.mark.parametrize(
    ("body", "label", "documents", "readable"),
    [
        (files.pdf(), "application/pdf", ("pdf",), True),
        (files.pdf(), "text/html", ("docx",), False),
        (files.pdf(), "application/pdf", (), False),
        (HTML, "application/pdf", ("pdf",), True),
        (b"PK\3\4 something else", "application/pdf", ("pdf",), False),
        (b"\x89PNG\r\n\0", "application/pdf", ("pdf",), False),
        (b"not at all", "application/pdf", ("pdf",), False),
        (b"<title>stars</title>", "application/octet-stream", (), True),
        (b"\n<!-- made by hand --><p>stars", "application/octet-stream; charset=x", (), True),
        (b"<div>stars", "application/javascript", (), False),
        (b"stars", "application/octet-stream", (), False),
        (b"stars", "", (), True),
        (b"\x89PNG\r\n\0", "application/octet-stream", (), False),
    ],
)
def test_what_lies_about_its_type_is_read_as_what_it_is_or_refused(
    body: bytes, label: str, documents: tuple[str, ...], readable: bool
) -> None:
    assert is_readable(label, body, documents) is readable


@pytest.mark.parametrize(
    ("body", "label"),
    [
        (b"TY  - JOUR\r\nTI  - Stars", "text/html"),
        (b"\n@article{stars2024,\n title={Stars}}", "text/plain; charset=utf-8"),
        (b"\xef\xbb\xbf%0 Journal Article\n%T Stars", "text/plain"),
        (b"RT Journal\r\nSR 1\r\nT1 Stars", "text/plain"),
        (b"BEGIN:VCALENDAR\r\nVERSION:2.0", "text/html"),
        (b"name,year\nStars,2024", "text/csv"),
        (b"<?xml version='1.0'?><rss version='2.0'><channel>", "text/xml"),
    ],
)
def test_texts_for_programs_are_no_pages(body: bytes, label: str) -> None:
    """A journal's references were kept as relevant pages, one for each paper."""
    assert not is_readable(label, body)


@pytest.mark.parametrize(
    ("body", "label", "documents", "readable"),
    [
        (b"stars", "text/plain", ("pdf",), False),
        (b"stars", "text/html", ("pdf",), False),
        (b"stars", "text/plain", ("txt",), True),
        (b"# stars", "text/markdown", (), True),
        (HTML, "text/html", (), True),
        (files.pdf(), "application/pdf", ("pdf",), True),
    ],
)
def test_what_browsers_are_told_to_save_is_a_page_only_as_html_or_a_document(
    body: bytes, label: str, documents: tuple[str, ...], readable: bool
) -> None:
    assert is_readable(label, body, documents, 'Attachment; filename="a.txt"') is readable


def test_pages_about_references_are_read() -> None:
    assert is_readable("text/html", b"<!doctype html><pre>TY  - JOUR</pre>")
    assert is_readable("text/plain", b"@alice: what is a star?")


@pytest.mark.parametrize("label", ["none", "text", "charset=utf-8"])
def test_what_is_no_media_type_counts_as_none(label: str) -> None:
    assert is_readable(label, b"<div>Telescopes</div>")
    assert not is_readable(label, b"\x89PNG")
    assert not is_readable("image/png", b"<div>Telescopes</div>")
