"""The Python API without a crawl; `tests/crawl/test_python_guide.py` runs the guide's examples on a crawl's store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.api import BadInput, Topic, open_crawl
from focuscrawl.items import Verdict
from focuscrawl.url.scope import Scope

EXAMPLES = ["The telescope shows the moons of Jupiter and a comet near the galaxy.", "望远镜 观测 星系 和 彗星 望远镜"]
PAGE = b"""<html><head><title>Telescopes</title></head><body><p>The telescope shows a comet and the moons of Jupiter.</p>
<a href="/telescopes/best.html">The best telescopes</a> <a href="/recipes">Recipes</a> <a href="/login">Log in</a></body>"""


@pytest.fixture(scope="module")
def topic() -> Topic:
    return Topic(["telescope", "望远镜"], EXAMPLES)


@pytest.mark.system
def test_it_needs_neither_scrapy_nor_twisted() -> None:
    code = "import sys, focuscrawl.api; sys.exit(any(name.split('.')[0] in ('scrapy', 'twisted') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "relevant"),
    [("An astronomer points the telescope at a comet.", True), ("用望远镜看星系和彗星", True), ("The bread is baked.", False)],
)
def test_texts_are_judged(topic: Topic, text: str, relevant: bool) -> None:
    assert topic.judge(text).relevant is relevant


def test_texts_and_pages_in_other_languages_are_not_relevant() -> None:
    """As with `languages` in a topic file."""
    topic = Topic(["telescope", "望远镜"], EXAMPLES, languages=["zh-CN"])
    english = "An astronomer points the telescope at a comet and the moons of Jupiter, which she sees in the evening."
    assert [topic.judge(text).relevant for text in (english, "用望远镜看星系和彗星")] == [False, True]
    verdict = topic.read(PAGE, "https://example.org/").verdict
    assert verdict is not None
    assert not verdict.relevant
    with pytest.raises(BadInput, match="languages: 'Chinese' is not the code of a known language, such as zh or en"):
        Topic(["telescope"], languages=["Chinese"])


@pytest.mark.parametrize("name", ["keywords", "examples", "negative_examples", "languages"])
def test_one_text_in_place_of_a_list_is_refused(name: str) -> None:
    """Its letters became the topic, to which nothing is relevant."""
    given: Any = {"keywords": ["comet"]} | {name: "telescope"}
    with pytest.raises(BadInput, match=rf"{name}: 'telescope' is a single text; give a list of texts, such as \['telescope'\]"):
        Topic(**given)


def test_links_are_sorted_by_score_and_refused_ones_come_last(topic: Topic) -> None:
    page = topic.read(PAGE, "https://example.org/")
    assert [link.url.rpartition("/")[2] for link in page.links] == ["best.html", "recipes", "login"]
    assert [link.refused for link in page.links] == ["", "", "action"]
    assert page.verdict is not None
    assert page.verdict.relevant
    assert page.title == "Telescopes"


def test_a_short_page_is_judged_by_its_tags_too(topic: Topic) -> None:
    """A post of two sentences says little; what it is filed under says more."""
    post = "<article><h1>Last night</h1><p>We stood in the garden until two. It was worth it.</p>{}</article>"
    tags = '<p class="post-tags"><a href="/tags/telescope/">#telescope</a> <a href="/tags/comet/">#comet</a></p>'

    def judged(*parts: str) -> Verdict:
        verdict = topic.read(post.format("".join(parts)).encode(), "https://blog.example/posts/last-night.html").verdict
        assert verdict is not None
        return verdict

    assert judged(tags).relevant
    assert not judged().relevant
    assert [term for term, _ in judged(tags).terms] == ["telescop"], "beside keywords, words of few examples do not count"


def test_a_scope_refuses_links(topic: Topic) -> None:
    page = topic.read(PAGE, "https://example.org/", scope=Scope(include=("/telescopes/",)))
    assert {link.url.rpartition("/")[2]: link.refused for link in page.links}["recipes"] == "include"


def test_terms_come_strongest_first(topic: Topic) -> None:
    weights = list(topic.terms.values())
    assert weights == sorted(weights, reverse=True)
    assert "telescop" in topic.terms


@pytest.mark.parametrize("url", ["", "mailto:a@b.example", "no url"])
def test_bad_urls_are_refused(topic: Topic, url: str) -> None:
    with pytest.raises(BadInput, match=r"is not a (web )?URL; "):
        topic.read(PAGE, url)


def test_a_topic_needs_words() -> None:
    with pytest.raises(BadInput, match="no words"):
        Topic()


def test_an_unknown_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no crawl 'sky'"):
        open_crawl("sky", tmp_path)
