"""The recorded webs with their truth and the reference strategies, from the folder beside the repository."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tools.eval.webs.recorded import WEBS

ROOT = Path(__file__).resolve().parents[3]
EVAL = Path(os.environ.get("FOCUSCRAWL_EVAL", ROOT / "../shared/eval"))
REFERENCES = ("bfs", "vsm_parent", "bestfirst_anchor", "sharksearch", "oracle")
"""They take seconds a topic."""
ALL_REFERENCES = (
    "nb_link", "lr_link", "random", "pagerank", "nb_link_truth", "bfs", "vsm_parent", "bestfirst_anchor", "sharksearch",
    "oracle",
)  # fmt: skip
"""The slow ones first: see references.py."""
KNOWING = frozenset({"nb_link_truth", "oracle"})
"""They are told the labels: no rivals."""
BLIND = frozenset({"bfs", "random", "pagerank"})
"""They do not look at the topic: being better than they are says little."""


def missing() -> str:
    """Why nothing can be measured here; empty if it can."""
    if not (EVAL / "strategies.py").is_file():
        return f"skipped: no reference strategies in {EVAL} (set FOCUSCRAWL_EVAL to the folder with strategies.py)"
    if not any(WEBS.glob("*.sqlite")):
        return f"skipped: no recorded webs in {WEBS} (set FOCUSCRAWL_WEBS to the folder with dev.sqlite)"
    return ""


def reference_module(name: str) -> Any:
    """`strategies` or `weblib` of the reference evaluation."""
    if str(EVAL) not in sys.path:
        sys.path.insert(0, str(EVAL))
    sys.dont_write_bytecode = True
    return __import__(name)


def built_digest(file: Path) -> tuple[str, str] | None:
    """Of a web's pages and of its topics; None for a web that does not say it."""
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
        facts = dict(db.execute("select key, value from meta where key in ('digest', 'topics')"))
    db.close()
    if "digest" not in facts:
        return None
    return json.loads(facts["digest"]), hashlib.blake2b(facts["topics"].encode(), digest_size=4).hexdigest()


@dataclass
class Truth:
    """One topic on one web. Pages are numbers: positions in the web's sorted list of URLs."""

    topic: str
    title: str
    keywords: list[str]
    seeds: list[int]
    examples: list[int]
    relevant: list[int]
    """Reachable relevant pages, examples left out."""
    reachable: int
    areas: dict[str, float] = field(default_factory=dict)
    """Area of each reference strategy that was run; see references.py."""


def keywords_in(file: Path | None) -> dict[str, list[str]]:
    """The words of a TOML file by topic; none without a file."""
    return tomllib.loads(file.read_text("utf-8")) if file else {}


def truth_file(cache: Path, web: str, topic: str, budget: int) -> Path:
    """Where a topic's truth is kept."""
    return cache / f"{web}-{topic}-{budget}.json"


def keep(file: Path, content: Any) -> None:
    """Replace a file of the cache in one step: others may read it now."""
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_text(json.dumps(content), "utf-8")
    part.replace(file)


def web_file(name: str) -> Path:
    """The file of a web: a name says one of WEBS, a path ends in `.sqlite`."""
    return Path(name) if name.endswith(".sqlite") else WEBS / f"{name}.sqlite"


class RecordedWeb:
    """A web's pages and truths; parsing and references are kept in `cache` because they take minutes.

    A web that says its digest (tools/eval/webs) has a folder of its own there, so that it may be built anew."""

    def __init__(self, name: str, cache: Path, budget: int) -> None:
        self.path, self.budget = web_file(name), budget
        self.name, self.cache = self.path.stem, cache
        if digest := built_digest(self.path):
            pages, topics = digest
            self.name, self.cache = f"{self.name}-{topics}", cache / f"{self.name}-{pages}"
            self.cache.mkdir(parents=True, exist_ok=True)
        weblib = reference_module("weblib")
        weblib.build_cache(str(self.path), str(self.cache))
        self.graph = weblib.Graph(str(self.path), str(self.cache))
        self.canon = weblib.canon
        self._hosts = {urlsplit(page).hostname for page in self.graph.urls}
        self._task: tuple[str, Any] = ("", None)

    @property
    def topics(self) -> list[str]:
        """Identifiers of the topics."""
        return list(self.graph.web.topics)

    def page_of(self, url: str) -> int | None:
        """The page that a URL leads to; None outside the web."""
        known = self.canon(url)
        page: int | None = self.graph.idx.get(self.graph.web.resolve(known)) if known else None
        return page

    def has_host(self, url: str) -> bool:
        """Whether the web has pages of this host."""
        return urlsplit(url).hostname in self._hosts

    def task(self, topic: str) -> Any:
        """The topic as the reference strategies take it (`strategies.Task`); the last one is kept."""
        if self._task[0] != topic:
            self._task = (topic, reference_module("strategies").Task(self.graph, topic))
        return self._task[1]

    def truth(self, topic: str) -> Truth:
        """Labels of a topic, and the areas of the references that were run."""
        file = truth_file(self.cache, self.name, topic, self.budget)
        if file.exists():
            return Truth(**json.loads(file.read_text("utf-8")))
        truth = self._measure(topic)
        keep(file, asdict(truth))
        return truth

    def _measure(self, topic: str) -> Truth:
        task = self.task(topic)
        facts = self.graph.web.topics[topic]
        keywords = [word for words in facts["keywords"].values() for word in words]
        relevant = [int(page) for page in task.rel.nonzero()[0]]
        examples = sorted(int(page) for page in task.ex)
        return Truth(topic, facts["name"], keywords, task.seeds, examples, relevant, int(task.reach.sum()))

    def area(self, truth: Truth, order: list[int]) -> float:
        """Relevant pages found over the first 3R fetches against finding all R first, by the reference's definition."""
        strategies, budget = reference_module("strategies"), min(self.budget, truth.reachable)
        relevant, examples = set(truth.relevant), set(truth.examples)
        found = strategies.curve([page in relevant for page in range(self.graph.n)], examples, order[:budget], budget)
        return float(strategies.summary(found, len(relevant), budget)["area"])
