"""The labels of topics, passed on to the crawls whose pages they judge.

A crawl reads the labels beside its topic file when it begins. What is labelled while it rests or runs is written into its store
at once, so that exports, searches and reports follow without another run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from focuscrawl.config.job import topic_files
from focuscrawl.config.topic_file import read_topic
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import one_line, plural
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.frontier.operator_changes import change
from focuscrawl.store.pages.verdicts import topics_of
from focuscrawl.store.revisits.change_log import NO_RUN
from focuscrawl.store.revisits.labels import follow_labels
from focuscrawl.store.workers.runs import last_crawl_arguments
from focuscrawl.store.workers.status import store_now
from focuscrawl.topics.labels import read_labels
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.workspace import Workspace


def labels_of_file(file: Path) -> dict[str, bool] | None:
    """The labels beside a topic file, by URL, the latest last; None if there is no file of labels. Raises BadInput."""
    path = TopicPaths(file.parent, file.stem).labels
    return {label.url: label.relevant for label in read_labels(path).values()} if path.exists() else None


def topic_file_of(db: Database, topic: str) -> Path | None:
    """The topic file that the crawl was last started with, which may be gone by now; None: it had none. `topic`: the name of
    one of several topics."""
    files = topic_files(str(last_crawl_arguments(db).get("seeds", "")))
    return next((file for file in files if not topic or topic == name_of(file)), None)


def name_of(file: Path) -> str:
    """What a crawl of several topics calls that of this file. Raises BadInput if it cannot be read."""
    return (read_topic(file).topic.name if file.exists() else "") or file.stem


def pass_on(crawls: Iterable[Crawl], workspace: Workspace) -> dict[str, int]:
    """Let the stored pages of the crawls that were last started with this topic's file follow its labels.

    Returns how many pages became relevant or irrelevant by that, for each crawl with such pages. A store that cannot be used
    now is passed over: its next run reads the labels."""
    labels = {label.url: label.relevant for label in workspace.labels.values()}
    changed = {}
    for crawl in crawls:
        try:
            if number := _pass_on(crawl, workspace.paths.toml.resolve(), labels):
                changed[crawl.name] = number
        except (BadInput, *ERRORS):
            continue
    return changed


def _pass_on(crawl: Crawl, file: Path, labels: dict[str, bool]) -> int:
    with closing(crawl.open()) as db:
        topic = topic_in(db, file)
    if topic is None:
        return 0
    with closing(crawl.open(write=True)) as db:
        return change(db, follow_labels, topic=topic, given=labels, run=NO_RUN, now=store_now(db))


def topic_in(db: Database, file: Path) -> str | None:
    """What a crawl calls the topic of this (resolved) file: nothing in a crawl of one. None if it was last started without the
    file. Raises BadInput if the file cannot be read."""
    topic = name_of(file) if topics_of(db) else ""
    ours = topic_file_of(db, topic)
    return topic if ours and ours.resolve() == file else None


def followed_parts(followed: Mapping[str, int]) -> list[str]:
    """A sentence for each crawl whose pages follow labels now."""
    return [
        f"{plural(number, 'stored page')} of crawl {one_line(name)} {'is' if number == 1 else 'are'} judged otherwise by that:"
        " exports, searches and reports follow."
        for name, number in followed.items()
    ]
