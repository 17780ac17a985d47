"""`scrapy resume NAME`: a crawl that was paused or stopped may run again."""

from __future__ import annotations

from focuscrawl.command_line.base import SteeringCommand


class Command(SteeringCommand):
    summary = "Resume a crawl that was paused or stopped"
    wanted = "run"
