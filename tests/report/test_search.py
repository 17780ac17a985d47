from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from focuscrawl.report.search import broken, show_results
from focuscrawl.search.searching import SearchResult
from focuscrawl.search.snippets import Snippet, SnippetPiece

CHINESE = "网络爬虫是一种按照一定的规则自动抓取网页的程序或者脚本它们被广泛用于互联网搜索引擎"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def result(text: str, marked: str, title: str = "A title") -> SearchResult:
    before, _, after = text.partition(marked)
    snippet = Snippet((SnippetPiece(before), SnippetPiece(marked, True), SnippetPiece(after)))
    return SearchResult("http://a.example/" + "long/" * 20, title, 1.0, snippet, "zh", 0.5, "2026-01-31T10:00", 0.0, 2)


@pytest.mark.parametrize("columns", [60, 80])
def test_a_terminal_of_any_width_shows_all(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    evil = result("an \x1b[31m evil\u202e page", "evil", "[bold]x")
    show_results([result("关于" + "搜索引擎" + CHINESE * 2, "搜索引擎", CHINESE), evil], out)
    shown = out.getvalue()
    assert "\x1b[1m搜索引擎\x1b[0m" in shown
    assert "\x1b[31m" not in shown
    assert "\u202e" not in shown
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert lines[0].startswith(" 1  网络爬虫")
    assert all(cell_len(line) <= columns and line[:3].strip() in ("", "1", "2") for line in lines)
    together = "".join(line[4:] for line in lines)
    assert CHINESE * 2 in together
    assert "http://a.example/" + "long/" * 20 in together
    assert "[bold]x" in together
    assert "2026-01-31" in together


@pytest.mark.parametrize("out", [io.StringIO(), Terminal()], ids=["pipe", "terminal"])
def test_chinese_addresses_are_shown_in_characters(out: io.StringIO) -> None:
    show_results([replace(result("x", "x"), url="http://xn--fiqs8s.example/%E6%98%9F")], out)
    assert "http://中国.example/星" in out.getvalue()


def test_where_lines_are_broken() -> None:
    assert [line[start:end] for line in ["one two three"] for start, end in broken(line, 8)] == ["one two", "three"]
    assert [line[start:end] for line in ["一二三四五"] for start, end in broken(line, 5)] == ["一二", "三四", "五"]
    assert [line[start:end] for line in ["a unbreakable"] for start, end in broken(line, 6)] == ["a unbr", "eakabl", "e"]
    assert broken("", 5) == []
