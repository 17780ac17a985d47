"""Lists of important sites: names, files, topic files; and what is wrong with them in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import job_of
from focuscrawl.config.seed_list import important_sites
from focuscrawl.errors import BadInput

LIST = "# by hand\ndocs.example.org\n\n.Example.COM  # all of it\n例子.中国\ndocs.example.org\n"
READ = ("docs.example.org", "example.com", "xn--fsqu00a.xn--fiqs8s")


def test_names_and_files_in_any_mixture(tmp_path: Path) -> None:
    (tmp_path / "sites.txt").write_text(LIST, encoding="utf-8-sig")
    (tmp_path / "more").write_text("a.test\r\n", encoding="utf-8")
    assert important_sites(["sites.txt", "b.test", "more"], tmp_path, "important") == (*READ, "b.test", "a.test")
    assert important_sites([str(tmp_path / "sites.txt")], Path(), "important") == READ


@pytest.mark.parametrize(
    "line", ["http://a.test/", "a b.test", "a.test/x", "user@a.test", "nonsense", "a.test:80", "..", "a_b..c"]
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "sites.txt").write_text(f"a.test\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"^important: 'sites\.txt', line 2: .* is not a site; a host name .* is wanted.*\.$"):
        important_sites(["sites.txt"], tmp_path, "important")


@pytest.mark.parametrize("entry", ["http://a.test/", "nonsense", "a@b.test"])
def test_a_bad_name_is_named(tmp_path: Path, entry: str) -> None:
    with pytest.raises(BadInput, match=r"^important: .* is not a site"):
        important_sites([entry], tmp_path, "important")


@pytest.mark.parametrize(("name", "said"), [("absent.txt", "does not exist"), ("empty.txt", "is empty"), ("sub/", "directory")])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "sub").mkdir()
    with pytest.raises(BadInput, match=said):
        important_sites([name], tmp_path, "important")


def test_a_topic_file_has_some_and_an_argument_beats_it(tmp_path: Path) -> None:
    (tmp_path / "sites.txt").write_text(LIST, encoding="utf-8")
    topic = tmp_path / "t.toml"
    topic.write_text('[topic]\nimportant = ["sites.txt", "c.test"]\n[seeds]\nurls = ["http://a.test/"]\n', encoding="utf-8")
    job = job_of(parse_arguments({"seeds": str(topic)}))
    assert job.arguments.important == (*READ, "c.test")
    job = job_of(parse_arguments({"seeds": str(topic), "important": "D.test，e.test"}))
    assert job.arguments.important == ("d.test", "e.test")
    other = tmp_path / "u.toml"
    other.write_text(
        '[topic]\nimportant = ["f.test"]\nkeywords = ["x"]\n[seeds]\nurls = ["http://a.test/"]\n', encoding="utf-8"
    )
    job = job_of(parse_arguments({"seeds": f"{topic},{other}"}))
    assert job.arguments.important == (*READ, "c.test", "f.test")


def test_a_bad_entry_of_a_topic_file_is_named(tmp_path: Path) -> None:
    topic = tmp_path / "t.toml"
    topic.write_text('[topic]\nimportant = ["http://a.test/"]\n[seeds]\nurls = ["http://a.test/"]\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"'t.toml', \[topic\] important: 'http://a.test/' is not a site"):
        job_of(parse_arguments({"seeds": str(topic)}))
