"""`scrapy topic` as people and scripts call it."""

from __future__ import annotations

import io
import json
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.commands.topic import Command
from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import job_of
from focuscrawl.config.topic_file import read_topic
from focuscrawl.crawl.relevance.pretrained_topic import trained_beside
from focuscrawl.crawl.relevance.stored_topic import publish
from focuscrawl.crawl.start.crawl_lock import CrawlLock
from focuscrawl.frontier.states import State
from focuscrawl.items import Link
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.links import encode
from focuscrawl.store.pages.verdicts import judge_name, set_judge
from focuscrawl.store.revisits.later_verdicts import end_topic, judged_by_former
from focuscrawl.text.segment import Segmenter
from focuscrawl.topics.labels import read_labels
from focuscrawl.topics.paths import existing
from focuscrawl.url.hosts import uid_of
from models.topic.vsm import TopicModel
from tests.commands.call import call, refused
from tests.report.sample import add_url, hid, insert
from tests.topics.crawled import HOST, URLS, add_sky_page, sky_crawl


class Shell:
    """Calls the command in a folder with one crawl."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.topics = folder / "topics"
        self._capsys, self._monkeypatch = capsys, monkeypatch
        monkeypatch.setattr("focuscrawl.command_line.base.Context.topics_dir", self.topics)
        sky_crawl(folder / "crawls")

    def __call__(self, *arguments: str, keys: str = "") -> str:
        """What was printed to standard output."""
        self._monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
        assert call(Command(), self.folder / "crawls", *arguments) == 0
        return self._capsys.readouterr().out

    def json(self, *arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self(*arguments, "--json"))
        return found

    def refused(self, *arguments: str) -> str:
        return refused(self._capsys, Command(), self.folder / "crawls", *arguments)


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, capsys, monkeypatch)


@pytest.mark.slow
def test_a_new_topic_is_what_a_crawl_takes(shell: Shell) -> None:
    told = shell("new", "sky", "--keywords", "telescope，望远镜", "--pages", URLS[0])
    assert f"scrapy crawl topic -a seeds={shell.topics / 'sky.toml'}" in told
    job = job_of(parse_arguments({"seeds": str(shell.topics / "sky.toml")}))
    assert (job.name, job.topic.keywords) == ("sky", ("telescope", "望远镜"))
    assert job.seeds == job.topic.examples == (URLS[0],)
    assert shell.json("show", "sky")["without_text"] == [], "its text came from the crawl"
    assert "nebula" in shell("show", "sky")
    assert shell("show").split() == ["sky"]


def test_pages_may_be_lists_and_files(shell: Shell) -> None:
    pages, list_ = shell.folder / "own.html", shell.folder / "list.txt"
    pages.write_text("<title>Quasars</title><p>" + "A quasar is a bright thing far away. " * 9)
    list_.write_text("\n".join(URLS[:2]))
    shown = shell.json("new", "far", "--pages", f"{pages},{list_}", "--seeds", f"a.example,{list_}")
    assert shown["examples"] == ["own.html", URLS[0], URLS[1]]
    assert shown["seeds"] == ["http://a.example/", URLS[0], URLS[1]]


def test_a_list_of_pages_with_a_bad_line_is_still_a_list(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    list_ = shell.folder / "list.txt"
    list_.write_text(f"\ufeff# pages\r\n{URLS[0]}\r\n{URLS[1]}\u3000\r\na page about telescopes\r\n", newline="")
    assert call(Command(), shell.folder / "crawls", "new", "far", "--pages", str(list_), "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["examples"] == [URLS[0], URLS[1]]
    assert "line 4: 'a page about telescopes' has a space in it" in err


def test_a_table_of_urls_is_refused_with_its_first_row_and_an_empty_file_is(shell: Shell) -> None:
    (shell.folder / "table.csv").write_text(f"url,title\n{HOST}/,Sky\n{HOST}/a/,Sea\n")
    (shell.folder / "empty.txt").touch()
    assert "line 1: 'url,title' looks like a row" in shell.refused("new", "far", "--pages", str(shell.folder / "table.csv"))
    assert "is empty" in shell.refused("new", "far", "--pages", str(shell.folder / "empty.txt"))
    assert not (shell.topics / "far.toml").exists()


@pytest.mark.parametrize(
    "body", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe", b"PK\3\4\x14\0\6\0xl/workbook.xml", b"\x7fELF\2\1\1\0\0\xb8"]
)
def test_a_binary_file_is_no_example_page(shell: Shell, body: bytes) -> None:
    """What its bytes spelt became the topic."""
    (shell.folder / "page").write_bytes(body)
    assert "page' is not a page; give HTML, text, PDF" in shell.refused("new", "far", "--pages", str(shell.folder / "page"))
    topic = shell.topics / "far.toml"
    assert not topic.exists()
    topic.parent.mkdir(exist_ok=True)
    topic.write_text(f"[topic]\nexamples = ['{shell.folder / 'page'}']\n", encoding="utf-8")
    assert "examples: the file " in shell.refused("show", "far")


def test_documents_and_pages_of_any_charset_are_example_pages(shell: Shell) -> None:
    bodies = {"a.pdf": b"%PDF-1.7\n\0\xff", "b.txt": "чай и вода".encode("cp1251"), "c.htm": "<p>茶".encode("utf-16")}
    for name, body in bodies.items():
        (shell.folder / name).write_bytes(body)
    told = shell.json("new", "far", "--keywords", "tea", "--pages", ",".join(str(shell.folder / name) for name in bodies))
    assert told["examples"] == list(bodies)


def test_nothing_is_replaced_without_force(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope")
    before = (shell.topics / "sky.toml").read_text()
    assert "topic file with --force" in shell.refused("new", "sky", "--keywords", "comet")
    assert (shell.topics / "sky.toml").read_text() == before
    told = shell("new", "sky", "--keywords", "comet", "--force")
    assert "scrapy topic suggest sky" in told
    assert read_topic(shell.topics / "sky.toml").topic.keywords == ("comet",)


@pytest.mark.slow
def test_a_round_by_options(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope,望远镜")
    first = shell.json("suggest", "sky")
    assert {page["url"] for page in first["pages"]} == set(URLS[:5])
    assert (first["changes"], first["terms"]) == (None, [])
    told = shell.json("suggest", "sky", "--pick", f"1,{URLS[2]}", "--reject", URLS[5], "--terms", "comet", "--negative", "soup")
    assert {"comet", "soup"} <= {term for term, _ in told["changes"]["added"]}
    assert told["terms"]
    text = shell("suggest", "sky", "--query", "onions", "--pick", URLS[1])
    assert "Searched for: onions" in text
    assert "judged here by similarity, the cosine" in text
    assert "of the pages" in text, "a term that the picked pages have brought, and that is told as added below"
    topic = read_topic(shell.topics / "sky.toml").topic
    assert topic.keywords == ("telescope", "望远镜", "comet")
    assert topic.negative_terms == ("soup",)
    assert URLS[2] in topic.examples
    assert URLS[1] in topic.examples


def test_a_round_by_keys(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope")
    told = shell("suggest", "sky", keys="axuaq" + "a xq" + "q")
    assert "Terms of the picked pages" in told
    assert "Terms added" in told
    topic = read_topic(shell.topics / "sky.toml").topic
    assert len(topic.examples) == 2
    assert len(topic.keywords) == 2
    assert len(topic.negative_terms) == 1
    again = shell("suggest", "sky", keys="")
    assert "Nothing changed." in again


@pytest.mark.slow
def test_terms_are_changed_and_shown(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope", "--pages", ",".join(URLS[:3]))
    told = shell(
        "terms", "sky", "--weight", "comet=0.4", "--synonym", "望远镜=telescope", "--negative", "soup", "--remove", "orbit"
    )
    assert "Weights moved" in told
    rows = {row["term"]: row for row in shell.json("terms", "sky")["terms"]}
    assert rows["comet"]["weight"] == 0.4
    assert rows["soup"]["weight"] < 0
    assert rows["望远镜"]["origin"] == "keyword"
    assert "telescop" not in rows
    assert rows["orbit"]["weight"] == 0


def test_labels_by_address_and_by_keys(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope")
    assert "1 label of topic sky: 1 yes, 0 no" in shell("label", "sky", URLS[0].removeprefix("http://"), "yes")
    assert "3 labels of topic sky" in shell("label", "sky", "--sample", "3", keys="axux q")
    labels = read_labels(existing(shell.topics, "sky").labels)
    assert [label.relevant for label in labels.values()] == [True, True, False]
    assert shell.json("label", "sky", URLS[0], "none")["yes"] == 1
    assert len(json.loads(shell("label", "sky", "--sample", "4", "--json"))) == 4


def test_a_sample_without_pages_says_why(
    shell: Shell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(language: str) -> str:
        monkeypatch.setattr("focuscrawl.settings.REPORT_LANGUAGE", language)
        call(Command(), shell.folder / "crawls", "label", "sky", "--sample", "3")
        return capsys.readouterr().err

    shell("new", "sky", "--keywords", "telescope")
    shell("label", "sky", "--sample", "99", keys="a" * 99)
    assert said("en") == "every page of the crawl is labelled already\n"
    assert "都已标注" in said("zh")
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        db.execute("delete from page")
    assert said("en") == "the crawl has stored no page\n"
    assert "没有存下" in said("zh")


def begun_with(shell: Shell, name: str) -> None:
    """Let the crawl look as if it had been started with this topic's file."""
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        db.execute("update run set arguments=?", (json.dumps({"seeds": str(shell.topics / f"{name}.toml")}),))


