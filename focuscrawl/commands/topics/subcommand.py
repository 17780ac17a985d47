"""What a sub-command of `scrapy topic` is, and what all of them need."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn, Protocol

import orjson
from scrapy.settings import BaseSettings

from focuscrawl.commands.arguments import crawls_dir
from focuscrawl.errors import BadInput, nearest
from focuscrawl.report.table import Table, show


class SubCommand(Protocol):
    """A module of this package with these names. Whatever cannot be used is a BadInput; the dispatcher reports it."""

    USAGE: str
    """Behind `scrapy topic `: `show NAME [--json]`."""
    SUMMARY: str

    @staticmethod
    def add_options(parser: argparse.ArgumentParser) -> None: ...

    @staticmethod
    def run(context: Context, options: argparse.Namespace) -> int:
        """The exit code."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """Where a sub-command works."""

    settings: BaseSettings

    @property
    def topics_dir(self) -> Path:
        return Path(str(self.settings.get("TOPICS_DIR") or "topics"))

    @property
    def crawls_dir(self) -> Path:
        return crawls_dir(self.settings)

    @property
    def min_weight(self) -> float:
        return self.settings.getfloat("RELEVANCE_MIN_TERM_WEIGHT")

    @property
    def day(self) -> str:
        return datetime.fromtimestamp(time.time(), UTC).date().isoformat()


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence instead of ending the program with the whole usage."""

    def __init__(self, name: str, module: SubCommand, command: str = "topic") -> None:
        super().__init__(prog=f"scrapy {command} {name}", add_help=False, allow_abbrev=False)
        self._usage = f"scrapy {command} {module.USAGE}"
        module.add_options(self)

    def read(self, args: Sequence[str]) -> argparse.Namespace:
        """The options. Raises BadInput, with the nearest option for one that there is not."""
        options, rest = self.parse_known_args(args)
        for arg in rest:
            if arg.startswith("-") and arg != "-":
                raise BadInput(f"unknown option {arg}{nearest(arg.partition('=')[0], self._option_string_actions)}")
        if rest:
            raise BadInput(f"too many arguments ({' '.join(rest)}); use: {self._usage}")
        return options

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; use: {self._usage}")


def print_json(value: Any) -> None:
    """One JSON object on standard output."""
    print(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def print_parts(parts: Sequence[str | Table]) -> None:
    """Paragraphs and tables on standard output."""
    show(parts, sys.stdout)


def note(text: str) -> None:
    """A line beside the result, for people."""
    print(text, file=sys.stderr, flush=True)
