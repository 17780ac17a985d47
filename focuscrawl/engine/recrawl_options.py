"""The settings RECRAWL_*, read and checked."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from focuscrawl.engine.setting_values import number, one_of, yes
from focuscrawl.recrawl.settings import RecrawlSettings

POLICIES = ("optimal", "uniform", "batch", "nutch", "similarity")


def read_recrawl_options(settings: BaseSettings) -> RecrawlSettings:
    """Raises BadInput naming the setting and what would be right."""
    least = number(settings, "RECRAWL_LEAST_PERIOD", float, least=0.001)
    return RecrawlSettings(
        policy=one_of(settings, "RECRAWL_POLICY", POLICIES),
        bandwidth=number(settings, "RECRAWL_BANDWIDTH", float, least=1e-6, most=1000.0),
        period=number(settings, "RECRAWL_PERIOD", float, least=least),
        least_period=least,
        most_period=number(settings, "RECRAWL_MOST_PERIOD", float, least=least, most=36_500.0),
        prior=number(settings, "RECRAWL_PRIOR", float, least=1e-6, most=1000.0),
        versions=number(settings, "RECRAWL_VERSIONS", int, most=1000),
        grace=number(settings, "RECRAWL_GRACE", float, most=36_500.0),
        check_headers=yes(settings, "RECRAWL_CHECK_HEADERS"),
        signals=yes(settings, "RECRAWL_SIGNALS"),
        most_errors=number(settings, "RECRAWL_MOST_ERRORS", float, most=1.0),
        most_gone=number(settings, "RECRAWL_MOST_GONE", float, most=1.0),
    )
