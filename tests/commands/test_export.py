from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.commands.export import Command
from focuscrawl.commands.frontier import Command as Frontier
from focuscrawl.export.formats import JsonLines
from focuscrawl.store.crawls import open_store
from focuscrawl.store.revisits.change_log import ChangeKind, ObservedChange, log_change
from focuscrawl.url.hosts import uid_of
from tests import forked
from tests.commands.call import call, refused
from tests.patience import PATIENCE
from tests.report.sample import PAGES, change, empty_crawl, hid, sample_crawl
from tests.store.warc.archived import KEPT, archived_crawl

ROOT = Path(__file__).parents[2]


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample_crawl(tmp_path / "crawls" / "search")
    return tmp_path / "crawls"


def test_the_relevant_pages_as_json_lines(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "search") == 0
    said = capfdbinary.readouterr()
    assert [json.loads(line)["url"] for line in said.out.splitlines()] == [PAGES[0][0], PAGES[1][0]]
    assert said.err.decode().splitlines()[:2] == [
        "2 relevant pages of search",
        "left out: 1 duplicate, 1 not relevant; --all writes every page",
    ]


def test_an_export_of_nothing_says_why(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def notes(*options: str) -> list[str]:
        assert call(Command(), crawls, "search", *options) == 0
        return [line for line in capsys.readouterr().err.splitlines() if "read whole" not in line]

    assert notes("--language", "fr")[-1] == "no page was written: left out by --language were en (1), zh (1)"
    assert notes("--since", "last:fr", "--language", "fr") == [
        "0 pages of search: 0 new, 0 changed, 0 gone",
        "left out of what has changed: 2 by --language, 1 duplicate, 1 not relevant; --all writes every page",
        "no page was written: left out by --language were en (1), zh (1)",
    ]
    nothing = "no page was written: nothing has changed since then"
    assert notes("--since", "last:fr", "--language", "fr")[-1] == nothing
    assert notes("--since", "last:fr")[0] == "2 pages of search: 2 new, 0 changed, 0 gone"  # the mark did not pass over them
    assert notes("--since", "last:fr")[-1] == nothing
    empty_crawl(crawls / "search").execute("delete from page")
    assert notes() == ["0 relevant pages of search", "no page was written: no page is stored yet"]


def test_all_pages_as_csv_for_excel(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "search", "--all", "--format", "csv", "--bom") == 0
    text = capfdbinary.readouterr().out.decode("utf-8-sig")
    assert [row["url"] for row in csv.DictReader(io.StringIO(text, newline=""))] == [page[0] for page in PAGES]


def test_lists_of_links_only_when_asked_for(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(crawls / "search", "update page set kind='index' where page_id=1")
    assert call(Command(), crawls, "search", "-o", os.devnull) == 0
    said = capsys.readouterr().err
    assert "1 relevant page" in said
    assert "1 by --kind (lists of links; --kind any keeps them)" in said
    assert call(Command(), crawls, "search", "-o", os.devnull, "--kind", "any") == 0
    assert "2 relevant pages of search" in capsys.readouterr().err
    assert call(Command(), crawls, "search", "-o", os.devnull, "--all") == 0
    assert "4 pages of search" in capsys.readouterr().err


def test_pages_that_are_gone_are_exported_only_with_all(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    change(crawls / "search", "update page set gone=3 where page_id=1")
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


def test_a_compressed_file_by_its_endings(crawls: Path, tmp_path: Path) -> None:
    assert call(Command(), crawls, "search", "-o", str(tmp_path / "p.csv.gz"), "--columns", "url,words") == 0
    lines = gzip.decompress((tmp_path / "p.csv.gz").read_bytes()).decode().splitlines()
    assert lines[0] == "url,words"
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("file", "options", "told"),
    [
        ("p.xlsx", (), True), ("p.csv.bak", (), False),
        ("p.json.gz", (), True), ("p.NDJSON", (), False), ("p", (), False),
        ("p.jsonl.gz", (), False), ("p.txt", ("--format", "jsonl"), False),
    ],
)  # fmt: skip
def test_an_ending_that_names_no_format_is_told(
    crawls: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, options: tuple[str, ...], told: bool
) -> None:
    assert call(Command(), crawls, "search", "-o", str(tmp_path / file), *options) == 0
    assert ("names no format, so JSON lines were written; --format names another" in capsys.readouterr().err) == told


@pytest.mark.parametrize("file", ["p.warc", "p.warc.gz"])
def test_a_warc_file_is_not_written_with_other_content(
    crawls: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str
) -> None:
    assert "lie in its folder, in warc/; a name such as pages.wacz" in refused(
        capsys, Command(), crawls, "search", "-o", str(tmp_path / file)
    )
    assert not (tmp_path / file).exists()


def test_every_format_has_its_place(crawls: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is an extra")
    for form in ("markdown", "dataset"):
        assert call(Command(), crawls, "search", "--format", form, "-o", str(tmp_path / form)) == 0
    assert call(Command(), crawls, "search", "--format", "bulk", "-o", str(tmp_path / "b.ndjson.zst")) == 0
    assert call(Command(), crawls, "search", "-o", str(tmp_path / "p.jsonl"), "--shard-size", "1kB") == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "crawls", "markdown", "dataset", "b.ndjson.zst", "b.mapping.json", "p-00000.jsonl", "p-00001.jsonl",
    }  # fmt: skip
    assert len(list((tmp_path / "markdown").rglob("*.md"))) == 2
    assert "2 web pages" in (tmp_path / "dataset" / "README.md").read_text()


def test_a_web_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archived_crawl(tmp_path / "crawls" / "sky")
    assert call(Command(), tmp_path / "crawls", "sky", "-o", str(tmp_path / "sky.wacz"), "--kind", "any") == 0
    with zipfile.ZipFile(tmp_path / "sky.wacz") as file:
        assert KEPT.encode() in gzip.decompress(file.read("indexes/index.cdx.gz"))
    assert "1 page of sky not read whole yet: `scrapy extract sky --missing` does that" in capsys.readouterr().err


def test_an_archive_that_is_not_there_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archived_crawl(tmp_path / "crawls" / "sky")
    for file in (tmp_path / "crawls" / "sky" / "warc").iterdir():
        file.unlink()
    assert call(Command(), tmp_path / "crawls", "sky", "-o", str(tmp_path / "sky.wacz"), "--kind", "any") == 1
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("scrapy export: no page could be written: 1 page is not whole in ")
    assert [path.name for path in tmp_path.iterdir()] == ["crawls"]


def test_nothing_to_export_is_said(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty_crawl(crawls / "new").close()
    assert call(Command(), crawls, "new") == 0
    said = capsys.readouterr()
    assert (said.out, "0 relevant pages of new" in said.err) == ("", True)


def rows(out: bytes) -> list[tuple[str, str]]:
    return [(row["url"], row["change"]) for row in map(json.loads, out.splitlines())]


def test_what_has_changed_since_the_last_export(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    first, second = PAGES[0][0], PAGES[1][0]
    assert call(Command(), crawls, "search", "--since", "last") == 0
    said = capfdbinary.readouterr()
    assert rows(said.out) == [(first, "new"), (second, "new")]
    assert "2 pages of search: 2 new, 0 changed, 0 gone" in said.err.decode()
    assert call(Command(), crawls, "search", "--since", "last") == 0
    assert rows(capfdbinary.readouterr().out) == []
    db = open_store(crawls / "search")
    now = 4e9  # later than any clock of a test
    log_change(db, now, 1, (hid(first), uid_of(first), 1, first), ObservedChange(ChangeKind.GONE, detail="404"))
    db.execute("update page set gone=2 where page_id=1")
    db.execute("update meta set value=? where key like 'exported_until%'", (repr(now - 1),))
    db.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("focuscrawl.export.since.store_now", lambda db: now + 1)
        assert call(Command(), crawls, "search", "--since", "LAST") == 0
        found = capfdbinary.readouterr().out
        assert rows(found) == [(first, "gone")]
        assert json.loads(found)["text"] == ""
        assert call(Command(), crawls, "search", "--since", "last:search") == 0
        assert rows(capfdbinary.readouterr().out) == [(second, "new")]


def test_what_an_operator_took_out_is_gone(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "search", "--since", "last", "-o", os.devnull) == 0
    assert call(Frontier(), crawls, "rm", "search", "--prefix", PAGES[1][0], "--pages") == 0
    capfdbinary.readouterr()
    assert call(Command(), crawls, "search", "--since", "last") == 0
    assert rows(capfdbinary.readouterr().out) == [(PAGES[2][0], "new"), (PAGES[1][0], "gone")], "its copy takes its place"
    assert call(Command(), crawls, "search") == 0
    said = capfdbinary.readouterr()
    assert [json.loads(line)["url"] for line in said.out.splitlines()] == [PAGES[0][0], PAGES[2][0]]
    assert "left out: 1 gone, 1 not relevant" in said.err.decode()


def test_a_failed_export_sets_no_mark(crawls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JsonLines, "write", full)
    assert call(Command(), crawls, "search", "--since", "last", "-o", str(tmp_path / "p.jsonl")) == 1
    db = open_store(crawls / "search")
    assert db.execute("select count(*) from meta where key like 'exported_until%'").fetchone()[0] == 0
    db.close()


def test_changes_of_a_folder_are_no_replacement_for_a_data_set(
    crawls: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is an extra")
    folder = str(tmp_path / "set")
    for _ in range(2):
        assert call(Command(), crawls, "search", "--format", "dataset", "-o", folder) == 0
    capsys.readouterr()
    told = refused(capsys, Command(), crawls, "search", "--format", "dataset", "-o", folder, "--since", "7d")
    assert f"{folder!r} holds a data set, which only changes would replace; name a new or empty folder" in told
    (Path(folder) / "notes.txt").touch()
    for since in ([], ["--since", "7d"]):
        told = refused(capsys, Command(), crawls, "search", "--format", "dataset", "-o", folder, *since)
        assert f"{folder!r} holds 'notes.txt', which no export has written; name a new or an empty folder" in told


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
        (["search", "--format", "dataset"], "name a folder with -o"),
        (["search", "--format", "wacz"], "name a file with -o"),
        (["search", "-o", "p.parquet.gz"], "leave .gz out"),
        (["search", "--columns", "url,txt"], "there is no column 'txt'; did you mean text?"),
        (["search", "--columns", "url，title、txt"], "there is no column 'txt'"),
        (["search", "--bom"], "--bom is for csv, which Excel opens; leave it out for jsonl"),
        (["search", "--kind", "news"], "use index, content or any"),
        (["search", "--language", "中文"], "is not a language tag"),
        (["search", "--language", "en,cn"], "--language: 'cn' is not the code of a known language; for Chinese, write zh"),
        (["search", "--host", "a b"], "is not a URL; a host name such as"),
        (["search", "--min-relevance", "60"], "is not a number between 0 and 1"),
        (["search", "--min-words", "-1"], "is not 0 or more"),
        (["search", "--since", "soon"], "or last, for what has changed since the last export"),
        (["search", "--since", "last:"], "has no label after the colon"),
        (["search", "--shard-size", "big"], "give one such as 500MB"),
        (["search", "--shard-size", "1MB"], "does not go with standard output"),
        (["search", "-o", "https://example.org/p.jsonl"], "nothing can be written to a URL that begins with https://"),
        (["search", "-o", "nosuch://b/p.jsonl"], "is not a URL to write to"),
        (["search", "-o", "s3://"], "names no file"),
        (["search", "--topic", "sky"], "there is no topic 'sky'"),
    ],
)
def test_bad_input_is_one_sentence(crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], piece: str) -> None:
    assert piece in refused(capsys, Command(), crawls, *arguments)


def test_an_extra_that_is_missing_is_named(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, arguments in (("pyarrow", ["-o", "p.parquet"]), ("fsspec", ["-o", "s3://bucket/p.jsonl"])):
        monkeypatch.setitem(sys.modules, module, None)
        assert "is not installed: make setup EXTRAS=" in refused(capsys, Command(), crawls, "search", *arguments)


def full(*_: Any) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_keeps_the_old_file(
    crawls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "pages.jsonl"
    target.write_text("old")
    monkeypatch.setattr(JsonLines, "write", full)
    assert call(Command(), crawls, "search", "-o", str(target)) == 1
    assert target.read_text() == "old"
    assert f"{target}: No space left" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_a_file_that_cannot_be_made_is_named_as_the_user_named_it(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("-o", "/proc/x.csv"), ("--format", "markdown", "-o", "/proc/x")):
        assert call(Command(), crawls, "search", *arguments) == 1
        assert f"{arguments[-1]}: No such file or directory" in capsys.readouterr().err


@pytest.mark.system
def test_a_reader_that_leaves_early_sees_no_traceback(crawls: Path) -> None:
    command = [sys.executable, "-m", "scrapy", "export", "search", "--all", "-s", f"CRAWLS_DIR={crawls}"]
    script = f"import subprocess, sys; p = subprocess.Popen({command!r}, stdout=subprocess.PIPE, stderr=sys.stderr); "
    script += "p.stdout.close(); sys.exit(p.wait())"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.system
def test_the_command_line_refuses_without_a_traceback(crawls: Path) -> None:
    done = forked.run("scrapy", "export", "serch", "-s", f"CRAWLS_DIR={crawls}")
    assert done.returncode == 2
    assert done.stderr.startswith("scrapy export: there is no crawl 'serch'")
    assert done.stdout == ""
