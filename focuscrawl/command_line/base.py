"""Base classes of our commands: arguments declared with argparse, one sentence for what goes wrong, and an exit code.

Scrapy registers every command class that is defined in a module of COMMANDS_MODULE, under the module's name, so the base
classes are here, outside of it. Scrapy also imports all of those modules whenever any command starts. So they, and this module,
import only what is needed to declare a command; `execute` and `prepare` import what the work needs.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NoReturn

from scrapy.commands import ScrapyCommand, ScrapyHelpFormatter

from focuscrawl.command_line.context import Context, Failure
from focuscrawl.command_line.output import make_output_writable, note, silence_standard_output
from focuscrawl.errors import BadInput, close_match

INTERRUPTED = 130
_MISSING = "the following arguments are required: "
_UNKNOWN_CHOICE = re.compile(r"argument .*?: invalid choice: (['\"])(?P<given>.*?)\1 \(")
_OF_AN_ARGUMENT = re.compile(r"argument (?P<name>.+?): (?P<problem>.*)", re.DOTALL)


class HelpFormatter(ScrapyHelpFormatter):
    """Scrapy's makes a heading of any line that ends with a colon. Not of help texts, which may be broken after one."""

    _within_action = 0

    def _format_action(self, action: argparse.Action) -> str:
        self._within_action += 1
        text = super()._format_action(action)
        self._within_action -= 1
        return text

    def format_part_strings(self, part_strings: list[str]) -> list[str]:
        return part_strings if self._within_action else super().format_part_strings(part_strings)


