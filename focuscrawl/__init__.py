"""focuscrawl, a focused web crawler."""

__version__ = "0.2.0.dev0"
"""The one place that has it: packages, reports and WARC files take it from here."""
