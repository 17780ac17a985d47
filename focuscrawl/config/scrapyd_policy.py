"""What may a job of Scrapyd ask for? Who can reach `schedule.json` can give every argument and setting of `scrapy crawl`, and
with them read files of the machine, ask its inner networks, and load any Python object by its path. So a job may give only the
few that do no harm.

The operator decides by two variables in Scrapyd's environment: FOCUSCRAWL_JOB_ROOTS (folders) and FOCUSCRAWL_JOB_NETWORKS. What
is refused is written into the job's log, where its owner can read it.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

from scrapy.settings import BaseSettings, Settings
from scrapy.utils.log import configure_logging

from focuscrawl.config.allowed_paths import ANYWHERE, ROOTS, Roots
from focuscrawl.config.arguments import SCRAPYD_ARGUMENTS
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import read_options
from focuscrawl.config.topic_file import PAGE_MODEL, TRAINED
from focuscrawl.errors import BadInput, close_match, quoted
from focuscrawl.politeness.dns_sources import servers_of
from focuscrawl.politeness.guard import Guard, Network

logger = logging.getLogger(__name__)

NETWORKS = "FOCUSCRAWL_JOB_NETWORKS"
"""The variable of Scrapyd's environment that names the networks a job may open the guard for, separated by commas."""

HARMLESS = frozenset({
    "ARCHIVE_MAX_BYTES", "CONTACT", "DEDUP_METHOD", "DEDUP_SIMHASH", "DNS_CACHE_SIZE", "DNS_QUERY_TIMEOUT",
    "DOWNLOAD_TIMEOUT", "FRONTIER_BARREN_SHARE", "FRONTIER_CACHE_SIZE", "FRONTIER_EDGE", "FRONTIER_EDGE_WINDOW",
    "FRONTIER_HOST_SHARE", "FRONTIER_IDLE_STOP", "FRONTIER_PATIENCE", "FRONTIER_RANDOM_SEED", "FRONTIER_RETRY_DELAYS",
    "FRONTIER_SITEMAPS", "FRONTIER_STOP_HARVEST", "FRONTIER_STOP_ON_DRIFT", "FRONTIER_STOP_WINDOW", "FRONTIER_STOP_YIELD",
    "FRONTIER_WEIGHT_PRIOR",
    "LINKSCORE_REPLAY_PAGES", "LINKSCORE_TUNNELLING", "LINKSCORE_TUNNEL_DEPTH", "LOG_LEVEL", "PARTITION_FOREIGN",
    "PARTITION_GRAIN", "READING_DOCUMENTS", "RECRAWL_BANDWIDTH", "RECRAWL_CHECK_HEADERS", "RECRAWL_GRACE",
    "RECRAWL_LEAST_PERIOD", "RECRAWL_MOST_ERRORS", "RECRAWL_MOST_GONE", "RECRAWL_MOST_PERIOD", "RECRAWL_PERIOD",
    "RECRAWL_POLICY", "RECRAWL_PRIOR", "RECRAWL_SIGNALS", "RECRAWL_VERSIONS", "RELEVANCE_BEST_TEXT", "RELEVANCE_DRIFT_BOUND",
    "RELEVANCE_MIN_TERM_WEIGHT", "RELEVANCE_MODEL", "RELEVANCE_SEGMENTER", "SEARCH_INDEX",
})  # fmt: skip
"""Settings with values that name nothing outside the crawl."""
AT_LEAST = frozenset({"POLITENESS_DELAY", "POLITENESS_ADDRESS_DELAY", "POLITENESS_LATENCY_FACTOR"})
"""Settings that a job may set to the operator's value or higher, so that it may be politer than the operator, never less polite
…"""
AT_MOST = frozenset({
    "POLITENESS_CONCURRENCY", "POLITENESS_ADDRESS_CONCURRENCY", "CONCURRENT_REQUESTS", "ARCHIVE_BODY_BYTES",
})  # fmt: skip
"""… and those that it may set to the operator's value or lower, which also bounds the memory."""
FOLDERS = frozenset({"CRAWLS_DIR", "TOPICS_DIR"})
"""Settings whose values must lie below the roots."""
INSIDE = frozenset({"GUARD_ALLOW_NETWORKS", "DNS_SERVERS"})
"""Settings whose values must lie within the networks."""
SCRAPYD = {"LOG_FILE": "logs_dir", "FEEDS": "items_dir", "JOBDIR": "jobs_dir"}
"""What Scrapyd itself sets, and the option of scrapyd.conf that makes it do so. It then overwrites what schedule.json gave;
without that option, the value comes from schedule.json."""
ALLOWED = HARMLESS | AT_LEAST | AT_MOST | FOLDERS | INSIDE
_JOB_VARIABLES = ("SCRAPYD_EGG_VERSION", "SCRAPYD_JOB", "SCRAPY_JOB")


