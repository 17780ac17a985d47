"""`scrapy pause NAME`: every worker of the crawl, including one that starts later, finishes what is in flight and waits."""

from __future__ import annotations

from focuscrawl.command_line.base import SteeringCommand


class Command(SteeringCommand):
    summary = "Pause all workers of a crawl"
    wanted = "pause"
