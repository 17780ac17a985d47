"""`scrapy frontier`: look at what waits, add to it, take away from it, and hold hosts, while the crawl runs or not."""

from __future__ import annotations

from focuscrawl.command_line.base import CommandGroup


class Command(CommandGroup):
    """Exit codes: 0 done, 1 the store cannot be read or written now, 2 bad input, 130 a copy was stopped by Ctrl-C."""

    summary = "Look at what waits, add and remove URLs, hold hosts"

    def add_subcommands(self) -> None:
        from focuscrawl.command_line import frontier, frontier_copy

        frontier.declare(self.subcommand)
        frontier_copy.declare(self.subcommand)