def test_labels_hold_for_the_pages_of_crawls_of_the_topic(shell: Shell) -> None:
    def stored() -> list[int]:
        with closing(crawl_named(shell.folder / "crawls", "web").open()) as db:
            return [relevant for (relevant,) in db.execute("select relevant from page order by page_id")]

    shell("new", "sky", "--keywords", "telescope")
    shell("new", "soup", "--keywords", "soup")
    begun_with(shell, "sky")
    assert shell.json("label", "soup", URLS[0], "no")["followed"] == {}, "it is the crawl of another topic"
    told = shell("label", "sky", URLS[0], "no")
    assert "1 stored page of crawl web is judged otherwise by that: exports, searches and reports follow." in told
    assert stored() == [0] + 9 * [1]
    assert "is judged otherwise" not in shell("label", "sky", URLS[0], "no")
    assert "2 stored pages of crawl web are judged otherwise" in shell("label", "sky", URLS[5], "no"), "one is its copy"
    shell("suggest", "sky", "--reject", URLS[1])
    assert stored() == [0, 0, 1, 1, 1, 0, 1, 1, 1, 0]
    shell("label", "sky", URLS[0], "none")
    labels = existing(shell.topics, "sky").labels
    labels.write_text(labels.read_text().replace(f"no\t{URLS[1]}", f"yes\t{URLS[1]}"))
    assert shell.json("train", "sky")["followed"] == {"web": 1}
    assert stored() == [1, 1, 1, 1, 1, 0, 1, 1, 1, 0]


