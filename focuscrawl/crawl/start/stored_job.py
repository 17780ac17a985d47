"""The job of a crawl in its store: with it, the crawl's pages are revisited without seed file or topic file.

A crawl writes its job when its topic is there, under `job` in `meta`. Not kept: files, for the stored topic was made of them,
and the arguments that are of one run only.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from focuscrawl.config.allowed_paths import ANYWHERE, Roots
from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob, job_of
from focuscrawl.config.options import Options
from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.crawl.relevance.stored_topic import load_topic
from focuscrawl.crawl.start.crawl_lock import already_running
from focuscrawl.errors import BadInput, quoted
from focuscrawl.store.crawls import crawl_named, open_if_there, use_password_of
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.pages.stored import has_pages
from focuscrawl.store.workers.status import OccupiedError, check_alone, store_now
from focuscrawl.url.scope import AnyScope, Scope

KEY = "job"
"""In `meta`: JSON of KeptJob."""
LASTING = ("strategy", "important", "max_depth", "max_pages_per_host", "max_pages_per_site")
"""Arguments that hold for every later run, too."""
MOST_NAMED = 200
"""Most seeds, keywords and the like that are kept by name for each run."""


@dataclass(frozen=True, slots=True)
class KeptPart:
    """One topic of several."""

    name: str
    seeds: tuple[str, ...]
    topic: TopicDefinition
    scope: Scope


@dataclass(frozen=True, slots=True)
class KeptJob:
    """What is stored of a job."""

    seeds: tuple[str, ...]
    topic: TopicDefinition
    scope: Scope
    """Of one topic; of several, each part has its own."""
    arguments: dict[str, Any]
    parts: tuple[KeptPart, ...] = ()


def job_for(arguments: CrawlArguments, options: Options, roots: Roots = ANYWHERE) -> CrawlJob:
    """What these arguments ask for: the job of their seed files, or for a recrawl that of the crawl itself.

    Raises:
        BadInput: It cannot be used; one sentence.
        AlreadyRunning: A recrawl is asked for, and a worker is running. One that has just begun has not stored its job yet.
    """
    if not arguments.is_recrawl:
        return job_of(arguments, roots)
    crawls_dir = Path(options.crawls_dir)
    directory = crawls_dir / arguments.name
    roots.check_crawl(directory)
    use_password_of(options.store_url)
    with closing(open_if_there(directory, options.store_url) or crawl_named(crawls_dir, arguments.name).open()) as db:
        try:
            check_alone(db, True, store_now(db))
        except OccupiedError as error:
            raise already_running(directory.name, error.worker) from None
        return stored_job(db, arguments)


def kept_job(db: Database) -> KeptJob | None:
    """What the crawl is resumed with, for a process that only reads; None where nothing is stored, or nothing readable."""
    try:
        return _adapter().validate_json(_read(db) or "")
    except ValidationError:
        return None


def given_words(db: Database) -> str:
    """The words that the user gave to the crawl's topics, for and against, as they were written."""
    if (kept := kept_job(db)) is None:
        return ""
    topics = [kept.topic, *(part.topic for part in kept.parts)]
    return " ".join(
        word for topic in topics for word in (*topic.keywords, *topic.negative_terms, *(word for word, _ in topic.weights))
    )


def remember_job(db: Database, job: CrawlJob) -> None:
    """Write what the crawl is to be resumed with."""
    text = dump_job(job)
    if _read(db) != text:
        set_meta(db, KEY, text)


def dump_job(job: CrawlJob) -> str:
    """JSON of what is kept of a job."""
    arguments = job.arguments.model_dump(mode="json", include=set(LASTING), exclude_none=True)
    parts = tuple(KeptPart(part.name, part.seeds, _without_files(part.topic), _own(part.scope)) for part in job.parts)
    scope = Scope() if parts else _own(job.scope)
    kept = KeptJob(job.seeds, _without_files(job.topic), scope, arguments, parts)
    return _adapter().dump_json(kept, exclude_defaults=True).decode()


