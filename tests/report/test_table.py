"""Tables on terminals that are narrow."""

from __future__ import annotations

import io

import pytest

from focuscrawl.report.table import Column, Table, show

URL = "http://blog.rivermark.test:35597/old/26.html"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(columns: list[Column], row: list[str], width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    out = Terminal()
    show([Table(columns, [row])], out)
    return [line.strip() for line in out.getvalue().splitlines() if line.strip()]


@pytest.mark.parametrize("url", [URL, "http://zh.rivermark.test/wiki/天文学/"])
def test_a_url_is_not_cut_into_a_narrow_column(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column("score", True), Column("state"), Column("waits for"), Column("URL")]
    row = ["recrawl 0.790", "queued", "the host's answer to another request", url]
    assert shown(columns, row, 60, monkeypatch)[-1].endswith(url)
    assert url not in "".join(shown(columns, row, 80, monkeypatch))


def test_prose_is_wrapped_into_one(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column("pages", True), Column("why"), Column("advice")]
    lines = shown(columns, ["500", "no waiting URL falls due soon", "add seeds or words, or widen the scope"], 36, monkeypatch)
    assert "pages" in lines[0]
    assert "advice" in lines[0]
