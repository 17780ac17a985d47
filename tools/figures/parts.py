"""What `make figures` measures, part by part. A part yields figures without commit, date and machine; it raises `Skipped` where
what it needs is not there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from focuscrawl.commands.demo import SETTINGS as DEMO_SETTINGS
from focuscrawl.report.charts.curve import area, at, found_curve
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.pages.page_texts import replayable_pages
from synthweb.running import RunningWeb
from tools.eval.harvest.recorded import EVAL, missing
from tools.eval.harvest.synthetic import BUDGET, TOPICS, Exam
from tools.eval.webs.recorded import WEBS
from tools.figures.record import ROOT, Figure, spread

RUNS = 3
"""Of everything that differs from run to run."""
EARLY = 100
"""Fetches after which the first harvest is told."""
POLITE_TOPICS = ("git", "mail")
"""Of the recorded English web."""
HTTP_PAGES = 1200
"""Fetches of a crawl of a recorded web through HTTP, which takes about a minute."""
MEMORY_PAGES = 5000
TABLE_LINE = re.compile(r"^\s*(relevant articles found|behind tunnels|kept pages on the topic)\s+(\d+) of (\d+)", re.MULTILINE)
Found = Iterator[Figure]


class Skipped(Exception):
    """Why a part cannot be measured here."""


# Whole crawls of the synthetic web ------------------------------------------------------------------------------------------


def demo() -> Found:
    """the demo: 300 pages of the synthetic web, against its truth; three runs"""
    yield from _demo("demo", 300)


def demo900() -> Found:
    """the demo with 900 pages, which reach what lies behind tunnels; three runs"""
    yield from _demo("demo900", 900)


def _demo(part: str, pages: int) -> Found:
    printed = [_demo_run(pages) for _ in range(RUNS)]
    found = [{name: (int(hits), int(whole)) for name, hits, whole in TABLE_LINE.findall(text)} for text in printed]
    command = f"scrapy demo --max-pages {pages}"

    def share(name: str) -> str:
        return spread([100 * hits / whole for hits, whole in (run[name] for run in found)], "{:.0f}", " %")

    def number(name: str) -> str:
        return f"{spread([run[name][0] for run in found], '{:.0f}')} of {found[0][name][1]}"

    yield Figure(
        f"{part}.on_topic", f"demo of {pages} pages: kept pages on the topic", share("kept pages on the topic"), command
    )
    yield Figure(
        f"{part}.articles", f"demo of {pages} pages: relevant articles found", number("relevant articles found"), command
    )
    yield Figure(f"{part}.tunnels", f"demo of {pages} pages: of these behind tunnels", number("behind tunnels"), command)
    middle = sorted(range(RUNS), key=lambda run: found[run]["relevant articles found"])[RUNS // 2]
    yield Figure(f"{part}.printed", "", excerpt(printed[middle]), command)


def _demo_run(pages: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        command = [*SCRAPY, "demo", "--max-pages", str(pages), "-s", f"CRAWLS_DIR={folder}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stderr + done.stdout


SHOWN = ("Crawl demo", "stopped because", "pages stored", "relevant", "harvest rate")
TOLD = ("Breadth-first would", "Go on:", "Stop:", "The topic is")
COMPARED = ("Compared with", "  relevant articles", "  behind tunnels", "  kept pages on", "  of these against robots")


def excerpt(printed: str) -> str:
    """The lines of a demo that say most, as a block of Markdown."""

    def those(starts: Sequence[str]) -> list[str]:
        return [line for line in printed.splitlines() if line.startswith(tuple(starts))]

    figures, compared = those(SHOWN), those(COMPARED)
    lines = [*figures[: len(SHOWN)], "...", *those(TOLD), "...", "Report: crawls/demo/report.html", "", *compared]
    return "\n" + "\n".join(f"    {line}".rstrip() for line in lines) + "\n"


# Order ----------------------------------------------------------------------------------------------------------------------


def harvest() -> Found:
    """order on the synthetic web without HTTP: area and first hundred, two topics, three random streams"""
    command = "python -m tools.eval.harvest.synthetic"
    exams = [Exam(topic) for topic in TOPICS]
    whole = {exam: len(exam.truth.relevant) for exam in exams}
    for strategy, runs in (("learned", RUNS), ("best-first", 1), ("breadth-first", 1)):
        streams = [[exam.found(strategy, seed) for exam in exams] for seed in range(runs)]
        areas = [fmean(area(found, whole[exam], BUDGET) for exam, found in zip(exams, run, strict=True)) for run in streams]
        early = [fmean(at(found, EARLY) / EARLY for found in run) for run in streams]
        yield Figure(f"harvest.{strategy}", f"synthetic web, replay, {strategy}: area", spread(areas), command)
        yield Figure(f"harvest.{strategy}.early", f"the same: harvest of the first {EARLY}", spread(early, "{:.2f}"), command)


def http() -> Found:
    """order on the synthetic web through HTTP, hosts as fast as they can and with the demo's delays: two topics, three runs"""
    command = "make figures PARTS=http"
    for key, title, settings in (
        ("http.learned", "no delays", {**EAGER, "POLITENESS_LATENCY_FACTOR": "0"}),
        ("http.polite", "0.05 s between requests to a host", {}),
    ):
        runs = [[_served(topic, settings) for topic in TOPICS] for _ in range(RUNS)]
        areas = [fmean(area(found, whole, BUDGET) for found, whole, _ in run) for run in runs]
        early = [fmean(at(found, EARLY) / EARLY for found, _, _ in run) for run in runs]
        seconds = [fmean(took for _, _, took in run) for run in runs]
        yield Figure(key, f"synthetic web, HTTP, learned, {title}: area", spread(areas), command)
        yield Figure(f"{key}.early", f"the same: harvest of the first {EARLY}", spread(early, "{:.2f}"), command)
        yield Figure(f"{key}.seconds", f"the same: a crawl of {BUDGET} pages", spread(seconds, "{:.0f}", " s"), command)