def job_facts(job: CrawlJob) -> list[dict[str, object]]:
    """What the job of a run asked for, kept with the run for reports: for each topic its values that are not empty, and of
    lists longer than MOST_NAMED also their length (`NAME_count`)."""
    return [_facts(part) for part in job.parts or (job,)]


def _facts(job: CrawlJob) -> dict[str, object]:
    topic, scope = job.topic, job.scope if isinstance(job.scope, Scope) else Scope()
    values: dict[str, tuple[object, ...]] = {
        "seeds": job.seeds, "keywords": topic.keywords, "examples": (*topic.examples, *map(str, topic.example_files)),
        "negative_examples": (*topic.negative_examples, *map(str, topic.negative_example_files)),
        "negative_terms": topic.negative_terms, "languages": topic.languages, "important": topic.important,
        "hosts": scope.hosts, "include": scope.include, "exclude": scope.exclude, "sites": tuple(sorted(scope.sites)),
    }  # fmt: skip
    facts: dict[str, object] = {"topic": job.name, "title": topic.title, "threshold": topic.threshold}
    facts |= {name: list(value[:MOST_NAMED]) for name, value in values.items()}
    counts = {f"{name}_count": len(value) for name, value in values.items() if len(value) > MOST_NAMED}
    return {name: value for name, value in (facts | counts).items() if value not in ("", None, [])}


def stored_job(db: Database, arguments: CrawlArguments) -> CrawlJob:
    """The job that the crawl was last run with, under `arguments`: those of a recrawl. Raises BadInput where there is none,
    no topic or no page."""
    name, text = arguments.name, _read(db)
    if not text:
        raise BadInput(f"The crawl {name!r} has not begun: its topic has not been made. Run scrapy crawl topic first.")
    try:
        kept = _adapter().validate_json(text)
        lasting = {key: kept.arguments[key] for key in LASTING if key in kept.arguments}
        arguments = CrawlArguments.model_validate(arguments.model_dump(exclude_unset=True) | lasting)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]["msg"]
        raise BadInput(
            f"The stored job of {name!r} cannot be read ({problem}); scrapy crawl topic with its seeds writes it again."
        ) from None
    if not has_pages(db):
        raise BadInput(f"The crawl {name!r} has no page yet; run scrapy crawl topic first.")
    return _restored(db, kept, arguments)


def _restored(db: Database, kept: KeptJob, arguments: CrawlArguments) -> CrawlJob:
    if not kept.parts:
        return _job(db, "", KeptPart(arguments.name, kept.seeds, kept.topic, kept.scope), arguments)
    parts = tuple(_job(db, part.name, part, arguments) for part in kept.parts)
    scope = AnyScope(parts=tuple(part.scope for part in parts))
    return CrawlJob(arguments.name, kept.seeds, kept.topic, scope, arguments, parts=parts)


def _job(db: Database, label: str, kept: KeptPart, arguments: CrawlArguments) -> CrawlJob:
    """The job of one topic, whose stored model has this label."""
    scope, digest = kept.scope.with_seeds(kept.seeds), _topic_digest(db, label)
    return CrawlJob(kept.name, kept.seeds, kept.topic, scope, arguments, topic_digest=digest)


def _topic_digest(db: Database, label: str) -> str:
    stored = load_topic(db, label)
    if stored is None or not stored.topic_digest:
        of = f" for topic {quoted(label)}" if label else ""
        raise BadInput(f"The crawl has no model{of} in its store; run scrapy crawl topic with its seeds, which makes it.")
    return stored.topic_digest


def _without_files(topic: TopicDefinition) -> TopicDefinition:
    return replace(topic, example_files=(), negative_example_files=(), file=None)


def _own(scope: Scope) -> Scope:
    """The scope without the sites, which follow from the seeds (`Scope.with_seeds`)."""
    return replace(scope, sites=frozenset())


def _read(db: Database) -> str:
    return read_meta(db, KEY) or ""


@cache
def _adapter() -> TypeAdapter[KeptJob]:
    return TypeAdapter(KeptJob)
