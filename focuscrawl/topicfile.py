"""What the user wants crawled: a seed file, plain or TOML, and the arguments that beat it, as one job.

The format is described in seeds/README.md. Everything that is wrong with the input as a whole is a BadInput of one
sentence; a single bad address is skipped and listed in `problems`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

from focuscrawl.errors import BadInput
from focuscrawl.inputfile import check_file, read_text
from focuscrawl.params import CrawlArguments, check_name, nearest, shown
from focuscrawl.seedlist import read_address, seeds_of, seeds_of_text
from focuscrawl.tomlvalues import Table
from focuscrawl.url.authority import normal_authority
from focuscrawl.url.scope import Scope, compiled

_TABLE_HEAD = re.compile(r"\[\s*(?:topic|seeds|scope)\s*\]")
_ADDRESS = re.compile(r"https?:", re.IGNORECASE)
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)
_TABLES = ("topic", "seeds", "scope")


@dataclass(frozen=True, slots=True)
class Topic:
    """What the user says about the topic. All empty: the seeds' own pages define it."""

    name: str = ""
    title: str = ""
    keywords: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    """Normal URLs: fetched first, relevant by definition."""
    example_files: tuple[Path, ...] = ()
    """Existing files: they give text only."""
    negative_examples: tuple[str, ...] = ()
    negative_example_files: tuple[Path, ...] = ()
    languages: tuple[str, ...] = ()
    """ISO 639 codes without region, lower case; empty: any."""
    threshold: float | None = None
    """Between 0 and 1; None: chosen by the model."""


@dataclass(frozen=True, slots=True)
class SeedFile:
    """A seed file as read: at least one seed."""

    path: Path
    seeds: tuple[str, ...]
    """Normal URLs in the file's order, each once."""
    topic: Topic = field(default_factory=Topic)
    scope: Scope = field(default_factory=Scope)
    problems: tuple[str, ...] = ()
    """A sentence for each place that was skipped."""


@dataclass(frozen=True, slots=True)
class Job:
    """All that a crawl needs to know from its user."""

    name: str
    seeds: tuple[str, ...]
    topic: Topic
    scope: Scope
    arguments: CrawlArguments
    problems: tuple[str, ...] = ()


def read_seeds(path: str | Path) -> SeedFile:
    """Reads a seed file: TOML if it is called so or begins with one of its tables, else one address a line.

    Raises BadInput if it is missing, no file, empty, binary, too large, broken, or holds no valid address.
    """
    path = Path(path).expanduser() if str(path).startswith("~/") else Path(path)
    text = read_text(path, "The seed file")
    found = _from_toml(path, text) if _is_toml(path, text) else _from_lines(path, text)
    if not found.seeds:
        first = f" (first problem: {found.problems[0].partition(':')[0]})" if found.problems else ""
        raise BadInput(f"The seed file {shown(str(path))} has no valid address{first}; one address a line is wanted.")
    return replace(found, scope=found.scope.with_seeds(found.seeds))


def combine(arguments: CrawlArguments) -> Job:
    """The job of these arguments and the seed file that they name. An argument beats the file. Raises BadInput."""
    found = read_seeds(arguments.seeds)
    topic = found.topic
    if arguments.keywords:
        topic = replace(topic, keywords=arguments.keywords)
    if arguments.examples:
        urls, files = _examples(arguments.examples, Path(), "examples")
        topic = replace(topic, examples=urls, example_files=files)
    name = arguments.name or topic.name or _name_of_file(found.path)
    outside = tuple(f"seed {shown(url)} lies outside the scope." for url in found.seeds if found.scope.refuses(url))
    return Job(name, found.seeds, replace(topic, name=name), found.scope, arguments, found.problems + outside)


def _name_of_file(path: Path) -> str:
    return check_name(path.stem, "The seed file's name cannot name the crawl (give -a name=NAME)")


def _label(path: Path) -> str:
    """The file's name for messages, escaped."""
    return shown(path.name)


