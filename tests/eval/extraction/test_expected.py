"""The exam of main text on real pages that others have marked, on pages of our own."""

from __future__ import annotations

from pathlib import Path

from tools.eval.extraction.expected import READERS, pages, score, table

TEXT = "A focused crawler fetches pages about its topic and leaves the others alone, as far as it can tell. " * 8


def _page(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir()
    source = f"<html><body><nav><a href='/'>Home</a></nav><main><p>{text}</p></main></body></html>"
    (folder / name / "source.html").write_text(source, encoding="utf-8")
    (folder / name / "expected.html").write_text(f"<div><p>{text}</p></div>", encoding="utf-8")


def test_pages_with_a_long_text_are_compared(tmp_path: Path) -> None:
    _page(tmp_path, "long", TEXT)
    _page(tmp_path, "short", "Two words.")
    (tmp_path / "other").mkdir()
    (found,) = pages(tmp_path)
    assert (found.name, found.truth.split()) == ("long", TEXT.split())
    assert score(READERS["kept"](found.html), found.truth) == (1.0, 1.0, 1.0)
    assert score("", found.truth) == (0.0, 0.0, 0.0)


def test_means_come_after_each_page_the_worst_first() -> None:
    scores = {
        "good": dict.fromkeys(READERS, (1.0, 1.0, 1.0)),
        "bad": dict.fromkeys(READERS, (0.5, 0.25, 1 / 3)),
    }
    lines = table(scores, each=True)
    assert [line.split(" | ")[0] for line in lines[2:4]] == ["| bad", "| good"]
    assert lines[4].startswith("| mean of 2 pages: precision, recall, F1 | 0.750 0.625 0.667 |")
    assert lines[5].startswith("| pages that lose half of their text | 1 |")
    assert len(table(scores, each=False)) == 4
