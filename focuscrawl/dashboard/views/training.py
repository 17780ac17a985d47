"""A topic that is being made: its words in two columns, the pages that were found, the next page to label, and the results of
training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from focuscrawl.dashboard.training import TopicSession, Training
from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.showing import shown_topic
from focuscrawl.topics.suggesting import BY_SIMILARITY, candidates, passage, queries_of
from focuscrawl.topics.term_columns import columns, only_site
from focuscrawl.topics.training import LEAST_TESTED, labels_of
from focuscrawl.topics.workspace import Workspace

GOALS = (20, 50, 100)
"""Goals for the number of labels of each kind. A hundred are recommended, as by the Domain Discovery Tool."""


def topics(training: Training) -> dict[str, object]:
    """The names of all topics in the folder."""
    return {"topics": training.names(), "folder": str(training.topics_dir), "crawls": _crawls(training)}


def words(training: Training, session: TopicSession, query: Mapping[str, str]) -> dict[str, object]:
    """The words of the topic, and how it judges the pages at hand."""
    workspace = session.workspace
    training.refresh(session)
    now = session.at_hand.snapshot(workspace)
    shown = shown_topic(workspace)
    return _topic(session) | {
        "title": shown.title, "file": shown.file, "threshold": shown.threshold, "threshold_reason": shown.threshold_reason,
        "self_test": shown.self_test, "warning": shown.warning, "columns": asdict(columns(workspace)),
        "examples": list(shown.examples), "seeds": list(shown.seeds), "without_text": list(shown.without_text),
        "can_be_crawled": shown.can_be_crawled,
        "at_hand": len(now.pages), "relevant": sum(page.relevant for page in now.pages.values()),
        "similarity_that_counts": now.threshold, "by_similarity": BY_SIMILARITY,
    }  # fmt: skip


def find(training: Training, session: TopicSession, query: Mapping[str, str]) -> dict[str, object]:
    """The results of the last search, with the answers about them."""
    return _topic(session) | {
        "crawls": _crawls(training), "crawl": session.crawl, "searx": training.searx, "queries": session.queries,
        "proposed": ", ".join(queries_of(session.workspace)), "found": candidates(session.workspace, session.found),
        "by_similarity": BY_SIMILARITY,
    }  # fmt: skip


def label(training: Training, session: TopicSession, query: Mapping[str, str]) -> dict[str, object]:
    """The next page to label. Its score is not shown, because it would influence the answer."""
    page = training.next_page(session)
    return _topic(session) | {
        "page": _asked(session.workspace, page) if page else None, "can_undo": bool(session.answered), "crawl": session.crawl,
        "crawls": _crawls(training),
    }  # fmt: skip


def train(training: Training, session: TopicSession, query: Mapping[str, str]) -> dict[str, object]:
    """When the topic was last trained, and the crawls whose frontier it can score."""
    workspace = session.workspace
    trained = workspace.trained()
    texts = labels_of(workspace)
    return _topic(session) | {
        "trained": trained.topic.made if trained else "", "model": trained.name if trained else "",
        "counted": len(texts), "least": LEAST_TESTED, "crawls": training.crawls_of(workspace.paths),
        "broken": not trained and bool(workspace.training_problem()), "rescoring": session.rescoring,
        "can_be_crawled": bool(workspace.file.seeds or workspace.topic.examples),
    }  # fmt: skip


def _topic(session: TopicSession) -> dict[str, Any]:
    """The data that all four pages show."""
    workspace = session.workspace
    paths: TopicPaths = workspace.paths
    answers = [label.relevant for label in workspace.labels.values()]
    yes, no = sum(answers), len(answers) - sum(answers)
    goal = next((goal for goal in GOALS if min(yes, no) < goal), GOALS[-1])
    return {
        "name": paths.name, "yes": yes, "no": no, "goal": goal,
        "only_site": only_site(source for source, _ in workspace.picked_texts()),
    }  # fmt: skip


def _crawls(training: Training) -> list[str]:
    return [crawl.name for crawl in training.stores.crawls()]


def _asked(workspace: Workspace, page: PageText) -> dict[str, object]:
    model = workspace.model()
    pieces = passage(page.text, workspace.segmenter, model.weights if model else {})
    return {"url": page.url, "title": page.title, "language": page.language, "pieces": pieces}
