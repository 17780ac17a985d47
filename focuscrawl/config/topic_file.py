"""Seed files: a plain list of URLs, or a TOML file that says what the topic is. seeds/README.md describes the format.

Whatever is wrong with a file as a whole is a BadInput of one sentence, which names the file, the table and the key. A single
bad URL does not stop a crawl: it is skipped, and listed in `SeedFile.problems`.
"""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from focuscrawl.config.allowed_paths import ANYWHERE, Roots
from focuscrawl.config.arguments import check_name, has_control
from focuscrawl.config.input_file import decoded, read_page, read_text
from focuscrawl.config.seed_list import WEB_URL, important_sites, seeds_of, seeds_of_text, typed_url
from focuscrawl.errors import BadInput, nearest, quoted
from focuscrawl.text.language_labels import asked
from focuscrawl.text.vocabulary import Vocabulary
from focuscrawl.url.authority import normal_authority
from focuscrawl.url.scope import Scope, compiled

TRAINED, PAGE_MODEL = ".json", ".page_model.json"
"""In place of `.toml`, endings of what `scrapy topic train` puts beside a topic file, and with which a crawl begins."""

_may_be_phrase = re.compile(
    r"[^\W_][\W_]+[^\W_]|[\u3400-\u9fff]{4}|[a-z0-9][\u3400-\u9fff]|[\u3400-\u9fff][a-z0-9]", re.IGNORECASE
).search
"""Matches what is given in several words, and Chinese words that may be cut into several (数据库查询, PHP函数)."""

_BETWEEN_WORDS = re.compile("[^《]*[，、；]")
"""Matches words with a mark between them, but not the title of a work, which may have one (《饮食，男女》)."""
_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_ASCII = {
    "“": '"', "”": '"', "「": '"', "」": '"', "‘": "'", "’": "'", "、": ",", "。": ".", "【": "[", "】": "]", "：": "=",
    "\u3000": "a plain space",
}  # fmt: skip
"""What TOML has for signs that Chinese keyboards write, besides those that Unicode has in full width (，［＝５)."""


@dataclass(frozen=True, slots=True)
class TopicDefinition:
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
    """ISO 639 codes without region, lower case: pages in other languages are not relevant; empty: any language."""
    threshold: float | None = None
    """Between 0 and 1; None: chosen by the model."""
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Groups of words and phrases that count as the first of them."""
    negative_terms: tuple[str, ...] = ()
    """Words that speak against the topic."""
    weights: tuple[tuple[str, float], ...] = ()
    """Words with the weight that they are to have, between -1 and 1; 0 drops a word."""
    important: tuple[str, ...] = ()
    """Hosts or registered domains that come first."""
    file: Path | None = None
    """The topic file that says so; what was trained lies beside it."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The words by which the pages of this topic are cut."""
        given = (*self.negative_terms, *(word for word, _ in self.weights))
        return Vocabulary(self.keywords, tuple(filter(_may_be_phrase, given)), self.synonyms)


@dataclass(frozen=True, slots=True)
class SeedFile:
    """A seed file as read, or URLs that were given instead of one."""

    name: str
    """What a crawl of it is called when nothing else names it; not checked yet."""
    seeds: tuple[str, ...]
    """Normal URLs in the file's order, each once."""
    topic: TopicDefinition = field(default_factory=TopicDefinition)
    scope: Scope = field(default_factory=Scope)
    problems: tuple[str, ...] = ()
    """A sentence for each entry that was skipped."""
    toml: bool = False
    """Read as TOML: it is a topic. Else a list of URLs."""


def read_seeds(path: str | Path, roots: Roots = ANYWHERE) -> SeedFile:
    """Read a seed file: TOML if its name says so or it begins with one of the tables, OPML if its name or root element says
    so, else one URL per line.

    Args:
        path: `~/` is the home directory.
        roots: the folders that the file, and the files that it names, may lie in.

    Returns:
        A file with at least one seed; the scope knows the seeds' sites.

    Raises:
        BadInput: it lies outside the folders, is missing, no file, empty, binary, too large or broken, or has no URL.
    """
    path = seed_path(path)
    roots.check(path, "The seed file")
    text = read_text(path, "The seed file")
    found = parse_topic(path, text, roots) if _is_toml(path, text) else _opml(path, text) or _plain_list(path, text)
    seeds = found.seeds or found.topic.examples
    if not seeds:
        first = f" (first problem: {_told(found.problems)})" if found.problems else ""
        wanted = "give URLs in [seeds] urls or [topic] examples" if found.toml else "give one URL per line"
        raise BadInput(f"The seed file {quoted(str(path))} has no valid URL{first}; {wanted}.")
    return replace(found, seeds=seeds, scope=found.scope.with_seeds(seeds))


