"""`scrapy frontier`: look at what waits, add to it, take away from it, and hold hosts, while the crawl runs or not."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import cast

from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import refuse, silence_standard_output
from focuscrawl.commands.topics.subcommand import Context, Parser, SubCommand
from focuscrawl.errors import BadInput
from focuscrawl.params import nearest
from focuscrawl.store.database import ERRORS

SUBCOMMANDS = ("ls", "add", "rm", "hold", "release", "stats", "copy")
"""Modules of focuscrawl.commands.frontiers."""


class Command(ScrapyCommand):
    """Exit codes: 0 done, 1 the store cannot be read or written now, 2 bad input."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return f"{'|'.join(SUBCOMMANDS)} NAME [options]"

    def short_desc(self) -> str:
        return "Look at what waits, add and remove URLs, hold hosts"

    def long_desc(self) -> str:
        modules = map(subcommand, SUBCOMMANDS)
        return "\n\n".join(f"scrapy frontier {module.USAGE}\n    {module.SUMMARY}" for module in modules)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = argparse.RawDescriptionHelpFormatter

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        name = args[0] if args else ""
        if name not in SUBCOMMANDS:
            told = f"there is no {name!r}{nearest(name, SUBCOMMANDS)}" if name else "an argument is missing"
            refuse("frontier", f"{told}" + ("" if name else f"; use: scrapy frontier {self.syntax()}"))
        self._name, self._module = name, subcommand(name)
        try:
            self._options = Parser(name, self._module, "frontier").read(args[1:])
        except BadInput as error:
            refuse(f"frontier {name}", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        try:
            self.exitcode = self._module.run(Context(self.settings), self._options)
            sys.stdout.flush()
        except BadInput as error:
            refuse(f"frontier {self._name}", str(error))
        except ERRORS as error:
            print(f"scrapy frontier {self._name}: the store cannot be read now ({error})", file=sys.stderr)
            self.exitcode = 1
        except BrokenPipeError:
            silence_standard_output()


def subcommand(name: str) -> SubCommand:
    """The module of a sub-command."""
    return cast(SubCommand, importlib.import_module(f"focuscrawl.commands.frontiers.{name}"))
