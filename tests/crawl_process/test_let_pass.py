"""What this run's settings let pass that an earlier one refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.settings import Settings

from focuscrawl.config.arguments import CrawlArguments, parse_arguments
from focuscrawl.config.options import Options, read_options
from focuscrawl.crawl.start.let_pass import followed, passing
from focuscrawl.frontier.states import MIRROR, REPEATS


def options(share: float) -> Options:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    settings.set("FRONTIER_BARREN_SHARE", share)
    return read_options(settings, {})


def arguments(at_edge: str) -> CrawlArguments:
    return parse_arguments({"seeds": "http://a.test/", "at_edge": at_edge})


@pytest.mark.parametrize(
    ("share", "at_edge", "repeats", "mirrors"),
    [(0.2, "stop", False, False), (0.2, "go-on", True, False), (0.0, "stop", True, True), (0.0, "go-on", True, True)],
)
def test_where_no_part_is_given_up_what_was_put_aside_for_its_part_waits_again(
    share: float, at_edge: str, repeats: bool, mirrors: bool
) -> None:
    """The advice to set FRONTIER_BARREN_SHARE=0 had no effect on it."""
    passed = {each.rule: bool(each.values) for each in passing(options(share), arguments(at_edge))}
    assert (passed[REPEATS], passed[MIRROR]) == (repeats, mirrors)


def test_and_links_that_were_refused_for_their_part_are_looked_at_again() -> None:
    def terms(share: float, at_edge: str, *languages: str) -> str:
        topic = SimpleNamespace(languages=languages)
        job: Any = SimpleNamespace(parts=(), scope=None, arguments=arguments(at_edge), topic=topic)
        return followed(job, options(share))

    assert len({terms(0.2, "stop"), terms(0.2, "go-on"), terms(0.0, "stop")}) == 3
    assert len({terms(0.2, "stop"), terms(0.2, "stop", "zh"), terms(0.2, "stop", "zh", "en")}) == 3
    assert terms(0.2, "stop") == terms(0.5, "stop")