def _told(problems: Sequence[str]) -> str:
    """What is told of bad entries: the first that is to be a web URL; if none is, the place of the first, because the file may
    be secret."""
    parted = [problem.partition(": ") for problem in problems]
    told = next((f"{place}: {said}" for place, _, said in parted if WEB_URL.match(said.lstrip("'\""))), parted[0][0])
    return told.removesuffix(".")


def seed_path(path: str | Path) -> Path:
    """The path of a seed file as a user writes it."""
    return Path(path).expanduser() if str(path).startswith("~/") else Path(path)


def read_topic(path: Path) -> SeedFile:
    """A topic file while it is being made: it may have no seeds yet. Raises BadInput like `read_seeds`."""
    return parse_topic(path, read_text(path, "The topic file"))


def parse_topic(path: Path, text: str, roots: Roots = ANYWHERE) -> SeedFile:
    """Read the text of a topic file, which lies or is to lie at `path`. Raises BadInput."""
    try:
        data = tomllib.loads(text)
        tables = _Tables.model_validate(data)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"The topic file {quoted(str(path))} is broken TOML: {error}{_instead(text, error)}.") from None
    except RecursionError:
        raise BadInput(f"The topic file {quoted(str(path))} is broken TOML: it is nested too deeply.") from None
    except ValidationError as error:
        raise _first_problem(quoted(path.name), error.errors(include_url=False)[0]) from None
    entries = enumerate(tables.seeds.urls, 1)
    seeds = seeds_of((f"{quoted(path.name)}, [seeds] urls, entry {number}", url) for number, url in entries)
    scope = Scope(tables.scope.include, tables.scope.exclude, tables.scope.hosts, tables.scope.one_site)
    return SeedFile(path.stem, seeds.urls, _topic(path, tables.topic, roots), scope, seeds.problems, toml=True)


def several_in_one(topic: TopicDefinition) -> tuple[str, ...]:
    """A sentence for each word that looks like several, as `["望远镜，星系"]`: it is a phrase, which hardly a page has."""
    file = f"{quoted(topic.file.name)}, " if topic.file else ""
    return tuple(
        f"{file}[topic] {key}: {quoted(word)} counts as one phrase; if it is several words, write each in quotes of its own."
        for key, words in (("keywords", topic.keywords), ("negative_terms", topic.negative_terms))
        for word in words
        if _BETWEEN_WORDS.match(word)
    )


def _instead(text: str, error: tomllib.TOMLDecodeError) -> str:
    """The end of the sentence about broken TOML if a sign of a Chinese keyboard stands where it breaks."""
    place = _PLACE.search(str(error))
    sign = text.split("\n")[int(place[1]) - 1][int(place[2]) - 1 :][:1] if place else ""
    meant = _ASCII.get(sign) or unicodedata.normalize("NFKC", sign)
    return f": write {meant} in place of {sign}" if meant != sign and meant.isascii() else ""


def split_examples(
    entries: tuple[str, ...], folder: Path, where: str, roots: Roots
) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Example pages: URLs in normal form, and existing local files apart.

    Args:
        folder: where relative paths begin.
        where: where the entries stand, for messages.

    Raises:
        BadInput: one is neither, or is a file that may not be read.
    """
    urls: dict[str, None] = {}
    files: dict[Path, None] = {}
    for entry in entries:
        if WEB_URL.match(entry):
            url, problem = typed_url(entry)
            if problem:
                raise BadInput(f"{where}: {problem}")
            urls[url] = None
        else:
            file = Path(os.path.normpath(folder / entry))
            roots.check(file, f"{where}: the file")
            if _is_list(read_page(file, f"{where}: the file")):
                raise BadInput(
                    f"{where}: the file {quoted(str(file))} is a list of URLs, not a page; give the URLs themselves."
                )
            files[file] = None
    return tuple(urls), tuple(files)


def _is_list(body: bytes) -> bool:
    """Whether a file holds URLs in place of a page, whose words would become terms of the topic."""
    text = decoded(body)
    return text is not None and not text.lstrip().startswith("<") and seeds_of_text(text).is_list


def topic_digest(topic: TopicDefinition, seeds: Sequence[str]) -> str:
    """A digest (32 hex digits) of all that defines the topic, which shows whether the topic file was edited since.

    Languages count in whatever order, example files by their content, and the seeds only where they alone say what the topic
    is.
    """
    return _digest(replace(topic, languages=tuple(sorted(topic.languages))), seeds)


def is_digest_of(digest: str, topic: TopicDefinition, seeds: Sequence[str]) -> bool:
    """Whether a kept digest is the topic's. In those of earlier versions, languages counted in the order of the topic file."""
    return digest in (topic_digest(topic, seeds), _digest(topic, seeds))


