"""Figures of the recorded webs beside the repository: the order of fetches in replays and through HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from tools.eval.harvest.recorded import EVAL, missing
from tools.eval.webs.recorded import WEBS
from tools.figures.crawls import EAGER, EARLY, PYTHON, RUNS, Found, Skipped, crawl
from tools.figures.record import ROOT, Figure

POLITE_TOPICS = ("git", "mail")
"""Of the recorded English web."""
HTTP_PAGES = 1200
"""Fetches of a crawl of a recorded web through HTTP, which takes about a minute."""


def webs() -> Found:
    """order on the recorded webs beside the repository, replay: area and first hundred, all topics, three random streams"""
    _needs_webs()
    for web in ("dev", "dev-en"):
        rows = _replayed(web, ("--quick", "--seeds", str(RUNS)))
        runs = [run for row in rows for run in row["runs"] if run["column"] == "learned"]
        early = fmean(run["harvest"][str(EARLY)] for run in runs)
        command = f"python -m tools.eval.harvest --web {web} --short --seeds {RUNS}"
        best = max(fmean(row["areas"][each] for row in rows) for each in ("bestfirst_anchor", "sharksearch"))
        title = f"recorded web {web}, replay"
        yield Figure(f"webs.{web}", f"{title}, learned: area", f"{fmean(row['areas']['learned'] for row in rows):.3f}", command)
        yield Figure(f"webs.{web}.early", f"the same: harvest of the first {EARLY}", f"{early:.2f}", command)
        yield Figure(f"webs.{web}.reference", f"{title}, best reference: area", f"{best:.3f}", command)


def _replayed(web: str, options: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of a replay of all topics of a recorded web, one for each."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "rows.json"
        command = [PYTHON, "-m", "tools.eval.harvest", "--web", web, "--strategies", "learned", "--short", "--json", str(file)]
        cache = ["--cache", os.environ["FIGURES_CACHE"]] if "FIGURES_CACHE" in os.environ else []
        # Its exit code says whether a reference was better.
        subprocess.run([*command, *options, *cache], cwd=ROOT, check=False)
        rows: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
        return rows


def webs_http() -> Found:
    """order on the recorded webs through HTTP, beside replays alike: all topics, and two with delays; needs root (port 80)"""
    _needs_webs()
    if os.getuid():
        raise Skipped("the pages' links name no port, and port 80 needs root")
    command = "make figures PARTS=webs-http"
    for web in ("dev", "dev-en"):
        with _topics_of_recorded(web) as folder:
            crawled = _areas_of_recorded(web, folder, sorted(file.stem for file in folder.glob("*.toml")), EAGER)
        replayed = {row["topic"]: row["areas"]["learned"] for row in _replayed(web, ("--references", "none", *HTTP_REPLAY))}
        differences = [crawled[topic] - replayed[topic] for topic in crawled]
        error = stdev(differences) / len(differences) ** 0.5
        yield Figure(f"webs-http.{web}", f"recorded web {web}, HTTP, learned: area", _with_each(crawled), command)
        what = f"the same, less a replay with {' '.join(HTTP_REPLAY)}"
        yield Figure(f"webs-http.{web}.replay", what, f"{fmean(differences):+.3f} ± {error:.3f}", command)
    with _topics_of_recorded("dev-en") as folder:
        polite = _areas_of_recorded("dev-en", folder, POLITE_TOPICS, POLITE)
    what = "recorded web dev-en, HTTP, learned, 0.05 s between requests to a host: area"
    yield Figure("webs-http.polite", what, _with_each(polite), command)


HTTP_REPLAY = ("--example-files", "--in-flight", "16", "--dead-links", "--budget", str(HTTP_PAGES))
"""What makes a replay like a crawl through HTTP: examples without URLs, requests in flight, links that lead nowhere."""


def _with_each(areas: Mapping[str, float]) -> str:
    """The mean of the topics' areas, and each."""
    each = ", ".join(f"{topic} {value:.2f}" for topic, value in areas.items())
    return f"{fmean(areas.values()):.3f} ({each})"


@contextmanager
def _topics_of_recorded(web: str) -> Iterator[Path]:
    """A folder with the topic files of a recorded web; examples are files, too."""
    with tempfile.TemporaryDirectory() as name:
        command = [PYTHON, str(EVAL / "topics.py"), str(WEBS / f"{web}.sqlite"), name, "--examples", "12"]
        subprocess.run(command, check=True, capture_output=True)
        yield Path(name)


def _areas_of_recorded(web: str, folder: Path, topics: Iterable[str], settings: dict[str, str]) -> dict[str, float]:
    """Of one crawl of each topic."""
    return {topic: _area_of_recorded(WEBS / f"{web}.sqlite", folder, topic, settings) for topic in topics}


def _area_of_recorded(web: Path, folder: Path, topic: str, settings: dict[str, str]) -> float:
    """Of one crawl. `folder` has the topics' files."""
    log, scores = folder / f"{topic}.jsonl", folder / f"{topic}.json"
    with _recorded(web, log), tempfile.TemporaryDirectory() as crawls:
        crawl(folder / f"{topic}.toml", Path(crawls), HTTP_PAGES, {**RECORDED_SETTINGS, **settings})
    command = [PYTHON, str(EVAL / "score.py"), str(web), "--topic", topic, "--log", str(log), "--json", str(scores)]
    cache = os.environ.get("FIGURES_CACHE", str(folder))
    subprocess.run(
        [*command, "--references", "", "--cache", cache, "--budget", str(HTTP_PAGES)], check=True, capture_output=True
    )
    return float(json.loads(scores.read_text("utf-8"))[0]["area"])


DNS_PORT = 5353
RECORDED_SETTINGS = {
    "DNS_SERVERS": f"127.0.0.1:{DNS_PORT}", "GUARD_ALLOW_NETWORKS": "127.0.0.0/8", "FRONTIER_IDLE_STOP": "5",
}  # fmt: skip
POLITE = {"POLITENESS_DELAY": "0.05", "POLITENESS_ADDRESS_DELAY": "0", "POLITENESS_LATENCY_FACTOR": "1"}
"""As in the demo."""


@contextmanager
def _recorded(web: Path, log: Path) -> Iterator[None]:
    """The web, served on loopback by the reference evaluation's own server."""
    command = [PYTHON, str(EVAL / "replay.py"), str(web), "--log", str(log), "--dns-port", str(DNS_PORT)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        if server.stdout is None or not server.stdout.readline().startswith("ready"):
            raise Skipped(f"{web.name} cannot be served: is port 80 or {DNS_PORT} taken?")
        yield
    finally:
        server.terminate()
        server.wait()


def _needs_webs() -> None:
    if reason := missing():
        raise Skipped(reason.removeprefix("skipped: "))
