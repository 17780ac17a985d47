"""What a job of Scrapyd may say in schedule.json, and what it is told when it says more."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from focuscrawl import settings
from focuscrawl.config.allowed_paths import ANYWHERE, ROOTS, Roots
from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import job_of
from focuscrawl.config.scrapyd_policy import (
    ALLOWED,
    AT_LEAST,
    AT_MOST,
    NETWORKS,
    JobRules,
    check_own,
    is_job,
    networks_of,
    roots_of,
)
from focuscrawl.errors import BadInput

OPERATOR = {name: getattr(settings, name) for name in AT_LEAST | AT_MOST}
DEPLOY = (Path(__file__).parents[2] / "docs/guides/workers.md").read_text(encoding="utf-8")
LOGS = {"logs_dir": "/var/log/scrapyd", "items_dir": "", "jobs_dir": ""}


def rules(root: Path, networks: str = "", folders: Mapping[str, str] = LOGS) -> JobRules:
    return JobRules.of({ROOTS: str(root), NETWORKS: networks}, OPERATOR, folders)


def refused(root: Path, name: str, value: str, networks: str = "", folders: Mapping[str, str] = LOGS) -> str:
    """The sentence."""
    with pytest.raises(BadInput) as told:
        rules(root, networks, folders).check({name: value})
    text = str(told.value)
    assert name in text
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("arguments", "environment", "is_one"),
    [
        ({"_job": "1"}, {}, True),
        ({"_job": ""}, {}, True),
        ({"_version": "r1"}, {}, True),
        ({}, {"SCRAPY_JOB": "1"}, True),
        ({}, {"SCRAPYD_EGG_VERSION": "1"}, True),
        ({"seeds": "x"}, {"SCRAPY_PROJECT": "focuscrawl", ROOTS: "/srv"}, False),
    ],
)
def test_who_runs_the_crawl(arguments: dict[str, str], environment: dict[str, str], is_one: bool) -> None:
    assert is_job(arguments, environment) is is_one
    if not is_one:
        assert roots_of(arguments, environment) is ANYWHERE


def test_without_the_operators_word_a_job_may_nothing(tmp_path: Path) -> None:
    for use in (lambda: JobRules.of({}, OPERATOR, {}), lambda: roots_of({"_job": "1"}, {})):
        with pytest.raises(BadInput, match=f"set {ROOTS} in Scrapyd's environment to"):
            use()
    assert roots_of({"_job": "1"}, {ROOTS: str(tmp_path)}).folders == (tmp_path,)


def test_what_does_no_harm(tmp_path: Path) -> None:
    given = {
        "FRONTIER_IDLE_STOP": "5", "LOG_LEVEL": "DEBUG", "CONTACT": "you@example.org", "DEDUP_METHOD": "shingles",
        "POLITENESS_DELAY": "2", "POLITENESS_CONCURRENCY": "1", "CONCURRENT_REQUESTS": "4",
        "CRAWLS_DIR": str(tmp_path / "crawls"), "LOG_FILE": "/var/log/scrapyd/focuscrawl/topic/1.log",
    }  # fmt: skip
    rules(tmp_path).check(given)


def test_allowed_settings_exist_and_are_those_of_the_docs() -> None:
    known = {name for name in vars(settings) if name.isupper()}
    assert known >= ALLOWED
    families = re.findall(r"`([A-Z]+_)\*`", DEPLOY)
    assert len(families) == 5
    of_families = {name for name in known if name.startswith(tuple(families))}
    assert of_families <= ALLOWED
    assert not [name for name in ALLOWED - of_families if f"`{name}`" not in DEPLOY]


@pytest.mark.parametrize(
    "name",
    sorted(
        {name for name in vars(settings) if isinstance(getattr(settings, name), str | dict) and name.isupper()}
        - {"CRAWLS_DIR", "TOPICS_DIR", "CONTACT", "RELEVANCE_MODEL", "DEDUP_METHOD", "LINKSCORE_TUNNELLING", "LOG_LEVEL"}
        - {"PARTITION_GRAIN", "PARTITION_FOREIGN", "RECRAWL_POLICY", "RELEVANCE_SEGMENTER", "DEDUP_SIMHASH"}
    ),
)
def test_no_component_no_store_no_identity(tmp_path: Path, name: str) -> None:
    assert "cannot be given in schedule.json" in refused(tmp_path, name, "x")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "EXTENSIONS",
            "ADDONS",
            "ITEM_PIPELINES",
            "SPIDER_MODULES",
            "FEED_STORAGES",
            "FEED_URI_PARAMS",
            "LOG_FORMAT",
            "DOWNLOADER",
        ),
        *("STORE_URL", "GUARD_ALLOW_PORTS", "ROBOTSTXT_OBEY", "HTTPPROXY_ENABLED", "TELNETCONSOLE_ENABLED", "DNS_RESOLVER"),
        *("STATS_CLASS", "HTTPCACHE_DIR", "FILES_STORE", "crawls_dir", " CRAWLS_DIR", "", "LOG_FILE_APPEND", "LOG_ENABLED"),
    ],
)
def test_unlisted(tmp_path: Path, name: str) -> None:
    assert "cannot be given in schedule.json" in refused(tmp_path, name, "x")


def test_a_slip_is_told(tmp_path: Path) -> None:
    assert refused(tmp_path, "POLITENESS_DELAI", "2").endswith("; did you mean POLITENESS_DELAY?")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("POLITENESS_DELAY", "0", "use 1 or more"),
        ("POLITENESS_DELAY", "0.99", "use 1 or more"),
        ("POLITENESS_DELAY", "nan", "use 1 or more"),
        ("POLITENESS_ADDRESS_DELAY", "-1", "use 0.2 or more"),
        ("POLITENESS_CONCURRENCY", "2", "use 1 or less"),
        ("CONCURRENT_REQUESTS", "17", "use 16 or less"),
    ],
)
def test_never_ruder_than_the_operator(tmp_path: Path, name: str, value: str, told: str) -> None:
    assert told in refused(tmp_path, name, value)


def test_what_is_no_number_is_left_to_the_settings_themselves(tmp_path: Path) -> None:
    rules(tmp_path).check({"POLITENESS_DELAY": "fast"})


@pytest.mark.parametrize("path", ["/tmp", "/", "crawls/../../..", "link"])
@pytest.mark.parametrize("name", ["CRAWLS_DIR", "TOPICS_DIR"])
def test_folders_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    monkeypatch.chdir(root)
    assert ROOTS in refused(root, name, path)
    rules(root).check({name: "below"})


@pytest.mark.parametrize("value", ["10.1.0.0/16", "10.0.0.0/8", "10.1.2.3", " 10.1.2.3 , 192.168.7.0/24", "fd00:1::/32", ""])
def test_networks_within(tmp_path: Path, value: str) -> None:
    rules(tmp_path, "10.0.0.0/8,192.168.7.0/24, fd00::/16").check({"GUARD_ALLOW_NETWORKS": value})


@pytest.mark.parametrize(
    "value",
    ["0.0.0.0/0", "10.0.0.0/7", "11.0.0.0/8", "10.0.0.0/8,127.0.0.1", "::/0", "fd00::/15", "::ffff:10.0.0.0/104", "[", "10/x"],
)
@pytest.mark.parametrize("networks", ["10.0.0.0/8,fd00::/16", ""])
def test_networks_beyond(tmp_path: Path, value: str, networks: str) -> None:
    refused(tmp_path, "GUARD_ALLOW_NETWORKS", value, networks)


def test_name_servers_lie_within_the_networks_too(tmp_path: Path) -> None:
    rules(tmp_path, "127.0.0.0/8,::1").check({"DNS_SERVERS": "127.0.0.1:5353,[::1]:53"})
    for value in ("8.8.8.8", "127.0.0.1,10.0.0.1", "nonsense"):
        refused(tmp_path, "DNS_SERVERS", value, "127.0.0.0/8")


def test_networks_of_the_operator() -> None:
    assert networks_of("") == ()
    with pytest.raises(BadInput, match=f"^{NETWORKS}: 'x'"):
        networks_of("10.0.0.0/8,x")


def feeds(*places: str) -> str:
    return json.dumps({place: {"format": "jsonlines"} for place in places})


@pytest.mark.parametrize(
    ("name", "value", "folders"),
    [
        ("LOG_FILE", "/logs/focuscrawl/topic/1.log", {"logs_dir": "/logs"}),
        ("JOBDIR", "/jobs/focuscrawl/topic/1", {"jobs_dir": "/jobs"}),
        ("FEEDS", feeds("file:///items/focuscrawl/topic/1.jl"), {"items_dir": "/items"}),
        ("FEEDS", feeds("file:///my%20items/focuscrawl/topic/1.jl"), {"items_dir": "file:///my%20items"}),
        ("FEEDS", feeds("s3://bucket/items/focuscrawl/topic/1.jl"), {"items_dir": "s3://bucket/items"}),
    ],
)
def test_what_scrapyd_sets(name: str, value: str, folders: dict[str, str]) -> None:
    check_own(name, value, folders)


@pytest.mark.parametrize(
    ("name", "value", "folders"),
    [
        ("LOG_FILE", "/logs/1.log", {}),
        ("LOG_FILE", "/logs/1.log", {"logs_dir": ""}),
        ("LOG_FILE", "/logs/../etc/cron.d/x", {"logs_dir": "/logs"}),
        ("LOG_FILE", "/logs-too/x", {"logs_dir": "/logs"}),
        ("LOG_FILE", "", {"logs_dir": "/logs"}),
        ("JOBDIR", "/jobs/1", {"logs_dir": "/jobs"}),
        ("FEEDS", feeds("file:///etc/x"), {"items_dir": "/items"}),
        ("FEEDS", feeds("file:///items/1.jl", "/etc/x"), {"items_dir": "/items"}),
        ("FEEDS", feeds("ftp://items/1.jl"), {"items_dir": "/items"}),
        ("FEEDS", feeds("s3://other/items/1.jl"), {"items_dir": "s3://bucket/items"}),
        ("FEEDS", feeds("s3://bucket/items/../x.jl"), {"items_dir": "s3://bucket/items"}),
        ("FEEDS", feeds("/items/1.jl"), {"items_dir": "s3://items"}),
        ("FEEDS", "{}", {"items_dir": "/items"}),
        ("FEEDS", "[]", {"items_dir": "/items"}),
        ("FEEDS", "{", {"items_dir": "/items"}),
    ],
)
def test_what_scrapyd_would_not_set(name: str, value: str, folders: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=f"setting {name} comes from Scrapyd"):
        check_own(name, value, folders)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A page outside the root `tmp_path`/root, which holds seeds.toml."""
    (tmp_path / "root").mkdir()
    (tmp_path / "root/link").symlink_to(tmp_path)
    page = tmp_path / "page.html"
    page.write_text("<p>secret")
    return page


