"""Figures of the synthetic web: whole crawls, and the order of fetches in replays and through HTTP."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from focuscrawl.commands.demo import SETTINGS as DEMO_SETTINGS
from focuscrawl.report.charts.curve import area, at, found_curve
from synthweb.running import RunningWeb
from tools.eval.harvest.synthetic import BUDGET, TOPICS, Exam
from tools.figures.crawls import EAGER, EARLY, RUNS, SCRAPY, Found, crawl, stored_urls
from tools.figures.record import ROOT, Figure, spread

TABLE_LINE = re.compile(r"^\s*(relevant articles found|behind tunnels|kept pages on the topic)\s+(\d+) of (\d+)", re.MULTILINE)


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