EAGER = {
    "POLITENESS_DELAY": "0", "POLITENESS_ADDRESS_DELAY": "0", "POLITENESS_CONCURRENCY": "16",
    "POLITENESS_ADDRESS_CONCURRENCY": "16",
}  # fmt: skip
"""A host is asked as often as the order wants it, so that the order is measured and not the delays of fourteen hosts."""


def _served(topic: str, settings: dict[str, str]) -> tuple[list[int], int, float]:
    """One crawl of the synthetic web: articles found after 1, 2, … stored pages, how many there are, and its seconds."""
    with RunningWeb("demo", 1, topic=topic) as web, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "topic.toml"
        file.write_text(web.topic_file(), "utf-8")
        began = time.monotonic()
        crawl(file, folder, BUDGET, {**DEMO_SETTINGS, **settings, "DNS_SERVERS": web.dns})
        took = time.monotonic() - began
        truth, met, hits = web.truth(), set[str](), list[bool]()
        for url in stored_urls(folder):
            own = web.web.label(url).url
            hits.append(own in truth.relevant and own not in met)
            met.add(own)
        return found_curve(hits), len(truth.relevant), took


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


# Cost -----------------------------------------------------------------------------------------------------------------------


def throughput() -> Found:
    """CPU a page of a whole crawl, and that of stock spiders beside it"""
    printed = _printed([PYTHON, "tools/bench/throughput.py", "--pages", "200", "--rounds", str(RUNS)])
    for web, section in re.findall(r"^(\w+): \d+ (?:made|recorded) pages.*\n((?:.+\n)*)", printed, re.MULTILINE):
        ours = re.search(r"^whole crawl\s+\S+\s+(\S+)", section, re.MULTILINE)
        stock = re.search(r"^(Scrapy, (?:links followed|CSS query)).*\s(\S+)x\s+(\S+)x$", section, re.MULTILINE)
        if ours and stock:
            name = f"whole crawl against a spider ({stock[1]}), web `{web}`: speed by CPU time"
            value = f"{1 / float(stock[2]):.2f} ({float(ours[1]):.1f} ms a page)"
            yield Figure(f"throughput.{web}", name, value, "make bench")
            yield Figure(f"throughput.{web}.all", "the same with child processes", f"{1 / float(stock[3]):.2f}", "make bench")


