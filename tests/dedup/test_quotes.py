"""What a page says itself."""

from __future__ import annotations

import pytest

from focuscrawl.dedup.quotes import unquoted


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I agree.\n> so\n\n>> and so\nBye.", "I agree.\n\nBye."),
        ("I agree.\n  >so", "I agree.\n"),
        ("Yes.\n> > so\n> > > and so", "Yes.\n"),
        ("Yes.\n>> so\n>>> and so", "Yes.\n"),
        ("a > b", "a > b"),
    ],
)
def test_lines_marked_with_an_angle_are_quoted(text: str, own: str) -> None:
    assert unquoted(text) == own


def test_prompts_of_the_python_shell_are_no_quotes() -> None:
    session = "Add two numbers:\n>>> 1 + 1\n2\n  >>> def f():\n  ...     pass\n>>>\n"
    assert unquoted(session) == session
    assert unquoted(f"Like this?\n> no\n{session}") == "Like this?\nAdd two numbers:\n2\n  ...     pass\n"
