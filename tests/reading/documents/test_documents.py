from __future__ import annotations

import pytest

from focuscrawl.reading.content import ArchivedResponse, read_content
from focuscrawl.reading.documents.document import day
from focuscrawl.reading.documents.reading import read_document
from focuscrawl.reading.page import read_page
from focuscrawl.text.blocks import Block, blocks_of
from focuscrawl.text.extract import MAX_TEXT
from tests.reading.documents import files
from tests.reading.documents.files import PROSE, docx, epub, odt, paragraph, pdf

URL = "http://a.example/doc"


@pytest.mark.parametrize("form", ["pdf", "docx", "odt", "epub"])
def test_text_headings_and_facts(form: str) -> None:
    facts = {
        "Title": "On telescopes",
        "Author": "A. Astronomer",
        "CreationDate": "D:20240501100000+02'00'",
        "ModDate": "D:20240602",
    }
    body = pdf(outline=["Telescopes"], info=facts) if form == "pdf" else getattr(files, form)()
    found = read_document(body, form)
    assert found.blocks[0] == Block("heading", "Telescopes", 1)
    assert " ".join(block.text for block in found.blocks[1:]) == " ".join(PROSE)
    assert (found.title, found.author) == ("On telescopes", "A. Astronomer")
    assert (found.published, found.modified) == ("2024-05-01", "2024-06-02")


# PDF


def test_links_of_a_pdf_are_annotations_and_what_is_written() -> None:
    body = pdf(
        [["The observatory", f"{PROSE[0]}", "See https://b.example/galaxy (and more)."]], links=["http://c.example/x?a=1"]
    )
    found = read_document(body, "pdf").references
    assert [(link.url, link.anchor) for link in found] == [
        ("http://c.example/x?a=1", "The observatory"),
        ("https://b.example/galaxy", ""),
    ]
    assert "and more" in found[1].context


def test_short_lines_end_paragraphs_and_items_begin() -> None:
    lines = [PROSE[0], "The end.", PROSE[1], "- first thing", "2) second thing"]
    assert [(block.kind, block.text) for block in read_document(pdf([lines]), "pdf").blocks] == [
        ("paragraph", f"{PROSE[0]} The end."),
        ("paragraph", PROSE[1]),
        ("item", "first thing"),
        ("item", "second thing"),
    ]


def test_running_titles_and_page_numbers_are_left_out() -> None:
    names = ["Vega", "Deneb", "Altair", "Sirius", "Rigel"]
    pages = [
        [f"Journal of Stars, page {number}", f"{name}: {PROSE[0]}", PROSE[1], f"{name}.", str(number)]
        for number, name in enumerate(names)
    ]
    text = "\n".join(block.text for block in read_document(pdf(pages), "pdf").blocks)
    assert "Journal" not in text
    assert text.count(PROSE[0]) == text.count(PROSE[1]) == 5
    assert all(f"{name}." in text for name in names)


def test_a_table_of_contents_is_left_out() -> None:
    lines = ["1 Introduction . . . . . . . . . . . . . 1", "2 Lenses ........................ iv", PROSE[0]]
    assert [block.text for block in read_document(pdf([lines]), "pdf").blocks] == [PROSE[0]]


def test_a_pdf_has_the_title_of_its_first_line_where_a_tool_named_it() -> None:
    assert read_document(pdf(info={"Title": "Microsoft Word - draft7.doc"}), "pdf").title == "Telescopes"


def test_else_it_has_the_title_that_is_printed_largest() -> None:
    assert read_document(pdf(large="The Life of Stars"), "pdf").title == "The Life of Stars"
    assert read_document(pdf(large="The Life of Stars", info={"Title": "Stars"}), "pdf").title == "Stars"
    assert read_document(pdf(large="*"), "pdf").title == "Telescopes"


def test_a_pdf_without_text_is_a_page_without_text() -> None:
    reading = read_page(pdf([[]]), "application/pdf", URL)
    assert (reading.error, reading.text, reading.note) == ("", "", "no-text")


def test_text_is_read_as_far_as_of_a_page() -> None:
    blocks = read_document(pdf([[*PROSE * 20]] * 60), "pdf").blocks
    assert 0.9 * MAX_TEXT < sum(len(block.text) for block in blocks) <= MAX_TEXT


