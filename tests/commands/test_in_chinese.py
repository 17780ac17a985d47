"""What commands say with REPORT_LANGUAGE=zh: no English is left beside names, URLs and commands."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.commands import ScrapyCommand

from focuscrawl.commands import (
    changes,
    doctor,
    export,
    extract,
    frontier,
    graph,
    pause,
    report,
    resume,
    search,
    stop,
    topic,
    trace,
    why,
    workers,
)
from tests.commands.archived import URL, archived_crawl
from tests.commands.call import call

HTML = b"<html><head><title>Search engines</title></head><body><p>A search engine needs a crawler.</p></body></html>"
NAMES = re.compile(
    r"`[^`]*`|“[^”]*”|https?:\S+|--?[a-zA-Z-]+\S*|[\w.-]*/\S+|A search engine needs a crawler\.|Search engines|CONTACT"
)
ENGLISH = re.compile(r"[a-z]{3,} [a-z]{2,}|\d (?:host|page|site|request|URL)|\d (?:s|min|h|d)\b")


@pytest.fixture
def crawls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A crawl with one page in its archive, and a topic of two words."""
    monkeypatch.setattr("focuscrawl.settings.REPORT_LANGUAGE", "zh")
    monkeypatch.setattr("focuscrawl.command_line.doctor.installation._answers", lambda *server: True)
    archived_crawl(tmp_path / "c", HTML)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (graph.Command, ["c"]), (doctor.Command, ["c"]), (trace.Command, [URL]), (why.Command, [URL]), (workers.Command, ["c"]),
        (changes.Command, ["c", "--since", "2020-01-01"]), (changes.Command, ["c", "--sites"]),
        (search.Command, ["c", "crawler"]), (search.Command, ["c", "zebra"]), (search.Command, ["c", "--refresh"]),
        (pause.Command, ["c"]), (stop.Command, ["c"]), (resume.Command, ["c"]), (report.Command, ["c"]),
        (frontier.Command, ["add", "c", "http://new.test/", URL]), (frontier.Command, ["hold", "c", "blog.example.org"]),
        (frontier.Command, ["rm", "c", "http://new.test/", "--pages"]), (frontier.Command, ["release", "c",
        "blog.example.org"]),
        (export.Command, ["c", "-o", "/dev/null"]), (export.Command, ["c", "-o", "/dev/null", "--since", "last"]),
        (export.Command, ["c", "-o", "/dev/null", "--min-words", "9000"]), (extract.Command, ["c"]),
        (topic.Command, ["replay", "c", "--strategy", "breadth-first"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_nothing_is_left_in_english(
    crawls: Path, capsys: pytest.CaptureFixture[str], command: Callable[[], ScrapyCommand], arguments: list[str]
) -> None:
    assert call(command(), crawls, *arguments) == 0
    shown = capsys.readouterr()
    said = NAMES.sub("", shown.out + shown.err)
    assert re.search("[\u4e00-\u9fff]", said), said
    assert not ENGLISH.findall(said), said


def test_what_training_has_changed_is_said_in_chinese(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focuscrawl.command_line.base.Context.topics_dir", crawls / "topics")
    call(topic.Command(), crawls, "new", "t", "--keywords", "搜索引擎,爬虫", "--pages", URL)
    assert "来源" in capsys.readouterr().out, "the column of where a term comes from"
    call(topic.Command(), crawls, "label", "t", URL, "no")
    call(topic.Command(), crawls, "train", "t")
    said = NAMES.sub("", capsys.readouterr().out)
    assert "去掉的词项" in said
    assert not ENGLISH.findall(said), said


def test_the_loop_that_makes_a_topic_speaks_chinese(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focuscrawl.command_line.base.Context.topics_dir", crawls / "topics")
    call(topic.Command(), crawls, "new", "t", "--keywords", "search,正文")
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO("a\n" * 20 + "q\n"))
    call(topic.Command(), crawls, "suggest", "t", "--crawl", "c")
    call(topic.Command(), crawls, "suggest", "t", "--crawl", "c", "--reject", "1")
    call(topic.Command(), crawls, "suggest", "t", "--crawl", "c", "--query", "zebra", "--reject", URL)
    monkeypatch.setattr("sys.stdin", io.StringIO("x\n"))
    call(topic.Command(), crawls, "label", "t", "--sample", "1")
    said = NAMES.sub("", capsys.readouterr().out)
    assert all(word in said for word in ("空格", "接受", "拒绝", "搜索：")), said
    assert "所选页面的词项：接受" in said
    assert "此处按相似度" in said
    assert not ENGLISH.findall(said.replace("main text", "")), said


def test_json_stays_english(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(trace.Command(), crawls, URL, "--json") == 0
    assert json.loads(capsys.readouterr().out)["stages"][0]["decided"] == "no rule refuses it"


def test_doctor_names_an_unknown_language_in_english(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focuscrawl.settings.REPORT_LANGUAGE", "xx")
    assert call(doctor.Command(), crawls, "c") == 1
    assert "PROBLEM  settings" in capsys.readouterr().out
