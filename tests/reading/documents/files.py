"""Small documents in each format, made by hand: what is in them is known, and so is how to break them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

PROSE = (
    "A telescope gathers light from a star or a galaxy, and a larger mirror shows what is fainter and farther away.",
    "Astronomers point it at a nebula for hours, because the light of a supernova takes its time to add up.",
    "From the spectrum they learn how fast the galaxy moves, and of what the planets around its stars are made.",
)
ODT = "application/vnd.oasis.opendocument.text"
EPUB = "application/epub+zip"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def zipped(entries: Mapping[str, str | bytes], mimetype: str = "") -> bytes:
    """A ZIP file; `mimetype` is its first entry, not compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        if mimetype:
            package.writestr(zipfile.ZipInfo("mimetype"), mimetype, zipfile.ZIP_STORED)
        for name, content in entries.items():
            package.writestr(name, content)
    return buffer.getvalue()


# PDF (ISO 32000-1): objects, a cross-reference table, a trailer


def pdf(
    pages: Sequence[Sequence[str]] = (("Telescopes", *PROSE),),
    *,
    links: Sequence[str] = (),
    outline: Sequence[str] = (),
    info: Mapping[str, str] | None = None,
    large: str = "",
    encrypted: bool = False,
) -> bytes:
    """Pages of lines in Helvetica, 12 points apart. `links`: annotations over the first lines of the first page;
    `large`: a line in larger letters below those of each page."""
    objects: list[str] = ["", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    kids = []
    for number, lines in enumerate(pages):
        print_large = f" /F1 18 Tf T* ({_literal(large)}) Tj" if large else ""
        drawn = "BT /F1 10 Tf 50 800 Td 12 TL " + " T* ".join(f"({_literal(line)}) Tj" for line in lines) + f"{print_large} ET"
        objects.append(f"<< /Length {len(drawn.encode('cp1252'))} >>\nstream\n{drawn}\nendstream")
        content = len(objects)
        notes = []
        for row, address in enumerate(links if number == 0 else ()):
            box = f"50 {798 - 12 * row} 540 {809 - 12 * row}"
            action = f"<< /S /URI /URI ({_literal(address)}) >>"
            objects.append(f"<< /Type /Annot /Subtype /Link /Rect [{box}] /A {action} >>")
            notes.append(f"{len(objects)} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
            f" /Contents {content} 0 R /Annots [{' '.join(notes)}] >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects[0] = f"<< /Type /Catalog /Pages 2 0 R{_outline(outline, objects, kids[0]) if outline else ''} >>"
    trailer = ""
    if info:
        objects.append("<< " + " ".join(f"/{key} ({_literal(value)})" for key, value in info.items()) + " >>")
        trailer += f" /Info {len(objects)} 0 R"
    if encrypted:
        lock = f"/O <{'00' * 32}> /U <{'11' * 32}> /P -4"
        objects.append(f"<< /Filter /Standard /V 1 /R 2 /Length 40 {lock} >>")
        trailer += f" /Encrypt {len(objects)} 0 R /ID [<{'22' * 16}> <{'22' * 16}>]"
    return _file(objects, trailer)


def _outline(titles: Sequence[str], objects: list[str], page: str) -> str:
    first = len(objects) + 2
    last = first + len(titles) - 1
    objects.append(f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(titles)} >>")
    root = len(objects)
    for number, title in enumerate(titles):
        after = f" /Next {first + number + 1} 0 R" if number < len(titles) - 1 else ""
        objects.append(f"<< /Title ({_literal(title)}) /Parent {root} 0 R /Dest [{page} /Fit]{after} >>")
    return f" /Outlines {root} 0 R"


def _literal(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _file(objects: Sequence[str], trailer: str) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("cp1252")
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R{trailer} >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


# DOCX (ECMA-376), OpenDocument, EPUB


def paragraph(text: str, style: str = "", *, level: int | None = None, link: str = "") -> str:
    """A paragraph of WordprocessingML. `level` makes it a list item; `link` is the id of a relationship."""
    numbered = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>' if level is not None else ""
    properties = f"<w:pPr>{f'<w:pStyle w:val={style!r}/>' if style else ''}{numbered}</w:pPr>".replace("'", '"')
    run = f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'
    return f"<w:p>{properties}{f'<w:hyperlink r:id={link!r}>{run}</w:hyperlink>' if link else run}</w:p>".replace("'", '"')


def docx(body: str = "", links: Sequence[str] = ()) -> bytes:
    """`body`: of the main part; `links`: targets of rId1, rId2 …."""
    body = body or paragraph("Telescopes", "T1") + "".join(map(paragraph, PROSE))
    names = {"T1": "heading 1", "C1": "HTML Preformatted", "TT": "Title"}
    named = "".join(f'<w:style w:styleId="{key}"><w:name w:val="{name}"/></w:style>' for key, name in names.items())
    kind = 'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" TargetMode="External"'
    targets = "".join(f'<Relationship Id="rId{n}" {kind} Target="{escape(link)}"/>' for n, link in enumerate(links, 1))
    core = (
        "<dc:title>On telescopes</dc:title><dc:creator>A. Astronomer</dc:creator>"
        "<dcterms:created>2024-05-01T10:00:00Z</dcterms:created><dcterms:modified>2024-06-02T10:00:00Z</dcterms:modified>"
    )
    spaces = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f"<w:document {W} {R}><w:body>{body}</w:body></w:document>",
            "word/styles.xml": f"<w:styles {W}>{named}</w:styles>",
            "word/_rels/document.xml.rels": f"<Relationships>{targets}</Relationships>",
            "docProps/core.xml": f"<cp:coreProperties xmlns:cp='x' {spaces}>{core}</cp:coreProperties>",
        }
    )


def odt(body: str = "", *, manifest: str = "") -> bytes:
    """`body`: of office:text."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table", "style", "meta")
    )
    spaces += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    body = body or '<text:h text:outline-level="1">Telescopes</text:h>' + "".join(f"<text:p>{text}</text:p>" for text in PROSE)
    facts = (
        "<dc:title>On telescopes</dc:title><meta:initial-creator>A. Astronomer</meta:initial-creator>"
        "<meta:creation-date>2024-05-01T10:00:00</meta:creation-date><dc:date>2024-06-02T10:00:00</dc:date>"
    )
    return zipped(
        {
            "content.xml": f"<office:document-content {spaces}><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "meta.xml": f"<office:document-meta {spaces}><office:meta>{facts}</office:meta></office:document-meta>",
            "META-INF/manifest.xml": manifest or "<manifest/>",
        },
        ODT,
    )


def epub(chapters: Sequence[str] = (), *, encryption: str = "") -> bytes:
    """`chapters`: bodies of XHTML, in reading order; the manifest lists them the other way round."""
    chapters = chapters or [f"<h1>Telescopes</h1>{''.join(f'<p>{text}</p>' for text in PROSE)}"]
    items = [f'<item id="c{n}" href="text/c%20{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))]
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    facts = (
        "<dc:title>On telescopes</dc:title><dc:creator>A. Astronomer</dc:creator><dc:language>en</dc:language>"
        '<dc:date>2024-05-01</dc:date><meta property="dcterms:modified">2024-06-02T00:00:00Z</meta>'
        "<dc:rights>https://creativecommons.org/licenses/by/4.0/</dc:rights>"
    )
    head = f'<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>{facts}</metadata>'
    entries = {
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": f"{head}<manifest>{''.join(reversed(items))}</manifest><spine>{spine}</spine></package>",
    }
    for number, chapter in enumerate(chapters):
        entries[f"OEBPS/text/c {number}.xhtml"] = f"<html><head><title>c</title></head><body>{chapter}</body></html>"
    if encryption:
        entries["META-INF/encryption.xml"] = (
            f'<encryption><EncryptedData><CipherData><CipherReference URI="{encryption}"/></CipherData></EncryptedData>'
            "</encryption>"
        )
    return zipped(entries, EPUB)