# DOCX and ODT


def test_docx_lists_tables_code_and_links() -> None:
    cell = "<w:tc>{}</w:tc>".format
    row = "<w:tr>" + cell(paragraph("lens")) + cell(paragraph("mirror")) + "</w:tr>"
    body = (
        paragraph("On light", "TT")
        + paragraph("gather", level=0)
        + paragraph("focus", level=1)
        + paragraph("x = 1", "C1")
        + paragraph("y = 2", "C1")
        + f"<w:tbl>{row}{row}</w:tbl>"
        + paragraph("the observatory", link="rId1")
        + "<w:sdt><w:sdtContent>" + paragraph("in a control") + "</w:sdtContent></w:sdt>"
        + "<w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        '<w:r><w:instrText>HYPERLINK "http://d.example/"</w:instrText></w:r><w:r><w:t>a field</w:t></w:r></w:p>'
    )  # fmt: skip
    found = read_document(docx(body, ["http://c.example/?a=1&b=2"]), "docx")
    assert [(block.kind, block.text, block.level) for block in found.blocks] == [
        ("heading", "On light", 1),
        ("item", "gather", 0),
        ("item", "focus", 1),
        ("code", "x = 1\ny = 2", 0),
        ("table", "lens\tmirror\nlens\tmirror", 0),
        ("paragraph", "the observatory", 0),
        ("paragraph", "in a control", 0),
        ("paragraph", "a field", 0),
    ]
    assert [(link.url, link.anchor) for link in found.references] == [
        ("http://c.example/?a=1&b=2", "the observatory"),
        ("http://d.example/", ""),
    ]


def test_odt_lists_tables_code_and_links() -> None:
    body = (
        '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:section><text:p text:style-name="Title">On'
        " light</text:p></text:section><text:list><text:list-item><text:p>gather</text:p><text:list><text:list-item>"
        "<text:p>focus</text:p></text:list-item></text:list></text:list-item></text:list>"
        '<text:p text:style-name="Preformatted_20_Text">if x:</text:p>'
        '<text:p text:style-name="Preformatted_20_Text"><text:s text:c="4"/>y()</text:p>'
        "<table:table><table:table-row><table:table-cell><text:p>lens</text:p></table:table-cell><table:table-cell>"
        "<text:p>mirror</text:p></table:table-cell></table:table-row></table:table>"
        '<text:p>See <text:a xlink:href="http://c.example/">the <text:span>observatory</text:span></text:a> now.</text:p>'
    )
    found = read_document(odt(body), "odt")
    assert [(block.kind, block.text, block.level) for block in found.blocks] == [
        ("heading", "On light", 1),
        ("item", "gather", 0),
        ("item", "focus", 1),
        ("code", "if x:\n    y()", 0),
        ("table", "lens\tmirror", 0),
        ("paragraph", "See the observatory now.", 0),
    ]
    assert [(link.url, link.anchor, link.context) for link in found.references] == [
        ("http://c.example/", "the observatory", "See the observatory now.")
    ]


# EPUB, Markdown, plain text


def test_chapters_of_a_book_are_in_reading_order() -> None:
    chapters = [
        "<h2>One</h2><p>first</p><p><a href='c%201.xhtml'>next</a></p>",
        "<p>last <a href='http://c.example/'>more</a></p>",
    ]
    found = read_document(epub(chapters), "epub")
    assert [block.text for block in found.blocks] == ["One", "first", "next", "last more"]
    assert [link.url for link in found.references] == ["http://c.example/"]


def test_a_book_with_locked_fonts_is_read_and_one_with_locked_chapters_is_not() -> None:
    assert read_document(epub(encryption="OEBPS/font.otf"), "epub").blocks
    assert read_page(epub(encryption="OEBPS/text/c%200.xhtml"), "", URL).error == "encrypted"


