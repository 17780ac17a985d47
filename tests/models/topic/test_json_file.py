from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Segmenter
from models.topic import json_file
from models.topic.background import Background
from models.topic.vsm import TopicModel


@pytest.fixture
def path(tmp_path: Path, topic: TopicModel) -> Path:
    json_file.save(topic, tmp_path / "topic.json")
    return tmp_path / "topic.json"


def test_a_saved_topic_judges_as_before(path: Path, topic: TopicModel, segmenter: Segmenter) -> None:
    again = json_file.load(path, Background())
    page = segmenter.terms("SQL databases and 数据库 的 事务")
    assert again.judge(page) == topic.judge(page)
    assert (again.evidence, again.threshold, again.made) == (topic.evidence, topic.threshold, "2026-01-02")
    again.refresh()
    assert again.weights == pytest.approx(topic.weights)


def test_the_file_can_be_read_by_people(path: Path) -> None:
    text = path.read_text("utf-8")
    content = json.loads(text)
    assert content["terms"][0].keys() == {"term", "weight", "idf"}
    assert content["keywords"] == ["数据库", "database", "SQL", "索引"]
    assert content["threshold"]["explanation"].endswith(".")
    assert content["segmenter"].startswith("rjieba")
    assert [example["source"] for example in content["evidence"]["examples"]] == ["a", "b", "c", "d"]
    assert '\n    {"term": "数据库"' in text
    assert [row["weight"] for row in content["terms"]] == sorted((row["weight"] for row in content["terms"]), reverse=True)


def test_saving_leaves_no_part_behind(path: Path, topic: TopicModel) -> None:
    json_file.save(topic, path)
    assert [file.name for file in path.parent.iterdir()] == ["topic.json"]


def test_spacing_may_change_but_nothing_else(path: Path) -> None:
    content = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(content), "utf-8")
    json_file.load(path, Background())
    content["threshold"]["value"] = 0.0
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(BadInput, match="was changed after it was written"):
        json_file.load(path, Background())


def test_a_whole_file_with_a_part_missing_is_refused(path: Path) -> None:
    content = json.loads(path.read_text("utf-8"))
    del content["terms"], content["digest"]
    content["digest"] = json_file.digest(content)
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(BadInput, match="misses a part of the topic"):
        json_file.load(path, Background())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "not valid JSON"),
        (pickle.dumps({"format": "focuscrawl topic"}), "not valid JSON"),
        (b"[1, 2]", "is not a topic of this program"),
        (b'{"format": "other"}', "is not a topic of this program"),
        (b'{"format": "focuscrawl topic", "version": 7}', "version 7"),
        (b'{"format": "focuscrawl topic", "version": 1}', "digest"),
        (b"[" * 200_000, "not valid JSON"),
    ],
)
def test_other_files_are_refused_in_one_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "topic.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=sentence) as error:
        json_file.load(path, Background())
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_missing_and_oversized_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        json_file.load(tmp_path / "none.json", Background())
    monkeypatch.setattr(json_file, "MAX_BYTES", 3)
    (tmp_path / "large.json").write_text("{   }")
    with pytest.raises(BadInput, match="too large"):
        json_file.load(tmp_path / "large.json", Background())
