"""`scrapy stop NAME`: every worker of the crawl ends, and a new one refuses to start until it is resumed."""

from __future__ import annotations

from focuscrawl.command_line.base import SteeringCommand


class Command(SteeringCommand):
    summary = "Stop all workers of a crawl, and refuse new ones until it is resumed"
    wanted = "stop"
