"""Settings of Scrapy that nobody reads here: one sentence each when they are set, silence otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from scrapy.settings import Settings, default_settings

from focuscrawl.config.without_effect import COMPONENTS, UNREAD, without_effect
from tools.settings_table import DOCS


def told(given: Mapping[str, object], environment: Mapping[str, str] | None = None, priority: str = "cmdline") -> list[str]:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    for name, value in given.items():
        settings.set(name, value, priority)
    return list(without_effect(settings, environment or {}))


def test_nothing_is_said_of_what_is_not_set() -> None:
    assert told({}) == []
    assert told({"DOWNLOAD_DELAY": "0", "COOKIES_ENABLED": "False", "JOBDIR": None, "POLITENESS_DELAY": "3"}) == []


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
