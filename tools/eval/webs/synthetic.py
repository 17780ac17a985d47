"""The synthetic web in shapes from 1 to 600 hosts as recorded webs: topics by words, and one by kind of page."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthweb.document import Label
from synthweb.plan import DEMO, Plan
from synthweb.topic_file import keywords_of, seeds_of
from synthweb.truth import walk
from synthweb.web import SyntheticWeb
from synthweb.words import TOPICS
from tools.eval.webs.recorded import WebPage, set_topics, write_web
from tools.eval.webs.topics import EXAMPLES, LEAST
from tools.eval.webs.words import canonical

KIND = "list"
"""Kind of page that is a topic of its own: the pages that list a section's articles, whatever they are about."""


@dataclass(frozen=True)
class Shape:
    """A plan of a synthetic web by its roles."""

    roles: tuple[str, ...]
    pages: int


SHAPES = {
    "synth-one": Shape(("plain-en",), 1500),
    "synth-deep": Shape(("portal", "plain-en", "plain-zh"), 6000),
    "synth-demo": Shape(tuple(DEMO), 2000),
    "synth-islands": Shape(("portal", *("island-en", "island-zh") * 6), 2600),
    "synth-middle": Shape(("portal", *("plain-en", "query-zh", "journal", "plain-zh", "observatory") * 12), 4000),
    "synth-crowd": Shape(("portal", *("plain-en", "plain-zh", "query-zh") * 200)[:600], 12_000),
}
"""One host; few that are deep; the demo's, with all its nasty habits; sections behind chains of irrelevant pages; some sixty;
six hundred of twenty pages with a single hub."""


def build(out: Path, shapes: Mapping[str, Shape] = SHAPES) -> None:
    """Write the webs, each with its topics."""
    for name, shape in shapes.items():
        _build(out / f"{name}.sqlite", shape)


def _build(file: Path, shape: Shape) -> None:
    web = SyntheticWeb(Plan(1, shape.roles, shape.pages))
    seeds = tuple(dict.fromkeys(url for topic in TOPICS for url in seeds_of(web, topic)))
    labels, graph = walk(web, seeds)
    there = {url: label for url, label in labels.items() if url in graph and label.status == 200 and canonical(url)}
    homes = [canonical(web.facts.url(host, "/")) for host in web.hosts]
    number = write_web(file, _pages(web, there), {"homes": homes, "sources": [repr(shape)]})
    topics, members = [], {}
    for name in (*TOPICS, KIND):
        relevant = sorted(canonical(url) for url, label in there.items() if _relevant(label, name))
        if len(relevant) >= LEAST:
            topics.append(_topic(web, name, relevant))
            members[name] = relevant
    with sqlite3.connect(file) as db:
        set_topics(db, topics, members)
    db.close()
    print(f"{file}: {number} pages of {len(web.hosts)} hosts, {len(topics)} topics", flush=True)


def _pages(web: SyntheticWeb, there: dict[str, Label]) -> Iterator[WebPage]:
    for url, label in there.items():
        host = web.host_of(url)
        assert host is not None
        answer = web.answer(host, "/" + url.split("/", 3)[3])
        content_type = dict(answer.headers).get("Content-Type", "text/html")
        if "html" in content_type:
            yield WebPage(canonical(url), answer.body, content_type, (f"kind:{label.kind}",))


def _relevant(label: Label, topic: str) -> bool:
    if label.duplicate or label.noindex or label.fault:
        return False
    return label.kind == KIND if topic == KIND else label.kind == "article" and label.topic == topic


def _topic(web: SyntheticWeb, name: str, relevant: list[str]) -> dict[str, Any]:
    seeds = seeds_of(web, TOPICS[0]) if name == KIND else seeds_of(web, name)
    return {
        "id": name,
        "name": name,
        "kind": "synthetic",
        "keywords": {"made": [] if name == KIND else list(keywords_of(name))},
        "rule": {},
        "notes": "",
        "seeds": [canonical(url) for url in seeds],
        "count": len(relevant),
        "share": 0.0,
        "examples": random.Random(name).sample(relevant, EXAMPLES),
    }
