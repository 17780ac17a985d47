"""`scrapy topic`: make a topic from words and pages, look at it, change it, train it and test it."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import cast

from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import refuse, silence_standard_output
from focuscrawl.commands.topics.subcommand import Context, Parser, SubCommand
from focuscrawl.errors import BadInput, nearest

SUBCOMMANDS = ("new", "suggest", "show", "terms", "label", "train", "test", "replay")
"""Modules of focuscrawl.commands.topics."""


class Command(ScrapyCommand):
    """Exit codes: 0 done, 1 a failure, 2 bad input, 130 stopped by Ctrl-C; what was answered before is kept."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return f"{'|'.join(SUBCOMMANDS)} NAME [options]"

    def short_desc(self) -> str:
        return "Make a topic from words and pages, change it, train it and test it"

    def long_desc(self) -> str:
        modules = map(subcommand, SUBCOMMANDS)
        return "\n\n".join(f"scrapy topic {module.USAGE}\n    {module.SUMMARY}" for module in modules)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = argparse.RawDescriptionHelpFormatter

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        name = args[0] if args else ""
        if name not in SUBCOMMANDS:
            told = f"there is no {name!r}{nearest(name, SUBCOMMANDS)}" if name else "an argument is missing"
            refuse("topic", f"{told}" + ("" if name else f"; use: scrapy topic {self.syntax()}"))
        self._name, self._module = name, subcommand(name)
        try:
            self._options = Parser(name, self._module).read(args[1:])
        except BadInput as error:
            refuse(f"topic {name}", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        try:
            self.exitcode = self._module.run(Context(self.settings), self._options)
            sys.stdout.flush()
        except BadInput as error:
            refuse(f"topic {self._name}", str(error))
        except BrokenPipeError:
            silence_standard_output()
        except KeyboardInterrupt:
            print(file=sys.stderr)
            self.exitcode = 130


def subcommand(name: str) -> SubCommand:
    """The module of a sub-command."""
    return cast(SubCommand, importlib.import_module(f"focuscrawl.commands.topics.{name}"))
