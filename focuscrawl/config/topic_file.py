"""What the user wants crawled: a seed file, plain or TOML, and the arguments that beat it, as one job.

The format is described in seeds/README.md. Everything that is wrong with the input as a whole is a BadInput of one
sentence; a single bad address is skipped and listed in `problems`.
"""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from focuscrawl.config.allowed_paths import ANYWHERE, Roots
from focuscrawl.config.arguments import CrawlArguments, check_name, has_control
from focuscrawl.config.input_file import check_file, read_text
from focuscrawl.config.seed_list import read_address, seeds_of, seeds_of_text
from focuscrawl.errors import BadInput, nearest, quoted
from focuscrawl.url.authority import normal_authority
from focuscrawl.url.scope import Scope, compiled

# Checked access to one table of a TOML file: unknown keys and wrong types are refused in one sentence.


_NAMES = {str: "text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "a table"}


class Table:
    """`[name]` of `file`; BadInput if it is no table or has keys that are not in `known`."""

    def __init__(self, file: str, name: str, data: object, known: Iterable[str]) -> None:
        self._where = f"{file}, [{name}]"
        known = tuple(known)
        if not isinstance(data, dict):
            raise BadInput(f"{file}: {name} is {_kind(data)}, but a table [{name}] is wanted.")
        for key in data:
            if key not in known:
                raise BadInput(f"{self._where}: there is no key {quoted(key)}{nearest(key, known)}")
        self._data: dict[str, object] = data

    def text(self, key: str) -> str | None:
        """One text without surrounding space, None if the key is absent."""
        value = self._data.get(key)
        return None if value is None else self._clean(key, value, "")

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, each once, without empty ones; empty if the key is absent."""
        value = self._data.get(key, [])
        if not isinstance(value, list):
            raise self._wrong(key, value, "a list of texts")
        found: dict[str, None] = {}
        for entry in value:
            found[self._clean(key, entry, "an entry ")] = None
        return tuple(text for text in found if text)

    def number(self, key: str) -> float | None:
        """A number, None if the key is absent."""
        value = self._data.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong(key, value, "a number")
        return float(min(max(value, -1e300), 1e300))

    def groups(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of two or more texts each; empty if the key is absent."""
        value = self._data.get(key, [])
        if not isinstance(value, list):
            raise self._wrong(key, value, "a list of lists of texts")
        found = []
        for group in value:
            if not isinstance(group, list):
                raise self._wrong(key, group, 'a list of texts such as ["crawler", "spider"]', "an entry ")
            texts = dict.fromkeys(self._clean(key, entry, "an entry ") for entry in group)
            found.append(tuple(text for text in texts if text))
            if len(found[-1]) < 2:
                raise BadInput(f"{self._where} {key}: a group needs two words or more, {quoted(', '.join(found[-1]))} is one.")
        return tuple(found)

    def numbers(self, key: str) -> dict[str, float]:
        """A table of numbers by text; empty if the key is absent."""
        value = self._data.get(key, {})
        if not isinstance(value, dict):
            raise self._wrong(key, value, "a table of numbers by word")
        inner = Table(self._where, key, value, value)
        return {self._clean(key, word, "a word "): inner.number(word) or 0.0 for word in value}

    def flag(self, key: str) -> bool:
        """True or false, false if the key is absent."""
        value = self._data.get(key, False)
        if not isinstance(value, bool):
            raise self._wrong(key, value, "true or false")
        return value

    def _clean(self, key: str, value: object, what: str) -> str:
        if not isinstance(value, str):
            raise self._wrong(key, value, "text in quotes", what)
        if has_control(value):
            raise BadInput(f"{self._where} {key}: {what}holds control characters: {quoted(value)}.")
        return value.strip()

    def _wrong(self, key: str, value: object, wanted: str, what: str = "") -> BadInput:
        return BadInput(f"{self._where} {key}: {what}is {_kind(value)}, but {wanted} is wanted.")


def _kind(value: object) -> str:
    return _NAMES.get(type(value), "a date or time")


_TABLE_HEAD = re.compile(r"\[\s*(?:topic|seeds|scope)\s*\]")
_ADDRESS = re.compile(r"https?:", re.IGNORECASE)
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)
_TABLES = ("topic", "seeds", "scope")
TOPIC_KEYS = (
    "name", "title", "keywords", "examples", "negative_examples", "languages", "threshold", "synonyms", "negative_terms",
    "weights",
)  # fmt: skip


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
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Groups of words and phrases that count as the first of them."""
    negative_terms: tuple[str, ...] = ()
    """Words that speak against the topic."""
    weights: tuple[tuple[str, float], ...] = ()
    """Words with the weight that they are to have, between -1 and 1; 0 drops a word."""
    file: Path | None = None
    """The topic file that said so; what was trained lies beside it."""


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
    toml: bool = False
    """Read as TOML: it is a topic. Else a list of addresses."""


@dataclass(frozen=True, slots=True)
class Job:
    """All that a crawl needs to know from its user."""

    name: str
    seeds: tuple[str, ...]
    topic: Topic
    scope: Scope
    arguments: CrawlArguments
    problems: tuple[str, ...] = ()
    parts: tuple[Job, ...] = ()
    """One for each topic where there are several: its name, seeds, topic and scope; see `focuscrawl.config.job`."""
    definition: str = ""
    """Of the topic in the crawl's store, which is to be used as it is, whatever files there are; empty: the job decides."""


