"""The truth agrees with what is served."""

from __future__ import annotations

import tomllib
from functools import cache
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest

from synthweb.compare import compare
from synthweb.plan import preset
from synthweb.topic_file import seeds_of, topic_file
from synthweb.truth import Truth, truth
from synthweb.web import SyntheticWeb


@cache
def small() -> tuple[SyntheticWeb, Truth]:
    web = SyntheticWeb(preset("test-small"), 8080)
    return web, truth(web, "astronomy", seeds_of(web, "astronomy"))


@cache
def demo() -> tuple[SyntheticWeb, Truth]:
    web = SyntheticWeb(preset("demo"), 8080)
    return web, truth(web, "astronomy", seeds_of(web, "astronomy"))


class Links(HTMLParser):
    """Collects links as a crawler does."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        if tag == "a":
            self.found.append((fields.get("href") or "", fields.get("rel") or ""))


def served_links(web: SyntheticWeb, url: str) -> list[tuple[str, str]]:
    host = web.host_of(url)
    assert host is not None
    parser = Links()
    parser.feed(web.answer(host, url.split(":8080", 1)[1]).body.decode(host.role.charset))
    return [(urljoin(url, href), rel) for href, rel in parser.found]


@pytest.mark.slow
def test_links_of_the_truth_are_the_links_of_the_pages() -> None:
    web, known = demo()
    pages = [url for url, label in known.labels.items() if label.status == 200 and label.kind in ("article", "list", "tunnel")]
    for url in pages[::29]:
        assert served_links(web, url) == web.links(url)


@pytest.mark.slow
def test_status_of_the_truth_is_the_status_served() -> None:
    web, known = small()
    for url, label in known.labels.items():
        host = web.host_of(url)
        assert host is not None
        assert web.answer(host, url.split(":8080", 1)[1]).status == label.status


@pytest.mark.slow
def test_labels_are_stable_under_labelling() -> None:
    web, known = small()
    for url, label in known.labels.items():
        assert web.label(url) == label


def test_demo_has_something_of_everything() -> None:
    _, known = demo()
    assert len(known.relevant) > 150
    assert min(map(len, (known.failing, known.hubs, known.duplicates, known.noindex, known.forbidden))) >= 4
    assert len(known.traps) == 1
    kinds = {"home", "section", "list", "article", "static", "tunnel", "private", "redirect", "trap", "binary"}
    kinds |= {"dead", "soft404"}
    assert kinds <= {label.kind for label in known.labels.values()}
    languages = {known.labels[url].language for url in known.relevant}
    assert languages == {"en", "zh"}


def test_tunnels_hide_a_part_for_each_depth() -> None:
    _, known = demo()
    counts = [len(known.within(depth)) for depth in range(5)]
    assert counts[0] < counts[1] < counts[2] < counts[3] == counts[4] == len(known.relevant)


def test_relevant_pages_may_be_kept() -> None:
    _, known = demo()
    for url in known.relevant:
        label = known.labels[url]
        assert (label.topic, label.kind, label.allowed, label.noindex) == ("astronomy", "article", True, False)
        assert not label.duplicate
        origin = next(origin for origin in known.disallowed if url.startswith(origin + "/"))
        assert known.disallowed[origin] != ("/",)


@pytest.mark.slow
def test_the_web_for_kill_tests_is_whole_and_plain() -> None:
    web = SyntheticWeb(preset("kill"), 8080)
    known = truth(web, "astronomy", seeds_of(web, "astronomy"))
    assert len(known.labels) == 1500
    assert {label.kind for label in known.labels.values()} == {"home", "section", "list", "article"}
    assert not known.duplicates
    assert all(label.allowed and not label.fault for label in known.labels.values())


def test_truth_of_a_large_web_is_refused() -> None:
    with pytest.raises(ValueError, match="not walked"):
        truth(SyntheticWeb(preset("large"), 80), "music", ())


@pytest.mark.slow
def test_a_perfect_crawl_compares_well() -> None:
    web, known = demo()
    result = compare(web, known, known.relevant, known.relevant)
    assert (result.recall, result.precision, result.kept_twice) == (1.0, 1.0, 0)
    assert (result.fetched_forbidden, result.fetched_trap, result.kept_noindex) == (0, 0, 0)
    assert result.found_behind_tunnels == result.behind_tunnels > 10


def test_a_bad_crawl_compares_badly() -> None:
    web, known = demo()
    copies = [url for url in known.duplicates if known.labels[url].kind == "article"][:5]
    copies = [url for url in copies if known.duplicates[url] in known.relevant]
    kept = [*copies, *(known.duplicates[url] for url in copies), *known.noindex]
    trap = f"{next(iter(known.traps))}/browse/more/more/"
    result = compare(web, known, [*known.forbidden, trap, "http://x.test/", f"{next(iter(known.traps))}/robots.txt"], kept)
    assert result.recall < 0.1
    assert result.kept_twice >= len(copies) > 0
    assert result.fetched_forbidden == len(known.forbidden)
    assert result.fetched_trap == 1
    assert result.kept_noindex == len(known.noindex)


@pytest.mark.parametrize("topic", ["astronomy", "music"])
def test_topic_file(topic: str) -> None:
    web, _ = demo()
    data = tomllib.loads(topic_file(web, topic, examples=4))
    assert data["topic"]["name"] == topic
    assert any(word.isascii() for word in data["topic"]["keywords"])
    assert any(not word.isascii() for word in data["topic"]["keywords"])
    assert all(web.label(url).topic == topic for url in data["topic"]["examples"])
    assert len(data["topic"]["examples"]) == 4
    assert data["seeds"]["urls"]
    assert all(web.label(url).status == 200 and web.label(url).allowed for url in data["seeds"]["urls"])
