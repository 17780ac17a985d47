"""What is to be crawled: the arguments, and the seed files or URLs that `-a seeds=` names, as one job.

`-a seeds=a.toml,b.toml,more.txt,http://example.org/`: each TOML file is a topic of the crawl; plain lists and URLs give
their seeds to all topics. With one topic at most, the crawl is as one of a single file that has all the seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from focuscrawl.config.allowed_paths import ANYWHERE, Roots
from focuscrawl.config.arguments import CrawlArguments, check_name, split_list
from focuscrawl.config.seed_list import WEB_URL, important_sites, seeds_of, typed_url
from focuscrawl.config.topic_file import SeedFile, TopicDefinition, read_seeds, seed_path, several_in_one, split_examples
from focuscrawl.errors import BadInput, quoted
from focuscrawl.text.vocabulary import Vocabulary
from focuscrawl.url.hosts import host_name
from focuscrawl.url.scope import AnyScope, Scope

DEFINING_SEEDS = 30
"""Seeds that are the example pages of a topic which names neither keywords nor examples."""


@dataclass(frozen=True, slots=True)
class CrawlJob:
    """All that a crawl needs to know from its user."""

    name: str
    seeds: tuple[str, ...]
    topic: TopicDefinition
    scope: Scope
    arguments: CrawlArguments
    problems: tuple[str, ...] = ()
    """A sentence for each entry of a seed file that was skipped, for each keyword that looks like several, and for each seed
    outside the scope."""
    parts: tuple[CrawlJob, ...] = ()
    """One for each topic where there are several: its name, seeds, topic and scope."""
    topic_digest: str = ""
    """Digest of the topic in the crawl's store, if that topic is to be used as it is, without its files (a recrawl); empty: the
    topic is made from this job."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The words by which pages are cut: those of all topics."""
        return Vocabulary.of_all(part.topic.vocabulary for part in self.parts or (self,))


def job_of(arguments: CrawlArguments, roots: Roots = ANYWHERE) -> CrawlJob:
    """The job of these arguments. An argument beats what a file says.

    Args:
        roots: the folders that seed files, and the files that they name, may lie in.

    Raises:
        BadInput: one sentence for what cannot be used.
    """
    files = _seed_files(arguments.seeds, roots)
    topics = [file for file in files if file.toml]
    lists = [file for file in files if not file.toml]
    if len(topics) < 2:
        return _of_one_topic(arguments, _joined_files(topics, lists), roots)
    return _of_several_topics(arguments, topics, lists, roots)


def entries_of(seeds: str) -> tuple[str, ...]:
    """The files and URLs of `-a seeds=`, each once: the parts between commas, unless a file has all of it as its name."""
    return (() if exists(seeds) else split_list(seeds)) or (seeds,)


def topic_files(seeds: str) -> list[Path]:
    """The topic files among the entries of `-a seeds=`, by their names; they may be gone by now."""
    names = (entry for entry in entries_of(seeds) if entry.lower().endswith(".toml") and not WEB_URL.match(entry))
    return [seed_path(name) for name in names]


def exists(path: str) -> bool:
    """Whether there is a file or folder at this path, whatever stands there."""
    try:
        return Path(path).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _seed_files(seeds: str, roots: Roots) -> list[SeedFile]:
    entries = entries_of(seeds)
    urls = [entry for entry in entries if WEB_URL.match(entry)]
    given = [_given_urls(urls)] if urls else []
    try:
        return [read_seeds(entry, roots) for entry in entries if entry not in urls] + given
    except BadInput as error:
        if urls:
            hint = r"; write a comma inside a URL as \,, in quotes for the shell."
        elif any(not exists(entry) and not typed_url(entry)[1] for entry in entries):
            hint = "; if it is a URL, write http:// before it."
        else:
            raise
        raise BadInput(f"{str(error).removesuffix('.')}{hint}") from None


def _given_urls(urls: Sequence[str]) -> SeedFile:
    """What was given on the command line, as a plain list would give it: a crawl of it is named after the hosts."""
    found = seeds_of((f"seeds, URL {number}", url) for number, url in enumerate(urls, 1))
    if not found.urls:
        raise BadInput(f"No seed is left: {found.problems[0]}")
    hosts = dict.fromkeys(host_name(url) for url in found.urls)
    return SeedFile("+".join(hosts), found.urls, problems=found.problems)