def calls() -> Found:
    """calls a page of a whole crawl's event loop and of its store's writer: cost that no machine and no hour moves"""
    command = "python -m tools.bench.throughput --pages 100 --calls"
    found = re.findall(
        r"^(\w+): calls a page, (loop|writer)\s+ours (\d+)$", _printed([PYTHON, *command.split()[1:]]), re.MULTILINE
    )
    by_web: dict[str, list[int]] = {}
    for web, _, count in found:
        by_web.setdefault(web, []).append(int(count))
    for web, counts in by_web.items():
        value = " and ".join(f"{round(count, -2):,}" for count in counts)
        yield Figure(f"calls.{web}", f"calls a page, web `{web}`: event loop and writer of the store", value, command)


def memory() -> Found:
    """peak memory of a breadth-first crawl of 5 000 pages, and of what its children take of it"""
    printed = _printed([PYTHON, "tools/bench/memory.py", "--pages", str(MEMORY_PAGES)])
    peak = re.search(
        r"^peak (\d+) MB at \d+ pages: process \d+, children (\d+)\n.* 95 of 100 are below (\d+) MB", printed, re.MULTILINE
    )
    if peak is None:
        raise Skipped("the crawl ended before it was measured")
    text = f"{peak[1]} MB, {peak[2]} of them in children; 95 of 100 samples below {peak[3]} MB"
    command = f"tools/bench/memory.py --pages {MEMORY_PAGES}"
    yield Figure("memory.crawl", f"peak memory of a crawl of {MEMORY_PAGES:,} pages", text, command)


def startup() -> Found:
    """CPU of small commands against `scrapy version` outside of a project"""
    names = ("runs", "frontier stats NAME", "why URL")
    printed = _printed([PYTHON, "-m", "tools.bench.start_up", "--rounds", "5", *names])
    for name in names:
        if line := re.search(rf"^{re.escape(name)}\s+([\d.]+)\s+(\d+)", printed, re.MULTILINE):
            value = f"{float(line[1]):.2f} ({int(line[2])} ms)"
            what = f"CPU of `scrapy {name}` against `scrapy version` alone"
            yield Figure(f"startup.{name.split()[0]}", what, value, "python -m tools.bench.start_up")


def quick() -> Found:
    """seconds of `make quick` and of its tests; needs a quiet machine"""
    began = time.monotonic()
    printed = _printed(["make", "quick"])
    tests = re.search(r"(\d+) passed", printed)
    text = f"{time.monotonic() - began:.0f} s" + (f" for {int(tests[1]):,} tests" if tests else "")
    yield Figure("quick.seconds", "`make quick`", text, "make quick")


PARTS: dict[str, Callable[[], Found]] = {
    "demo": demo, "demo900": demo900, "harvest": harvest, "http": http, "webs": webs, "webs-http": webs_http,
    "throughput": throughput, "calls": calls, "memory": memory, "startup": startup, "quick": quick,
}  # fmt: skip
"""In the order of the table."""


# --------------------------------------------------------------------------------------------------------------------------


PYTHON = sys.executable
SCRAPY = [PYTHON, "-m", "scrapy"]
NAME = "figures"


def crawl(topic: Path, folder: Path, pages: int, settings: dict[str, str]) -> None:
    """One crawl into `folder`, in a process of its own."""
    command = [*SCRAPY, "crawl", "topic", "-a", f"seeds={topic}", "-a", f"name={NAME}-{topic.stem}", "-a", f"max_pages={pages}"]
    for name, value in {**settings, "CRAWLS_DIR": str(folder), "LOG_LEVEL": "WARNING"}.items():
        command += ["-s", f"{name}={value}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def stored_urls(folder: Path) -> list[str]:
    """In the order of storing."""
    with closing(crawl_named(folder, f"{NAME}-topic").open()) as db:
        return [page.url for page in replayable_pages(db)]


def _printed(command: Sequence[str]) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
