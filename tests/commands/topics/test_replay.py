from __future__ import annotations

import json
from pathlib import Path

import pytest

from focuscrawl.commands.topic import Command
from focuscrawl.crawl.relevance.stored_topic import publish
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.pages.verdicts import set_topics
from focuscrawl.text.segment import Segmenter
from models.topic.vsm import TopicModel
from tests.commands.call import call, refused
from tests.report.sample import PAGES, change, sample_crawl


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    directory = tmp_path / "crawls" / "search"
    sample_crawl(directory)
    words = ["搜索", "crawler"]
    db = connect(directory / "store.sqlite")
    publish(db, "", TopicModel.fit(Segmenter(words), keywords=words), None, 1, 0.0)
    db.close()
    return tmp_path / "crawls"


def words(crawls: Path, *arguments: str) -> tuple[str, ...]:
    """Those of the command."""
    return ("replay", *arguments, "-s", f"TOPICS_DIR={crawls.parent / 'topics'}")


def replay(crawls: Path, *arguments: str) -> int:
    return call(Command(), crawls, *words(crawls, *arguments))


def refused_replay(crawls: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return refused(capsys, Command(), crawls, *words(crawls, *arguments))


def test_a_table_of_the_strategies_asked_for(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(crawls, "search", "--strategy", "best-first,breadth-first") == 0
    said = capsys.readouterr().out
    assert "4 stored pages, 2 of them relevant by the crawl's verdicts" in said
    assert all(f"\n{name} " in said for name in ("best-first", "breadth-first", "as crawled"))


def test_json_for_machines(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(crawls, "search", "--strategy", "best-first", "--model", "stored,vsm", "--json", "--budget", "3") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["crawl"], found["pages"], found["budget"]) == ("search", 4, 3)
    assert {(row["strategy"], row["model"]) for row in found["replays"]} == {
        ("best-first", "stored"), ("best-first", "vsm"), ("as crawled", ""),
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.system  # on its first import matplotlib asks a program which fonts there are
def test_a_picture(crawls: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="drawing needs matplotlib")
    assert replay(crawls, "search", "--strategy", "best-first", "--png", str(tmp_path / "curves.png")) == 0
    assert (tmp_path / "curves.png").read_bytes()[:4] == b"\x89PNG"
    assert replay(crawls, "search", "--strategy", "best-first", "--png", str(tmp_path)) == 1


@pytest.mark.slow
def test_another_topic_brings_its_own_truth_and_labels_beat_it(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topics = crawls.parent / "topics"
    topics.mkdir()
    (topics / "body.toml").write_text('[topic]\nkeywords = ["正文"]\n', "utf-8")
    assert replay(crawls, "search", "--strategy", "best-first", "--topic", "body") == 0
    assert "3 of them relevant by the verdicts of topic body." in capsys.readouterr().out
    (topics / "body.labels.tsv").write_text(f"no\t{PAGES[3][0]}\n", "utf-8")
    assert replay(crawls, "search", "--strategy", "best-first", "--topic", "body") == 0
    assert "by the verdicts of topic body, 1 of them labelled by hand." in capsys.readouterr().out


def test_labels_beside_the_topic_file_of_the_crawl_count(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(crawls / "search", "update run set arguments=?", json.dumps({"seeds": str(crawls / "search.toml")}))
    (crawls / "search.labels.tsv").write_text(f"no\t{PAGES[0][0]}\n", "utf-8")
    assert replay(crawls, "search", "--strategy", "best-first") == 0
    assert "1 of them relevant by the crawl's verdicts, 1 of them labelled by hand" in capsys.readouterr().out


@pytest.mark.parametrize("seeds", ["{}/search.toml,{}/more.txt", "http://a.example/x.toml, {}/more.txt，{}/search.toml"])
def test_so_do_those_beside_one_of_several_seed_files(crawls: Path, capsys: pytest.CaptureFixture[str], seeds: str) -> None:
    change(crawls / "search", "update run set arguments=?", json.dumps({"seeds": seeds.replace("{}", str(crawls))}))
    (crawls / "search.labels.tsv").write_text(f"no\t{PAGES[0][0]}\n", "utf-8")
    assert replay(crawls, "search", "--strategy", "best-first") == 0
    assert "1 of them relevant by the crawl's verdicts, 1 of them labelled by hand" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "piece"),
    [
        (["serch"], "did you mean 'search'?"),
        (["search", "--strategy", "best-frist"], "did you mean best-first?"),
        (["search", "--model", "oracle"], "valid are stored, calibrated, vsm"),
        (["search", "--model", "stored", "--topic", "x"], "leave out --topic"),
        (["search", "--budget", "-1"], "--budget -1 is not 0 or more"),
        (["search", "--in-flight", "0"], "--in-flight 0 is not 1 or more"),
        (["search", "--png", "/nowhere/x.png"], "does not exist"),
        (["search", "--topic", "nothing"], "There is no topic"),
    ],
)
def test_bad_input_is_one_sentence(crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], piece: str) -> None:
    assert piece in refused_replay(crawls, capsys, *arguments)


def test_a_crawl_without_a_topic_is_refused(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(crawls / "search", "delete from model")
    assert "no topic yet" in refused_replay(crawls, capsys, "search")


def test_of_a_crawl_of_several_topics_one_is_taken(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = crawls / "search"
    db = connect(directory / "store.sqlite")
    db.execute("update model set name='topic/trains' where name='topic'")
    set_topics(db, ["trains", "stars"])
    db.execute(
        "insert into verdict(page_id, topic, relevance, relevant, threshold, terms) values(4, 'trains', 0.9, 1, 0.2, '[]')"
    )
    db.execute(
        "insert into verdict(page_id, topic, relevance, relevant, threshold, terms) values(1, 'trains', 0.0, 0, 0.2, '[]')"
    )
    db.close()
    assert "several topics; give --topic NAME with one of trains, stars" in refused_replay(crawls, capsys, "search")
    assert replay(crawls, "search", "--strategy", "best-first", "--topic", "trains") == 0
    assert "1 of them relevant by the crawl's verdicts" in capsys.readouterr().out
    (crawls / "rail.toml").write_text('[topic]\nname = "trains"\nkeywords = ["train"]\n', "utf-8")
    (crawls / "rail.labels.tsv").write_text(f"yes\t{PAGES[0][0]}\n", "utf-8")
    (crawls / "stars.labels.tsv").write_text(f"no\t{PAGES[0][0]}\n", "utf-8")
    change(directory, "update run set arguments=?", json.dumps({"seeds": f"{crawls}/stars.toml,{crawls}/rail.toml"}))
    assert replay(crawls, "search", "--strategy", "best-first", "--topic", "trains") == 0
    assert "2 of them relevant by the crawl's verdicts, 1 of them labelled by hand" in capsys.readouterr().out
