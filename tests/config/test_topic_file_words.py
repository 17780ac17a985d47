"""The words of a topic file that go beyond keywords: synonyms, negative terms, weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import job_of
from focuscrawl.config.topic_file import parse_topic, read_seeds, topic_digest
from focuscrawl.errors import BadInput

SEEDS = '\n[seeds]\nurls = ["http://a.com/"]\n'
WORDS = """[topic]
keywords = ["blockchain"]
synonyms = [["blockchain", " 区块链 ", ""], ["token", "代币", "coin"]]
negative_terms = ["casino", "赌场"]
[topic.weights]
ledger = 0.4
"smart contract" = -0.2
old = 0
"""


def test_all_of_them() -> None:
    topic = parse_topic(Path("t.toml"), WORDS).topic
    assert topic.synonyms == (("blockchain", "区块链"), ("token", "代币", "coin"))
    assert topic.negative_terms == ("casino", "赌场")
    assert topic.weights == (("ledger", 0.4), ("smart contract", -0.2), ("old", 0.0))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("synonyms = ['a', 'b']", "an entry is text, but it must be a list of texts such as"),
        ("synonyms = [['a']]", "a group needs two words or more, 'a' is one"),
        ("synonyms = [['a', 3]]", "an entry is a number, but it must be text in quotes"),
        ("synonyms = 'a'", "is text, but it must be a list of lists"),
        ("weights = 3", "is a number, but it must be a table of numbers"),
        ("weights = {a = 'x'}", "is text, but it must be a number"),
        ("weights = {a = 2}", "'a': 2 is not between -1 and 1"),
        ("weights = {a = nan}", "is not between -1 and 1"),
        ('weights = {"" = 0.1}', "'': a weight needs a word"),
        ("negative_terms = 'a'", "negative_terms: is text"),
        ("negative_term = ['a']", "did you mean negative_terms"),
    ],
)
def test_words_that_are_refused(line: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        parse_topic(Path("t.toml"), f"[topic]\n{line}\n{SEEDS}")
    assert "t.toml" in str(caught.value)


def test_a_word_in_quotes_is_one_word_whatever_marks_it_has(tmp_path: Path) -> None:
    """A film could not be named; what looks like several words is told, because it is a phrase."""
    path = tmp_path / "t.toml"
    path.write_text(
        f"[topic]\nkeywords = ['《饮食，男女》', '望远镜，星系']\nnegative_terms = ['足球、篮球']\n{SEEDS}", encoding="utf-8"
    )
    job = job_of(parse_arguments({"seeds": str(path)}))
    assert job.topic.keywords == ("《饮食，男女》", "望远镜，星系")
    assert [problem.partition(" counts as one phrase; ")[0] for problem in job.problems] == [
        "'t.toml', [topic] keywords: '望远镜，星系'",
        "'t.toml', [topic] negative_terms: '足球、篮球'",
    ]


def test_examples_are_the_seeds_of_a_topic_that_has_none(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('[topic]\nexamples = ["http://a.com/x"]\n')
    assert read_seeds(path).seeds == ("http://a.com/x",)
    path.write_text('[topic]\nkeywords = ["x"]\n')
    with pytest.raises(BadInput, match=r"give URLs in .seeds. urls or .topic. examples"):
        read_seeds(path)


def test_every_word_counts_in_the_definition() -> None:
    topics = [parse_topic(Path("t.toml"), "\n".join(WORDS.splitlines()[:n])).topic for n in (2, 3, 4, 6, 7)]
    assert len({topic_digest(topic, ()) for topic in topics}) == 5
    plain = parse_topic(Path("t.toml"), SEEDS).topic
    assert topic_digest(plain, ["http://a.com/"]) != topic_digest(plain, ["http://b.com/"])
    assert topic_digest(topics[0], ["http://a.com/"]) == topic_digest(topics[0], ["http://b.com/"])


def test_languages_are_the_same_in_any_order() -> None:
    topic = parse_topic(Path("t.toml"), WORDS).topic
    one, other = (topic_digest(replace(topic, languages=codes), ()) for codes in (("zh", "en"), ("en", "zh")))
    assert one == other != topic_digest(replace(topic, languages=("zh",)), ())


def test_topics_that_were_made_when_languages_were_a_note_are_made_again() -> None:
    topic = parse_topic(Path("t.toml"), f'[topic]\nkeywords = ["comet"]\n{SEEDS}').topic
    assert topic_digest(topic, ()) == "09dbdae1390ab696250f546285074176", "others stay as they are"
    assert topic_digest(replace(topic, languages=("zh",)), ()) != "f503c386c639f45a15bce25db02fc145"
