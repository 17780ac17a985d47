"""`scrapy pause NAME`: every worker of the crawl finishes what is on the way and waits, also one that starts later."""

from __future__ import annotations

from focuscrawl.command_line.base import SteeringCommand


class Command(SteeringCommand):
    summary = "Let all workers of a crawl wait"
    wanted = "pause"