def is_job(arguments: Mapping[str, object], environment: Mapping[str, str]) -> bool:
    """Whether Scrapyd runs this crawl.

    Its web service adds `_job` to every job's arguments and refuses a request that brings its own; some versions set a variable
    too. Nothing else distinguishes a job from a person at a terminal.
    """
    return any(name in arguments for name in SCRAPYD_ARGUMENTS) or any(name in environment for name in _JOB_VARIABLES)


def roots_of(arguments: Mapping[str, object], environment: Mapping[str, str]) -> Roots:
    """The folders that the files of a crawl with these arguments may lie in.

    Raises:
        BadInput: a job of Scrapyd whose operator has named no folder.
    """
    return Roots.of(environment.get(ROOTS, "")) if is_job(arguments, environment) else ANYWHERE


@dataclass(frozen=True, slots=True)
class JobRules:
    """What the operator allows, by his environment, settings and scrapyd.conf; asked about what schedule.json gives."""

    roots: Roots
    networks: tuple[Network, ...]
    operator: Mapping[str, object]
    """The operator's values of the settings in AT_LEAST and AT_MOST."""
    folders: Mapping[str, str]
    """`logs_dir`, `items_dir`, `jobs_dir` of scrapyd.conf; empty: not set."""

    @classmethod
    def of(cls, environment: Mapping[str, str], operator: Mapping[str, object], folders: Mapping[str, str]) -> JobRules:
        """The rules of this operator.

        Args:
            environment: of Scrapyd.
            operator: his values of the settings in AT_LEAST and AT_MOST.
            folders: as `folders_of_scrapyd` returns them.

        Raises:
            BadInput: a variable cannot be used.
        """
        return cls(Roots.of(environment.get(ROOTS, "")), networks_of(environment.get(NETWORKS, "")), operator, folders)

    def check(self, settings: Mapping[str, str]) -> None:
        """Check the settings of a job.

        Raises:
            BadInput: one sentence for the first that it may not have.
        """
        for name, value in settings.items():
            if name in SCRAPYD:
                check_own(name, value, self.folders)
            elif name not in ALLOWED:
                raise BadInput(_unknown(name))
            elif name in FOLDERS:
                self.roots.check(Path(value), f"setting {name}:")
            elif name in INSIDE:
                self._check_networks(name, value)
            elif name in AT_LEAST or name in AT_MOST:
                self._check_politeness(name, value)

    def _check_networks(self, name: str, value: str) -> None:
        parts = value.split(",")
        asked = Guard.of(parts).networks if name == "GUARD_ALLOW_NETWORKS" else _server_networks(parts)
        for network in asked:
            if not any(_inside(network, allowed) for allowed in self.networks):
                raise BadInput(
                    f"setting {name}: {network} lies outside the networks of {NETWORKS}, which a job of Scrapyd keeps to."
                )

    def _check_politeness(self, name: str, value: str) -> None:
        bound = float(str(self.operator[name]))
        try:
            number = float(value)
        except ValueError:
            return  # `read_options` refuses it with a better sentence
        if not (number >= bound if name in AT_LEAST else number <= bound):
            most = "or more" if name in AT_LEAST else "or less"
            raise BadInput(f"setting {name}={quoted(value)} is not allowed for a Scrapyd job; use {bound:g} {most}.")


