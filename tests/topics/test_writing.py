from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from focuscrawl.config.topic_file import read_topic
from focuscrawl.errors import BadInput, DiskFull
from focuscrawl.topics import paths
from focuscrawl.topics.file_changes import change, new_text, write_topic
from focuscrawl.topics.paths import TopicPaths, existing, topic_names

USER = """# my topic, with care
[topic]
name = "sky"   # as it is
keywords = ["telescope"]
weights = { telescope = 0.5 }

[seeds]
urls = ["http://a.example/"]  # mine
"""


def test_a_new_file_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "链.toml"
    values = {"keywords": ["区块链", 'say "x"'], "examples": ["http://a.example/1"], "negative_terms": []}
    write_topic(path, new_text("链", "区块链 chain", seeds=["http://a.example/"], values=values))
    found = read_topic(path)
    assert found.topic.keywords == ("区块链", 'say "x"')
    assert (found.topic.name, found.topic.title) == ("链", "区块链 chain")
    assert (found.seeds, found.topic.examples) == (("http://a.example/",), ("http://a.example/1",))


def test_a_change_leaves_comments_order_and_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "sky.toml"
    path.write_text(USER, "utf-8")
    long = [f"http://a.example/{n}" for n in range(9)]
    change(path, {"synonyms": [("区块链", "blockchain")], "weights": {"望远镜": 0.4}, "examples": long})
    text = path.read_text("utf-8")
    assert "# my topic, with care" in text
    assert "# as it is" in text
    assert "# mine" in text
    topic = read_topic(path).topic
    assert topic.synonyms == (("区块链", "blockchain"),)
    assert (topic.weights, topic.examples) == ((("望远镜", 0.4),), tuple(long))
    change(path, {"synonyms": [], "weights": {}}, seeds=["http://b.example/"])
    found = read_topic(path)
    assert (found.topic.synonyms, found.topic.weights, found.seeds) == ((), (), ("http://b.example/",))


@pytest.mark.parametrize(
    ("text", "values"),
    [(USER, {"weights": {"a": 3.0}}), ("[topic\n", {"keywords": ["a"]}), ("topic = 3\n", {"keywords": ["a"]})],
)
def test_what_cannot_be_read_afterwards_is_not_written(tmp_path: Path, text: str, values: dict[str, object]) -> None:
    path = tmp_path / "sky.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BadInput, match=r"sky\.toml"):
        change(path, values)  # type: ignore[arg-type]
    assert path.read_text("utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        write_topic(tmp_path / "file" / "a.toml", new_text("a"))


def test_a_full_disk_is_a_failure_and_no_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "write_whole", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(DiskFull, match=r"a\.toml cannot be written: No space left on device") as error:
        write_topic(tmp_path / "a.toml", new_text("a"))
    assert error.value.exit_code == 1


def test_topics_are_found_by_name_and_by_path(tmp_path: Path) -> None:
    assert topic_names(tmp_path / "none") == []
    with pytest.raises(BadInput, match="`scrapy topic new` makes one"):
        existing(tmp_path, "sky")
    (tmp_path / "sky.toml").write_text(USER)
    place = TopicPaths(tmp_path, "sky")
    (tmp_path / "folder.toml").mkdir()
    assert topic_names(tmp_path) == ["sky"]
    assert existing(tmp_path, "sky") == existing(Path("elsewhere"), str(place.toml)) == place
    with pytest.raises(BadInput, match="did you mean sky"):
        existing(tmp_path, "skies")
    with pytest.raises(BadInput, match="holds a slash"):
        existing(tmp_path, "../sky")
    with pytest.raises(BadInput, match=r"There is no topic file '/gone/sky\.toml'\."):
        existing(tmp_path, "/gone/sky.toml")
    with pytest.raises(BadInput, match="did you mean sky"):
        existing(tmp_path, "sky.toml")