def _joined_files(topics: Sequence[SeedFile], lists: Sequence[SeedFile]) -> SeedFile:
    """The only topic, if there is one, with the seeds of all files."""
    first, *others = (*topics, *lists)
    if not others:
        return first
    seeds = _joined(file.seeds for file in (first, *others))
    problems = tuple(problem for file in (first, *others) for problem in file.problems)
    name = first.name if topics else "+".join(file.name for file in lists)
    return replace(first, name=name, seeds=seeds, scope=first.scope.with_seeds(seeds), problems=problems)


def _of_one_topic(arguments: CrawlArguments, file: SeedFile, roots: Roots) -> CrawlJob:
    topic = file.topic
    if arguments.keywords:
        topic = replace(topic, keywords=arguments.keywords)
    if arguments.examples:
        urls, files = split_examples(arguments.examples, Path(), "examples", roots)
        topic = replace(topic, examples=urls, example_files=files)
    name = arguments.name or topic.name or _default_name(file.name)
    arguments = _with_important(arguments, topic.important, roots)
    problems = file.problems + several_in_one(file.topic) + _outside(file.seeds, file.scope)
    return CrawlJob(name, file.seeds, replace(topic, name=name), file.scope, arguments, problems)


def _with_important(arguments: CrawlArguments, of_files: tuple[str, ...], roots: Roots) -> CrawlArguments:
    """The arguments with the important sites of the argument, or else of the topic files; files with lists of sites are
    read."""
    given = important_sites(arguments.important, Path(), "important", roots) if arguments.important else of_files
    return arguments.model_copy(update={"important": given}) if given else arguments


def _of_several_topics(
    arguments: CrawlArguments, topics: Sequence[SeedFile], lists: Sequence[SeedFile], roots: Roots
) -> CrawlJob:
    arguments = _with_important(arguments, _joined(file.topic.important for file in topics), roots)
    parts = tuple(_part(file, lists, arguments) for file in topics)
    _check_parts(parts, arguments)
    name = arguments.name or _default_name("+".join(part.name for part in parts))
    scope = AnyScope(parts=tuple(part.scope for part in parts))
    seeds = _joined(part.seeds for part in parts)
    problems = tuple(problem for file in (*topics, *lists) for problem in (*file.problems, *several_in_one(file.topic)))
    problems += _outside(seeds, scope)
    return CrawlJob(name, seeds, _topic_of_all(name, parts), scope, arguments, problems, parts)


def _part(file: SeedFile, lists: Sequence[SeedFile], arguments: CrawlArguments) -> CrawlJob:
    """One topic as a job of its own."""
    topic = replace(file.topic, name=file.topic.name or _default_name(file.name))
    if not (topic.keywords or topic.examples or topic.example_files):
        topic = replace(topic, examples=file.seeds[:DEFINING_SEEDS])
    seeds = _joined(each.seeds for each in (file, *lists))
    return CrawlJob(topic.name, seeds, topic, file.scope.with_seeds(seeds), arguments)


def _default_name(name: str) -> str:
    return check_name(name, "The name of the seeds cannot name the crawl (give -a name=NAME)")


def _outside(seeds: Sequence[str], scope: Scope) -> tuple[str, ...]:
    return tuple(f"seed {quoted(url)} lies outside the scope." for url in seeds if scope.refuses(url))


def _check_parts(parts: Sequence[CrawlJob], arguments: CrawlArguments) -> None:
    names = [part.name for part in parts]
    for argument in ("keywords", "examples"):
        if getattr(arguments, argument):
            raise BadInput(
                f"-a {argument}= says what one topic is about, but there are {len(parts)} ({', '.join(names)});"
                f" write {argument} into the files."
            )
    folded = [name.casefold() for name in names]  # directories of some file systems know no case
    for name, key in zip(names, folded, strict=True):
        if folded.count(key) > 1:
            raise BadInput(f"Two topics are called {quoted(name)}; give each file a [topic] name of its own.")


def _topic_of_all(name: str, parts: Sequence[CrawlJob]) -> TopicDefinition:
    """What is fetched first, and what people are told of all topics together."""
    topics = [part.topic for part in parts]
    return TopicDefinition(
        name=name,
        keywords=_joined(topic.keywords for topic in topics),
        examples=_joined(topic.examples for topic in topics),
        languages=_joined(topic.languages for topic in topics) if all(topic.languages for topic in topics) else (),
    )


def _joined(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Each once, in order."""
    return tuple(dict.fromkeys(entry for entries in lists for entry in entries))