def _is_toml(path: Path, text: str) -> bool:
    if path.suffix.lower() == ".toml":
        return True
    lines = (line.strip() for line in text[:65536].splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return bool(_TABLE_HEAD.match(first))


def _from_lines(path: Path, text: str) -> SeedFile:
    found = seeds_of_text(text)
    return SeedFile(path, found.urls, problems=found.problems)


def _from_toml(path: Path, text: str) -> SeedFile:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"The topic file {shown(str(path))} is broken TOML: {error}.") from None
    except RecursionError:
        raise BadInput(f"The topic file {shown(str(path))} is broken TOML: it is nested too deeply.") from None
    for key in data:
        if key not in _TABLES:
            raise BadInput(f"{_label(path)}: there is no table [{key}]{nearest(key, _TABLES)}")
    seeds = Table(_label(path), "seeds", data.get("seeds", {}), ("urls",))
    entries = enumerate(seeds.words("urls"), 1)
    found = seeds_of((f"[seeds] urls, entry {number}", url) for number, url in entries)
    topic = _topic(path, data.get("topic", {}))
    return SeedFile(path, found.urls, topic, _scope(path, data.get("scope", {})), found.problems)


def _topic(path: Path, data: object) -> Topic:
    known = ("name", "title", "keywords", "examples", "negative_examples", "languages", "threshold")
    table = Table(_label(path), "topic", data, known)
    name = table.text("name")
    if name is not None:
        check_name(name, f"{_label(path)}, [topic] name")
    urls, files = _examples(table.words("examples"), path.parent, f"{_label(path)}, [topic] examples")
    not_urls, not_files = _examples(table.words("negative_examples"), path.parent, f"{_label(path)}, [topic] negative_examples")
    threshold = table.number("threshold")
    if threshold is not None and not 0 <= threshold <= 1:
        raise BadInput(f"{_label(path)}, [topic] threshold: {threshold:g} is not between 0 and 1.")
    languages = tuple(dict.fromkeys(_language(code, _label(path)) for code in table.words("languages")))
    keywords = table.words("keywords")
    return Topic(name or "", table.text("title") or "", keywords, urls, files, not_urls, not_files, languages, threshold)


def _language(code: str, file: str) -> str:
    found = _LANGUAGE.fullmatch(code)
    if not found:
        raise BadInput(f"{file}, [topic] languages: {shown(code)} is no language code such as zh or en.")
    return found[1].lower()


def _examples(entries: tuple[str, ...], folder: Path, where: str) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Addresses and existing local files (relative to `folder`) apart."""
    urls: dict[str, None] = {}
    files: dict[Path, None] = {}
    for entry in entries:
        if _ADDRESS.match(entry):
            url, problem = read_address(entry)
            if problem:
                raise BadInput(f"{where}: {problem}")
            urls[url] = None
        else:
            file = folder / entry
            check_file(file, f"{where}: the file")
            files[file] = None
    return tuple(urls), tuple(files)


def _scope(path: Path, data: object) -> Scope:
    table = Table(_label(path), "scope", data, ("include", "exclude", "hosts", "one_site"))
    patterns: dict[str, tuple[str, ...]] = {key: table.words(key) for key in ("include", "exclude")}
    for key, values in patterns.items():
        for pattern in values:
            try:
                compiled(pattern)
            except ValueError as error:
                raise BadInput(f"{_label(path)}, [scope] {key}: {shown(pattern)}: {error}.") from None
    hosts = tuple(dict.fromkeys(_scope_host(host, _label(path)) for host in table.words("hosts")))
    return Scope(patterns["include"], patterns["exclude"], hosts, table.flag("one_site"))


def _scope_host(text: str, file: str) -> str:
    dot = "." if text.startswith(".") else ""
    host = None if "/" in text or "@" in text else normal_authority("http", text[len(dot) :])
    if host is None:
        raise BadInput(f"{file}, [scope] hosts: {shown(text)} is no host name; example.org or .example.org is wanted.")
    return dot + host