@pytest.mark.slow
def test_training_and_testing(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope")
    for url in URLS[:9]:
        shell("label", "sky", url, "yes" if "/sky/" in url else "no")
    assert "9 labels (5 yes, 4 no); a test needs 10" in shell.refused("test", "sky")
    shell("label", "sky", URLS[9], "no")
    assert "Trained topic sky" in shell("train", "sky")
    assert shell.json("show", "sky")["trained"]
    trained = (shell.topics / "sky.json").read_text()
    (shell.topics / "sky.json").write_text(trained[:99])
    told = shell("show", "sky")
    assert "broken; a crawl learns" in told, "it was called not trained"
    assert "sky.json is not a trained topic: it is not valid JSON. Train it again: scrapy topic train sky\n" in told
    (shell.topics / "sky.json").write_text(trained)
    told = shell("test", "sky", "--folds", "5")
    assert "precision" in told
    assert "5-fold" in told
    found = shell.json("test", "sky")
    assert found["method"] == "held back"


def test_a_training_tells_the_threshold_of_the_page_model_also_without_a_page(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope,nebula", "--seeds", "http://a.example/")
    assert "Threshold of relevance (calibrated): 0.3" in shell("train", "sky").splitlines()
    assert shell.json("train", "sky")["changes"]["threshold"] == [0.3, 0.3]


def test_a_training_tells_what_becomes_of_stored_pages(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("new", "sky", "--keywords", "telescope,nebula,galaxy,comet,望远镜,星云", "--pages", ",".join(URLS[:3]))
    assert shell.json("train", "sky")["stored"] == [], "no crawl was started with the topic's file"
    begun_with(shell, "sky")
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        db.execute("update page set relevant=0 where page_id=4")
    told = shell("train", "sky")
    assert "Crawl web, 9 stored pages: 8 were relevant; 1 would be newly relevant, 4 no longer." in told
    assert "The next run of web judges all stored pages so; `scrapy topic rescore web`" in told
    assert "would leave its collection" not in told
    shell("label", "sky", URLS[5], "yes")
    found = {"crawl": "web", "stored": 9, "pages": 9, "relevant": 8, "newly_relevant": 1, "no_longer_relevant": 3}
    assert shell.json("train", "sky")["stored"] == [found], "what a person says holds"
    trained = trained_beside(job_of(parse_arguments({"seeds": str(shell.topics / "sky.toml")})))
    assert trained
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        end_topic(db, "", trained.topic_digest)
    assert shell.json("train", "sky")["stored"] == [], "the pages were judged by this very topic"
    shell("label", "sky", URLS[5], "none")
    monkeypatch.setattr("focuscrawl.topics.foreseen.MOST", 3)
    assert "Crawl web, 3 of 9 stored pages: 2 were relevant; " in shell("train", "sky"), "the first, the fourth, the seventh"


def test_a_training_by_which_most_relevant_pages_would_leave_warns(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "saxophone")
    begun_with(shell, "sky")
    told = shell("train", "sky")
    assert "Crawl web, 9 stored pages: 9 were relevant; 0 would be newly relevant, 9 no longer." in told
    assert "Most relevant pages of web would leave its collection" in told
    with closing(crawl_named(shell.folder / "crawls", "web").open()) as db:
        assert db.execute("select sum(relevant) from page").fetchone() == (10,), "until the next run"


def test_a_setting_that_is_unknown_is_told_before_anything_is_trained(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("new", "sky", "--keywords", "telescope")
    monkeypatch.setattr("focuscrawl.settings.RELEVANCE_MODEL", "nonsense")
    assert "RELEVANCE_MODEL='nonsense' is unknown" in shell.refused("train", "sky")
    assert not (shell.topics / "sky.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "an argument is missing"),
        (["shwo"], "did you mean show"),
        (["show", "sky"], "no topic 'sky'"),
        (["new"], r"an argument is missing \(NAME\)"),
        (["new", "sky"], "--keywords A,B or --pages URL"),
        (["new", "a/b", "--keywords", "x"], "holds a slash"),
        (["new", "sky", "--keywords", "!!"], "'!!' is not a word"),
        (["new", "sky", "--pages", "nofile"], "does not exist"),
        (["new", "sky", "--pages", "例子.html"], "there is no file '例子.html'; if it is a URL, write http:// before it"),
        (["new", "sky", "--keywords", "x", "--seeds", "mailto:x"], "not a web URL"),
        (["new", "sky", "--keywords", "x", "--seeds", "seeds.txt"], "there is no file 'seeds.txt'"),
        (["new", "sky", "--keyword", "x"], "did you mean --keywords"),
        (["new", "sky", "--keywords", "，、"], "'，、' names nothing; give words, URLs or files between commas"),
        (["show", "sky", "--topic", "x"], "unknown option --topic; use: scrapy topic show"),
        (["new", "sky", "more", "--keywords", "x"], "too many arguments"),
        (["new", "sky", "--keywords"], "expects one argument"),
    ],
)
def test_bad_input_before_there_is_a_topic(shell: Shell, arguments: list[str], message: str) -> None:
    assert re.search(message, shell.refused(*arguments))
    assert not shell.topics.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["suggest", "sky", "--crawl", "wed"], "did you mean 'web'"),
        (["suggest", "sky", "--most", "0"], "--most 0"),
        (["suggest", "sky", "--most", "x"], "--most 'x' is not a whole number"),
        (["suggest", "sky", "--pick", "99"], "is not the number of a page"),
        (["suggest", "sky", "--pick", "mailto:x"], "not a web URL"),
        (["suggest", "sky", "--searx", "word", "--json"], "--searx"),
        (["suggest", "sky", "--list", "none.txt"], "does not exist"),
        (["suggest", "sky", "--terms", "..", "--json"], "is not a word"),
        (["terms", "sky", "--weight", "comet"], "comet=0.4|crawler=0.4"),
        (["terms", "sky", "--weight", "comet=7"], "not between -1 and 1"),
        (["terms", "sky", "--synonym", "comet"], "with = between them"),
        (["label", "sky", "http://nowhere.example/", "yes"], "--fetch fetches it now"),
        (["label", "sky", URLS[0]], "Give yes or no"),
        (["label", "sky", URLS[0], "perhaps"], "give yes or no"),
        (["label", "sky", "--sample", "-1"], "--sample -1 is not 0 or more"),
        (["label", "sky", "--sample", "x"], "--sample 'x' is not a whole number; give 0 or more"),
        (["terms", "sky", "--most", "x"], "--most 'x' is not a whole number"),
        (["train", "sky", "--model", "calibrate"], "did you mean calibrated"),
        (["test", "sky", "--folds", "1"], "--folds 1"),
        (["test", "sky", "--folds", "x"], "--folds 'x' is not a whole number"),
    ],
)
def test_bad_input_leaves_the_topic_as_it_is(shell: Shell, arguments: list[str], message: str) -> None:
    shell("new", "sky", "--keywords", "telescope")
    before = {path: path.read_bytes() for path in shell.topics.iterdir()}
    assert re.search(message, shell.refused(*arguments))
    assert {path: path.read_bytes() for path in shell.topics.iterdir()} == before


