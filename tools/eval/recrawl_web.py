"""Crawl, change, recrawl through real HTTP: what is found of what has changed on a living web, and what it costs.

    python -m tools.eval.recrawl_web [--pages 800] [--rounds 6] [--days 7] [--budget 150] [--seed 1]

Four crawls go on from the same first crawl: one looks at everything in each round, one at what is due, one at the best of it
within a budget, and one each day at what is due then. `--quick`: one round on a small web.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from synthweb.life import DAY
from tests.recrawl.living import FIRST, LivingCrawl, living_web
from tests.recrawl.tally import CLASSES, Judge, Tally


def rounds(crawl: LivingCrawl, judge: Judge, options: Sequence[str], count: int, days: float) -> Tally:
    """Let time go by and look again, several times."""
    total = Tally()
    for turn in range(1, count + 1):
        crawl.at(FIRST + turn * days * DAY)
        total.add(one_round(crawl, judge, options))
        print(f"  day {turn * days:g}, {' '.join(options) or 'due'}: {in_words(total)}", file=sys.stderr, flush=True)
    return total


def one_round(crawl: LivingCrawl, judge: Judge, options: Sequence[str]) -> Tally:
    """Look again now."""
    before, suspects = crawl.pages(), {url for (url,) in crawl.rows("select url from page where gone<>0")}
    ran = crawl.recrawl(*options)
    if ran.code:
        raise SystemExit(f"scrapy recrawl ended with {ran.code}:\n{ran.err[-3000:]}")
    return judge.tally(crawl, before, suspects, ran)


def in_words(tally: Tally) -> str:
    """One line for the eye."""
    return (
        f"requests {tally.requests}, changes {tally.found.total()} of {tally.made}, false {tally.false}, new "
        f"{tally.found_new}, gone {tally.found_gone}, fresh {tally.stale:.3f} -> {tally.fresh:.3f}"
    )


def share(part: int, whole: int) -> str:
    return f"{part} of {whole}"


def table(columns: dict[str, Tally]) -> str:
    """Markdown, one column for each way to recrawl."""
    tallies, base = list(columns.values()), next(iter(columns.values()))
    rows: list[tuple[str, list[str]]] = [("", list(columns)), ("---", ["---"] * len(columns))]
    rows.append(("requests", [f"{tally.requests} ({tally.requests / base.requests:.0%})" for tally in tallies]))
    rows.append(("MB received", [f"{tally.bytes / 1e6:.2f}" for tally in tallies]))
    rows.append(("bodies not read (304, headers)", [str(tally.unread) for tally in tallies]))
    rows.append(("articles up to date when a run begins", [f"{tally.stale:.3f}" for tally in tallies]))
    rows.append(("… when it has ended", [f"{tally.fresh:.3f}" for tally in tallies]))
    rows.append(("articles on the topic up to date when a run begins", [f"{tally.stale_relevant:.3f}" for tally in tallies]))
    rows.append(("… when it has ended", [f"{tally.fresh_relevant:.3f}" for tally in tallies]))
    rows.append(("changes found against changes made", [share(tally.found.total(), tally.made) for tally in tallies]))
    rows.append(("… of the changed pages that were looked at", [f"{tally.seen:.3f}" for tally in tallies]))
    for kind in CLASSES:
        rows.append((f"… {kind}", [share(tally.found[kind], tally.visited[kind]) for tally in tallies]))
    for reason in sorted({reason for tally in tallies for reason in tally.missed}):
        rows.append((f"missed: {reason}", [str(tally.missed[reason]) for tally in tallies]))
    rows.append(("noise taken for a change", [str(tally.false) for tally in tallies]))
    rows.append(("… on index pages", [str(tally.false_index) for tally in tallies]))
    rows.append(("index pages that list other articles", [str(tally.listings) for tally in tallies]))
    rows.append(("new pages found", [str(tally.found_new) for tally in tallies]))
    rows.append(("new articles on the topic in the store at the end", [share(t.stored_new, t.appeared) for t in tallies]))
    rows.append(("gone pages found", [str(tally.found_gone) for tally in tallies]))
    rows.append(("taken for gone though there", [str(tally.false_gone) for tally in tallies]))
    rows.append(("moved pages found at their new home", [str(tally.found_moved) for tally in tallies]))
    return "\n".join(f"| {name} | {' | '.join(values)} |" for name, values in rows)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.eval.recrawl_web", description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=800, help="that the web has in the end; two thirds at the beginning")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--days", type=float, default=7.0, help="between rounds")
    parser.add_argument("--budget", type=int, default=150, help="requests in a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="one round after ten days on a web of 320 pages")
    options = parser.parse_args()
    if options.quick:
        options.pages, options.rounds, options.days, options.budget = 320, 1, 10.0, 60
    return options


Way = tuple[tuple[str, ...], int, float]
"""Options of `scrapy recrawl`, how often it runs, and the days in between."""


def ways(options: argparse.Namespace) -> dict[str, Way]:
    """How the first crawl is gone on with."""
    rounds, days = options.rounds, options.days
    found: dict[str, Way] = {
        "everything": (("--all",), rounds, days),
        "what is due": ((), rounds, days),
        f"{options.budget} requests": (("--budget", str(options.budget)), rounds, days),
    }
    return found if options.quick else {**found, "daily what is due": ((), round(rounds * days), 1.0)}


def main() -> None:
    """Crawl once, recrawl in several ways, print the table."""
    options, began = arguments(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, living_web(options.pages, options.seed) as web:
        judge, first = Judge(web.web), LivingCrawl(web, Path(folder) / "first")
        first.folder.mkdir()
        first.at(FIRST)
        ran = first.crawl()
        print(f"first crawl: {ran.requests} requests, {len(first.pages())} pages, {ran.seconds:.0f} s", file=sys.stderr)
        columns = {}
        for at, (name, (command, count, days)) in enumerate(ways(options).items()):
            crawl = first.copy(Path(folder) / str(at))
            columns[name] = rounds(crawl, judge, command, count, days)
    print(table(columns))
    print(f"\n{time.monotonic() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
