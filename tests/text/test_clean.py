from __future__ import annotations

import pytest

from focuscrawl.text import clean


def test_line_collapses_space_of_every_kind() -> None:
    assert clean.line(" a\u00a0\n\t b\u3000c ") == "a b c"


def test_line_removes_what_cannot_be_seen() -> None:
    assert clean.line("inv\u200bis\u202eible\u0007 \ufeff\u00adtext") == "invisible text"


def test_a_megabyte_is_cut_without_being_read() -> None:
    assert clean.line("x " * 500_000, 9) == "x x x x x"


def test_lines_keep_blocks_apart() -> None:
    assert clean.lines("  a  b \n\n \t\n c\u202e \r\n") == "a b\nc"


def test_markup_and_formulas_are_left_to_those_who_print() -> None:
    assert clean.line("=1+1 <b>") == "=1+1 <b>"


@pytest.mark.parametrize(
    ("text", "is_cut"),
    [("and so..", True), ("and so … ] ) ", True), ("…", True), ("", False), ("so…      ", False), ("... and so.", False)],
)
def test_a_text_says_that_it_breaks_off(text: str, is_cut: bool) -> None:
    assert clean.is_cut(text) == is_cut