def test_every_sub_command_says_what_it_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("new", "suggest", "show", "terms", "label", "train", "test", "replay"):
        with pytest.raises(SystemExit):
            call(Command(), tmp_path, "--help")
        assert re.search(rf"^    {name} +[A-Z]", capsys.readouterr().out, re.MULTILINE)
        with pytest.raises(SystemExit):
            call(Command(), tmp_path, name, "--help")
        assert f"scrapy topic {name} " in capsys.readouterr().out


def test_a_page_that_gave_no_text_is_left_to_the_crawl(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.topics.page_sources.PageLoader.fetched", lambda *asked: [])
    asked = ("new", "sky", "--pages", "http://gone.example.com/", "--force")
    assert "is not here yet: the crawl fetches it, or --fetch does now." in shell(*asked)
    assert "is not here yet: the crawl tries again." in shell(*asked, "--fetch")


def test_pages_come_from_the_crawl_of_the_topics_name_not_from_a_later_one(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope")
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        db.execute("update run set started_at=started_at+1")
        db.execute("update page set url='http://other.example.com/' || page_id")
    assert shell.json("suggest", "sky")["pages"][0]["url"].startswith("http://other.example.com/"), "the latest crawl"
    sky_crawl(shell.folder / "crawls", "sky")
    asked = (("suggest", "sky"), ("label", "sky", "--sample", "3"))
    for arguments in asked:
        assert "http://sky.example.com/" in shell(*arguments, "--json")
        assert "http://sky.example.com/" not in shell(*arguments, "--crawl", "web", "--json")


def test_what_a_crawl_made_of_its_topic(shell: Shell) -> None:
    assert "has no topic yet" in shell.refused("show", "--crawl", "web")
    assert "there is no crawl 'wob'" in shell.refused("show", "--crawl", "wob")
    segmenter = Segmenter(["telescope"])
    model = TopicModel.fit(segmenter, [], ["telescope", "nebula"], made="2026-01-01")
    db = crawl_named(shell.folder / "crawls", "web").open(write=True)
    publish(db, "", model, None, 1, 1.0)
    db.close()
    told = shell("show", "--crawl", "web")
    assert "Threshold of relevance (calibrated): " in told
    assert "Threshold of similarity: " in told
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("focuscrawl.settings.REPORT_LANGUAGE", "zh")
        assert "相关度阈值（calibrated）：" in shell("show", "--crawl", "web")
    assert "Topic web, made 2026-01-01" in told
    assert "telescop" in told
    (plain,) = json.loads(shell("show", "--crawl", "web", "--json"))
    assert (plain["topic"], plain["model"]) == ("web", "calibrated")
    assert plain["terms"].keys() == model.weights.keys()
    assert shell("show", "web", "--crawl", "web") == told
    assert "has no topic 'other'; it has web" in shell.refused("show", "other", "--crawl", "web")
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        set_judge(db, "vsm")
    (plain,) = json.loads(shell("show", "--crawl", "web", "--json"))
    assert plain["model"] == "vsm"  # which judged the crawl, whatever the settings say now
    assert "calibrated" not in shell("show", "--crawl", "web")


def test_what_waits_is_scored_again_by_the_topic_as_it_was_trained(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    shell("new", "sky", "--keywords", "telescope,nebula,galaxy,comet", "--pages", ",".join(URLS[:3]))
    assert "the crawl was not started with a topic file yet" in shell.refused("rescore", "web")
    crawl = crawl_named(shell.folder / "crawls", "web")
    with closing(crawl.open(write=True)) as db:
        db.execute("update run set arguments=?", (json.dumps({"seeds": str(shell.topics / "sky.toml"), "name": "web"}),))
        waiting = "http://sky.example.com/sky/9.html"
        link = Link(waiting, "The telescope and the nebula", "a comet", "body/a", (), True, 0.1, {"anchor": 0.1})
        add_url(db, waiting, State.QUEUED, priority=0.1, parent=1)
        db.execute("update body set links=? where page_id=1", (encode([link]),))
        insert(db, "inlink", hid=hid(waiting), uid=uid_of(waiting), page_id=1)
        log_of_all_pages(db)
    assert "train it, then score the waiting URLs" in shell.refused("rescore", "web")
    shell("train", "sky")
    found = shell.json("rescore", "web")
    assert (found["crawl"], found["waiting"], found["scored"], found["moved"]) == ("web", 1, 1, 1)
    assert found["risen"][0]["url"] == waiting
    told = shell("rescore", "web")
    assert "web: 0 of 1 waiting URL moved" in told  # it is where it belongs by now
    assert "The next run of web goes on with that." in told
    lock = CrawlLock(crawl.directory)
    lock.take(False, 0.0)
    try:
        told = refused(capsys, Command(), shell.folder / "crawls", "rescore", "web", code=75)
    finally:
        lock.release()
    assert "is being crawled by another process" in told


def test_pages_that_the_present_topic_has_judged_keep_their_verdicts_when_what_waits_is_scored_again(shell: Shell) -> None:
    """As in the next run, which goes on from the scores."""
    shell("new", "sky", "--keywords", "telescope,nebula,galaxy,comet", "--pages", ",".join(URLS[:3]))
    shell("train", "sky")
    arguments = {"seeds": str(shell.topics / "sky.toml"), "name": "web"}
    former = TopicModel.fit(Segmenter(["soup"]), [], ["soup"], made="2026-01-01")
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        db.execute("update run set arguments=?", (json.dumps(arguments),))
        publish(db, "", former, None, 1, 1.0)
        log_of_all_pages(db)
    assert shell.json("rescore", "web")["pages"] == 10
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        add_sky_page(db, 11, "/sky/11.html", "A comet", "The telescope shows the nebula and a comet of the galaxy.", "en")
        db.execute("delete from fetches")
        log_of_all_pages(db)
    assert shell.json("rescore", "web")["pages"] == 10


def test_pages_that_another_page_model_has_judged_are_judged_again_when_what_waits_is_scored_again(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by the next run with that page model, which then need not do it again."""
    shell("new", "sky", "--keywords", "telescope,nebula,galaxy,comet", "--pages", ",".join(URLS[:3]))
    shell("train", "sky")
    crawl = crawl_named(shell.folder / "crawls", "web")
    with closing(crawl.open(write=True)) as db:
        db.execute("update run set arguments=?", (json.dumps({"seeds": str(shell.topics / "sky.toml"), "name": "web"}),))
        log_of_all_pages(db)
    assert shell.json("rescore", "web")["pages"] == 0
    monkeypatch.setattr("focuscrawl.settings.RELEVANCE_MODEL", "vsm")
    assert shell.json("rescore", "web")["pages"] == 10
    with closing(crawl.open()) as db:
        assert (judge_name(db), judged_by_former(db)) == ("vsm", 10)


def test_a_crawl_that_follows_every_link_keeps_its_order_and_says_so(shell: Shell) -> None:
    shell("new", "sky", "--keywords", "telescope", "--seeds", URLS[0])
    shell("train", "sky")
    arguments = {"seeds": str(shell.topics / "sky.toml"), "name": "web", "strategy": "breadth-first"}
    with closing(crawl_named(shell.folder / "crawls", "web").open(write=True)) as db:
        db.execute("update run set arguments=?", (json.dumps(arguments),))
    told = shell("rescore", "web")
    assert "followed every link (breadth-first)" in told
    assert "newly relevant" not in told


def log_of_all_pages(db: Database) -> None:
    """The crawl has fetched its pages, as its log says."""
    db.execute(
        """insert into fetches(worker, hid, uid, page_id, at, status, priority, depth, distance, tries, hops, kind, parent)
        select 1, hid, uid, page_id, fetched_at, 200, 0.5, 0, 0, 0, 0, 0, 0 from page"""
    )
