"""The recorded webs with their truth and the reference strategies, from the folder beside the repository."""

from __future__ import annotations

import json
import os
import sys
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
EVAL = Path(os.environ.get("FOCUSCRAWL_EVAL", ROOT / "../shared/eval"))
WEBS = Path(os.environ.get("FOCUSCRAWL_WEBS", ROOT / "../shared/webs"))
REFERENCES = ("bfs", "vsm_parent", "bestfirst_anchor", "sharksearch", "oracle")
"""Made with the truth of a topic: they take seconds."""
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


@dataclass
class Truth:
    """One topic on one web. Pages are numbers: positions in the web's sorted list of addresses."""

    topic: str
    title: str
    keywords: list[str]
    seeds: list[int]
    examples: list[int]
    relevant: list[int]
    """Reachable relevant pages, examples left out."""
    reachable: int
    areas: dict[str, float]
    """Area of each reference strategy."""


def truth_file(cache: Path, web: str, topic: str, budget: int) -> Path:
    """Where a topic's truth is kept."""
    return cache / f"{web}-{topic}-{budget}.json"


def keep(file: Path, content: Any) -> None:
    """Replace a file of the cache in one step: others may read it now."""
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_text(json.dumps(content), "utf-8")
    part.replace(file)


class RecordedWeb:
    """A web's pages and truths; parsing and references are kept in `cache` because they take minutes."""

    def __init__(self, name: str, cache: Path, budget: int) -> None:
        self.name, self.cache, self.budget = name, cache, budget
        self.path = WEBS / f"{name}.sqlite"
        weblib = reference_module("weblib")
        weblib.build_cache(str(self.path), str(cache))
        self.graph = weblib.Graph(str(self.path), str(cache))
        self.canon = weblib.canon

    @property
    def topics(self) -> list[str]:
        """Identifiers of the topics."""
        return list(self.graph.web.topics)

    def page_of(self, url: str) -> int | None:
        """The page that an address leads to; None outside the web."""
        known = self.canon(url)
        page: int | None = self.graph.idx.get(self.graph.web.resolve(known)) if known else None
        return page

    def truth(self, topic: str) -> Truth:
        """Labels and reference areas of a topic."""
        file = truth_file(self.cache, self.name, topic, self.budget)
        if file.exists():
            return Truth(**json.loads(file.read_text("utf-8")))
        truth = self._measure(topic)
        keep(file, asdict(truth))
        return truth

    def _measure(self, topic: str) -> Truth:
        strategies = reference_module("strategies")
        task = strategies.Task(self.graph, topic)
        budget = min(self.budget, int(task.reach.sum()))
        areas = {}
        for name in REFERENCES:
            order = strategies.run(task, strategies.ALL[name], budget, zlib.crc32(f"{topic}{name}".encode()))
            found = strategies.curve(task.rel, task.ex, order, budget)
            areas[name] = strategies.summary(found, task.nrel, budget)["area"]
        facts = self.graph.web.topics[topic]
        keywords = [word for words in facts["keywords"].values() for word in words]
        relevant = [int(page) for page in task.rel.nonzero()[0]]
        examples = sorted(int(page) for page in task.ex)
        return Truth(topic, facts["name"], keywords, task.seeds, examples, relevant, int(task.reach.sum()), areas)

    def area(self, truth: Truth, order: list[int]) -> float:
        """Relevant pages found over the first 3R fetches against finding all R first, by the reference's definition."""
        strategies, budget = reference_module("strategies"), min(self.budget, truth.reachable)
        relevant, examples = set(truth.relevant), set(truth.examples)
        found = strategies.curve([page in relevant for page in range(self.graph.n)], examples, order[:budget], budget)
        return float(strategies.summary(found, len(relevant), budget)["area"])
