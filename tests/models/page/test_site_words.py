"""A keyword in the name of a site says nothing of its single pages."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from focuscrawl.items import counted, left_out
from focuscrawl.text.segment import Segmenter
from models.page import site_words
from models.page.calibrated import CalibratedModel
from models.page.page_context import PageContext, page_context
from models.page.page_model import PAGE_MODELS, PageModel, from_plain, make, to_plain
from models.page.site_words import MOST_TIMES, SiteWord, SiteWords
from models.topic.vsm import TopicModel

RECIPE = "Boil the potatoes, chop an onion, and fry both in butter until they are brown. Serve them with salt and parsley."
RAILWAY = "The railway along the coast was opened late. Trains of the railway carry coal, and its tunnels are long."
BLOG, MAGAZINE = "blog.example", "magazine.example"


def shown(host: str, pages: list[tuple[str, str]]) -> dict[str, SiteWord]:
    """What the site says on every page, by these pages (title, text) of a host."""
    sites, segmenter = known(host, pages), Segmenter()
    return sites.said(["railway"], page_context("", f"http://{host}/", segmenter))


def known(host: str, pages: list[tuple[str, str]]) -> SiteWords:
    sites, segmenter = SiteWords(), Segmenter()
    for number, (title, text) in enumerate(pages):
        context = page_context(title, f"http://{host}/{number}", segmenter)
        sites.learn(["railway"], segmenter.terms(f"{title}\n{text}"), context)
    return sites


def blog(count: int, on_topic: int = 0) -> list[tuple[str, str]]:
    """Pages of a blog with a keyword in its name, the last ones on the topic."""
    return [(f"Post {n} | Railway Blog", RAILWAY if n >= count - on_topic else RECIPE) for n in range(count)]


@pytest.mark.parametrize("title", ["Post {} | Railway Blog", "Railway Blog: Post {}", "Post {} - News - Railway Blog"])
def test_the_word_in_the_name_of_a_site_is_the_sites(title: str) -> None:
    pages = [(title.format(n), RAILWAY if n < 2 else RECIPE) for n in range(10)]
    assert shown(BLOG, pages) == {"railway": SiteWord(1, in_title=True)}


def test_what_a_site_says_in_its_texts_counts_with_its_name() -> None:
    pages = [(title, f"{text} Written for the Railway Blog. Read the Railway Blog.") for title, text in blog(10, 2)]
    assert shown(BLOG, pages) == {"railway": SiteWord(3, in_title=True)}


def test_the_word_in_a_host_is_the_sites() -> None:
    assert shown("railway.example", [(f"Post {n}", RECIPE) for n in range(4)]) == {"railway": SiteWord(0, in_title=False)}


def test_a_site_about_the_topic_keeps_its_word() -> None:
    pages = [(f"Post {n} | Railway Blog", RAILWAY * (1 + n % 4)) for n in range(12)]
    assert shown(BLOG, pages) == {}
    assert shown(BLOG, [*pages, *blog(3)]) == {}
    assert shown(BLOG, [(title, text * MOST_TIMES) for title, text in pages]) == {}
    assert shown(BLOG, [(f"Railway No. {n} - Models", RECIPE) for n in range(40)]) == {}


def test_the_name_of_a_board_says_what_its_pages_are_about() -> None:
    assert shown(BLOG, [(f"Post {n} - Railway - The Forum", RECIPE) for n in range(10)]) == {}


def test_a_few_pages_do_not_tell() -> None:
    assert shown(BLOG, blog(2)) == {}
    assert shown(BLOG, blog(3, 1)) == {}
    assert shown(MAGAZINE, [("Onions", RECIPE)] * 9) == {}


def test_what_a_page_says_beyond_its_site_is_left() -> None:
    sites, segmenter = known(BLOG, blog(10, 2)), Segmenter()
    title = "Railway tunnels | Railway Blog"
    context = page_context(title, f"http://{BLOG}/railway", segmenter)
    words = segmenter.terms(f"{title}\n{RAILWAY}")
    own, left, left_out = sites.own_part(["railway"], words, context)
    assert left_out == ("railway",)
    assert words.count("railway") - own.count("railway") == 1
    assert list(left.title_terms).count("railway") == 1
    assert left.url_terms == context.url_terms
    elsewhere = page_context(title, f"http://{MAGAZINE}/railway", segmenter)
    assert sites.own_part(["railway"], words, elsewhere) == (words, elsewhere, ())


def test_in_an_address_the_host_names_the_site() -> None:
    host, segmenter = "railway.example", Segmenter()
    sites = known(host, [(f"Post {n}", RECIPE) for n in range(4)])
    _, left, _ = sites.own_part(["railway"], [], page_context("", f"http://{host}/railway/1", segmenter))
    assert list(left.url_terms).count("railway") == 1


def test_of_many_hosts_those_with_most_pages_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_words, "KEPT_HOSTS", 8)
    sites = known(BLOG, blog(10))
    for number in range(20):
        sites.learn(["railway"], ["railway"], PageContext(host=f"host{number}.example"))
    assert len(sites.state()) <= 8
    assert BLOG in sites.state()


def test_only_words_that_may_be_of_a_name_are_counted() -> None:
    pages = [("Onions", RAILWAY), ("Railway tunnels", RAILWAY), ("Onions", f"{RAILWAY} {RAILWAY}")]
    assert "railway" not in known(MAGAZINE, pages[:1]).state()[MAGAZINE]
    assert sum(known(MAGAZINE, pages).state()[MAGAZINE]["railway"]) == 1
    assert sum(known("railway.example", pages).state()["railway.example"]["railway"]) == 3


def test_a_site_whose_name_is_known_now_is_named_once() -> None:
    sites, segmenter = known(BLOG, blog(2)), Segmenter()
    assert sites.take_found() == {}, "two pages do not tell"

    def meet(count: int) -> dict[str, dict[str, bool]]:
        for number in range(count):
            context = page_context("Post | Railway Blog", f"http://{BLOG}/more/{number}", segmenter)
            sites.learn(["railway", "blog"], segmenter.terms(f"Post | Railway Blog {RECIPE}"), context)
        return sites.take_found()

    assert meet(1) == {BLOG: {"railway": True}}
    assert meet(30) == {BLOG: {"blog": True}}, "the second word, which was not looked for at first"
    assert meet(30) == {}


def test_a_name_that_turns_out_to_be_what_the_pages_are_about_is_told_of() -> None:
    sites = known(BLOG, blog(3))
    assert sites.take_found() == {BLOG: {"railway": True}}
    again = SiteWords()
    again.add({"hosts": sites.state()})  # another run
    for met in (sites, again):
        segmenter, found = Segmenter(), dict[str, dict[str, bool]]()
        for number in range(30):
            context = page_context("Post | Railway Blog", f"http://{BLOG}/more/{number}", segmenter)
            met.learn(["railway"], segmenter.terms(f"Post | Railway Blog {RAILWAY * (number % 4)}"), context)
            found |= met.take_found()
        assert found == {BLOG: {"railway": False}}


@pytest.mark.parametrize("rows", [{"railway": [1] + [0] * MOST_TIMES}, {"": [1]}, {"": [-1] + [0] * MOST_TIMES}])
def test_other_data_are_refused(rows: dict[str, list[int]]) -> None:
    with pytest.raises(ValueError):
        SiteWords().add({"hosts": {BLOG: rows}})


def judged(model: PageModel, segmenter: Segmenter, pages: list[tuple[str, str]]) -> Iterator[bool]:
    for number, (title, text) in enumerate(pages):
        words, context = segmenter.terms(f"{title}\n{text}"), page_context(title, f"http://{BLOG}/{number}", segmenter)
        relevant = model.judge(words, context).relevant
        model.learn(words, relevant, context)
        yield relevant


@pytest.mark.parametrize("name", ["calibrated", "vsm"])
def test_a_blog_with_a_keyword_in_its_name_is_not_all_relevant(name: str) -> None:
    segmenter = Segmenter(["railway"])
    model = make(name, TopicModel.fit(segmenter, keywords=["railway"]))
    assert list(judged(model, segmenter, blog(12, 3)))[5:] == [False] * 4 + [True] * 3


def test_naive_bayes_from_an_example_leaves_the_name_of_a_site_out() -> None:
    segmenter = Segmenter(["railway"])
    model = make("naive-bayes", TopicModel.fit(segmenter, [("http://a.example/", RAILWAY)], ["railway"]))
    pages = [(title, f"{text} Written for the Railway Blog. Read the Railway Blog.") for title, text in blog(12, 3)]
    assert list(judged(model, segmenter, pages)) == [True] * 3 + [False] * 6 + [True] * 3
    assert model.take_renamed() == {BLOG: {"railway": True}}


def test_a_verdict_names_the_keyword_that_does_not_count() -> None:
    segmenter = Segmenter(["railway"])
    model = CalibratedModel(TopicModel.fit(segmenter, keywords=["railway"]))
    list(judged(model, segmenter, blog(12)))
    title = "Post | Railway Blog"
    context = page_context(title, f"http://{BLOG}/13", segmenter)
    assert left_out(model.judge(segmenter.terms(f"{title}\n{RECIPE}"), context).terms) == ("railway",)
    both = model.judge(segmenter.terms(f"{title}\n{RAILWAY}"), context).terms
    assert ("railway", 0.0) not in both
    assert {term for term, _ in counted(both)} >= {"railway"}
    assert left_out(both) == ("railway",)
    assert model.take_renamed() == {BLOG: {"railway": True}}


@pytest.mark.parametrize("name", PAGE_MODELS)
def test_what_sites_say_is_kept_with_the_model(name: str) -> None:
    segmenter = Segmenter(["railway"])
    topic = TopicModel.fit(segmenter, keywords=["railway"])
    model = make(name, topic)
    list(judged(model, segmenter, blog(12)))
    kept = from_plain(json.loads(json.dumps(to_plain(model))), topic, "a file")
    assert kept.state()["hosts"] == model.state()["hosts"] != {}


def test_with_examples_names_of_sites_count() -> None:
    segmenter = Segmenter(["railway"])
    examples = [(f"http://a{n}.example/", f"{RAILWAY} {n}") for n in range(3)]
    model = CalibratedModel(TopicModel.fit(segmenter, examples, ["railway"]))
    list(judged(model, segmenter, blog(12)))
    assert model.learned.site_words.state() == {}
