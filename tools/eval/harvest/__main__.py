"""Harvest of our strategies against the reference strategies, on recorded webs. See README.md beside this file."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from models.link.tunnelling import POLICIES
from models.page.page_model import PAGE_MODELS
from tools.eval.harvest.compare import comparison
from tools.eval.harvest.measure import Job, Row, measure, opened
from tools.eval.harvest.picture import picture
from tools.eval.harvest.recorded import RecordedWeb, missing, web_file
from tools.eval.harvest.replay import HOST_SHARE, PATIENCE
from tools.eval.harvest.table import check, print_web


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table a web; 1 if the strategy under test is below a rival's mean, or the worst on any topic."""
    options = _options(arguments)
    if options.compare:
        print(comparison([json.loads(file.read_text("utf-8")) for file in options.compare], options.test))
        return 0
    if reason := missing():
        print(reason)
        return 0
    options.cache.mkdir(parents=True, exist_ok=True)
    jobs = [Job(name, topic, options) for name in options.web for topic in _topics(name, options)]
    order = {(web_file(job.web).stem, job.topic): place for place, job in enumerate(jobs)}
    rows: list[Row] = []
    for row in measured(jobs, options.processes):
        rows.append(row)
        rows.sort(key=lambda row: order[row["web"], row["topic"]])
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1), "utf-8")
    for name in dict.fromkeys(row["web"] for row in rows):
        print_web(name, [row for row in rows if row["web"] == name])
    if options.png:
        picture(rows, options.png)
    return check(rows, options.test)


def measured(jobs: Sequence[Job], processes: int) -> Iterator[Row]:
    """All rows as they come, with a line of progress for each."""
    began = time.monotonic()
    if processes < 2:
        done: Iterator[Row] = map(measure, jobs)
        yield from _with_progress(done, len(jobs), began)
        return
    for job in {job.web: job for job in jobs}.values():
        opened(job.web, job.options)  # here, once: each process would write the same cache
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from _with_progress(pool.imap_unordered(measure, jobs), len(jobs), began)


def _with_progress(rows: Iterator[Row], whole: int, began: float) -> Iterator[Row]:
    for number, row in enumerate(rows, 1):
        columns = dict.fromkeys(run["column"] for run in row["runs"])
        areas = "  ".join(f"{column} {row['areas'][column]:.3f}" for column in columns)
        seconds = time.monotonic() - began
        print(f"[{number}/{whole}, {seconds:.0f} s] {row['web']} {row['topic']}: {areas}", file=sys.stderr, flush=True)
        yield row


def _topics(name: str, options: argparse.Namespace) -> list[str]:
    topics = RecordedWeb(name, options.cache, options.budget).topics
    return [topic for topic in topics if not options.topics or topic in options.topics.split(",")][: options.first]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.harvest", description=__doc__)
    parser.add_argument("--web", nargs="+", default=["dev", "dev-en"], help="names of recorded webs, or files")
    parser.add_argument("--topics", help="only these, comma-separated")
    parser.add_argument("--first", type=int, help="only so many topics of each web")
    parser.add_argument("--strategies", help="only these of ours, comma-separated")
    parser.add_argument("--model", choices=PAGE_MODELS, default=PAGE_MODELS[0], help="page model that judges")
    parser.add_argument("--seeds", type=int, default=1, help="crawls of each topic; if several, their link scores are jittered")
    parser.add_argument("--ablation", nargs="?", const="", help="also without each group of features (or those named)")
    parser.add_argument("--budget", type=int, default=3000, help="fetches")
    parser.add_argument("--examples", type=int, help="example pages the topic is made of (default: the topic's twelve)")
    parser.add_argument("--example-files", action="store_true", help="examples are local files, without URLs")
    parser.add_argument("--fetch-examples", action="store_true", help="examples are fetched first, as a crawl does with URLs")
    parser.add_argument("--keywords", type=int, help="only the first so many keywords")
    parser.add_argument("--keyword-file", type=Path, metavar="TOML", help="keywords by topic, instead of the web's own")
    parser.add_argument("--threshold", type=float, help="instead of the model's own")
    parser.add_argument("--tunnelling", choices=POLICIES, default="learned")
    parser.add_argument("--tunnel-depth", type=int, default=3, help="of fixed tunnelling; below 0: no limit")
    parser.add_argument("--in-flight", type=int, default=1, help="requests in flight at once, at most")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="FRONTIER_PATIENCE; 0: as without a limit of pages")
    parser.add_argument("--dead-links", action="store_true", help="what is not recorded is asked for in vain, as through HTTP")
    parser.add_argument("--host-share", type=float, default=HOST_SHARE, help="above it a host gives way; 1: never")
    parser.add_argument("--barren-share", type=float, default=0.2, help="FRONTIER_BARREN_SHARE; 0: no part is ever barren")
    parser.add_argument("--test", default="learned", help="the strategy that must beat the references")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "focuscrawl-harvest")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="only the references that take seconds")
    parser.add_argument("--references", help="only these, comma-separated; none: none")
    parser.add_argument("--short", action="store_true", help="end each crawl behind the fetches that the area looks at")
    parser.add_argument(
        "--compare", type=Path, nargs="+", metavar="JSON",
        help="measure nothing: paired differences of --test to all others in one file, or of two files column by column",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, help="write the rows there, as they come")
    parser.add_argument("--png", type=Path, help="draw the curves there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