def read_seeds(path: str | Path, roots: Roots = ANYWHERE) -> SeedFile:
    """Reads a seed file: TOML if it is called so or begins with one of its tables, else one address a line.

    Raises BadInput if it or a file that it names lies outside `roots`, if it is missing, no file, empty, binary, too large,
    broken, or holds no valid address.
    """
    found = _read(Path(path).expanduser() if str(path).startswith("~/") else Path(path), roots)
    seeds = found.seeds or found.topic.examples
    if not seeds:
        first = f" (first problem: {found.problems[0].partition(':')[0]})" if found.problems else ""
        wanted = "[seeds] urls wants some, or [topic] examples" if found.toml else "one address a line is wanted"
        raise BadInput(f"The seed file {quoted(str(found.path))} has no valid address{first}; {wanted}.")
    return replace(found, seeds=seeds, scope=found.scope.with_seeds(seeds))


def read_topic(path: Path) -> SeedFile:
    """A topic file while it is being made: it may have no seeds yet. Raises BadInput like `read_seeds`."""
    return _read(path)


def parse_topic(path: Path, text: str) -> SeedFile:
    """The same for the text of a topic file that is to be written to `path`."""
    return _from_toml(path, text)


def _read(path: Path, roots: Roots = ANYWHERE) -> SeedFile:
    roots.check(path, "The seed file")
    text = read_text(path, "The seed file")
    return _from_toml(path, text, roots) if _is_toml(path, text) else _from_lines(path, text)


def combine(arguments: CrawlArguments, found: SeedFile | None = None, roots: Roots = ANYWHERE) -> Job:
    """The job of these arguments and their seed file, or of `found`. An argument beats the file. Raises BadInput."""
    found = found or read_seeds(arguments.seeds, roots)
    topic = found.topic
    if arguments.keywords:
        topic = replace(topic, keywords=arguments.keywords)
    if arguments.examples:
        urls, files = _examples(arguments.examples, Path(), "examples", roots)
        topic = replace(topic, examples=urls, example_files=files)
    name = arguments.name or topic.name or name_of_file(found.path)
    outside = tuple(f"seed {quoted(url)} lies outside the scope." for url in found.seeds if found.scope.refuses(url))
    return Job(name, found.seeds, replace(topic, name=name), found.scope, arguments, found.problems + outside)


def name_of_file(path: Path) -> str:
    """The file's name without its ending, if a crawl may be called so. Raises BadInput."""
    return check_name(path.stem, "The seed file's name cannot name the crawl (give -a name=NAME)")


def _label(path: Path) -> str:
    """The file's name for messages, escaped."""
    return quoted(path.name)


