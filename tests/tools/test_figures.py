"""The record of headline figures, and what the docs quote of it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.figures import __main__ as command
from tools.figures.crawls import Skipped
from tools.figures.parts import PARTS
from tools.figures.record import (
    QUOTE,
    ROOT,
    TABLE,
    Figure,
    documents,
    fill,
    filled,
    load,
    machine,
    measured,
    quoted,
    save,
    spread,
    table,
)
from tools.figures.synthetic_web import excerpt

RECORD = load()
DOCUMENTS = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in documents()}


@pytest.mark.parametrize("name", [name for name, text in DOCUMENTS.items() if QUOTE.search(text)])
def test_what_the_docs_quote_is_what_was_measured(name: str) -> None:
    for _, key, shown, _ in QUOTE.findall(DOCUMENTS[name]):
        assert key in {TABLE, *RECORD}, (
            f"{name} quotes {key}, which was never measured: make figures PARTS={key.partition('.')[0]}"
        )
        assert shown == quoted(key, RECORD), f"{name} quotes another {key} than was measured; python -m tools.figures --fill"


def test_the_places_that_show_a_demo_or_the_table_quote_them() -> None:
    assert f"<!--={TABLE}-->" in DOCUMENTS["docs/measured.md"]
    for name in ("README.md", "README.zh.md"):
        without = QUOTE.sub("", DOCUMENTS[name])
        assert "demo.printed" in DOCUMENTS[name]
        assert not re.search(r"\d+ of \d+|harvest rate +\d", without), f"{name} has a figure of the demo outside of the marks"


def test_every_mark_has_its_end() -> None:
    for name, text in DOCUMENTS.items():
        assert len(re.findall(r"<!--=", text)) == text.count("<!--/-->") == len(QUOTE.findall(text)), name


def test_every_figure_says_how_when_and_where() -> None:
    assert RECORD
    for figure in RECORD.values():
        assert figure.part in PARTS
        assert figure.value
        assert figure.command
        assert re.fullmatch(r"[0-9a-f]{7}\+?", figure.commit)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", figure.date)
        assert re.match(r"\d+ cores, ", figure.machine)


OLD = {
    "demo.a": Figure("demo.a", "a", "1", "make", "0000000", "2026-01-01", "2 cores, x"),
    "demo.b": Figure("demo.b", "b", "2", "make", "0000000", "2026-01-01", "2 cores, x"),
    "harvest.c": Figure("harvest.c", "c", "3", "make", "0000000", "2026-01-01", "2 cores, x"),
}


def test_a_part_replaces_its_own_figures_and_no_others(tmp_path: Path) -> None:
    new = measured(OLD, "demo", [Figure("demo.a", "a", "7"), Figure("demo.d", "", "one\ntwo")], ["demo", "harvest"])
    assert [(key, figure.value) for key, figure in new.items()] == [("demo.a", "7"), ("demo.d", "one\ntwo"), ("harvest.c", "3")]
    assert new["harvest.c"].commit == "0000000"
    save(new, tmp_path / "figures.json")
    assert load(tmp_path / "figures.json") == new
    assert "one" not in table(new), "a text is no row of the table"


def test_documents_follow_the_record(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    text = "kept <!--=demo.a-->89 %<!--/--> and <!--=table-->\nold\n<!--/-->."
    (tmp_path / "docs/measured.md").write_text(text, "utf-8")
    (tmp_path / "README.md").write_text("nothing", "utf-8")
    assert fill(OLD, tmp_path) == [tmp_path / "docs/measured.md"]
    after = (tmp_path / "docs/measured.md").read_text("utf-8")
    assert after == f"kept <!--=demo.a-->1<!--/--> and <!--=table-->\n\n{table(OLD)}\n\n<!--/-->."
    assert fill(OLD, tmp_path) == []


def test_what_was_never_measured_cannot_be_quoted() -> None:
    with pytest.raises(KeyError):
        filled("<!--=demo.z-->1<!--/-->", OLD)


def test_runs_that_differ_are_told_with_their_range() -> None:
    assert spread([0.63, 0.65, 0.64], "{:.2f}") == "0.64 (0.63 to 0.65)"
    assert spread([88.2, 87.9], "{:.0f}", " %") == "88 %"


def test_the_machine_is_named() -> None:
    assert re.match(r"\d+ cores, \S", machine())


def test_the_lines_of_a_demo_that_say_most() -> None:
    printed = "\n".join([
        "Crawl demo", "stopped because  300 pages", "relevant         187", "Go on: of the next", "Top hosts", "a.test 1 2",
        "Compared with the truth", "  relevant articles found     107 of 223 (48%)", "  kept twice                  1",
    ])  # fmt: skip
    assert excerpt(printed) == (
        "\n    Crawl demo\n    stopped because  300 pages\n    relevant         187\n    ...\n    Go on: of the next\n    ...\n"
        "    Report: crawls/demo/report.html\n\n    Compared with the truth\n"
        "      relevant articles found     107 of 223 (48%)\n"
    )


def test_a_part_that_fails_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> Iterator[Figure]:
        raise subprocess.CalledProcessError(1, ["bench"], stderr="no such table")
        yield

    def skipped() -> Iterator[Figure]:
        raise Skipped("no recorded webs")
        yield

    kept = tmp_path / "figures.json"
    monkeypatch.setattr(command, "PARTS", {"a": broken, "b": skipped, "c": lambda: iter([Figure("c.x", "x", "7", "make")])})
    monkeypatch.setattr(command, "load", lambda: dict[str, Figure]())
    monkeypatch.setattr(command, "commit", lambda: "0000000")
    monkeypatch.setattr(command, "save", lambda record: save(record, kept))
    monkeypatch.setattr(command, "fill", lambda record: list[Path]())
    assert command.main([]) == 1
    said = capsys.readouterr().err
    assert "no such table" in said
    assert "b: skipped: no recorded webs" in said
    assert load(kept)["c.x"].value == "7"
    assert (load(kept)["c.x"].commit, load(kept)["c.x"].machine) == ("0000000", machine())


def test_a_part_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["demo,nonsense"]) == 2
    assert "there is no part 'nonsense'" in capsys.readouterr().err
    assert command.main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(PARTS)
