"""Files that are cut, damaged, locked or made to burst: each has one cause, and nothing else happens."""

from __future__ import annotations

import asyncio
import io
import random
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.reading.documents.document import Unreadable
from focuscrawl.reading.documents.package import MAX_UNPACKED
from focuscrawl.reading.documents.reading import read_document
from focuscrawl.reading.page import Reading
from focuscrawl.reading.page_reader import PageReader
from focuscrawl.reading.worker import USUAL, Limits, WorkerProcess
from tests.reading.documents import files
from tests.reading.documents.files import docx, epub, odt, pdf, zipped

URL = "http://a.example/doc"
ZIPPED = {"docx": docx(), "odt": odt(), "epub": epub()}


def cause(body: bytes, form: str) -> str:
    try:
        read_document(body, form)
    except Unreadable as unreadable:
        return unreadable.cause
    return ""


@given(
    st.sampled_from(sorted(ZIPPED)),
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=20),
)
@settings(max_examples=300, deadline=None)
def test_cut_files_and_flipped_bytes(form: str, length: int, flips: list[tuple[int, int]]) -> None:
    body = bytearray(ZIPPED[form])
    for place, value in flips:
        body[place % len(body)] = value
    assert cause(bytes(body[: length or None]), form) in ("", "document", "encrypted")
    assert cause(bytes(body), form) in ("", "document", "encrypted")


@given(st.binary(max_size=300), st.sampled_from(["markdown", "text"]))
def test_any_bytes_are_a_text(body: bytes, form: str) -> None:
    assert cause(body, form) == ""


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(inner, max_size=3).map(lambda parts: f"<div><ul><li>{'</p><p>'.join(parts)}")


@given(st.recursive(st.text(max_size=20), _nested, max_leaves=20))
def test_any_chapter_is_read(chapter: str) -> None:
    assert cause(epub([chapter]), "epub") == ""


def test_deep_chapters_are_read() -> None:
    assert cause(epub(["<div><ul>" * 20_000 + "deep words"]), "epub") == ""
    assert read_document(epub(["<div>" * 2_000 + "deep words"]), "epub").blocks[0].text == "deep words"


@pytest.mark.parametrize(
    ("body", "form"),
    [
        (zipped({"word/document.xml": "<a/>"}), "docx"),
        (zipped({"word/document.xml": "no XML"}), "docx"),
        (zipped({"content.xml": "<a/>"}, files.ODT), "odt"),
        (zipped({"META-INF/container.xml": "<container/>"}, files.EPUB), "epub"),
        (b"PK\3\4", "docx"),
        (pdf()[:200], "pdf"),
        (b"%PDF-1.7", "pdf"),
    ],
)
def test_what_is_not_there(body: bytes, form: str) -> None:
    assert cause(body, form) == "document"


def test_entities_expand_to_nothing() -> None:
    lol = "<!DOCTYPE w [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
    assert (
        cause(zipped({"word/document.xml": f"{lol}<w:document {files.W}><w:body>&b;&f;</w:body></w:document>"}), "docx")
        == "document"
    )


def test_a_zip_bomb_is_not_unpacked() -> None:
    assert cause(zipped({"word/document.xml": b"<a>" + b" " * (MAX_UNPACKED + 1)}), "docx") == "document"
    many = {f"OEBPS/text/c {number}.xhtml": b" " * (15 << 20) for number in range(6)}
    package = zipfile.ZipFile(io.BytesIO(epub([str(number) for number in range(6)])))
    entries = {name: many.get(name, package.read(name)) for name in package.namelist() if name != "mimetype"}
    assert cause(zipped(entries, files.EPUB), "epub") == "document"


def test_more_entries_than_any_book_has() -> None:
    assert cause(zipped({str(number): b"" for number in range(20_001)} | {"word/document.xml": "<a/>"}), "docx") == "document"


def test_locked_files() -> None:
    locked = bytearray(docx())
    with zipfile.ZipFile(io.BytesIO(locked)) as package:
        entry = package.getinfo("word/document.xml")
    directory = locked.rindex(b"PK\1\2", 0, locked.rindex(entry.filename.encode()))
    locked[directory + 8] |= 1
    assert cause(bytes(locked), "docx") == "encrypted"
    assert cause(odt(manifest="<manifest:manifest><manifest:encryption-data/></manifest:manifest>"), "odt") == "encrypted"
    assert cause(pdf(encrypted=True), "pdf") == "encrypted"


def through_worker(bodies: list[bytes], limits: Limits = USUAL) -> list[Reading]:
    async def main() -> list[Reading]:
        worker = WorkerProcess()
        reader = PageReader(worker, limits)
        try:
            return [await reader.read(body, "", URL) for body in bodies]
        finally:
            await worker.close()

    return asyncio.run(main())


@pytest.mark.system
def test_damaged_pdfs_cost_nothing_but_themselves() -> None:
    rng, whole = random.Random(1), pdf(links=["http://c.example/"], outline=["Telescopes"], info={"Title": "t"})
    bodies = []
    for _ in range(150):
        body = bytearray(whole[: rng.randrange(20, len(whole) + 1)])
        for _ in range(rng.randrange(10)):
            body[rng.randrange(8, len(body))] = rng.randrange(256)
        bodies.append(bytes(body))
    readings = through_worker([*bodies, whole])
    assert {reading.error for reading in readings} <= {"", "document", "encrypted"}
    assert (readings[-1].error, readings[-1].title) == ("", "t")
    assert len({reading.error for reading in readings}) > 1


def bomb() -> bytes:
    """A PDF whose page unpacks to a gigabyte of text operators."""
    packer = zlib.compressobj(9)
    line = b"BT /F1 10 Tf 50 800 Td (telescope) Tj ET\n" * 25_000
    packed = b"".join(packer.compress(line) for _ in range(1_000)) + packer.flush()
    whole = pdf([["x"]])
    start, end = whole.index(b"<< /Length"), whole.index(b"endstream")
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\n"
    return whole[:start] + stream + whole[end:]


@pytest.mark.system
@pytest.mark.slow
def test_a_pdf_bomb_ends_its_process_and_the_next_document_is_read() -> None:
    burst, fine = through_worker([bomb(), pdf()], Limits(2.0))
    assert (burst.error, burst.document) == ("document", "pdf")
    assert fine.error == ""
