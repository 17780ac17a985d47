"""One job of one or several seed files: `-a seeds=a.toml,b.toml,more.txt`.

Each TOML file is a topic; a plain list gives its seeds to all of them. With one topic at most, the crawl is as one of a
single file that has all the seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from focuscrawl.config.allowed_paths import ANYWHERE, Roots
from focuscrawl.config.arguments import CrawlArguments, check_name, split_list
from focuscrawl.config.topic_file import Job, SeedFile, Topic, combine, name_of_file, read_seeds
from focuscrawl.errors import BadInput, quoted
from focuscrawl.url.scope import AnyScope

DEFINING_SEEDS = 30
"""Seeds that are the example pages of a topic which names neither keywords nor examples."""


def job_of(arguments: CrawlArguments, roots: Roots = ANYWHERE) -> Job:
    """The job of these arguments and their seed files, all of which lie below `roots`. Raises BadInput, one sentence, for
    what cannot be used."""
    paths = paths_of(arguments.seeds)
    if len(paths) == 1:
        return combine(arguments, roots=roots)
    files = [read_seeds(path, roots) for path in paths]
    topics = [file for file in files if file.toml]
    lists = [file for file in files if not file.toml]
    if len(topics) < 2:
        return combine(arguments, _as_one(topics, lists), roots)
    parts = tuple(_part(file, lists, arguments) for file in topics)
    _check_parts(parts, arguments)
    name = arguments.name or check_name("+".join(part.name for part in parts), "The joined names (give -a name=NAME)")
    problems = [problem for file in files for problem in file.problems]
    scope = AnyScope(parts=tuple(part.scope for part in parts))
    seeds = _joined(part.seeds for part in parts)
    problems += [f"seed {quoted(url)} lies outside the scope." for url in seeds if scope.refuses(url)]
    return Job(name, seeds, _topic_of_all(name, parts), scope, arguments, tuple(problems), parts)


def paths_of(seeds: str) -> tuple[str, ...]:
    """The file names of `-a seeds=`: parts between commas, unless one file is called so."""
    names = split_list(seeds)
    if not isinstance(names, tuple) or len(names) < 2 or _exists(seeds):
        return (seeds,)
    return names


def _exists(path: str) -> bool:
    try:
        return Path(path).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _as_one(topics: Sequence[SeedFile], lists: Sequence[SeedFile]) -> SeedFile:
    """The only topic, if any, with the seeds of all files."""
    seeds = _joined(file.seeds for file in (*topics, *lists))
    problems = tuple(problem for file in (*topics, *lists) for problem in file.problems)
    if topics:
        (file,) = topics
        return replace(file, seeds=seeds, scope=file.scope.with_seeds(seeds), problems=problems)
    name = check_name("+".join(name_of_file(file.path) for file in lists), "The joined names (give -a name=NAME)")
    return replace(lists[0], seeds=seeds, topic=Topic(name=name), problems=problems)


def _part(file: SeedFile, lists: Sequence[SeedFile], arguments: CrawlArguments) -> Job:
    """One topic as a job of its own."""
    topic = replace(file.topic, name=file.topic.name or name_of_file(file.path))
    if not (topic.keywords or topic.examples or topic.example_files):
        topic = replace(topic, examples=file.seeds[:DEFINING_SEEDS])
    seeds = _joined(each.seeds for each in (file, *lists))
    return Job(topic.name, seeds, topic, file.scope.with_seeds(seeds), arguments)


def _check_parts(parts: Sequence[Job], arguments: CrawlArguments) -> None:
    names = [part.name for part in parts]
    for argument in ("keywords", "examples"):
        if getattr(arguments, argument):
            raise BadInput(
                f"-a {argument}= says what one topic is about, and here are {len(parts)} ({', '.join(names)});"
                f" write {argument} into the files."
            )
    folded = [name.casefold() for name in names]
    for name, key in zip(names, folded, strict=True):
        if folded.count(key) > 1:
            raise BadInput(f"Two topics are called {quoted(name)}; give each file a [topic] name of its own.")


def _topic_of_all(name: str, parts: Sequence[Job]) -> Topic:
    """What is fetched first and how text is cut: the examples, keywords and synonyms of all topics."""
    topics = [part.topic for part in parts]
    return Topic(
        name=name,
        keywords=_joined(topic.keywords for topic in topics),
        examples=_joined(topic.examples for topic in topics),
        languages=_joined(topic.languages for topic in topics) if all(topic.languages for topic in topics) else (),
        synonyms=tuple(dict.fromkeys(group for topic in topics for group in topic.synonyms)),
    )


def _joined(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Each once, in order."""
    return tuple(dict.fromkeys(entry for entries in lists for entry in entries))
