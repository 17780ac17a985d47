from __future__ import annotations

import pytest

from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.errors import BadInput
from focuscrawl.topics.file_changes import TermEdits, edited

TOPIC = TopicDefinition(
    keywords=("telescope", "望远镜"),
    synonyms=(("galaxy", "星系"),),
    negative_terms=("casino",),
    weights=(("orbit", 0.4),),
)


def test_words_go_where_they_were_named_last() -> None:
    found = edited(TOPIC, TermEdits(keywords=["Casino", "望遠鏡"], negative=["Telescope"], weights={"comet": 0.2}))
    assert found["keywords"] == ["望远镜", "Casino"]
    assert found["negative_terms"] == ["Telescope"]
    assert found["weights"] == {"orbit": 0.4, "comet": 0.2}


def test_a_removed_word_is_in_no_list_and_has_no_weight() -> None:
    found = edited(TOPIC, TermEdits(remove=["telescope", "casino", "星系"]))
    assert (found["keywords"], found["negative_terms"], found["synonyms"]) == (["望远镜"], [], [])
    assert found["weights"] == {"orbit": 0.4, "telescope": 0.0, "casino": 0.0, "星系": 0.0}
    again = edited(TopicDefinition(weights=(("telescope", 0.0),)), TermEdits(keywords=["telescope"]))
    assert (again["keywords"], again["weights"]) == (["telescope"], {})


def test_groups_that_share_a_word_are_joined() -> None:
    found = edited(TOPIC, TermEdits(synonyms=[("星系", "island universe"), ("comet", "彗星")]))
    assert found["synonyms"] == [("galaxy", "星系", "island universe"), ("comet", "彗星")]


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        (TermEdits(keywords=["!!"]), "'!!' is not a word"),
        (TermEdits(negative=["a\x00b"]), "is not a word"),
        (TermEdits(remove=["x" * 101]), "is not a word"),
        (TermEdits(weights={"comet": 1.5}), "1.5 of 'comet' is not between"),
        (TermEdits(weights={"comet": float("nan")}), "not between"),
        (TermEdits(synonyms=[("望远镜", "望遠鏡")]), "names only one word"),
    ],
)
def test_words_that_are_none(edits: TermEdits, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        edited(TOPIC, edits)


def test_nothing_said_is_nothing() -> None:
    assert not TermEdits()
    assert TermEdits(remove=["a"])