@dataclass(frozen=True, slots=True)
class ScrapydJob:
    """A crawl that Scrapyd runs."""

    given: Mapping[str, str]
    """The settings that it was started with, by Scrapyd and by schedule.json."""
    folders: Mapping[str, str]
    """Those that scrapyd.conf names, see `JobRules`."""

    def begin(self, operator: BaseSettings, environment: Mapping[str, str]) -> Roots:
        """Check the job's settings before any of them is used.

        From now on relative paths begin at the first of the operator's folders: Scrapyd's own directory is not the job's.

        Args:
            operator: the settings as they are without the job's.
            environment: of Scrapyd.

        Returns:
            The folders that the job's files may lie in.

        Raises:
            BadInput: one sentence for the first setting that the job may not have, or that the operator has wrong.
        """
        read_options(operator)
        values = {name: operator.get(name) for name in AT_LEAST | AT_MOST}
        rules = JobRules.of(environment, values, self.folders)
        os.chdir((rules.roots.folders or (Path(),))[0])
        rules.check(self.given)
        return rules.roots

    def refuse(self, sentence: str) -> None:
        """Write why the job ends into its log, if Scrapyd keeps one."""
        path = self.given.get("LOG_FILE", "")
        try:
            check_own("LOG_FILE", path, self.folders)
            configure_logging(Settings({"LOG_FILE": path}))
        except (BadInput, OSError):
            return  # without a log file: the caller writes the sentence to standard error as well
        logger.error("refused: %s", sentence)


def check_files(job: CrawlJob, crawls_dir: str, roots: Roots) -> None:
    """Check what a crawl uses besides the files that its user named: its directory, and what was trained beside topic files.

    Raises:
        BadInput: one of them lies outside the folders.
    """
    roots.check_crawl(Path(crawls_dir) / job.name)
    for file in filter(None, (part.topic.file for part in (job, *job.parts))):
        for ending in (TRAINED, PAGE_MODEL):
            roots.check(file.with_suffix(ending), "The trained topic")


def folders_of_scrapyd() -> dict[str, str]:
    """The folders that scrapyd.conf names, as Scrapyd reads it in its working directory; none where it is not installed."""
    try:
        from scrapyd.config import Config
    except ImportError:
        return {}
    config = Config()
    return {option: _absolute(str(config.get(option, ""))) for option in SCRAPYD.values()}


def _absolute(target: str) -> str:
    """A path made absolute before the working directory changes; a URL, which items may go to, stays."""
    return os.path.abspath(target) if target and "://" not in target else target


def check_own(name: str, value: str, folders: Mapping[str, str]) -> None:
    """BadInput unless this value of LOG_FILE, FEEDS or JOBDIR is Scrapyd's."""
    folder = folders.get(SCRAPYD[name], "")
    if not folder or not all(_below(target, folder) for target in _targets(name, value)):
        raise BadInput(f"setting {name} comes from Scrapyd ({SCRAPYD[name]} in scrapyd.conf); schedule.json cannot set it.")


def networks_of(value: str) -> tuple[Network, ...]:
    """FOCUSCRAWL_JOB_NETWORKS as networks; none when it is empty. Raises BadInput."""
    try:
        return Guard.of(value.split(",")).networks
    except BadInput as error:
        raise BadInput(str(error).replace("GUARD_ALLOW_NETWORKS", NETWORKS)) from None


def _server_networks(parts: list[str]) -> tuple[Network, ...]:
    return Guard.of(str(ip_address(address)) for address, _ in servers_of(parts)).networks


def _inside(network: Network, allowed: Network) -> bool:
    low, high = network.network_address, network.broadcast_address
    return network.version == allowed.version and low in allowed and high in allowed


def _targets(name: str, value: str) -> list[str]:
    """The paths or URLs that a value of one of Scrapyd's settings writes to; [""] if it cannot be read."""
    if name != "FEEDS":
        return [value]
    try:
        feeds = json.loads(value)
    except ValueError:
        return [""]
    return list(feeds) if isinstance(feeds, dict) and feeds else [""]


def _below(target: str, folder: str) -> bool:
    """Whether a target is inside a folder: both are paths, or both are URLs of one storage."""
    wanted, got = _path_of(folder), _path_of(target)
    if wanted is None or got is None:  # at least one is a URL: only two of them can fit, and are compared as text
        return wanted is got and ".." not in target and target.startswith(folder.partition("?")[0].rstrip("/") + "/")
    return bool(target) and got.resolve().is_relative_to(wanted.resolve())


def _path_of(target: str) -> Path | None:
    """The path that a target names, plainly or by a `file:` URL; None for any other URL."""
    parts = urlsplit(target)
    if parts.scheme == "file":
        return Path(unquote(parts.path))
    return None if parts.scheme else Path(target)


def _unknown(name: str) -> str:
    near = close_match(name, sorted(ALLOWED), cutoff=0.8)
    hint = f"did you mean {near}?" if near else "docs/guides/workers.md lists those that can."
    return f"setting {quoted(name)} cannot be given in schedule.json; {hint}"
