"""Misspelt settings are refused with the nearest name; Scrapy's that nobody reads here get one sentence when they are set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

import pytest
from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.settings import Settings, default_settings

from focuscrawl.config.given_settings import (
    COMPONENTS,
    FAMILIES,
    UNREAD,
    refuse_no_dictionaries,
    refuse_unusable_components,
    without_effect,
)  # fmt: skip
from focuscrawl.config.options import DECLARED, read_options
from focuscrawl.errors import BadInput
from tools.settings_table import DOCS


def given(name: str, value: object, priority: str = "cmdline") -> Settings:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    settings.set(name, value, priority)
    return settings


@pytest.mark.parametrize("priority", ["cmdline", "project", "spider", "addon"])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("POLITENESS_DELY", "did you mean POLITENESS_DELAY?"),
        ("POLITENES_DELAY", "did you mean POLITENESS_DELAY?"),
        ("politeness_delay", "did you mean POLITENESS_DELAY?"),
        ("CRAWL_DIR", "did you mean CRAWLS_DIR?"),
        ("STORE_URI", "did you mean STORE_URL?"),
        ("LIVE_TABLE", "did you mean LIVE_ENABLED?"),
        ("RECRAWL_LEAST_PERIODS", "did you mean RECRAWL_LEAST_PERIOD?"),
        ("GUARD_X", "GUARD_X"),
        ("FRONTIER_STRATEGY", "did you mean the argument -a strategy=…?"),
        ("FRONTIER_MAX_PAGES", "did you mean the argument -a max_pages=…?"),
    ],
)
def test_misspelt_settings(name: str, hint: str, priority: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_options(given(name, "3", priority), {})
    assert str(caught.value).startswith(f"there is no setting {name}; ")
    assert hint in str(caught.value)


@pytest.mark.parametrize("name", ["DNS_TIMEOUT", "DNSCACHE_SIZE", "MY_PIPELINE_DELAY", "STORE_BUCKET", "LIVENESS"])
def test_settings_of_scrapy_and_of_other_components_pass(name: str) -> None:
    read_options(given(name, "1"), {})


@pytest.mark.parametrize(
    ("variable", "hint"),
    [
        ("FOCUSCRAWL_POLITENES_DELAY", "; did you mean FOCUSCRAWL_POLITENESS_DELAY?"),
        ("FOCUSCRAWL_politeness_delay", "; did you mean FOCUSCRAWL_POLITENESS_DELAY?"),
        ("FOCUSCRAWL_DEPTH_LIMIT", "the variable FOCUSCRAWL_DEPTH_LIMIT sets nothing"),
        ("FOCUSCRAWL_XYZ", "; docs/settings.md lists all"),
    ],
)
def test_misspelt_variables(variable: str, hint: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_options(given("CONTACT", ""), {variable: "1", "POLITENESS_DELY": "2"})
    assert hint in str(caught.value)


def test_variables_that_set_something() -> None:
    names = ("POLITENESS_DELAY", "JOB_ROOTS", "JOB_NETWORKS", "DOWNLOAD_DELAY", "WEBS")
    read_options(given("CONTACT", ""), {f"FOCUSCRAWL_{name}": "1" for name in names} | {"PATH": "/bin"})


def test_every_setting_of_ours_is_watched_over() -> None:
    """A new setting begins like a family, or stands alone on purpose."""
    alone = {"CRAWLS_DIR", "STORE_URL", "TOPICS_DIR", "CONTACT"}
    ours = {name for name in DECLARED if not hasattr(default_settings, name)}
    assert {name for name in ours if not name.startswith(FAMILIES)} == alone
    assert all(any(name.startswith(family) for name in ours) for family in FAMILIES)


def told(given: Mapping[str, object], environment: Mapping[str, str] | None = None, priority: str = "cmdline") -> list[str]:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    for name, value in given.items():
        settings.set(name, value, priority)
    return list(without_effect(settings, environment or {}))


def test_nothing_is_said_of_what_is_not_set() -> None:
    assert told({}) == []
    assert told({"DOWNLOAD_DELAY": "1.0", "COOKIES_ENABLED": "False", "JOBDIR": None, "POLITENESS_DELAY": "3"}) == []


@pytest.mark.parametrize("priority", ["cmdline", "spider", "project"])
def test_what_is_set_is_named_with_what_to_use_instead(priority: str) -> None:
    given = {"JOBDIR": "/tmp/x", "DEPTH_LIMIT": "3", "DOWNLOAD_DELAY": 2, "CLOSESPIDER_PAGECOUNT": 100, "COOKIES_ENABLED": True}
    sentences = told(given, priority=priority)
    assert [sentence.partition(" ")[0] for sentence in sentences] == [name for name in UNREAD if name in given]
    assert "JOBDIR does nothing here: the crawl's state is in its store, and the same command resumes it" in sentences
    assert any("-a max_depth=" in sentence for sentence in sentences)
    assert any("POLITENESS_DELAY" in sentence for sentence in sentences)
    assert all("\n" not in sentence for sentence in sentences)


def test_each_of_them_is_a_setting_of_scrapy() -> None:
    with pytest.warns(ScrapyDeprecationWarning, match="CONCURRENT_REQUESTS_PER_IP"):
        assert all(hasattr(default_settings, name) for name in UNREAD)
    for name in UNREAD:
        assert len(told({name: "17"})) == 1, name


def test_the_docs_name_them() -> None:
    section = DOCS.read_text("utf-8").partition("## Scrapy's settings that do nothing here")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([A-Z_]+)`", section)) - set(COMPONENTS) == set(UNREAD)


def test_who_adds_the_component_is_not_warned() -> None:
    assert told({"CLOSESPIDER_PAGECOUNT": 5, "EXTENSIONS": {"scrapy.extensions.closespider.CloseSpider": 500}}) == []
    off = {"CLOSESPIDER_PAGECOUNT": 5, "EXTENSIONS": {"scrapy.extensions.closespider.CloseSpider": None}}
    assert len(told(off)) == 1


def test_variables_of_the_environment() -> None:
    assert told({"COOKIES_ENABLED": "True"}, {"FOCUSCRAWL_COOKIES_ENABLED": "True"})[0].startswith(
        "COOKIES_ENABLED does nothing"
    )
    [sentence] = told({}, {"http_proxy": "http://proxy:3128", "HTTPS_PROXY": "http://proxy:3128"})
    assert sentence.startswith("the environment's http_proxy does nothing here: requests go straight to their host")
    assert told({}, {"http_proxy": ""}) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SCHEDULER", "scrapy_redis.scheduler.Scheduler"),
        ("TWISTED_DNS_RESOLVER", "scrapy.resolver.CachingThreadedResolver"),
        ("DNS_RESOLVER", "scrapy.resolver.CachingHostnameResolver"),
        ("TWISTED_REACTOR", "twisted.internet.selectreactor.SelectReactor"),
        ("TWISTED_REACTOR_ENABLED", False),
    ],
)
def test_the_wiring_is_ours(name: str, value: object) -> None:
    with pytest.raises(BadInput, match=f"setting {name}='{value}' cannot be changed: .*; leave it out"):
        read_options(given(name, value), {})


def test_the_wiring_as_it_is() -> None:
    read_options(given("TWISTED_REACTOR", "twisted.internet.asyncioreactor.AsyncioSelectorReactor"), {})
    read_options(given("TWISTED_REACTOR_ENABLED", "1"), {})


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "SPIDER_MODULES",
            "spiders,nosuch",
            "SPIDER_MODULES names 'nosuch', which cannot be imported (No module named 'nosuch')",
        ),
        ("ITEM_PIPELINES", {"nosuch.Own": 500}, "ITEM_PIPELINES names 'nosuch.Own', which cannot be imported"),
        (
            "ITEM_PIPELINES",
            {"json.Own": 500},
            "names 'json.Own', which cannot be imported (Module 'json' doesn't define any object",
        ),
        ("EXTENSIONS", {"Own": 500}, "EXTENSIONS names 'Own', which cannot be imported"),
        ("SPIDER_MIDDLEWARES", {"nosuch.Own": 1}, "SPIDER_MIDDLEWARES names 'nosuch.Own'"),
        ("DOWNLOADER_MIDDLEWARES", {"json.JSONDecoder": "x"}, "has 'x' as the place of 'json.JSONDecoder'; use a number"),
        ("FEED_EXPORTERS", {"xx": "nosuch.Own"}, "FEED_EXPORTERS names 'nosuch.Own'"),
        ("STATS_CLASS", "nosuch.Own", "STATS_CLASS names 'nosuch.Own'"),
    ],
)
def test_components_that_cannot_be_imported(name: str, value: object, sentence: str) -> None:
    """They ended a crawl with a traceback."""
    with pytest.raises(BadInput, match=re.escape(sentence)):
        refuse_unusable_components(given(name, value))


class Mistyped:
    def proces_item(self, page: object) -> object:
        return page


class Signals:
    @classmethod
    def from_crawler(cls, crawler: object) -> Signals:
        return cls()


class Delegating:
    def __getattr__(self, name: str) -> object:
        return getattr(Signals, name)


class SetByInit:
    def __init__(self) -> None:
        self.process_item = Signals.from_crawler


def made() -> Delegating:
    return Delegating()


class NeedsPath:
    def __init__(self, path: str) -> None:
        self.path = path

    def process_item(self, page: object) -> object:
        return page


class NeedsMore(Signals):
    @classmethod
    def from_crawler(cls, crawler: object, *, more: int = 0, path: str) -> NeedsMore:  # type: ignore[override]
        return cls()


class MakesItself(NeedsPath):
    @classmethod
    def from_crawler(cls, crawler: object) -> MakesItself:
        return cls("pages")


def not_a_maker(page: object) -> object:
    return page


@pytest.mark.parametrize("setting", ["ITEM_PIPELINES", "EXTENSIONS", "DOWNLOADER_MIDDLEWARES"])
@pytest.mark.parametrize(
    ("named", "wanting"), [(NeedsPath, "path"), (f"{__name__}.NeedsPath", "path"), (NeedsMore, "path"), (not_a_maker, "page")]
)
def test_a_component_that_scrapy_cannot_make(setting: str, named: object, wanting: str) -> None:
    with pytest.raises(BadInput, match=rf"{setting} names '.*', which Scrapy cannot make \(missing a required .*'{wanting}'"):
        refuse_unusable_components(given(setting, {named: 500}))


@pytest.mark.parametrize("named", [Mistyped, f"{__name__}.Mistyped"])
def test_a_component_that_scrapy_would_never_call(named: object) -> None:
    with pytest.raises(BadInput, match=r"ITEM_PIPELINES names '.*Mistyped', which has no method process_item; Scrapy"):
        refuse_unusable_components(given("ITEM_PIPELINES", {named: 500}))
    refuse_unusable_components(given("EXTENSIONS", {named: 500}))


@pytest.mark.parametrize(
    "value",
    [
        {"pipelines.dedup.DedupPipeline": 500},
        {"nosuch.Own": None},
        {Signals: 7},
        {Delegating: 7},
        {made: 7},
        {SetByInit: 7},
        {MakesItself: 7},
        {partial(made): 7},
        {},
    ],
)
def test_components_that_can_be_used(value: object) -> None:
    refuse_unusable_components(given("ITEM_PIPELINES", value))


def test_spiders_that_cannot_be_imported_are_left_to_scrapy_where_it_only_warns() -> None:
    settings = given("SPIDER_MODULES", "spiders,nosuch")
    settings.set("SPIDER_LOADER_WARN_ONLY", "True")
    refuse_unusable_components(settings)
    settings.set("STATS_CLASS", "nosuch.Own")
    with pytest.raises(BadInput, match=re.escape("STATS_CLASS names 'nosuch.Own'")):
        refuse_unusable_components(settings)


@pytest.mark.parametrize("value", ["mine.Own", "[1]", "{oops", ""])
def test_a_dictionary_is_wanted(value: str) -> None:
    """A traceback, or a sentence that told only that -s wants NAME=VALUE."""
    with pytest.raises(BadInput, match=re.escape("is not a JSON object; use for example 'ITEM_PIPELINES={")):
        refuse_no_dictionaries(["LOG_LEVEL=INFO", f"ITEM_PIPELINES={value}"], given("LOG_LEVEL", "INFO"))


def test_a_dictionary_is_taken() -> None:
    refuse_no_dictionaries(['ITEM_PIPELINES={"a.B": 1}', "LOG_LEVEL", "NO_SUCH=x"], given("LOG_LEVEL", "INFO"))