def _digest(topic: TopicDefinition, seeds: Sequence[str]) -> str:
    parts: list[object] = [topic.keywords, topic.examples, topic.negative_examples, topic.threshold, topic.languages]
    parts += [topic.synonyms, topic.negative_terms, topic.weights]
    if topic.languages:
        parts.append("pages in others are irrelevant")  # which topics that were made before this held do not know
    if any(map(_may_be_phrase, topic.keywords)):
        parts.append("keywords of several words are phrases")  # which topics that were made before do not know
    if topic.vocabulary.phrases:
        parts.append("and so are other terms")
    parts += [[path.read_bytes() for path in files] for files in (topic.example_files, topic.negative_example_files)]
    if not topic.keywords and not topic.examples and not topic.example_files:
        parts.append(tuple(seeds))
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


# --- the tables of a topic file -----------------------------------------------------------------------------------------------


def _tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _clean(text: str) -> str:
    if has_control(text):
        raise ValueError(f"holds control characters: {quoted(text)}")
    return text.strip()


def _each_once(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in dict.fromkeys(texts) if text)


def _group(texts: tuple[str, ...]) -> tuple[str, ...]:
    if len(texts) < 2:
        raise ValueError(f"a group needs two words or more, {quoted(', '.join(texts))} is one")
    return texts


def _patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        try:
            compiled(pattern)
        except ValueError as error:
            raise ValueError(f"{quoted(pattern)}: {error}") from None
    return patterns


def _hosts(texts: tuple[str, ...]) -> tuple[str, ...]:
    hosts: dict[str, None] = {}
    for text in texts:
        dot = "." if text.startswith(".") else ""
        host = None if "/" in text or "@" in text else normal_authority("http", text[len(dot) :])
        if host is None:
            raise ValueError(f"{quoted(text)} is not a host name; give example.org or .example.org")
        hosts[dot + host] = None
    return tuple(hosts)


def _within(least: float, most: float) -> AfterValidator:
    def check(value: float) -> float:
        if not least <= value <= most:  # also nan
            raise ValueError(f"{value:g} is not between {least:g} and {most:g}")
        return value

    return AfterValidator(check)


def _not_empty(word: str) -> str:
    if not word:
        raise ValueError("a weight needs a word")
    return word


Text = Annotated[str, AfterValidator(_clean)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_tuple), AfterValidator(_each_once)]
Group = Annotated[Texts, AfterValidator(_group)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _TopicTable(_Table):
    name: Text | None = None
    title: Text = ""
    keywords: Texts = ()
    examples: Texts = ()
    negative_examples: Texts = ()
    languages: Annotated[Texts, AfterValidator(asked)] = ()
    threshold: Annotated[float, _within(0, 1)] | None = None
    synonyms: Annotated[tuple[Group, ...], BeforeValidator(_tuple)] = ()
    negative_terms: Texts = ()
    important: Texts = ()
    weights: dict[Annotated[Text, AfterValidator(_not_empty)], Annotated[float, _within(-1, 1)]] = {}


class _SeedsTable(_Table):
    urls: Texts = ()


class _ScopeTable(_Table):
    include: Annotated[Texts, AfterValidator(_patterns)] = ()
    exclude: Annotated[Texts, AfterValidator(_patterns)] = ()
    hosts: Annotated[Texts, AfterValidator(_hosts)] = ()
    one_site: bool = False


class _Tables(_Table):
    seeds: _SeedsTable = _SeedsTable()
    topic: _TopicTable = _TopicTable()
    scope: _ScopeTable = _ScopeTable()


_TABLE_HEAD = re.compile(rf"\[\s*(?:{'|'.join(_Tables.model_fields)})\s*\]")


_OPML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?>.*?-->)\s*)*<opml[\s>]", re.DOTALL | re.IGNORECASE)


