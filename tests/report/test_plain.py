from __future__ import annotations

import io

import pytest

from focuscrawl.report.plain import both_ends, count, duration, moment, one_line, percent, plural
from focuscrawl.report.reasons import CAUSES, cause, rule_words, stop_words
from focuscrawl.report.table import Column, Table, show


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.0 s"),
        (-1, "0.0 s"),
        (9.94, "9.9 s"),
        (12, "12 s"),
        (185, "3 min 5 s"),
        (7440, "2 h 4 min"),
        (273600, "3 d 4 h"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("width", "shown"),
    [(30, "history-of-railways-number-12"), (16, "history-…mber-12"), (9, "hist…r-12"), (1, "…")],
)
def test_a_long_name_keeps_both_ends(width: int, shown: str) -> None:
    assert both_ends("history-of-railways-number-12", width) == shown


def test_a_long_chinese_name_keeps_both_ends_within_its_columns() -> None:
    assert both_ends("蒸汽机车与铁路历史第三号", 12) == "蒸汽机…三号"


def test_numbers() -> None:
    assert (count(1234567), percent(0.0421), percent(0.5), percent(0)) == ("1,234,567", "4.2 %", "50 %", "0 %")
    assert (plural(1, "page"), plural(0, "page"), plural(2, "try", "tries")) == ("1 page", "0 pages", "2 tries")
    assert moment(0) == "1970-01-01 00:00:00 UTC"


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("\x1b[31mred\x1b[0m", "[31mred [0m"),
        ("a\nb\r\tc", "a b c"),
        ("pay\u202egnp.exe", "paygnp.exe"),
        ("中文　标题", "中文 标题"),
        ("\x9b31m", "31m"),
        ("line\u2028two", "line two"),
        ("soft\u00adhyphen", "softhyphen"),
        ("bad\ud800", "bad"),
    ],
)
def test_text_from_the_web_is_one_safe_line(text: str, safe: str) -> None:
    assert one_line(text) == safe


def test_wide_characters_count_as_two() -> None:
    assert one_line("中文标题很长", 7) == "中文标…"
    assert one_line("short", 7) == "short"


def test_a_table_is_aligned_text() -> None:
    table = Table([Column("name"), Column("n", True)], [("中文", "5"), ("a\x1b[2J", "12")], "Title")
    lines = table.text().splitlines()
    assert lines[0] == "Title"
    assert "\x1b" not in table.text()


def test_a_pipe_gets_plain_text_and_a_terminal_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    parts: list[str | Table] = ["words [bold]", Table([Column("a")], [("[red]x",)])]
    plain = io.StringIO()
    show(parts, plain)
    assert plain.getvalue() == "words [bold]\na\n[red]x\n\n"

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    show(parts, shown)
    assert "words [bold]" in shown.getvalue()
    assert "[red]x" in shown.getvalue()


def test_a_narrow_terminal_goes_without_spare_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    columns = [Column("name"), Column("n", True), Column("why", spare=True), Column("", bar=True)]
    table = Table(columns, [("a" * 30, "5", "because of that", "  " + "█" * 8)])

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    told = {}
    for width in (32, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = Terminal()
        show([table], shown)
        told[width] = shown.getvalue()
    assert ("name" in told[32], "why" in told[32], told[32].count("a" * 10)) == (True, False, 2)
    assert ("why" in told[80], "a" * 30 in told[80]) == (True, True)
    assert ("█" in told[32], "  " + "█" * 8 in told[80]) == (False, True)


def test_a_terminal_that_is_too_narrow_gets_a_list_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    columns = [Column("pages", True), Column("host"), Column("relevant pages", True), Column("", bar=True), Column("")]
    table = Table(columns, [("300", "http://望远镜.测试/", "92", "█" * 12, "it did not answer in time")], "Top hosts")

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    show([table], shown)
    assert shown.getvalue().split("\n") == [
        "Top hosts", "", "http://望远镜.测试/", "  pages 300; relevant pages 92; it did  ", "  not answer in time" + " " * 20,
        "", "",
    ]  # fmt: skip


def test_causes_in_words() -> None:
    assert all(each.words for each in CAUSES.values())
    assert cause("http-404").words == "the page does not exist"
    assert "502" in cause("http-502").words
    assert cause("http-502").advice
    assert "418" in cause("http-418").words
    assert cause("http-799").words == "HTTP status 799 (unusual answer)"
    assert cause("never-heard").words == "never heard"
    assert cause("redirect-to-calendar").words == f"it redirects to a URL that is refused: {rule_words('calendar')}"


def test_rules_and_stops_in_words() -> None:
    assert "calendar" in rule_words("calendar")
    assert rule_words("my-rule") == "my rule"
    assert "Ctrl-C" in stop_words("SIGINT")
    assert stop_words("") == "it did not end cleanly"


def test_characters_that_no_xml_can_hold_are_left_out() -> None:
    assert one_line("a\ufffeb\uffff") == "ab"
