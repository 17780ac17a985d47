"""What traps cost: `python -m tools.eval.traps`. Whole crawls of a good web with and without each trap, in one process and
without a network (`tools.eval.traps.simulation`); see docs/traps.md.

Columns: share of the requests (robots.txt too) that went into the trap; relevant pages of the good web that were fetched, and
that against the same crawl without the trap.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from synthweb.farms import TRAPS, good_web, trapped
from synthweb.topic_file import seeds_of
from synthweb.truth import truth
from tools.eval.traps.simulation import crawl

ROW = "{:<14} {:<11} {:>8} {:>9} {:>9} {:>9}  {}"
Figures = dict[str, object]


def measured(strategy: str, requests: int, traps: Sequence[str], share: float) -> Iterator[Figures]:
    """A row for the good web alone, then one for each trap."""
    web = good_web()
    wanted = truth(web, web.plan.topic, seeds_of(web, web.plan.topic)).relevant
    without = 0
    for name in ("", *traps):
        laid = trapped(name, web)
        done = crawl(laid, strategy, requests, FRONTIER_BARREN_SHARE=share)
        spent = sum(map(laid.is_trap, done.requests))
        found = len(wanted & set(done.requests))
        without = without if name else found
        yield {
            "strategy": strategy,
            "trap": name or "none",
            "requests": len(done.requests),
            "share": spent / max(1, len(done.requests)),
            "found": found,
            "harvest": found / max(1, without),
            "barren": [str(part) for part in done.barren[:3]],
        }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.traps", description=__doc__)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--strategies", default="learned,breadth-first")
    parser.add_argument("--traps", default=",".join(TRAPS), help="only these, comma-separated")
    parser.add_argument("--barren-share", type=float, default=0.2, help="FRONTIER_BARREN_SHARE; 0: no part is ever barren")
    parser.add_argument("--json", type=Path, help="write the rows to this file, too")
    options = parser.parse_args(arguments)
    print(ROW.format("strategy", "trap", "requests", "in trap", "found", "harvest", "closed"))
    rows: list[Figures] = []
    for strategy in options.strategies.split(","):
        for row in measured(strategy, options.requests, options.traps.split(","), options.barren_share):
            rows.append(row)
            share, harvest, barren = f"{row['share']:.1%}", f"{row['harvest']:.1%}", row["barren"]
            closed = str(barren[0])[:60] if isinstance(barren, list) and barren else ""
            print(ROW.format(strategy, row["trap"], row["requests"], share, row["found"], harvest, closed), flush=True)
            if options.json:
                options.json.write_text(json.dumps(rows, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
