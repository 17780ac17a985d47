"""One declaration a setting: the same names with the default, the check and the documentation; refusals in one sentence."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from typing import Any, get_args

import pytest
from scrapy.settings import Settings, default_settings

from focuscrawl import settings as defaults
from focuscrawl.config.arguments import Strategy
from focuscrawl.config.options import DECLARED, Options, read_options
from focuscrawl.dedup.methods import method
from focuscrawl.errors import BadInput
from focuscrawl.recrawl.planning import POLICIES as RECRAWL_POLICIES
from focuscrawl.recrawl.settings import RecrawlSettings
from models.link.tunnelling import POLICIES
from models.order.strategies import STRATEGIES
from models.page.page_model import PAGE_MODELS
from tools.settings_table import DOCS, ROW, row

DOCUMENTED = DOCS.read_text("utf-8")


def given(**values: object) -> Settings:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    for name, value in values.items():
        settings.set(name, value, "cmdline")
    return settings


def options(**values: object) -> Options:
    return read_options(given(**values), {})


def refusal(**values: object) -> str:
    with pytest.raises(BadInput) as caught:
        options(**values)
    text = str(caught.value)
    assert "\n" not in text
    assert text.isprintable()
    assert len(text) < 300
    return text


def test_every_setting_of_ours_has_a_default_and_a_declaration() -> None:
    ours = {name for name in vars(defaults) if name.isupper() and not hasattr(default_settings, name)}
    assert ours == {name for name in DECLARED if not hasattr(default_settings, name)}
    assert all(hasattr(defaults, name) for name in DECLARED)
    assert all(name == name.upper() and field.description for name, field in DECLARED.items())


def test_the_docs_have_the_declared_rows() -> None:
    rows = {found[1]: found[0] for found in ROW.finditer(DOCUMENTED)}
    assert {name: rows.get(name) for name in DECLARED} == {name: row(name) for name in DECLARED}, (
        "run python -m tools.settings_table"
    )


def test_defaults_pass_unchanged() -> None:
    found = options()
    for name in DECLARED:
        value = getattr(defaults, name)
        assert getattr(found, name.lower()) == (tuple(value) if isinstance(value, list) else value), name
    assert found.recrawl.policy == "optimal"
    assert found.recrawl.least_period == defaults.RECRAWL_LEAST_PERIOD


def test_a_first_period_that_was_not_given_follows_the_least_one() -> None:
    """RECRAWL_LEAST_PERIOD=20 was refused for a RECRAWL_PERIOD of which the user had said nothing."""
    assert options(RECRAWL_LEAST_PERIOD=20).recrawl.period == 20
    assert options(RECRAWL_LEAST_PERIOD=20, RECRAWL_PERIOD=30).recrawl.period == 30


def test_recrawl_settings_are_those_that_are_declared() -> None:
    declared = {name.removeprefix("RECRAWL_").lower() for name in DECLARED if name.startswith("RECRAWL_")}
    assert {field.name for field in fields(RecrawlSettings)} | {"check_headers"} == declared
    # No room below the middlewares asks for that one.


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (Strategy, STRATEGIES),
        (Options.model_fields["relevance_model"].annotation, PAGE_MODELS),
        (Options.model_fields["linkscore_tunnelling"].annotation, POLICIES),
        (Options.model_fields["recrawl_policy"].annotation, RECRAWL_POLICIES),
    ],
)
def test_the_words_a_user_may_say_are_those_that_the_rooms_know(words: Any, known: Any) -> None:
    assert get_args(words) == tuple(known)


def test_every_declared_dedup_method_exists() -> None:
    for name in get_args(Options.model_fields["dedup_method"].annotation):
        assert method(name).name == name


def test_text_is_read_as_scrapy_reads_it() -> None:
    found = options(
        POLITENESS_DELAY=" 2.5 ", CONCURRENT_REQUESTS=" 8 ", LIVE_ENABLED="0", RELEVANCE_BEST_TEXT="true",
        FRONTIER_RETRY_DELAYS="1, 2.5", GUARD_ALLOW_PORTS=[443, "8000-8100"], DNS_SERVERS="", ROBOTSTXT_USER_AGENT="",
        CONTACT=" you@example.org ", LOG_LEVEL=10, FRONTIER_RANDOM_SEED=str(2**63 - 1),
    )  # fmt: skip
    assert (found.politeness_delay, found.concurrent_requests) == (2.5, 8)
    assert (found.live_enabled, found.relevance_best_text) == (False, True)
    assert (found.frontier_retry_delays, found.guard_allow_ports, found.dns_servers) == ((1, 2.5), ("443", "8000-8100"), ())
    assert (found.robotstxt_user_agent, found.contact) == ("focuscrawl", "you@example.org")
    assert found.frontier_random_seed == 2**63 - 1


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("POLITENESS_DELAY", "abc", "setting POLITENESS_DELAY='abc' is not a number; use 0 or more"),
        ("POLITENESS_DELAY", "-1", "setting POLITENESS_DELAY='-1' is out of range; use 0 or more"),
        ("POLITENESS_DELAY", "nan", "setting POLITENESS_DELAY='nan' is out of range; use 0 or more"),
        ("POLITENESS_DELAY", "inf", "setting POLITENESS_DELAY='inf' is out of range; use 0 or more"),
        ("POLITENESS_DELAY", None, "setting POLITENESS_DELAY=None is not a number; use 0 or more"),
        ("FRONTIER_HOST_SHARE", 1.5, "setting FRONTIER_HOST_SHARE=1.5 is out of range; use 0 to 1"),
        ("CONCURRENT_REQUESTS", "2.0", "setting CONCURRENT_REQUESTS='2.0' is not a whole number; use 1 or more"),
        ("CONCURRENT_REQUESTS", "9" * 5000, "is not a whole number; use 1 or more"),
        ("FRONTIER_RANDOM_SEED", 2**63, "is out of range; use 0 to 9223372036854775807"),
        ("ROBOTSTXT_OBEY", "yes", "setting ROBOTSTXT_OBEY='yes' is neither true nor false; use True or False"),
        ("RELEVANCE_MODEL", "bayes", "setting RELEVANCE_MODEL='bayes' is unknown; use one of calibrated, vsm, naive-bayes"),
        ("GUARD_ALLOW_PORTS", 443, "setting GUARD_ALLOW_PORTS=443 is not a list; use a text with commas, or a list"),
        ("FRONTIER_RETRY_DELAYS", 60, "setting FRONTIER_RETRY_DELAYS=60 is not a list"),
        ("DNS_SERVERS", "foo:bar:baz", "DNS_SERVERS: 'foo:bar:baz' is not an address"),
        ("GUARD_ALLOW_NETWORKS", "300.0.0.0/8", "GUARD_ALLOW_NETWORKS: '300.0.0.0/8'"),
        ("GUARD_ALLOW_PORTS", "http", "GUARD_ALLOW_PORTS"),
        (
            "FRONTIER_RETRY_DELAYS",
            "1,x",
            "setting FRONTIER_RETRY_DELAYS='1,x' is not a list of seconds; use for example 60,300",
        ),
        ("LOG_LEVEL", "LOUD", "setting LOG_LEVEL='LOUD' is unknown; use one of DEBUG, INFO, WARNING, ERROR, CRITICAL"),
        ("CONTACT", "a\nb", "setting CONTACT='a\\nb' cannot be sent in a header; use an address such as you@example.org"),
        ("STORE_URL", "password=secret host=h", "setting STORE_URL is unknown; use postgresql://"),
        ("STORE_URL", "postgresql://me:sec/ret@h/x", "setting STORE_URL has more than one @, or a / before it; write those"),
        ("STORE_URL", "postgresql://me:sec@ret@h/x", "setting STORE_URL has more than one @, or a / before it; write those"),
        ("STORE_URL", "mysql://me:secret@h/x", "setting STORE_URL=mysql… is unknown; use postgresql://USER@HOST:PORT/DATABASE"),
        (
            "RECRAWL_LEAST_PERIOD",
            "200",
            "setting RECRAWL_LEAST_PERIOD=200 is above RECRAWL_MOST_PERIOD=180; lower it, or raise",
        ),
        ("RECRAWL_PERIOD", "0.01", "setting RECRAWL_PERIOD=0.01 is below RECRAWL_LEAST_PERIOD=0.04; raise RECRAWL_PERIOD"),
    ],
)
def test_what_cannot_be_used(name: str, value: object, sentence: str) -> None:
    text = refusal(**{name: value})
    assert sentence in text
    assert "secret" not in text


def test_part_of_a_worker() -> None:
    found = options(PARTITION_GRAIN="domain", PARTITION_FOREIGN="drop")
    assert found.partition("") is None
    part = found.partition("2/4")
    assert part is not None
    assert (str(part), part.grain, part.foreign) == ("2/4", "domain", "drop")


@pytest.mark.system
def test_settings_import_no_validator() -> None:
    """`scrapy version` imports settings.py: pydantic would cost every light command a tenth of a second."""
    program = "import sys; from focuscrawl import settings; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=DOCS.parents[1]).returncode == 0


@pytest.mark.parametrize(
    "name", ["FRONTIER_STOP_WINDOW", "POLITENESS_CONCURRENCY", "LINKSCORE_REPLAY_PAGES", "FRONTIER_CACHE_SIZE"]
)
def test_whole_numbers_fit_the_store(name: str) -> None:
    assert refusal(**{name: str(2**63)}) == f"setting {name}={2**63} is out of range; use {2**63 - 1} at most"
    options(**{name: str(2**63 - 1)})


@pytest.mark.parametrize("name", ["POLITENESS_DELAY", "FRONTIER_IDLE_STOP", "DOWNLOAD_TIMEOUT", "DNS_QUERY_TIMEOUT"])
def test_times_end_before_dates_do(name: str) -> None:
    assert refusal(**{name: "1e12"}) == f"setting {name}=1000000000000.0 is out of range; use 1000000000 at most"
    assert "use for example" in refusal(FRONTIER_RETRY_DELAYS="60,1e12")


def test_items_at_once_have_a_bound() -> None:
    assert refusal(CONCURRENT_ITEMS="1001") == "setting CONCURRENT_ITEMS='1001' is out of range; use 1 to 1000"
