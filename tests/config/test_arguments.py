"""Arguments of the crawl: what is taken, and the one sentence that refuses the rest."""

from __future__ import annotations

import pytest

from focuscrawl.config.arguments import CrawlArguments, parse_arguments
from focuscrawl.errors import BadInput


def test_seeds_alone_are_enough() -> None:
    found = parse_arguments({"seeds": "a.txt"})
    assert found == CrawlArguments(seeds="a.txt")
    assert (found.strategy, found.name, found.keywords, found.max_pages) == ("learned", "", (), None)


def test_all_arguments() -> None:
    found = parse_arguments(
        {
            "seeds": " /x/a.toml ", "keywords": "web crawler, 爬虫；搜索引擎、爬虫，,",
            "examples": "http://e.com/a, b.html", "name": "网络 爬虫-2", "strategy": "breadth-first",
            "max_pages": "100", "max_relevant": " 5 ",
            "max_pages_per_host": "7", "max_depth": "0", "minutes": "1.5", "partition": " 2/4 ",
            "_job": "6487ec79947edab326d6db28a2d86511",
        }
    )  # fmt: skip
    assert found.seeds == "/x/a.toml"
    assert found.keywords == ("web crawler", "爬虫", "搜索引擎")
    assert found.examples == ("http://e.com/a", "b.html")
    assert (found.max_pages, found.max_relevant, found.max_pages_per_host) == (100, 5, 7)
    assert (found.max_depth, found.minutes, found.partition) == (0, 1.5, "2/4")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("seed", "x", "did you mean seeds?"),
        ("max_page", "1", "did you mean max_pages?"),
        ("Strategy", "x", "did you mean strategy?"),
        (
            "languages",
            "zh",
            "no argument 'languages'; a topic file can say it: languages in its table [topic], see seeds/README",
        ),
        ("negative_term", "x", "negative_terms in its table [topic]"),
        ("one_site", "true", "one_site in its table [scope]"),
        ("zzz", "1", "valid are seeds, keywords"),
        ("seeds", "  ", "No seeds are given"),
        ("max_pages", "-5", "max_pages: '-5' is not a whole number, 1 or more"),
        ("max_pages", "0", "max_pages"),
        ("max_pages", "1.5", "max_pages"),
        ("max_pages", "many", "max_pages"),
        ("max_pages", "", "max_pages"),
        ("max_pages", "9" * 5000, "max_pages"),
        ("max_relevant", "-1", "max_relevant"),
        ("max_pages_per_host", "1e3", "max_pages_per_host"),
        ("max_depth", "-1", "max_depth: '-1' is not a whole number, 0 or more"),
        ("minutes", "0", "minutes: '0' is not a number above 0"),
        ("partition", "4/3", "partition: '4/3' is not i/n (i from 1 to n, n at most 64); the second of four workers is"),
        ("partition", "", "partition: '' is not i/n"),
        ("minutes", "-2", "minutes"),
        ("minutes", "nan", "minutes"),
        ("minutes", "inf", "minutes"),
        ("strategy", "bestfirst", "did you mean best-first?"),
        ("strategy", "", "learned, best-first, breadth-first"),
        ("keywords", "a,b\x1bc", "control characters"),
        ("examples", "a\0b", "control characters"),
        ("discover", "word", "discover: 'word' is not a URL; a host name"),
        ("discover", "", "discover: '' is not a URL; a host name"),
        ("discover", "ftp://s.example/", "discover: 'ftp://s.example/' is not a web URL"),
        ("discover", "http://bob:secret@s example/", "discover: 'http://bob:(hidden)@s example/' has a space in it"),
        ("name", "", "name: '' is empty"),
        ("name", "a/b", "holds a slash"),
        ("name", "a\\b", "holds a slash"),
        ("name", "..", "begins with '.'"),
        ("name", ".hidden", "begins with '.'"),
        ("name", "-x", "begins with '-'"),
        ("keywords", "，、", "keywords: '，、' names nothing"),
        ("name", "a\tb", "control characters"),
        ("name", "a\u202eb", "control characters"),
        ("name", "a\udc80", "control characters"),
        ("name", "x" * 101, "longer than 100"),
        ("name", "爬" * 81, "longer than 240 bytes (80 Chinese characters)"),
    ],
)
def test_what_is_refused(name: str, value: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_arguments({"seeds": "a.txt", name: value})
    text = str(caught.value)
    assert message in text
    assert "\n" not in text
    assert len(text) < 300
    assert text.isprintable()


def test_numbers_may_have_digits_in_full_width() -> None:
    """As options and settings took them."""
    found = parse_arguments({"seeds": "a.txt", "max_pages": "２０", "max_depth": "０", "minutes": "１．５"})
    assert (found.max_pages, found.max_depth, found.minutes) == (20, 0, 1.5)


def test_a_script_may_give_values_that_are_no_text() -> None:
    found = parse_arguments({"seeds": "a.txt", "max_pages": 5, "keywords": ["a", "b"], "minutes": 0.5})
    assert (found.max_pages, found.keywords, found.minutes) == (5, ("a", "b"), 0.5)
    for arguments in ({"seeds": 3}, {"seeds": "a.txt", "name": 3}, {"seeds": "a.txt", "keywords": 3}):
        with pytest.raises(BadInput, match="3' is not"):
            parse_arguments(arguments)


def test_the_address_of_an_instance_becomes_normal_and_loses_its_password() -> None:
    found = parse_arguments({"seeds": "a.txt", "discover": "http://bob:secret@LOCALHOST:8888"})
    assert found.discover == "http://localhost:8888/"


def test_no_arguments_at_all() -> None:
    with pytest.raises(BadInput, match="-a seeds=FILE"):
        parse_arguments({})


def test_a_job_of_scrapyd_names_its_crawl_by_another_word() -> None:
    given = {"seeds": "a.txt", "crawl": "planets", "_job": "1", "_version": "r1"}
    assert parse_arguments(given).name == "planets"
    with pytest.raises(BadInput, match="give only one of them"):
        parse_arguments(given | {"name": "planets"})
    with pytest.raises(BadInput, match="holds a slash"):
        parse_arguments(given | {"crawl": "../planets"})


def test_a_recrawl_needs_the_name_of_a_crawl_and_no_seeds() -> None:
    found = parse_arguments(
        {"mode": "recrawl", "crawl": "planets", "revisit": "all", "budget": "50", "minutes": "2.5", "_job": "1"}
    )
    assert (found.name, found.mode, found.revisit, found.budget, found.minutes) == ("planets", "recrawl", "all", 50, 2.5)
    assert (found.seeds, found.max_pages) == ("", None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mode": "recrawl"}, "mode=recrawl: which crawl? Give -a name=NAME"),
        ({"mode": "recrawl", "name": "x", "seeds": "a.txt"}, "mode=recrawl takes no seeds"),
        ({"mode": "recrawl", "name": "x", "max_depth": "1"}, "mode=recrawl takes no max_depth"),
        ({"mode": "recrawl", "name": "x", "strategy": "learned"}, "It takes name, revisit, budget and minutes"),
        ({"mode": "recrawl", "name": "x", "partition": "1/2"}, "mode=recrawl takes no partition"),
        ({"mode": "recrawl", "name": "x", "discover": "s.example"}, "mode=recrawl takes no discover"),
        ({"mode": "recrawl", "name": "x", "buget": "1"}, "did you mean budget?"),
        ({"mode": "recrawl", "name": "../x"}, "holds a slash"),
        ({"mode": "recrawl", "name": "x", "budget": "0"}, "budget: '0' is not a whole number of requests, 1 or more"),
        ({"mode": "recrawl", "name": "x", "revisit": "some"}, "revisit: 'some' is not due or all"),
        ({"mode": "again", "seeds": "a.txt"}, "mode: 'again' is not crawl or recrawl"),
        ({"seeds": "a.txt", "budget": "5"}, "budget is only for a recrawl: also give -a mode=recrawl"),
        ({"seeds": "a.txt", "mode": "crawl", "revisit": "all"}, "revisit is only for a recrawl"),
        ({"seeds": "a.txt", "at_edge": "sleep"}, "at_edge: 'sleep' is not stop, go-on or recrawl"),
    ],
)
def test_what_a_recrawl_refuses(given: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_arguments(given)
    assert message in str(caught.value)


def test_a_crawl_may_look_again_at_its_edge() -> None:
    assert parse_arguments({"seeds": "a.txt", "at_edge": "recrawl"}).at_edge == "recrawl"