@pytest.mark.parametrize("key", ["examples", "negative_examples"])
@pytest.mark.parametrize("path", ["../page.html", "link/page.html", "{page}", "/etc/passwd", "../nothing.html"])
def test_files_that_a_topic_file_names(outside: Path, key: str, path: str) -> None:
    seeds = outside.parent / "root/seeds.toml"
    seeds.write_text(f'[topic]\nkeywords = ["x"]\n{key} = ["{path.format(page=outside)}"]\n[seeds]\nurls = ["a.com"]\n')
    with pytest.raises(BadInput, match=f"{key}: the file .* outside the folders of {ROOTS}"):
        job_of(parse_arguments({"seeds": str(seeds)}), Roots.of(str(seeds.parent)))
    if "page.html" in path or "{" in path:
        assert job_of(parse_arguments({"seeds": str(seeds)})).seeds


@pytest.mark.parametrize("more", ["", ",{ok}"])
def test_files_that_an_argument_names(outside: Path, more: str) -> None:
    root = outside.parent / "root"
    ok = root / "ok.txt"
    ok.write_text("a.com\n")
    roots = Roots.of(str(root))
    for seeds in (str(outside), "/etc/passwd", f"{root}/../page.html", f"{root}/link/page.html", "/nowhere/x"):
        with pytest.raises(BadInput, match=f"The seed file .* outside the folders of {ROOTS}"):
            job_of(parse_arguments({"seeds": seeds + more.format(ok=ok), "name": "x"}), roots)
    with pytest.raises(BadInput, match=r"examples: the file .* outside"):
        job_of(parse_arguments({"seeds": str(ok), "examples": str(outside)}), roots)
    assert job_of(parse_arguments({"seeds": str(ok), "_job": "1", "_version": "2"}), roots).name == "ok"
