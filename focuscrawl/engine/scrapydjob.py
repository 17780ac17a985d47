"""A crawl that Scrapyd runs: it keeps to `focuscrawl.jobrules`, and what it has to say stands in the job's log."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scrapy.settings import BaseSettings, Settings
from scrapy.utils.log import configure_logging

from focuscrawl.engine.options import read_options
from focuscrawl.errors import BadInput
from focuscrawl.jobrules import AT_LEAST, AT_MOST, SCRAPYD, JobRules, check_own
from focuscrawl.roots import Roots
from focuscrawl.topicfile import Job

logger = logging.getLogger(__name__)

BESIDE = (".json", ".page_model.json")
"""Endings of what `scrapy topic train` puts beside NAME.toml, and a crawl begins with."""


@dataclass(frozen=True, slots=True)
class ScrapydJob:
    """`said`: the settings that the job was started with, by Scrapyd and by schedule.json."""

    said: Mapping[str, str]
    folders: Mapping[str, str]
    """Of scrapyd.conf, see `JobRules`."""

    def begin(self, operator: BaseSettings, environment: Mapping[str, str]) -> Roots:
        """Check the settings before any of them is used; relative paths begin at the first folder of the roots from now on.

        `operator`: the settings as they are without the job's. Raises BadInput, one sentence."""
        read_options(operator)
        values = {name: operator.get(name) for name in AT_LEAST | AT_MOST}
        rules = JobRules.of(environment, values, self.folders)
        os.chdir((rules.roots.folders or (Path(),))[0])
        rules.check(self.said)
        return rules.roots

    def refuse(self, sentence: str) -> None:
        """Write why the job ends into its log, if Scrapyd keeps one."""
        path = self.said.get("LOG_FILE", "")
        try:
            check_own("LOG_FILE", path, self.folders)
            configure_logging(Settings({"LOG_FILE": path}))
        except (BadInput, OSError):
            return  # standard error has it
        logger.error("refused: %s", sentence)


def check_files(job: Job, crawls_dir: str, roots: Roots) -> None:
    """What a crawl uses besides the files that its user named: its directory, and what was trained beside topic files.
    Raises BadInput."""
    roots.check_crawl(Path(crawls_dir) / job.name)
    for file in filter(None, (part.topic.file for part in (job, *job.parts))):
        for ending in BESIDE:
            roots.check(file.with_suffix(ending), "The trained topic")


def folders_of_scrapyd() -> dict[str, str]:
    """The folders that scrapyd.conf names, as Scrapyd reads it in its working directory; none where it is not installed."""
    try:
        from scrapyd.config import Config
    except ImportError:
        return {}
    config = Config()
    return {option: _absolute(str(config.get(option, ""))) for option in SCRAPYD.values()}


def _absolute(place: str) -> str:
    """Before the working directory changes. Items may go to an address."""
    return os.path.abspath(place) if place and "://" not in place else place
