"""Misspelt settings are refused with the nearest name, wherever they were said."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings, default_settings

from focuscrawl.config.options import DECLARED, read_options
from focuscrawl.config.setting_names import FAMILIES
from focuscrawl.errors import BadInput


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
    ],
)
def test_misspelt_settings(name: str, hint: str, priority: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_options(given(name, "3", priority), {})
    assert str(caught.value).startswith(f"there is no setting {name}; ")
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    "name", ["DNS_RESOLVER", "DNS_TIMEOUT", "DNSCACHE_SIZE", "MY_PIPELINE_DELAY", "STORE_BUCKET", "LIVENESS"]
)
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
