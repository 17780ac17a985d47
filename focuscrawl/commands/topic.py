"""`scrapy topic`: make a topic from words and pages, look at it, change it, train it and test it."""

from __future__ import annotations

from focuscrawl.command_line.base import CommandGroup


class Command(CommandGroup):
    """Exit codes: 0 done, 1 a failure, 2 bad input, 130 stopped by Ctrl-C; what was answered before is kept."""

    summary = "Make a topic from words and pages, change it, train it and test it"

    def add_subcommands(self) -> None:
        from focuscrawl.command_line.topic import editing, labelling, replaying, suggesting

        editing.declare(self.subcommand)
        suggesting.declare(self.subcommand)
        labelling.declare(self.subcommand)
        replaying.declare(self.subcommand)
