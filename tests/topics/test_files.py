"""The files beside a topic: labels and texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.topics import kept_texts as keeping
from focuscrawl.topics.kept_texts import read_texts, write_texts
from focuscrawl.topics.labels import PageLabel, answer_of, read_labels, write_labels


def test_labels_read_back_and_can_be_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "t.labels.tsv"
    assert read_labels(path) == {}
    labels = {f"http://a.example/{n}": PageLabel(f"http://a.example/{n}", n > 0, "2026-01-31", "标题") for n in range(2)}
    write_labels(path, labels)
    assert read_labels(path) == labels
    path.write_bytes("No\ta.example/0\r\n\r\n# done\nY\thttp://A.example/1\nyes\ta.example/0\n".encode("utf-8-sig"))
    assert [(label.url, label.relevant) for label in read_labels(path).values()] == [
        ("http://a.example/0", True),
        ("http://a.example/1", True),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("maybe\thttp://a.example/", "line 2: 'maybe' is not a label"),
        ("yes", "line 2: a URL is missing"),
        ("yes http://a.example/", "line 2: there is no tab in it; write yes or no, a tab and the URL"),
        ("no\tword", "line 2"),
    ],
)
def test_labels_that_are_none(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "t.labels.tsv"
    path.write_text(f"# head\n{line}\n")
    with pytest.raises(BadInput, match=message):
        read_labels(path)


def test_titles_keep_to_their_line(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    write_labels(path, {"u": PageLabel("http://a.example/", True, "", "a\tb\nc\x1b[31m")})
    assert read_labels(path)["http://a.example/"].title == "a b c [31m"


@pytest.mark.parametrize("text", ["", "maybe", "1"])
def test_answers_are_yes_or_no(text: str) -> None:
    assert answer_of(" YES ")
    with pytest.raises(BadInput, match="give yes or no"):
        answer_of(text)


def test_texts_read_back_and_those_only_found_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.pages.jsonl"
    assert read_texts(path) == {}
    pages = [PageText(f"u{n}", "标题", "line\nline \ud800", "zh", "list") for n in range(6)]
    monkeypatch.setattr(keeping, "KEPT_FOUND", 2)
    write_texts(path, pages, {"u0"})
    assert list(read_texts(path)) == ["u0", "u4", "u5"]
    assert read_texts(path)["u0"].whole == "标题\nline\nline ?"


def test_tags_are_kept_and_files_of_earlier_versions_have_none(tmp_path: Path) -> None:
    path = tmp_path / "t.pages.jsonl"
    write_texts(path, [PageText("u", "A day", "text", "en", "list", "travel\nfood")], {"u"})
    assert read_texts(path)["u"].tags == "travel\nfood"
    path.write_text('{"url": "u", "title": "A day", "text": "text", "language": "en", "source": "list"}\n')
    assert read_texts(path)["u"].tags == ""
    path.write_text('{"url": "u", "title": "", "text": "", "language": "en", "source": "list", "tags": null}\n')
    assert read_texts(path)["u"].tags == "", "by hand"


@pytest.mark.parametrize("content", ["{}", "[1]", "no json", "{" * 100_000])
def test_texts_that_are_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.pages.jsonl"
    path.write_text(content)
    with pytest.raises(BadInput, match="line 1: this is not a page"):
        read_texts(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="cannot be read"):
        read_texts(path)