def _is_toml(path: Path, text: str) -> bool:
    if path.suffix.lower() == ".toml":
        return True
    lines = (line.strip() for line in text[:65536].splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return bool(_TABLE_HEAD.match(first))


def _opml(path: Path, text: str) -> SeedFile | None:
    """The sites of an OPML document; None if the file is none. Raises BadInput if only its name says that it is one."""
    named = path.suffix.lower() == ".opml"
    if not named and not _OPML.match(text):
        return None
    from focuscrawl.recrawl import opml
    from focuscrawl.text.safe_xml import name_of, root_of

    root = root_of(text)
    if root is None or name_of(root) != opml.ROOT:
        raise BadInput(f"The seed file {quoted(str(path))} is not OPML: its root element should be <opml>.")
    entries = ((f"{quoted(path.name)}, outline {quoted(found.title)}", found.written) for found in opml.outlines(root))
    found = seeds_of(entries)
    if not found.urls and not found.problems:
        raise BadInput(f"The seed file {quoted(str(path))} names no site: no outline has htmlUrl or xmlUrl.")
    return SeedFile(path.stem, found.urls, problems=found.problems)


def _plain_list(path: Path, text: str) -> SeedFile:
    found = seeds_of_text(text, path.name)
    return SeedFile(path.stem, found.urls, problems=found.problems)


def _topic(path: Path, table: _TopicTable, roots: Roots) -> TopicDefinition:
    where = f"{quoted(path.name)}, [topic]"
    if table.name is not None:
        check_name(table.name, f"{where} name")
    if both := [word for word in table.negative_terms if word.casefold() in map(str.casefold, table.keywords)]:
        raise BadInput(f"{where} negative_terms: {quoted(both[0])} is a keyword, too; leave out one of them.")
    urls, files = split_examples(table.examples, path.parent, f"{where} examples", roots)
    not_urls, not_files = split_examples(table.negative_examples, path.parent, f"{where} negative_examples", roots)
    return TopicDefinition(
        name=table.name or "",
        title=table.title,
        keywords=table.keywords,
        examples=urls,
        example_files=files,
        negative_examples=not_urls,
        negative_example_files=not_files,
        languages=table.languages,
        threshold=table.threshold,
        synonyms=table.synonyms,
        negative_terms=table.negative_terms,
        weights=tuple(table.weights.items()),
        important=important_sites(table.important, path.parent, f"{where} important", roots),
        file=path,
    )


# --- what is wrong with them, in one sentence -------------------------------------------------------------------------------

_KINDS = {str: "text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "a table"}
_WANTED = {
    "string_type": "text in quotes",
    "tuple_type": "a list of texts",
    "float_type": "a number",
    "bool_type": "true or false",
    "dict_type": "a table of numbers by word",
}
_LIST_OF_LISTS = ("a list of lists of texts", 'a list of texts such as ["crawler", "spider"]')


def _first_problem(file: str, problem: ErrorDetails) -> BadInput:
    """One of pydantic's errors as a sentence. Its `loc` says where in the file it is: (table, key, entry …)."""
    table, *path = (str(part) for part in problem["loc"])
    if not path:
        if problem["type"] == "extra_forbidden":
            return BadInput(f"{file}: there is no table [{table}]{nearest(table, _Tables.model_fields)}")
        return BadInput(f"{file}: {table} is {_kind(problem['input'])}, but it must be a table [{table}].")
    key, *entry = path
    if problem["type"] == "extra_forbidden":
        known = _Tables.model_fields[table].default.__class__.model_fields
        return BadInput(f"{file}, [{table}]: there is no key {quoted(key)}{nearest(key, known)}")
    where = f"{file}, [{table}] {key}: "
    if entry:
        where = f"{file}, [{table}.{key}] {quoted(entry[0])}: " if key == "weights" else f"{where}an entry "
    if problem["type"] == "value_error":
        return BadInput(f"{where}{problem['ctx']['error']}.")
    wanted = _WANTED.get(problem["type"], "another value")
    if key == "synonyms" and problem["type"] == "tuple_type":
        wanted = _LIST_OF_LISTS[len(entry)]
    return BadInput(f"{where}is {_kind(problem['input'])}, but it must be {wanted}.")


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "a date or time")
