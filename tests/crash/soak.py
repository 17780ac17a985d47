"""Kills a crawl of a 1 500-page web at random moments, resumes it each time, and counts what was lost or stored twice.

python tests/crash/soak.py --kills 20 [--strategy best-first] [--pages 1500] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from focuscrawl.synthweb.running import RunningWeb
from tests.crash.harness import IN_FLIGHT, CrashSite, kill
from tests.crash.invariants import Findings, check

ANY_TIME = 0.2
"""Share of kills at a moment of the clock, which may fall into start and recovery; the others hit a process at work."""
START_SECONDS = 3.0


def kill_often(site: CrashSite, kills: int, pages: int, dice: random.Random) -> int:
    """Start and kill until it was done `kills` times or the crawl came to its end; returns the kills that hit."""
    done = 0
    while done < kills:
        process = site.start()
        if dice.random() < ANY_TIME:
            time.sleep(dice.uniform(0.0, START_SECONDS))
        elif not site.wait_requests(process, dice.randint(1, max(2, pages // (kills + 2)))):
            return done
        else:
            time.sleep(dice.uniform(0.0, 0.05))
        done += kill(process)
    return done


def row(strategy: str, kills: int, baseline: set[str], found: Findings, seconds: float) -> str:
    missing, further = len(baseline - found.pages), len(found.pages - baseline)
    return (
        f"{strategy:<14} kills={kills} pages={len(found.pages)} undisturbed={len(baseline)} "
        f"missing={missing} further={further} lost={len(set(found.lost))} stored_twice={found.stored_twice} "
        f"refetched={found.refetched} (at most {kills * IN_FLIGHT}) "
        f"warc_files={found.warc_files} warc_records={found.warc_records} "
        f"warc={'whole' if not any('whole' in problem for problem in found.problems) else 'DAMAGED'} {seconds:.0f} s"
    )


def soak(strategy: str, kills: int, pages: int, seed: int) -> bool:
    """One crawl undisturbed and one killed; True when nothing is wrong."""
    dice = random.Random(seed)
    with RunningWeb("kill", pages=pages) as web, tempfile.TemporaryDirectory(prefix="soak-") as folder:
        calm, killed = Path(folder) / "calm", Path(folder) / "killed"
        calm.mkdir()
        killed.mkdir()
        undisturbed = CrashSite(web, calm, strategy)
        assert undisturbed.run() == 0, undisturbed.log_end()
        baseline = check(undisturbed.directory, undisturbed.asked())
        site, begin = CrashSite(web, killed, strategy), time.monotonic()
        try:
            done = kill_often(site, kills, pages, dice)
            code = site.run()
        finally:
            site.close()
        found = check(site.directory, site.asked())
        print(row(strategy, done, baseline.pages, found, time.monotonic() - begin), flush=True)
        wrong = [*baseline.problems, *found.problems, *([f"exit code {code}"] if code else [])]
        wrong += [f"{done} kills instead of {kills}"] if done < kills else []
        for problem in wrong:
            print("  WRONG:", problem)
        same = strategy == "best-first" or baseline.pages == found.pages
        return not wrong and not found.lost and not found.stored_twice and found.refetched <= done * IN_FLIGHT and same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--strategy", action="append", choices=["breadth-first", "best-first", "depth-first"])
    options = parser.parse_args()
    strategies = options.strategy or ["breadth-first", "best-first"]
    good = [soak(strategy, options.kills, options.pages, options.seed) for strategy in strategies]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
