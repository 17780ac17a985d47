"""The settings RECRAWL_*, read and checked."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from focuscrawl.engine.setting_values import number, one_of, yes
from focuscrawl.errors import BadInput
from focuscrawl.recrawl.settings import RecrawlSettings

POLICIES = ("optimal", "uniform", "batch", "nutch", "similarity")
SHORTEST, LONGEST = 0.001, 36_500.0
"""Days."""


def read_recrawl_options(settings: BaseSettings) -> RecrawlSettings:
    """Raises BadInput naming the setting and what would be right."""
    least = number(settings, "RECRAWL_LEAST_PERIOD", float, least=SHORTEST, most=LONGEST)
    return RecrawlSettings(
        policy=one_of(settings, "RECRAWL_POLICY", POLICIES),
        bandwidth=number(settings, "RECRAWL_BANDWIDTH", float, least=1e-6, most=1000.0),
        period=_period(settings, "RECRAWL_PERIOD", least),
        least_period=least,
        most_period=_period(settings, "RECRAWL_MOST_PERIOD", least),
        prior=number(settings, "RECRAWL_PRIOR", float, least=1e-6, most=1000.0),
        versions=number(settings, "RECRAWL_VERSIONS", int, most=1000),
        grace=number(settings, "RECRAWL_GRACE", float, most=LONGEST),
        check_headers=yes(settings, "RECRAWL_CHECK_HEADERS"),
        signals=yes(settings, "RECRAWL_SIGNALS"),
        most_errors=number(settings, "RECRAWL_MOST_ERRORS", float, most=1.0),
        most_gone=number(settings, "RECRAWL_MOST_GONE", float, most=1.0),
    )


def _period(settings: BaseSettings, name: str, least: float) -> float:
    """A period in days that the least one does not exceed."""
    days = number(settings, name, float, least=SHORTEST, most=LONGEST)
    if days < least:
        raise BadInput(f"setting {name}={days:g} is below RECRAWL_LEAST_PERIOD={least:g}; raise {name}, or lower the other")
    return days