def _is_toml(path: Path, text: str) -> bool:
    if path.suffix.lower() == ".toml":
        return True
    lines = (line.strip() for line in text[:65536].splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return bool(_TABLE_HEAD.match(first))


def _from_lines(path: Path, text: str) -> SeedFile:
    found = seeds_of_text(text)
    return SeedFile(path, found.urls, problems=found.problems)


def _from_toml(path: Path, text: str, roots: Roots = ANYWHERE) -> SeedFile:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"The topic file {quoted(str(path))} is broken TOML: {error}.") from None
    except RecursionError:
        raise BadInput(f"The topic file {quoted(str(path))} is broken TOML: it is nested too deeply.") from None
    for key in data:
        if key not in _TABLES:
            raise BadInput(f"{_label(path)}: there is no table [{key}]{nearest(key, _TABLES)}")
    seeds = Table(_label(path), "seeds", data.get("seeds", {}), ("urls",))
    entries = enumerate(seeds.words("urls"), 1)
    found = seeds_of((f"[seeds] urls, entry {number}", url) for number, url in entries)
    topic = _topic(path, data.get("topic", {}), roots)
    return SeedFile(path, found.urls, topic, _scope(path, data.get("scope", {})), found.problems, True)


def _topic(path: Path, data: object, roots: Roots) -> Topic:
    table = Table(_label(path), "topic", data, TOPIC_KEYS)
    name = table.text("name")
    if name is not None:
        check_name(name, f"{_label(path)}, [topic] name")
    urls, files = _examples(table.words("examples"), path.parent, f"{_label(path)}, [topic] examples", roots)
    words, where = table.words("negative_examples"), f"{_label(path)}, [topic] negative_examples"
    not_urls, not_files = _examples(words, path.parent, where, roots)
    threshold = table.number("threshold")
    if threshold is not None and not 0 <= threshold <= 1:
        raise BadInput(f"{_label(path)}, [topic] threshold: {threshold:g} is not between 0 and 1.")
    languages = tuple(dict.fromkeys(_language(code, _label(path)) for code in table.words("languages")))
    return Topic(
        name=name or "",
        title=table.text("title") or "",
        keywords=table.words("keywords"),
        examples=urls,
        example_files=files,
        negative_examples=not_urls,
        negative_example_files=not_files,
        languages=languages,
        threshold=threshold,
        synonyms=table.groups("synonyms"),
        negative_terms=table.words("negative_terms"),
        weights=tuple(_weight(path, word, value) for word, value in table.numbers("weights").items()),
        file=path,
    )


def _weight(path: Path, word: str, value: float) -> tuple[str, float]:
    if not word or not -1 <= value <= 1:
        raise BadInput(f"{_label(path)}, [topic.weights] {quoted(word)}: {value:g} is not between -1 and 1.")
    return word, value


def _language(code: str, file: str) -> str:
    found = _LANGUAGE.fullmatch(code)
    if not found:
        raise BadInput(f"{file}, [topic] languages: {quoted(code)} is no language code such as zh or en.")
    return found[1].lower()


def _examples(entries: tuple[str, ...], folder: Path, where: str, roots: Roots) -> tuple[tuple[str, ...], tuple[Path, ...]]:
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
            file = Path(os.path.normpath(folder / entry))
            roots.check(file, f"{where}: the file")
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
                raise BadInput(f"{_label(path)}, [scope] {key}: {quoted(pattern)}: {error}.") from None
    hosts = tuple(dict.fromkeys(_scope_host(host, _label(path)) for host in table.words("hosts")))
    return Scope(patterns["include"], patterns["exclude"], hosts, table.flag("one_site"))


def _scope_host(text: str, file: str) -> str:
    dot = "." if text.startswith(".") else ""
    host = None if "/" in text or "@" in text else normal_authority("http", text[len(dot) :])
    if host is None:
        raise BadInput(f"{file}, [scope] hosts: {quoted(text)} is no host name; example.org or .example.org is wanted.")
    return dot + host


# Has the user said something else about a topic since? A digest of all that he said tells.


def topic_digest(topic: Topic, seeds: Sequence[str]) -> str:
    """32 hex digits. Example files count by their content; the seeds only where they alone say what the topic is."""
    said: list[object] = [topic.keywords, topic.examples, topic.negative_examples, topic.threshold, topic.languages]
    said += [topic.synonyms, topic.negative_terms, topic.weights]
    said += [[path.read_bytes() for path in files] for files in (topic.example_files, topic.negative_example_files)]
    if not topic.keywords and not topic.examples and not topic.example_files:
        said.append(tuple(seeds))
    return hashlib.blake2b(repr(said).encode(), digest_size=16).hexdigest()
