"""Tests and trained models of a topic judge pages by the languages that it asks for, as its crawl does."""

from __future__ import annotations

from pathlib import Path

from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.topics.file_changes import new_text, write_topic
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.rounds import PagesAtHand
from focuscrawl.topics.training import labels_of, train
from focuscrawl.topics.workspace import Workspace
from models.page.assessment import assess

ENGLISH = PageText("http://a.test/en", "Comets", "The telescope shows a comet near the planet", "en")
CHINESE = PageText("http://a.test/zh", "彗星", "望远镜看见一颗彗星在行星附近", "zh")
WORDS = ["telescope", "comet", "望远镜", "彗星"]


def workspace_of(folder: Path, *languages: str) -> Workspace:
    paths = TopicPaths(folder, "sky")
    write_topic(paths.toml, new_text("sky", seeds=["http://a.test/"], values={"keywords": WORDS, "languages": languages}))
    workspace = Workspace(paths, "2026-11-27")
    workspace.keep([ENGLISH, CHINESE])
    return workspace


def test_candidates_are_judged_by_languages(tmp_path: Path) -> None:
    for languages, relevant in (((), [True, True]), (("zh",), [False, True])):
        workspace = workspace_of(tmp_path, *languages)
        model = workspace.model()
        assert model
        assert [workspace.judge(page, model).relevant for page in (ENGLISH, CHINESE)] == relevant


def test_a_trained_topic_judges_by_languages(tmp_path: Path) -> None:
    workspace, pages = workspace_of(tmp_path, "zh"), PagesAtHand([ENGLISH, CHINESE])
    workspace.label({ENGLISH.url: False, CHINESE.url: True})
    model = train(workspace)
    assert model.topic.languages == ("zh",)
    assert {url: page.relevant for url, page in pages.trained(workspace).pages.items()} == {
        ENGLISH.url: False, CHINESE.url: True,
    }  # fmt: skip
    assert not pages.snapshot(workspace).pages[ENGLISH.url].relevant


def test_a_test_on_labels_judges_by_languages(tmp_path: Path) -> None:
    workspace = workspace_of(tmp_path, "zh")
    model = train(workspace)
    workspace.label({ENGLISH.url: False, CHINESE.url: True})
    assert assess(model, labels_of(workspace), workspace.segmenter).mistakes == ()
    model.topic.languages = ()
    assert [each.source for each in assess(model, labels_of(workspace), workspace.segmenter).mistakes] == [ENGLISH.url]
