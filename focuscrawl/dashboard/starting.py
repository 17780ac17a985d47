"""The form that starts a crawl. Its fields are derived from the declared arguments of `scrapy crawl topic`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from focuscrawl.config.arguments import CrawlArguments, list_of, parse_arguments, split_list
from focuscrawl.config.job import entries_of, exists
from focuscrawl.config.seed_list import WEB_URL, seeds_of_text
from focuscrawl.errors import BadInput

FIRST = ("name", "keywords", "max_pages", "minutes")
"""Arguments that most crawls are started with; the others are in a collapsed section."""
LEFT_OUT = frozenset({"seeds", "mode", "revisit", "budget", "partition"})
"""Arguments of a recrawl, or for those who start several workers by hand. Seeds have two fields instead: a file and a list of
URLs."""
FILE, URLS, WHERE = "file", "urls", "where"
MOST_URLS = 500
"""More URLs belong in a seed file, because the length of a command line is limited."""
SEED_FOLDER = Path("seeds")


@dataclass(frozen=True, slots=True)
class Field:
    """One argument as a field of the form."""

    name: str
    meaning: str
    choices: tuple[str, ...] = ()
    number: str = ""
    """`whole` or `any`; empty: text."""
    value: str = ""


def fields(given: Mapping[str, str]) -> list[Field]:
    """All fields of the form, with the given values."""
    named = CrawlArguments.model_fields
    order = [*FIRST, *(name for name in named if name not in LEFT_OUT and name not in FIRST)]
    return [_field(name, named[name], given.get(name, "")) for name in order]


def _field(name: str, info: FieldInfo, given: str) -> Field:
    kind = _plain(info.annotation)
    choices = tuple(map(str, get_args(kind))) if get_origin(kind) is Literal else ()
    default = str(info.default) if choices else ""
    number = {int: "whole", float: "any"}.get(kind, "") if isinstance(kind, type) else ""
    return Field(name, info.description or name, choices, number, given or default)


def _plain(annotation: Any) -> Any:
    """The type behind `X | None` and `Annotated[X, …]`."""
    while True:
        if get_origin(annotation) in (Union, UnionType):
            annotation = next(part for part in get_args(annotation) if part is not NoneType)
        elif get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        else:
            return annotation


def seed_files(topics_dir: Path) -> dict[str, Path]:
    """The topic files and seed files that can be chosen, by their names in the form."""
    found = [*sorted(topics_dir.glob("*.toml")), *sorted(SEED_FOLDER.glob("*.toml")), *sorted(SEED_FOLDER.glob("*.txt"))]
    return {str(path): path.resolve() for path in found if path.is_file()}


def seeds_as_fields(seeds: str) -> dict[str, str]:
    """The argument `seeds` as fields of the form. What names a file is one choice, whatever stands beside it."""
    entries = entries_of(seeds)
    if all(WEB_URL.match(entry) for entry in entries):
        return {URLS: "\n".join(entries)}
    return {FILE: seeds}


def offered_seeds(topics_dir: Path, last: str) -> dict[str, str]:
    """What can be chosen, by its name in the form, as the argument `seeds` that it stands for: each of `seed_files`, and what
    the crawl was last run with, if all files of that are there.

    `last`: the field `FILE` of `seeds_as_fields`, or empty."""
    offered = {name: str(path) for name, path in seed_files(topics_dir).items()}
    entries = entries_of(last) if last else ()
    if entries and all(WEB_URL.match(entry) or _is_file(entry) for entry in entries):
        offered[last] = list_of(map(_absolute, entries)) if len(entries) > 1 else str(_path(entries[0]))
    return offered


def _path(entry: str) -> Path:
    return Path(entry).expanduser().resolve()


def _absolute(entry: str) -> str:
    return entry if WEB_URL.match(entry) else str(_path(entry))


def arguments_of(given: Mapping[str, str], offered: Mapping[str, str]) -> dict[str, str]:
    """The checked crawl arguments of a submitted form. `offered`: see `offered_seeds`. Raises BadInput.

    Only offered files are accepted, so that the token does not give access to other files."""
    chosen, written = given.get(FILE, ""), given.get(URLS, "")
    if chosen and written:
        raise BadInput("give a topic file or URLs, not both; to crawl more seeds, add their URLs to the file")
    seeds = []
    if chosen:
        if chosen not in offered:
            raise BadInput(f"there is no topic file {chosen[:80]!r} to choose")
        seeds.append(offered[chosen])
    if written:
        found = seeds_of_text(written)
        if found.problems:
            raise BadInput(found.problems[0])
        if len(found.urls) > MOST_URLS:
            raise BadInput(f"these are {len(found.urls)} URLs; to crawl more than {MOST_URLS}, put them into a seed file")
        seeds.append(list_of(found.urls))
    if not seeds:
        raise BadInput("no seeds are given: choose a topic file, or give URLs")
    arguments = {"seeds": ",".join(seeds)}
    arguments |= {field.name: given[field.name] for field in fields({}) if given.get(field.name)}
    if not arguments.get("name"):
        raise BadInput("give the crawl a name")
    for name in ("examples", "important"):
        if files_named := [part for part in split_list(arguments.get(name, "")) if _is_file(part)]:
            raise BadInput(f"{name}: {files_named[0][:80]!r} is a file of this machine; put it into a topic file")
    parse_arguments(arguments)
    return arguments


def _is_file(part: str) -> bool:
    return "://" not in part and exists(part)


FORM = frozenset({FILE, URLS, WHERE, *(name for name in CrawlArguments.model_fields if name not in LEFT_OUT)})
"""The fields of the form that are read."""
