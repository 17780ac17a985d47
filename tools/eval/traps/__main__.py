"""What traps cost: `python -m tools.eval.traps`. Whole crawls of a good web with and without each trap, in one process and
without a network (`tools.eval.traps.simulation`); see docs/traps.md.

Columns: share of the requests (robots.txt too) that went into the trap; relevant pages of the good web that were fetched, and
that against the same crawl without the trap. The last table says the same in Markdown, as docs/traps.md has it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

from synthweb.farms import FIFTH, FIRST, FOURTH, SECOND, THIRD, TRAPS, good_web, trapped
from synthweb.topic_file import seeds_of
from synthweb.truth import truth
from tools.eval.traps.simulation import crawl

ROW = "{:<4} {:<14} {:<7} {:<11} {:>9} {:>8} {:>6} {:>8}  {}"
WEBS = {
    1: (1, "astronomy", FIRST),
    2: (7, "railways", SECOND),
    3: (13, "medicine", THIRD),
    4: (23, "gardening", FOURTH),
    5: (31, "finance", FIFTH),
}
"""Seed, topic and URLs. Rules were made with the first four; with the fifth none was."""
PAGES_A_REQUEST = 1.44
"""Of the good web: more than the requests, so that no crawl is left with the trap alone."""
NONE = "none"
Figures = dict[str, object]


class Job(NamedTuple):
    """One crawl."""

    web: int
    strategy: str
    budget: int
    trap: str
    share: float
    at_edge: str
    later: int
    """Added to the seed of the web."""


def measured(job: Job) -> Figures:
    """What one crawl did."""
    seed, topic, dress = WEBS[job.web]
    web = good_web(seed + job.later, topic, round(PAGES_A_REQUEST * job.budget))
    wanted = truth(web, topic, seeds_of(web, topic)).relevant
    laid = trapped("" if job.trap == NONE else job.trap, web, dress)
    done = crawl(laid, job.strategy, job.budget, job.at_edge, FRONTIER_BARREN_SHARE=job.share)
    return {
        "web": job.web,
        "strategy": job.strategy,
        "budget": job.budget,
        "trap": job.trap,
        "requests": len(done.requests),
        "share": sum(map(laid.is_trap, done.requests)) / max(1, len(done.requests)),
        "found": len(wanted & set(done.requests)),
        "barren": [str(part) for part in done.barren[:3]],
    }


def compared(rows: Iterable[Figures]) -> Iterator[Figures]:
    """With what was found against the crawl without a trap, which comes first."""
    without = 0
    for row in rows:
        found = int(str(row["found"]))
        without = found if row["trap"] == NONE else without
        yield {**row, "harvest": found / max(1, without)}


def markdown(rows: Sequence[Figures]) -> str:
    """Traps down, crawls across: share of the requests in the trap and, in brackets, of the harvest."""
    crawls = list(dict.fromkeys((row["web"], row["strategy"], row["budget"]) for row in rows))
    cells = {
        (row["trap"], row["web"], row["strategy"], row["budget"]): f"{row['share']:.1%} ({row['harvest']:.1%})" for row in rows
    }
    heads = [f"web {web}, {strategy}, {budget}" for web, strategy, budget in crawls]
    lines = [f"| trap | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for trap in dict.fromkeys(row["trap"] for row in rows if row["trap"] != NONE):
        lines.append(f"| `{trap}` | {' | '.join(cells.get((trap, *each), '') for each in crawls)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.traps", description=__doc__)
    parser.add_argument("--webs", default="1,2,3,4,5", help="5: no rule was made with it")
    parser.add_argument("--later-seed", type=int, default=0, help="added to the webs' seeds: webs that no rule has seen")
    parser.add_argument("--at-edge", choices=("go-on", "stop"), default="go-on", help="what crawls do at their edge")
    parser.add_argument("--requests", default="1000,5000", help="of a crawl; the good web has 1.44 pages for each")
    parser.add_argument("--strategies", default="learned,breadth-first")
    parser.add_argument("--traps", default=",".join(TRAPS), help="only these, comma-separated")
    parser.add_argument("--barren-share", type=float, default=0.2, help="FRONTIER_BARREN_SHARE; 0: no part is ever barren")
    parser.add_argument("--processes", type=int, default=1, help="crawls at once")
    parser.add_argument("--json", type=Path, help="write the rows to this file, too")
    options = parser.parse_args(arguments)
    crawls = product(map(int, options.webs.split(",")), options.strategies.split(","), map(int, options.requests.split(",")))
    options_of_all = options.barren_share, options.at_edge, options.later_seed
    jobs = [Job(*each, trap, *options_of_all) for each in crawls for trap in (NONE, *options.traps.split(","))]
    print(ROW.format("web", "strategy", "budget", "trap", "requests", "in trap", "found", "harvest", "closed"))
    rows: list[Figures] = []
    with ProcessPoolExecutor(options.processes) as pool:
        for row in compared(pool.map(measured, jobs)):
            rows.append(row)
            closed = str(next(iter(row["barren"]), ""))[:50] if isinstance(row["barren"], list) else ""
            shares = f"{row['share']:.1%}", row["found"], f"{row['harvest']:.1%}"
            print(
                ROW.format(*(row[name] for name in ("web", "strategy", "budget", "trap", "requests")), *shares, closed),
                flush=True,
            )
            if options.json:
                options.json.write_text(json.dumps(rows, indent=1), "utf-8")
    print(f"\n{markdown(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
