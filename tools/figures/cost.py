"""Figures of cost: processor time, calls, memory, and seconds."""

from __future__ import annotations

import re
import time

from tools.figures.crawls import PYTHON, RUNS, Found, Skipped, printed
from tools.figures.record import Figure

MEMORY_PAGES = 5000


def throughput() -> Found:
    """CPU a page of a whole crawl, and that of stock spiders beside it"""
    output = printed([PYTHON, "tools/bench/throughput.py", "--pages", "200", "--rounds", str(RUNS)])
    for web, section in re.findall(r"^(\w+): \d+ (?:made|recorded) pages.*\n((?:.+\n)*)", output, re.MULTILINE):
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
        r"^(\w+): calls a page, (loop|writer)\s+ours (\d+)$", printed([PYTHON, *command.split()[1:]]), re.MULTILINE
    )
    by_web: dict[str, list[int]] = {}
    for web, _, count in found:
        by_web.setdefault(web, []).append(int(count))
    for web, counts in by_web.items():
        value = " and ".join(f"{round(count, -2):,}" for count in counts)
        yield Figure(f"calls.{web}", f"calls a page, web `{web}`: event loop and writer of the store", value, command)


def memory() -> Found:
    """peak memory of a breadth-first crawl of 5 000 pages, and of what its children take of it"""
    output = printed([PYTHON, "tools/bench/memory.py", "--pages", str(MEMORY_PAGES)])
    peak = re.search(
        r"^peak (\d+) MB at \d+ pages: process \d+, children (\d+)\n.* 95 of 100 are below (\d+) MB", output, re.MULTILINE
    )
    if peak is None:
        raise Skipped("the crawl ended before it was measured")
    text = f"{peak[1]} MB, {peak[2]} of them in children; 95 of 100 samples below {peak[3]} MB"
    command = f"tools/bench/memory.py --pages {MEMORY_PAGES}"
    yield Figure("memory.crawl", f"peak memory of a crawl of {MEMORY_PAGES:,} pages", text, command)


def startup() -> Found:
    """CPU of small commands against `scrapy version` outside of a project"""
    names = ("runs", "frontier stats NAME", "why URL")
    output = printed([PYTHON, "-m", "tools.bench.start_up", "--rounds", "5", *names])
    for name in names:
        if line := re.search(rf"^{re.escape(name)}\s+([\d.]+)\s+(\d+)", output, re.MULTILINE):
            value = f"{float(line[1]):.2f} ({int(line[2])} ms)"
            what = f"CPU of `scrapy {name}` against `scrapy version` alone"
            yield Figure(f"startup.{name.split()[0]}", what, value, "python -m tools.bench.start_up")


def quick() -> Found:
    """seconds of `make quick` and of its tests; needs a quiet machine"""
    began = time.monotonic()
    output = printed(["make", "quick"])
    tests = re.search(r"(\d+) passed", output)
    text = f"{time.monotonic() - began:.0f} s" + (f" for {int(tests[1]):,} tests" if tests else "")
    yield Figure("quick.seconds", "`make quick`", text, "make quick")
