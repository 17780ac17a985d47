"""The loop: pages picked, terms ranked, terms picked, changes shown."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.items import Link
from focuscrawl.reading.page import read_files
from focuscrawl.report.table import Table
from focuscrawl.search.searching import CrawlSearch
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.pages.links import set_links
from focuscrawl.store.pages.page_texts import PageText, latest_pages
from focuscrawl.topics import workspace as workspace_module
from focuscrawl.topics.file_changes import TermEdits, new_text, write_topic
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.rounds import PagesAtHand, candidates_part, changes_parts, compared, terms_table
from focuscrawl.topics.showing import parts, shown_topic
from focuscrawl.topics.suggesting import Candidate, candidates, excerpt, queries_of, ranked_terms, search_crawl
from focuscrawl.topics.training import assessed, before_and_after, sample, train
from focuscrawl.topics.workspace import Workspace
from tests.topics.crawled import HOST, URLS, sky_crawl


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    sky_crawl(tmp_path / "crawls")
    place = TopicPaths(tmp_path / "topics", "sky")
    write_topic(place.toml, new_text("sky", values={"keywords": ["telescope", "望远镜"]}))
    return Workspace(place, "2026-01-31")


def pages_of(workspace: Workspace) -> list[PageText]:
    with closing(crawl_named(workspace.paths.folder.parent / "crawls", "web").open()) as db:
        return [found.page for found in latest_pages(db, "web", 100)]


@pytest.mark.slow
def test_a_whole_round(workspace: Workspace) -> None:
    crawl = crawl_named(workspace.paths.folder.parent / "crawls", "web")
    index, store = CrawlSearch(crawl), crawl.open()
    pages = search_crawl(index, store, "web", queries_of(workspace), 10)
    index.close()
    store.close()
    assert {page.url for page in pages} == set(URLS[:5])
    at_hand = PagesAtHand(pages_of(workspace))
    before = at_hand.snapshot(workspace)
    workspace.keep(pages)
    workspace.pick([URLS[0], URLS[2]])
    workspace.reject([URLS[5]])
    ranked = {term.word: term for term in ranked_terms(workspace)}
    assert ranked["telescope"].standing == "keyword"
    assert "nebula" in ranked
    assert "星云" in ranked
    workspace.edit(TermEdits(keywords=["彗星"], negative=["soup"]))
    changes = compared(before, at_hand.snapshot(workspace))
    assert "彗星" in dict(changes.added)
    assert dict(changes.added)["soup"] < 0
    assert changes.pages == 9
    assert "telescope" in {term for term, _, _ in changes.moved}
    offers = {offer.url: offer for offer in candidates(workspace, pages)}
    assert offers[URLS[0]].answer == "picked"
    assert offers[URLS[0]].score > offers[URLS[4]].score > 0
    assert offers[URLS[0]].title
    again = Workspace(workspace.paths, "2026-02-01")
    assert again.topic == workspace.topic
    assert (again.labels, again.texts) == (workspace.labels, workspace.texts)
    assert again.labels[URLS[5]].date == "2026-01-31"


def test_pages_of_a_crawl_are_judged_with_their_tags(workspace: Workspace) -> None:
    db = crawl_named(workspace.paths.folder.parent / "crawls", "web").open(write=True)
    tag = Link(f"{HOST}/tags/telescope/", "Telescope", position="article/p.tags/a")
    for page_id in range(6, 9):  # about food, without a word of the topic
        set_links(db, page_id, [tag])
    db.close()
    pages = {page.url: page for page in pages_of(workspace)}
    soup, tagless = pages[URLS[5]], pages[URLS[8]]
    assert (soup.tags, tagless.tags) == ("telescope", "")
    snapshot = PagesAtHand(pages.values()).snapshot(workspace)
    assert snapshot.pages[soup.url].score > snapshot.pages[tagless.url].score == 0
    train(workspace)
    trained = PagesAtHand(pages.values()).trained(workspace)
    assert trained.pages[soup.url].relevant
    assert not trained.pages[tagless.url].relevant


def test_what_others_have_changed_stays(workspace: Workspace) -> None:
    mine, other = Workspace(workspace.paths, "2026-01-31"), workspace
    first, second, *_ = pages_of(workspace)
    other.keep([first])
    other.label({first.url: True})
    other.edit(TermEdits(keywords=["comet"]))
    mine.keep([second])
    mine.label({second.url: False})
    mine.edit(TermEdits(negative=["soup"]))
    again = Workspace(workspace.paths, "")
    assert {label.url: label.relevant for label in again.labels.values()} == {first.url: True, second.url: False}
    assert set(again.texts) == {first.url, second.url}
    assert (again.topic.keywords, again.topic.negative_terms) == (("telescope", "望远镜", "comet"), ("soup",))
    assert (mine.labels, mine.texts, mine.topic) == (again.labels, again.texts, again.topic)


def test_a_new_negative_phrase_counts_at_once(workspace: Workspace) -> None:
    dinner = PageText("http://a.example/", "", "A telescope for the potato soup of the evening")
    before = workspace.segmenter
    workspace.edit(TermEdits(negative=["soup"]))
    assert workspace.segmenter is before, "texts need not be cut again"
    workspace.edit(TermEdits(negative=["potato soup"], remove=["soup"]))
    model = workspace.model()
    assert model
    assert model.weights["potato_soup"] < 0
    assert "soup" not in model.weights
    assert "potato_soup" in workspace.terms(dinner)
    assert [row.word for row in shown_topic(workspace).terms if row.weight < 0] == ["potato soup"]


def test_a_change_keeps_others_from_changing(workspace: Workspace) -> None:
    with workspace.paths.locked():
        folder = os.open(workspace.paths.folder, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(folder)


def test_example_files_are_read_when_they_have_changed(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    file = workspace.paths.folder / "own.txt"
    file.write_text("The moons of Jupiter")
    write_topic(workspace.paths.toml, new_text("sky", values={"examples": ["own.txt"]}))
    workspace.refresh()
    read: list[Path] = []

    def counted(paths: Iterable[Path]) -> list[tuple[str, str]]:
        read.extend(paths := list(paths))
        return read_files(paths)

    monkeypatch.setattr(workspace_module, "read_files", counted)
    for _ in range(2):
        assert "Jupiter" in workspace.picked_texts()[0][1]
    file.write_text("The rings of Saturn, seen again")
    assert "Saturn" in workspace.picked_texts()[0][1]
    assert read == [file, file]
    file.unlink()
    with pytest.raises(BadInput, match=r"own\.txt cannot be read"):
        workspace.picked_texts()


def test_a_threshold_of_the_page_model_does_not_judge_the_pages_at_hand(workspace: Workspace) -> None:
    """These are scored by similarity, of which 0.9 is out of reach."""
    at_hand = PagesAtHand(pages_of(workspace))
    relevant = {url for url, page in at_hand.snapshot(workspace).pages.items() if page.relevant}
    assert relevant
    file = workspace.paths.toml
    write_topic(file, file.read_text(encoding="utf-8").replace("keywords =", "threshold = 0.9\nkeywords ="))
    workspace.refresh()
    assert {url for url, page in at_hand.snapshot(workspace).pages.items() if page.relevant} == relevant
    (told, *_) = parts(shown_topic(workspace))
    assert "A crawl calls pages relevant whose relevance reaches it." in str(told)


def test_chinese_examples_are_shown_in_characters(workspace: Workspace) -> None:
    shown = replace(shown_topic(workspace), examples=("http://xn--fsq.test/%E6%98%9F",))
    (told, *_) = parts(shown)
    assert isinstance(told, Table)
    assert "http://例.test/星" in told.text()


def test_chinese_pages_are_offered_by_urls_in_characters() -> None:
    page = Candidate("http://xn--fsq.test/%E6%98%9F", "星", "恒星", "zh", "a crawl", 0.5, True)
    assert "\n    http://例.test/星\n" in page.question()
    offered = candidates_part([page])
    assert isinstance(offered, Table)
    assert "http://例.test/星" in offered.text()


def test_the_first_training_is_compared_with_the_words_alone(workspace: Workspace) -> None:
    at_hand = PagesAtHand(pages_of(workspace))
    assert at_hand.before_training(workspace) == at_hand.snapshot(workspace)
    workspace.keep(pages_of(workspace))
    workspace.label(dict.fromkeys(URLS[:3], True))
    train(workspace)
    assert at_hand.before_training(workspace) == at_hand.trained(workspace)
    changes = compared(at_hand.snapshot(workspace), at_hand.trained(workspace))
    assert changes.threshold == (0, at_hand.trained(workspace).threshold)  # a cosine is no threshold of a page model
    assert f"Threshold of relevance (calibrated): {changes.threshold[1]:g}" in changes_parts(changes)


def test_what_a_test_got_wrong_is_told_in_words_as_written(workspace: Workspace) -> None:
    pages = [PageText(f"{URLS[0]}?{n}", f"Page {n}", f"Telescopes {n}, telescopes and domes", "en", "") for n in range(20)]
    workspace.keep(pages)
    workspace.label({page.url: number % 2 == 0 for number, page in enumerate(pages)})
    mistakes = assessed(workspace, folds=2).mistakes
    assert mistakes
    assert {"telescopes"} <= {term for page in mistakes for term, _ in page.terms} <= {"telescopes", "domes", "page"}


def test_a_former_training_is_judged_by_the_words_that_it_knew(workspace: Workspace) -> None:
    texts = ("A telescope and a dome", "A telescope beside a database course, and soup")
    pages = [PageText(f"{URLS[0]}?{n}", f"Page {n}", f"{texts[n % 2]} {n}", "en", "") for n in range(20)]
    workspace.keep(pages)
    workspace.label({page.url: number % 2 == 0 for number, page in enumerate(pages)})
    workspace.edit(TermEdits(negative=["database course"]))
    train(workspace)
    before, _ = before_and_after(workspace)
    workspace.set_words({"negative_terms": []})
    again, now = before_and_after(workspace)
    assert before == again != now


def test_answers_can_be_changed(workspace: Workspace) -> None:
    workspace.keep(pages_of(workspace))
    workspace.pick([URLS[0]])
    workspace.reject([URLS[0]])
    assert (workspace.topic.examples, workspace.labels[URLS[0]].relevant) == ((), False)
    workspace.pick([URLS[0]])
    assert (workspace.topic.examples, workspace.labels[URLS[0]].relevant) == ((URLS[0],), True)
    workspace.label({URLS[0]: None, URLS[1]: True})
    assert list(workspace.labels) == [URLS[1]]
    assert [source for source, _ in workspace.picked_texts()] == [URLS[0], URLS[1]]


def test_a_topic_of_examples_alone_is_searched_for_by_words_as_people_write_them(tmp_path: Path) -> None:
    place = TopicPaths(tmp_path, "new")
    (tmp_path / "sky.html").write_text("<title>Galaxies</title><p>" + "Galaxies in telescopes. " * 9)
    write_topic(place.toml, new_text("new", values={"examples": ["sky.html"]}))
    assert set(queries_of(Workspace(place, "2026-01-31"))) == {"galaxies", "telescopes"}


def test_a_topic_without_words_or_texts(tmp_path: Path) -> None:
    place = TopicPaths(tmp_path, "new")
    write_topic(place.toml, new_text("new", values={"examples": [URLS[0]]}))
    workspace = Workspace(place, "2026-01-31")
    assert workspace.model() is None
    assert queries_of(workspace) == []
    assert ranked_terms(workspace) == []
    assert workspace.without_text() == [URLS[0]]
    shown = shown_topic(workspace)
    assert (shown.terms, shown.can_be_crawled) == ((), True)
    assert len(parts(shown)) == 1
    assert changes_parts(compared(PagesAtHand([]).snapshot(workspace), PagesAtHand([]).snapshot(workspace))) == [
        "Nothing changed."
    ]


def test_local_examples_stay_in_the_file(workspace: Workspace) -> None:
    (workspace.paths.folder / "own.html").write_text("<title>Own</title><p>" + "A quasar is far away and very bright. " * 9)
    text = new_text("sky", values={"keywords": ["quasar"], "examples": ["own.html"]})
    write_topic(workspace.paths.toml, text)
    workspace = Workspace(workspace.paths, "2026-01-31")
    workspace.keep(pages_of(workspace))
    workspace.pick([URLS[0]])
    assert [path.name for path in Workspace(workspace.paths, "").topic.example_files] == ["own.html"]
    assert workspace.picked_texts()[0][0] == "own.html"


@pytest.mark.slow
def test_synonyms_and_weights_show_at_once(workspace: Workspace) -> None:
    workspace.keep(pages_of(workspace))
    at_hand = PagesAtHand(workspace.texts.values())
    before = at_hand.snapshot(workspace)
    workspace.edit(TermEdits(synonyms=[("telescope", "望远镜")], weights={"comet": 0.3}, remove=["orbit"]))
    now = at_hand.snapshot(workspace)
    assert "望远镜" not in now.weights
    assert now.weights["comet"] == 0.3
    assert now.pages[URLS[3]].score > 0 < before.pages[URLS[3]].score
    rows = {row.term: row.origin for row in shown_topic(workspace).terms}
    assert (rows["comet"], rows["telescop"], rows["orbit"]) == ("given", "keyword", "given")


def test_a_sample_begins_with_the_least_certain_and_has_some_at_random(workspace: Workspace) -> None:
    pages = pages_of(workspace)
    workspace.keep(pages[:1])
    workspace.label({URLS[0]: True})
    found = sample(workspace, pages, 5)
    assert len(found) == 5
    assert URLS[0] not in {page.url for page in found}
    assert found == sample(workspace, pages, 5)
    assert len(sample(workspace, pages, 99)) == 8


def test_tables_are_safe_and_aligned(workspace: Workspace) -> None:
    workspace.keep(pages_of(workspace))
    workspace.pick(URLS[:2])
    bad = PageText("http://e.example/", "\x1b[31m标题\n" * 30, "", "", "list")
    table = candidates_part(candidates(workspace, [bad, *pages_of(workspace)]))
    assert isinstance(table, Table)
    text = table.text()
    assert "\x1b" not in text
    assert "picked" in text
    assert "telescope" in terms_table(ranked_terms(workspace), "Terms").text()
    assert candidates_part([]) == "No page was found; other keywords may find some."


def test_an_excerpt_is_the_line_that_says_most(workspace: Workspace) -> None:
    model = workspace.model()
    assert model is not None
    assert excerpt("Home\nA telescope.\n" + "long " * 60, workspace.segmenter, model.weights) == "A telescope."
    assert excerpt(" \n", workspace.segmenter, {}) == ""
    assert len(excerpt("长" * 500, workspace.segmenter, {})) < 100
