from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from focuscrawl.commands.search import Command
from focuscrawl.search.index import DIRECTORY, SearchIndex
from focuscrawl.search.terms import Analyzer
from tests.commands.call import call, refused
from tests.report.sample import HOSTILE, empty_crawl, sample_crawl
from tests.topics.crawled import URLS, sky_crawl


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crawls")
    sky_crawl(path, "sky")
    sample_crawl(path / "sample")
    empty_crawl(path / "empty").close()
    return path


def test_json_is_a_list_of_objects(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "sky", "望远镜", "title:入门", "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found.pop("score") > 0
    assert found == {
        "url": URLS[2],
        "title": "望远镜入门",
        "snippet": "<mark>望远镜</mark>里的星云和遥远的星系，天文台的天文学家记下了彗星的轨道。",
        "language": "zh",
        "relevance": 0.1,
        "published": "",
        "fetched_at": "2026-09-21T14:13:23.000Z",
        "duplicates": 0,
    }
    assert call(Command(), crawls, "sky", "telescope", "--json", "--limit", "2") == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


@pytest.mark.system
def test_the_index_is_made_without_a_search(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sky_crawl(tmp_path, "sky")
    program = [sys.executable, "-m", "scrapy", "search", "sky", "-s", f"CRAWLS_DIR={tmp_path}", "--refresh"]
    pages = len(URLS) - 1  # one repeats another word for word
    for added in (pages, 0):  # in a process of its own, for it lowers its priority for good
        assert subprocess.run(program, check=False).returncode == 0
        told = f"the search index of sky holds {pages} pages; {added} pages new or changed"
        assert capfd.readouterr().err.strip() == told
    with pytest.raises(SystemExit):
        call(Command(), tmp_path, "sky")
    assert "only 'sky' was given" in capfd.readouterr().err
    with pytest.raises(SystemExit):
        call(Command(), tmp_path, "sky", "telescope", "--refresh")


def test_people_get_lines(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "sky", '"peel the potatoes" -bread') == 0
    assert capsys.readouterr().out.splitlines() == [
        " 1  Potato soup",
        "    Peel the potatoes, heat the oil in a pan, add onions and salt, and let the soup simmer for twenty minutes.",
        f"    {URLS[5]}",
        "    fetched 2026-09-21 · en · relevance 0.10 · and 1 page that says the same",
    ]


def test_hostile_titles_do_no_harm(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "sample", "中文标题") == 0
    out = capsys.readouterr().out
    assert "<script>alert(1)</script> [31mred [bold]中文标题" in out
    assert "\x1b" not in out
    assert HOSTILE not in out


def test_nothing_found_is_a_sentence_or_an_empty_list(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "sky", "nowhere") == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "no page of sky says that; --all searches off-topic pages too\n")
    assert call(Command(), crawls, "sky", "nowhere", "--json", "--all") == 0
    assert json.loads(capsys.readouterr().out) == []


def test_off_topic_pages(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "sample", "topic", "--json") == 0
    assert json.loads(capsys.readouterr().out) == []
    assert call(Command(), crawls, "sample", "topic", "--json", "--all") == 0
    assert [found["title"] for found in json.loads(capsys.readouterr().out)] == ["Off topic"]


def test_an_index_that_is_just_being_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sky_crawl(tmp_path, "sky")
    other = SearchIndex(tmp_path / "sky" / DIRECTORY, Analyzer())
    other.begin()
    assert call(Command(), tmp_path, "sky", "telescope") == 1
    assert "is just being made" in capsys.readouterr().err
    other.end()
    assert call(Command(), tmp_path, "sky", "telescope") == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["sky", ""], "there is nothing to search for"),
        (["sky", 'a "b'], "quotation mark is open"),
        (["sky", "sites:x.example"], "unknown operator sites:"),
        (["skies", "x"], "sky"),
        (["empty", "x"], "crawl 'empty' has no pages yet"),
        (["sky"], "WORDS"),
        (["sky", "x", "--limit", "0"], "--limit"),
        (["sky", "x", "--jsn"], "did you mean --json?"),
    ],
)
def test_bad_input_is_one_sentence(crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str) -> None:
    assert told in refused(capsys, Command(), crawls, *arguments)


@pytest.mark.parametrize("words", [["--limit", "1", "telescope"], ["--json", "--limit", "1", "--", "telescope -nebula"]])
def test_words_may_stand_behind_options(crawls: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert call(Command(), crawls, "sky", *words) == 0
    assert "telescope" in capsys.readouterr().out.casefold()