def test_markdown_is_read_as_rendered() -> None:
    text = (
        "---\ntitle: 'On light'\nauthor: A. Astronomer\ndate: 2024-05-01\n---\n"
        "# Light\n\nIt *bends* [here](/lens).\n\n- one\n  - two\n"
        "\n```python\nx = 1\n```\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    found = read_document(text.encode(), "markdown", "text/markdown")
    assert (found.title, found.author, found.published) == ("On light", "A. Astronomer", "2024-05-01")
    assert [(block.kind, block.text, block.level) for block in found.blocks] == [
        ("heading", "Light", 1),
        ("paragraph", "It bends here.", 0),
        ("item", "one", 0),
        ("item", "two", 1),
        ("code", "x = 1", 0),
        ("quote", "said", 0),
        ("table", "a\tb\n1\t2", 0),
    ]
    assert [(link.url, link.anchor) for link in found.references] == [("/lens", "here")]


def test_plain_text_has_paragraphs_and_code() -> None:
    text = "标题\n\n" + "wrapped lines of words\n" * 3 + "\n" + "a\n  long line of a listing that is long\nb\n"
    found = read_document(text.encode("gbk"), "text", "text/plain; charset=gbk")
    assert [block.kind for block in found.blocks] == ["paragraph", "paragraph", "code"]
    assert (found.title, found.blocks[1].text) == ("标题", " ".join(["wrapped lines of words"] * 3))


def test_without_a_title_the_first_heading_is_one() -> None:
    entries = {"word/document.xml": f"<w:document {files.W}><w:body>{paragraph('By me')}{{}}</w:body></w:document>"}
    styled = files.zipped(
        {
            "word/document.xml": entries["word/document.xml"].replace("{}", paragraph("Lenses", "H1")),
            "word/styles.xml": f'<w:styles {files.W}><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>',
        }
    )
    assert read_document(styled, "docx").title == "Lenses"
    assert (
        read_document(files.zipped({"word/document.xml": entries["word/document.xml"].replace("{}", "")}), "docx").title
        == "By me"
    )


# what becomes of them


def test_a_document_is_read_as_a_page() -> None:
    reading = read_page(pdf(links=["/galaxies.html", "mailto:a@b.example", "http://a.example/doc#2"]), "", URL)
    assert (reading.document, reading.kind, reading.language, reading.error) == ("pdf", "content", "en", "")
    assert [(link.url, link.in_site) for link in reading.links] == [("http://a.example/galaxies.html", True)]
    assert (reading.links_bad, reading.summary[:20]) == (0, "A telescope gathers ")


def test_a_document_is_read_whole() -> None:
    header = ("X-Robots-Tag", "noai")
    content = read_content(epub(), ArchivedResponse(URL, files.EPUB, (header,), fetched_at=1_800_000_000.0))
    assert (content.extractor, content.author, content.published) == ("epub", "A. Astronomer", "2024-05-01")
    assert (content.language, content.licence, content.reserved) == ("en", "CC-BY-4.0", ("noai",))
    assert [block.kind for block in blocks_of(content.text, content.outline)] == ["heading", *["paragraph"] * 3]
    assert content.words > 40
    assert read_content(epub(), ArchivedResponse(URL, files.EPUB, fetched_at=0.1)).published == ""


def test_an_unreadable_document_has_no_content_but_its_headers() -> None:
    headers = (("X-Robots-Tag", "noai"), ("Link", "</book.html>; rel=canonical"))
    content = read_content(pdf(encrypted=True), ArchivedResponse(URL, "", headers, "en"))
    assert (content.text, content.language, content.reserved) == ("", "en", ("noai",))
    assert content.canonical == "http://a.example/book.html"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01T10:00:00Z", "2024-05-01"),
        ("D:20240501120000+02'00'", "2024-05-01"),
        ("2024", "2024"),
        ("2024-05", "2024-05"),
        ("2024-13-01", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_day(text: str, expected: str) -> None:
    assert day(text) == expected


def test_empty_elements_of_a_chapter_hold_nothing() -> None:
    chapter = (
        '<a id="p1"/><h1>Chapter 1<br/>The beginning</h1><p>First.</p><span class="page"/><p>Roses are red,<br/>violets.</p>'
    )
    found = read_document(epub([f"<script/>{chapter}"]), "epub").blocks
    assert [(block.kind, block.text) for block in found] == [
        ("heading", "Chapter 1 The beginning"), ("paragraph", "First."), ("paragraph", "Roses are red, violets."),
    ]  # fmt: skip
