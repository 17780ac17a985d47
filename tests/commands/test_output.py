"""Readers that have had enough, as `| head` has."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
from scrapy.commands import ScrapyCommand

from focuscrawl.command_line.base import HelpFormatter, ProjectCommand, not_utf8
from focuscrawl.command_line.output import make_output_writable
from focuscrawl.commands import runs, why, workers
from tests.commands.call import call, refused
from tests.commands.workers import add_worker
from tests.report import sample


@contextmanager
def closed_output() -> Iterator[Mock]:
    """Standard output whose reader has gone. (No fixture: pytest sets standard output anew before each test.)"""
    with tempfile.TemporaryFile() as pipe, pytest.MonkeyPatch.context() as patch:
        out = Mock(**{"write.side_effect": BrokenPipeError, "fileno.return_value": pipe.fileno(), "isatty.return_value": False})
        patch.setattr("sys.stdout", out)
        yield out


@pytest.mark.parametrize("as_object", [False, True])
@pytest.mark.parametrize(("command", "name"), [(why.Command, sample.SEED), (runs.Command, "news"), (workers.Command, "news")])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, command: type[ScrapyCommand], name: str, as_object: bool) -> None:
    sample.sample_crawl(tmp_path / "news")
    add_worker(tmp_path)
    with closed_output() as out:
        assert call(command(), tmp_path, name, *["--json"] * as_object) == 0
    assert out.write.called


@pytest.mark.system
@pytest.mark.parametrize(("encoding", "title"), [("latin-1", r"\u94c1\u8def"), ("gbk", "铁路")])
def test_titles_that_the_terminal_cannot_show_are_escaped(tmp_path: Path, encoding: str, title: str) -> None:
    program = [sys.executable, "-m", "scrapy", "topic", "new", "rails", "--keywords", "铁路", "-s", f"TOPICS_DIR={tmp_path}"]
    ended = subprocess.run(program, env=os.environ | {"PYTHONIOENCODING": encoding}, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert f"keywords   {title}" in ended.stdout.decode(encoding)


@pytest.mark.system
@pytest.mark.parametrize("arguments", [["search", "news", "铁路"], ["topic", "new", "rails", "--keywords", "铁路"]])
def test_words_that_the_environment_cannot_read_are_named(tmp_path: Path, arguments: list[str]) -> None:
    program = [sys.executable, "-m", "scrapy", *arguments, "-s", f"TOPICS_DIR={tmp_path}", "-s", f"CRAWLS_DIR={tmp_path}"]
    sample.sample_crawl(tmp_path / "news")
    ended = subprocess.run(program, env=os.environ | {"PYTHONUTF8": "0", "LC_ALL": "C"}, capture_output=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.decode().partition(": ")[2] == (
        "'\\u94c1\\u8def' cannot be read, because this environment says that its encoding is ascii;"
        " set PYTHONUTF8=1 or a locale of UTF-8, such as LC_ALL=C.UTF-8\n"
    )
    assert not (tmp_path / "rails.toml").exists()


@pytest.mark.system
def test_a_topic_whose_name_the_environment_cannot_write_is_refused(tmp_path: Path) -> None:
    seeds = tmp_path / "rails.toml"
    seeds.write_text('[topic]\nname = "铁路"\n[seeds]\nurls = ["http://127.0.0.1:1/"]\n', encoding="utf-8")
    program = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "topic",
        "-a",
        f"seeds={seeds}",
        "-s",
        f"CRAWLS_DIR={tmp_path / 'crawls'}",
    ]
    ended = subprocess.run(program, env=os.environ | {"PYTHONUTF8": "0", "LC_ALL": "C"}, capture_output=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.decode().endswith(
        "cannot name a file while the encoding is ascii (set PYTHONUTF8=1); give a plain file name, such as web-crawlers.\n"
    )
    assert ended.stderr.count(b"\n") == 1
    assert not (tmp_path / "crawls").exists()


@pytest.mark.system
def test_a_closed_standard_output_is_no_error(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path / "news")
    program = [sys.executable, "-m", "scrapy", "runs", "-s", f"CRAWLS_DIR={tmp_path}"]
    ended = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *program], stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_pipe_in_the_place_of_a_file_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    with open(tmp_path / "out", "w", encoding="latin-1") as out:  # takes itself for a file that it can seek in
        os.dup2(write, out.fileno())
        monkeypatch.setattr(sys, "stdout", out)
        make_output_writable()
        print("星", flush=True)
    assert os.read(read, 100) == b"\\u661f\n"
    os.close(read)
    os.close(write)


class Failing(ProjectCommand):
    summary = "Fail"

    def execute(self, options: argparse.Namespace) -> int:
        print("x")
        raise ValueError("other")


class Unwritable(ProjectCommand):
    summary = "Write where nothing may be written"

    def execute(self, options: argparse.Namespace) -> int:
        (Path("/proc") / "nothing").write_text("x")
        return 0


def test_what_the_system_refuses_is_told_without_error_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Unwritable(), tmp_path) == 1
    assert capsys.readouterr().err.endswith(": /proc/nothing: No such file or directory\n")


def test_only_a_broken_pipe_is_forgiven(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="other"):
        call(Failing(), tmp_path)
    with closed_output() as out:
        assert call(Failing(), tmp_path) == 0
    assert out.write.called


def test_arguments_in_gbk_are_named_as_such(tmp_path: Path) -> None:
    """A crawl said that control characters are not allowed in keywords, a search that there is no word in it."""
    gbk = os.fsdecode("铁路".encode("gbk"))
    said = "'铁路' is in GB18030, while this environment reads UTF-8: set the terminal, or save the script, as UTF-8"
    assert not_utf8(["search", "sky", gbk]) == not_utf8([f"keywords={gbk}"]) == said
    assert "'\ufffd\ufffd' is in another encoding" in not_utf8([os.fsdecode(b"\xff\xff")])
    assert not_utf8(["crawl", "seeds=a.txt", "铁路", "https://例子.test/"]) == ""
    file = tmp_path / gbk
    file.write_text("http://a.test/", encoding="utf-8")
    assert not_utf8([f"seeds={file}"]) == ""


def test_what_is_refused_tells_of_the_encoding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gbk = os.fsdecode("铁路".encode("gbk"))
    monkeypatch.setattr("sys.argv", ["scrapy", "runs", gbk])
    assert refused(capsys, runs.Command(), tmp_path, gbk).startswith("scrapy runs: '铁路' is in GB18030, while")


def test_a_help_text_that_is_broken_after_a_colon_is_no_heading() -> None:
    parser = argparse.ArgumentParser("scrapy x", formatter_class=lambda prog: HelpFormatter(prog, width=50))
    parser.add_argument("--all", action="store_true", help="every page stored with status 200: lists-and-duplicates too")
    told = parser.format_help()
    assert "every page stored with status 200:\n" in told
    assert "\nOptions\n=======\n" in told
