"""What topics are made of."""

from __future__ import annotations

import pytest

from focuscrawl.text.segment import RememberingSegmenter
from tools.eval.pages.measure import SETS, possible, topic_of
from tools.eval.pages.stream import Stream

PAGE = ("http://a.test/", "Comets\nA comet has a tail of ice and dust.")


@pytest.mark.parametrize("keywords", [["comet", "orbit"], []])
def test_a_topic_is_made_of_what_it_has(keywords: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    stream = Stream("web", "sky", keywords, RememberingSegmenter(keywords), [PAGE], [], [])
    names = possible(stream, list(SETS))
    for name in names:
        topic_of(stream, name)  # raises BadInput for nothing at all
    said = capsys.readouterr().err
    if keywords:
        assert names == list(SETS)
        assert said == ""
    else:
        assert names == ["1", "3", "10", "12", "100"]
        assert "sky has no keywords, and is left out of: 3 keywords, 8 keywords, keywords, 12 + keywords." in said