class ProjectCommand(ScrapyCommand):
    """A command of this project. A subclass has a `summary`, `add_arguments` and `execute`."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}
    summary: ClassVar[str]
    """One line for the list of commands and the head of the help."""
    usage: str = ""
    """What follows the command's name in the usage; empty: it is made from the declared arguments."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's own arguments, including positional ones. Those of Scrapy are declared already."""

    def prepare(self, options: argparse.Namespace) -> None:
        """Check what has to be right before Scrapy makes its crawler process. Raises BadInput."""

    @abstractmethod
    def execute(self, options: argparse.Namespace) -> int:
        """Do the work and return the exit code. Raises BadInput or Failure to end with their sentence."""

    @property
    def name(self) -> str:
        """The command's name for Scrapy, which is that of its module."""
        return type(self).__module__.rpartition(".")[2]

    @property
    def context(self) -> Context:
        assert self.settings is not None
        return Context(self.settings, self._called)

    @property
    def missing(self) -> BadInput:
        """The error to raise if an argument is missing that argparse takes for optional."""
        return BadInput(f"an argument is missing; use: {self._usage}")

    def refuse(self, message: str, code: int = BadInput.exit_code) -> NoReturn:
        """End the program because of its input."""
        note(f"{self._called}: {not_utf8(sys.argv[1:]) or message}")
        sys.exit(code)

    def refuse_left_over(self, args: Sequence[str]) -> None:
        """End the program if there are unknown arguments, and name the nearest option for one that looks like an option."""
        for arg in args:
            if arg.startswith("-") and arg != "-":
                near = self.nearest_option(arg.partition("=")[0])
                self.refuse(f"unknown option {arg}; " + (f"did you mean {near}?" if near else f"use: {self._usage}"))
        if args:
            self.refuse(f"too many arguments ({' '.join(args)}); use: {self._usage}")

    def nearest_option(self, unknown: str) -> str:
        """What to write instead of an unknown option; "" if nothing is near."""
        options = {option.lstrip("-"): option for option in self._parser._option_string_actions}  # argparse has no public list
        return options.get(close_match(unknown.lstrip("-"), options), "")

    # What Scrapy calls, in its order ------------------------------------------------------------------------------------

    def short_desc(self) -> str:
        return self.summary

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = HelpFormatter
        self.add_arguments(parser)
        self._parser, self._called = parser, f"scrapy {self.name}"
        self._usage = parser.usage = f"{self._called} {self.usage or synopsis(parser)}"
        # argparse would print the whole usage. On the instance, because Scrapy has made the parser.
        parser.error = self._refuse_arguments  # type: ignore[method-assign]
        matched = parser._match_arguments_partial
        parser._match_arguments_partial = (  # type: ignore[method-assign]
            lambda actions, arg_strings_pattern: not_left_out_yet(matched(actions, arg_strings_pattern), arg_strings_pattern)
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        make_output_writable()
        if lost := undecoded(sys.argv[1:]):
            encoding = sys.getfilesystemencoding()
            self.refuse(
                f"{lost!r} cannot be read, because this environment says that its encoding is {encoding};"
                " set PYTHONUTF8=1 or a locale of UTF-8, such as LC_ALL=C.UTF-8"
            )
        if opts.set:
            from focuscrawl.config.given_settings import refuse_no_dictionaries

            assert self.settings is not None
            try:
                refuse_no_dictionaries(opts.set, self.settings)
            except BadInput as error:
                self.refuse(str(error))
        super().process_options(args, opts)
        self.refuse_left_over(args)
        code = self._ending(lambda: self._prepared(opts))
        if code:
            sys.exit(code)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        self.exitcode = self._ending(lambda: self.execute(opts))

    # --------------------------------------------------------------------------------------------------------------------

    def _prepared(self, options: argparse.Namespace) -> int:
        self.prepare(options)
        return 0

    def _refuse_arguments(self, message: str) -> NoReturn:
        self.refuse(sentence(message, self._usage))

    def _ending(self, work: Callable[[], int]) -> int:
        """The exit code of `work`. What goes wrong is reported in one sentence."""
        try:
            code = work()
            if sys.stdout is not None:
                sys.stdout.flush()
            return code
        except BadInput as error:
            self.refuse(str(error), error.exit_code)
        except BrokenPipeError:  # the reader has ended, such as `| head`
            silence_standard_output()
            return 0
        except KeyboardInterrupt:
            note("")
            return INTERRUPTED
        except Failure as error:
            note(f"{self._called}: {error}")
            return 1
        except OSError as error:
            note(f"{self._called}: {': '.join(str(part) for part in (error.filename, error.strerror) if part) or error}")
            return 1
        except Exception as error:
            from focuscrawl.store.engines.database import ERRORS

            if not isinstance(error, ERRORS):
                raise
            note(f"{self._called}: the store cannot be read now ({error})")
            return 1


class SteeringCommand(ProjectCommand):
    """Tells all workers of a crawl what is wanted of them. Exit codes: 0 done, 1 the store is busy, 2 an unknown name."""

    wanted: ClassVar[str]
    """One of `focuscrawl.store.workers.control.WantedState`."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.steering import steer
        from focuscrawl.store.workers.control import WantedState

        return steer(self.context, options.name, WantedState(self.wanted))


Action = Callable[[Context, argparse.Namespace], int]
"""Does the work of a sub-command and returns the exit code."""


class CommandGroup(ProjectCommand):
    """A command of several sub-commands, which are argparse's sub-parsers. A subclass has `add_subcommands` and `action`."""

    @abstractmethod
    def add_subcommands(self) -> None:
        """Call `subcommand` for each sub-command."""

    @abstractmethod
    def action(self, name: str) -> Action:
        """The function of a sub-command, imported only when it is asked for, so that none waits for imports of the others."""

    def subcommand(self, name: str, summary: str) -> argparse.ArgumentParser:
        """The parser of a new sub-command, to which its arguments are added."""
        return self._subparsers.add_parser(
            name, help=summary.partition(". ")[0].removesuffix("."), description=summary, formatter_class=HelpFormatter,
            allow_abbrev=False, conflict_handler="resolve", parents=[self._global_options()],
        )  # fmt: skip

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        self._subparsers = parser.add_subparsers(
            dest="subcommand", required=True, prog=f"scrapy {self.name}", parser_class=_SubParser
        )
        self.add_subcommands()
        names = "|".join(self._subparsers.choices)
        self._subparsers.metavar, self.usage = names, f"{names} NAME [options]"
        for each in self._subparsers.choices.values():
            each.usage = f"{each.prog} {synopsis(each)}"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        opts.set = [*opts.set, *opts.set_after]
        self._parser = self._subparsers.choices[opts.subcommand]
        self._called, self._usage = self._parser.prog, str(self._parser.usage)
        super().process_options(args, opts)

    def execute(self, options: argparse.Namespace) -> int:
        return self.action(options.subcommand)(self.context, options)

    def _global_options(self) -> _SubParser:
        """Scrapy's options again, for use after the name of the sub-command. An option that is not given there must not replace
        the value given before the name by its default, and `-s` adds to those before the name."""
        parser = _SubParser(add_help=False, conflict_handler="resolve")
        ScrapyCommand.add_options(self, parser)
        for action in parser._actions:
            if action.dest == "set":
                action.dest = "set_after"
            else:
                action.default = argparse.SUPPRESS
        return parser


class _SubParser(argparse.ArgumentParser):
    def _match_arguments_partial(self, actions: Sequence[argparse.Action], arg_strings_pattern: str) -> list[int]:
        return not_left_out_yet(super()._match_arguments_partial(actions, arg_strings_pattern), arg_strings_pattern)

    def error(self, message: str) -> NoReturn:
        note(f"{self.prog}: {sentence(message, str(self.usage))}")
        sys.exit(BadInput.exit_code)


def not_left_out_yet(counts: list[int], pattern: str) -> list[int]:
    """How many of the next arguments each positional one takes, without those at the end that take none although an option
    (`O` in the pattern) is still to come: their arguments may stand behind it, as in `search NAME --limit 3 WORDS`. argparse of
    Python 3.11 takes them for left out at the first option."""
    while counts and not counts[-1] and "O" in pattern:
        counts.pop()
    return counts


def undecoded(arguments: Sequence[str]) -> str:
    """The first argument that is UTF-8, while the environment says that it is something else; empty if there is none."""
    if sys.getfilesystemencoding() == "utf-8":
        return ""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            return os.fsencode(argument).decode(errors="replace")
    return ""


def not_utf8(arguments: Sequence[str]) -> str:
    """A sentence on the first argument that is not UTF-8, while the environment says that all is; empty if there is none. The
    name of a file may be so: this explains only what is refused."""
    for argument in arguments if sys.getfilesystemencoding() == "utf-8" else ():
        value = argument.rpartition("=")[2]
        data = os.fsencode(value)
        if value.isascii() or _is_utf8(data) or os.path.exists(data):
            continue
        try:
            name, text = "GB18030", data.decode("gb18030")
        except UnicodeDecodeError:
            name, text = "another encoding", data.decode(errors="replace")
        return f"{text!r} is in {name}, while this environment reads UTF-8: set the terminal, or save the script, as UTF-8"
    return ""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def sentence(message: str, usage: str) -> str:
    """Our words for argparse's message about arguments that cannot be used."""
    if message.startswith(_MISSING):
        return f"an argument is missing ({message.removeprefix(_MISSING)}); use: {usage}"
    unknown = _UNKNOWN_CHOICE.match(message)
    if unknown:
        names = usage.split()[2].split("|")
        near = close_match(unknown["given"], names)
        return f"there is no {unknown['given']!r}; " + (f"did you mean {near}?" if near else f"use: {usage}")
    match = _OF_AN_ARGUMENT.match(message)
    if match is None:
        return message
    text = f"{match['name']} {match['problem'].replace('expected', 'expects', 1)}"
    return f"{text}; use: {usage}" if "expected" in match["problem"] else text


def synopsis(parser: argparse.ArgumentParser) -> str:
    """The arguments that were declared on a parser itself in one line, the positional ones first."""
    actions = [*parser._positionals._group_actions, *parser._optionals._group_actions]  # as above: no public list
    return " ".join(_shown(action) for action in actions if action.help != argparse.SUPPRESS and action.dest != "help")


def _shown(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if not action.option_strings:
        return {"?": f"[{value}]", "+": f"{value} ...", "*": f"[{value} ...]"}.get(str(action.nargs), value)
    option = action.option_strings[0]
    text = f"{option} [{value}]" if action.nargs == "?" else f"{option} {value}".rstrip()
    return text if action.required else f"[{text}]"
