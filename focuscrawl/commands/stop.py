"""`scrapy stop NAME`: every worker of the crawl ends, and a new one refuses to start until it is resumed."""

from __future__ import annotations

from focuscrawl.command_line.base import SteeringCommand


class Command(SteeringCommand):
    summary = "End all workers of a crawl, and let none start"
    wanted = "stop"
