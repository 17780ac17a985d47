"""Documents that are no HTML in a whole crawl: fetched, judged, stored and read whole like pages, or counted by one cause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.commands.export import Command as Export
from focuscrawl.frontier.states import State
from tests.commands.call import call
from tests.crawl.run import ASTRONOMY, Run, crawl, lines
from tests.crawl.site import Reply, Site, page
from tests.reading.documents.files import PROSE, docx, epub, odt, paragraph, pdf, zipped

HOSTS = {"main.test": "127.33.0.1"}
PLACES = (
    "/paper.pdf", "/report.docx", "/notes.odt", "/book.epub", "/readme.md", "/notes.txt", "/same.pdf", "/locked.pdf",
    "/cut.pdf", "/bomb.docx", "/liar.pdf", "/page.pdf", "/picture.pdf", "/archive", "/off-topic.pdf",
)  # fmt: skip


def document(body: bytes, label: str = "application/octet-stream") -> Reply:
    return Reply(200, headers=(("Content-Type", label),), data=body)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        answers = running.answers
        answers["main.test/"] = page("home", PLACES)
        answers["main.test/paper.pdf"] = document(pdf(links=[running.url("main.test/found-in-pdf")]), "application/pdf")
        answers["main.test/same.pdf"] = document(pdf(links=[running.url("main.test/found-in-pdf")]), "application/pdf")
        answers["main.test/report.docx"] = document(docx(paragraph(f"Report. {PROSE[0]}", link="rId1"), ["/found-in-docx"]))
        answers["main.test/notes.odt"] = document(odt(f"<text:p>Notes. {PROSE[1]}</text:p>"))
        answers["main.test/book.epub"] = document(epub([f"<h1>Book</h1><p>{PROSE[2]} And the telescope saw a comet.</p>"]))
        answers["main.test/readme.md"] = document(f"# Comets\n\n{PROSE[0]} A comet.".encode(), "text/markdown")
        answers["main.test/locked.pdf"] = document(pdf(encrypted=True), "application/pdf")
        answers["main.test/cut.pdf"] = document(pdf()[:150], "application/pdf")
        answers["main.test/bomb.docx"] = document(zipped({"word/document.xml": b"<a>" + b" " * (20 << 20)}))
        answers["main.test/liar.pdf"] = document(zipped({"x": b"x"}), "application/pdf")
        answers["main.test/page.pdf"] = Reply(
            200, page("a page", ["/found-in-page"]).body, (("Content-Type", "application/pdf"),)
        )
        answers["main.test/picture.pdf"] = document(b"GIF89a\0\0", "image/gif")
        answers["main.test/archive"] = document(zipped({"x": b"x"}), "application/zip")
        answers["main.test/off-topic.pdf"] = document(pdf([["The village baker sells bread in winter."]]), "application/pdf")
        for place in ("found-in-pdf", "found-in-docx", "found-in-page"):
            answers[f"main.test/{place}"] = page(place)
        yield running


@pytest.fixture(scope="module")
def run(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("documents")
    run = crawl(folder, site.url("main.test/"), site.dns, arguments={"name": "main", "keywords": ASTRONOMY})
    assert run.code == 0, run.err
    return run


def test_documents_are_stored_and_judged(run: Run) -> None:
    rows = {url.rpartition("/")[2]: (kind, title, relevant) for url, kind, title, relevant in run.rows(
        "main", "select url, kind, title, relevant from page where status=200")}  # fmt: skip
    assert rows["paper.pdf"] == ("content", "Telescopes", 1)
    assert rows["report.docx"][1:] == rows["notes.odt"][1:] == rows["book.epub"][1:] == ("On telescopes", 1)
    assert rows["readme.md"][1] == "Comets"
    assert rows["off-topic.pdf"][2] == 0
    assert rows["page.pdf"][1] == "a page"


def test_their_links_are_followed_and_copies_are_duplicates(run: Run, site: Site) -> None:
    assert {"/found-in-pdf", "/found-in-docx", "/found-in-page"} <= set(site.paths("main.test"))
    states = sorted(run.state("main", place)[0] for place in ("/paper.pdf", "/same.pdf"))
    assert states == sorted([State.DONE, State.DUP])


@pytest.mark.parametrize(
    ("place", "state", "error"),
    [
        ("/locked.pdf", State.FAILED, "encrypted"),
        ("/cut.pdf", State.FAILED, "document"),
        ("/bomb.docx", State.FAILED, "document"),
        ("/liar.pdf", State.FILTERED, "type"),
        ("/picture.pdf", State.FILTERED, "type"),
        ("/archive", State.FILTERED, "type"),
    ],
)
def test_each_that_cannot_be_read_has_one_cause(run: Run, place: str, state: State, error: str) -> None:
    assert run.state("main", place) == (state, error)


def test_links_to_plain_text_are_refused_unless_asked_for(run: Run, site: Site) -> None:
    assert "/notes.txt" not in site.paths("main.test")


def test_the_summary_names_the_refused_types(run: Run) -> None:
    line = "Not read because of the type: application/pdf (1), application/zip (1), image/gif (1)."
    assert line in " ".join(run.err.split())


def test_they_are_read_whole(run: Run) -> None:
    rows = run.rows(
        "main", "select p.url, c.extractor, c.author, c.published from content c join page p on p.page_id=c.page_id"
    )
    read = {url.rpartition("/")[2]: facts for url, *facts in rows}
    assert read["report.docx"] == ["docx", "A. Astronomer", "2024-05-01"]
    assert read["book.epub"][:2] == ["epub", "A. Astronomer"]


def test_they_are_exported_like_pages(run: Run, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Export(), run.folder, "main", "--min-words", "0") == 0
    rows = {row["url"].rpartition("/")[2]: row for row in lines(capfdbinary.readouterr().out.decode())}
    report = rows["report.docx"]
    assert (report["title"], report["author"], report["language"]) == ("On telescopes", "A. Astronomer", "en")
    assert report["text"].startswith("Report. A telescope gathers")
    assert report["extractor"] == "docx"


def test_off_by_a_setting(site: Site, tmp_path: Path) -> None:
    since = len(site.hits)
    arguments = {"name": "off", "keywords": ASTRONOMY}
    run = crawl(tmp_path, site.url("main.test/"), site.dns, arguments=arguments, extra=("-s", "READING_DOCUMENTS="))
    assert run.code == 0, run.err
    assert not [path for path in site.paths("main.test", since) if path.endswith((".pdf", ".docx", ".odt", ".epub"))]
    assert run.state("off", "/archive") == (State.FILTERED, "type")
