from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from focuscrawl.commands.export import Command
from focuscrawl.store.location import open_store
from focuscrawl.store.pages.export import WRITERS
from tests import forked
from tests.commands.call import call
from tests.report.sample import PAGES, empty_crawl, sample_crawl

ROOT = Path(__file__).parents[2]


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample_crawl(tmp_path / "crawls" / "search")
    return tmp_path / "crawls"


def test_the_relevant_pages_as_json_lines(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "search") == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [row["url"] for row in rows] == [PAGES[0][0], PAGES[1][0]]


def test_all_pages_as_csv_for_excel(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "search", "--all", "--format", "csv", "--bom") == 0
    text = capfdbinary.readouterr().out.decode("utf-8-sig")
    assert [row["url"] for row in csv.DictReader(io.StringIO(text, newline=""))] == [page[0] for page in PAGES]


def test_pages_that_are_gone_are_exported_only_with_all(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    db = open_store(crawls / "search")
    db.execute("update page set gone=3 where page_id=1")
    db.close()
    assert call(Command(), crawls, "search") == 0
    assert [json.loads(line)["url"] for line in capfdbinary.readouterr().out.splitlines()] == [PAGES[1][0]]
    assert call(Command(), crawls, "search", "--all") == 0
    gone = [json.loads(line)["gone"] for line in capfdbinary.readouterr().out.splitlines()]
    assert gone == [True, False, False, False]


def test_a_file_by_its_ending(crawls: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "pages.parquet"
    pytest.importorskip("pyarrow", reason="pyarrow is an extra")
    assert call(Command(), crawls, "search", "-o", str(target)) == 0
    assert target.read_bytes()[:4] == b"PAR1"
    assert "2 relevant pages of search" in capsys.readouterr().err
    assert not target.with_name("pages.parquet.part").exists()


def test_nothing_to_export_is_said(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty_crawl(crawls / "new").close()
    assert call(Command(), crawls, "new") == 0
    said = capsys.readouterr()
    assert (said.out, "0 relevant pages of new" in said.err) == ("", True)


@pytest.mark.parametrize(
    ("arguments", "piece"),
    [
        (["serch"], "did you mean 'search'?"),
        ([], "an argument is missing"),
        (["search", "more"], "too many arguments"),
        (["search", "--formt", "csv"], "did you mean --format?"),
        (["search", "--format", "xml"], "use one of jsonl, csv, parquet"),
        (["search", "-o", "/nowhere/at/all.csv"], "does not exist"),
        (["search", "-o", "."], "is a directory"),
    ],
)
def test_bad_input_is_one_sentence(crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], piece: str) -> None:
    with pytest.raises(SystemExit) as stop:
        call(Command(), crawls, *arguments)
    said = capsys.readouterr()
    assert stop.value.code == 2
    assert piece in said.err
    assert len(said.err.splitlines()) == 1


def test_a_full_disk_keeps_the_old_file(
    crawls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "pages.jsonl"
    target.write_text("old")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(WRITERS, "jsonl", full)
    assert call(Command(), crawls, "search", "-o", str(target)) == 1
    assert target.read_text() == "old"
    assert "No space left" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


@pytest.mark.system
def test_a_reader_that_leaves_early_sees_no_traceback(crawls: Path) -> None:
    command = [sys.executable, "-m", "scrapy", "export", "search", "--all", "-s", f"CRAWLS_DIR={crawls}"]
    script = f"import subprocess, sys; p = subprocess.Popen({command!r}, stdout=subprocess.PIPE, stderr=sys.stderr); "
    script += "p.stdout.close(); sys.exit(p.wait())"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.system
def test_the_command_line_refuses_without_a_traceback(crawls: Path) -> None:
    done = forked.run("scrapy", "export", "serch", "-s", f"CRAWLS_DIR={crawls}")
    assert done.returncode == 2
    assert done.stderr.startswith("scrapy export: there is no crawl 'serch'")
    assert done.stdout == ""
