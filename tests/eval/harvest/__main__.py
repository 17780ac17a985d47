"""Harvest of our crawl order against the reference strategies, on recorded webs. See README.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

from focuscrawl.text.segment import Segmenter
from models.vsm import TopicModel
from tests.eval.harvest.reading import ReadPage, ReadWeb, read_web
from tests.eval.harvest.recorded import REFERENCES, RecordedWeb, Truth, missing
from tests.eval.harvest.replay import Crawl, best_first, breadth_first

COLUMNS = ("best-first", "breadth-first", *REFERENCES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one row a topic and the means; 1 if best-first is below the reference `bestfirst_anchor` on a mean."""
    options = _options(arguments)
    if reason := missing():
        print(reason)
        return 0
    options.cache.mkdir(parents=True, exist_ok=True)
    rows = [row for name in options.web for row in measure(name, options)]
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")
    means = {name: _mean([row for row in rows if row["web"] == name]) for name in options.web}
    return int(any(mean["best-first"] < mean["bestfirst_anchor"] for mean in means.values()))


def measure(name: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """All topics of one web."""
    web = RecordedWeb(name, options.cache, options.budget)
    pages = read_web(web.path, options.cache)
    print(f"\n{name:14s}" + "".join(f"{column:>17s}" for column in COLUMNS) + "   verdicts", flush=True)
    rows = []
    for topic in options.topics.split(",") if options.topics else web.topics:
        if topic in web.topics:
            rows.append(measure_topic(web, pages, web.truth(topic), options))
            _print_row(rows[-1])
    _print_row(_mean(rows))
    return rows


def measure_topic(web: RecordedWeb, pages: ReadWeb, truth: Truth, options: argparse.Namespace) -> dict[str, Any]:
    """Areas of one topic, and precision and recall of the verdicts on the pages that best-first fetched."""

    def read(number: int) -> ReadPage:
        return pages.page(web.graph.urls[number])

    resolve = lru_cache(maxsize=None)(web.page_of)
    examples = [read(number) for number in truth.examples[: options.examples]]
    keywords = truth.keywords[: options.keywords]
    segmenter = Segmenter(keywords)  # as the crawl makes it
    model = TopicModel.fit(
        segmenter,
        [(page.url, f"{page.title}\n{page.text}") for page in examples],
        keywords,
        threshold=options.threshold,
    )
    budget = min(options.budget, truth.reachable)
    crawl = best_first(model, segmenter, truth.seeds, read, resolve, budget, options.tunnel_depth)
    breadth = [] if options.quick else breadth_first(truth.seeds, read, resolve, budget)
    precision, recall = verdicts(crawl, truth)
    return {
        "web": web.name,
        "topic": truth.topic,
        "best-first": web.area(truth, crawl.order),
        "breadth-first": web.area(truth, breadth),
        **truth.areas,
        "precision": precision,
        "recall": recall,
        "threshold": model.threshold.value,
        "fetched": len(crawl.order),
    }


def verdicts(crawl: Crawl, truth: Truth) -> tuple[float, float]:
    """Precision and recall of the model's verdicts over fetched pages, examples left out."""
    examples, relevant = set(truth.examples), set(truth.relevant)
    said = {page for page, verdict in crawl.judged.items() if verdict} - examples
    there = relevant & set(crawl.order)
    hits = len(said & there)
    return hits / max(1, len(said)), hits / max(1, len(there))


def _mean(rows: list[dict[str, Any]]) -> dict[str, Any]:
    numbers = [name for name, value in rows[0].items() if not isinstance(value, str)] if rows else []
    return {"topic": "mean"} | {name: fmean(row[name] for row in rows) for name in numbers}


def _print_row(row: dict[str, Any]) -> None:
    areas = "".join(f"{row.get(column, 0.0):17.3f}" for column in COLUMNS)
    tail = f"   P {row.get('precision', 0):.2f} R {row.get('recall', 0):.2f} at {row.get('threshold', 0):.3f}"
    print(f"{row['topic']:14s}{areas}{tail}", flush=True)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.eval.harvest", description=__doc__)
    parser.add_argument("--web", nargs="+", default=["dev", "dev-en"], help="names of recorded webs")
    parser.add_argument("--topics", help="only these, comma-separated")
    parser.add_argument("--budget", type=int, default=3000, help="fetches")
    parser.add_argument("--examples", type=int, default=12, help="example pages the topic is made of")
    parser.add_argument("--keywords", type=int, default=None, help="only the first so many keywords")
    parser.add_argument("--threshold", type=float, help="instead of the model's own")
    parser.add_argument("--tunnel-depth", type=int, default=3, help="below 0: no limit")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "focuscrawl-harvest")
    parser.add_argument("--quick", action="store_true", help="leave breadth-first out")
    parser.add_argument("--json", type=Path, help="write the rows there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
