"""Kills crawl processes of a web at random moments, as often as told, and counts what was lost or stored twice.

python -m tools.soak --kills 200 --workers 4 --store postgresql [--strategy breadth-first] [--pages 1500] [--report FILE]

A crawl that comes to its end is checked in every respect, and the next one begins, until all kills are done.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from synthweb.running import RunningWeb
from tests.crash.crowd import Crowd
from tests.crash.harness import IN_FLIGHT, CrashSite
from tests.crash.manners import judge
from tests.crash.served import Served, serving

MOST_ROUNDS = 1000


@dataclass(slots=True)
class Round:
    """One crawl from its seeds to its end."""

    kills: int
    pages: int
    missing: int
    """Pages that an undisturbed crawl stores; counted under strategies that follow every link alone."""
    lost: int
    stored_twice: int
    refetched: int
    warc_files: int
    warc_records: int
    seconds: float
    wrong: list[str] = field(default_factory=list)

    def line(self) -> str:
        return (
            f"kills={self.kills} pages={self.pages} missing={self.missing} lost={self.lost} stored_twice={self.stored_twice} "
            f"refetched={self.refetched} (at most {self.kills * IN_FLIGHT}) warc_files={self.warc_files} "
            f"warc_records={self.warc_records} {self.seconds:.0f} s{' WRONG' if self.wrong else ''}"
        )


def crawl_once(
    web: RunningWeb, folder: Path, served: Served | None, options: argparse.Namespace, kills: int, seed: int
) -> Round:
    """One crawl, killed at most `kills` times."""
    begin = time.monotonic()
    site = CrashSite(web, folder, options.strategy, served=served)
    crowd = Crowd(site, options.workers, random.Random(seed))
    try:
        crowd.kill_often(kills, web.plan.pages)
        codes = crowd.end()
        found = judge(site)
        missing = 0 if options.strategy == "best-first" else web.plan.pages - len(found.pages)
        wrong = [*found.wrong, *(f"exit code {code}" for code in codes if code)]
        wrong += [f"{missing} pages are missing"] if missing else []
        wrong += [f"{found.refetched} pages fetched again"] if found.refetched > crowd.kills * IN_FLIGHT else []
        if wrong:
            (folder / "wrong.txt").write_text("\n".join(wrong) + "\n" + site.log_text())
    finally:
        site.close()
    return Round(
        crowd.kills, len(found.pages), missing, len(set(found.lost)), found.stored_twice, found.refetched,
        found.warc_files, found.warc_records, time.monotonic() - begin, wrong,
    )  # fmt: skip


@contextmanager
def _server(store: str) -> Iterator[Served | None]:
    if store == "sqlite":
        yield None
        return
    with serving() as server:
        yield server


def soak(options: argparse.Namespace) -> list[Round]:
    """Crawl after crawl, until all kills are done; stops at the first crawl with which something is wrong."""
    rounds: list[Round] = []
    with RunningWeb("kill", pages=options.pages) as web, _server(options.store) as served:
        while (left := options.kills - sum(each.kills for each in rounds)) > 0 and len(rounds) < MOST_ROUNDS:
            folder = Path(tempfile.mkdtemp(prefix="soak-"))
            rounds.append(crawl_once(web, folder, served, options, left, options.seed + len(rounds)))
            print(rounds[-1].line(), flush=True)
            for problem in rounds[-1].wrong:
                print("  WRONG:", problem, flush=True)
            if rounds[-1].wrong:
                print(f"  see {folder}")
                return rounds
            _remove(folder)
    return rounds


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


def report(options: argparse.Namespace, rounds: list[Round]) -> str:
    """A section of Markdown."""
    when = datetime.datetime.now(datetime.UTC)
    refetched = sum(each.refetched for each in rounds)
    kills = sum(each.kills for each in rounds)
    values = {
        "kills (kill -9)": kills,
        "crawls from seeds to end": len(rounds),
        "pages stored in all": sum(each.pages for each in rounds),
        "pages missing": sum(each.missing for each in rounds),
        "URLs lost": sum(each.lost for each in rounds),
        "pages stored twice": sum(each.stored_twice for each in rounds),
        "requests repeated": f"{refetched} (at most {kills * IN_FLIGHT} were in flight)",
        "WARC files, records": f"{sum(each.warc_files for each in rounds)}, {sum(each.warc_records for each in rounds)}",
        "invariants broken": sum(len(each.wrong) for each in rounds),
        "minutes": round(sum(each.seconds for each in rounds) / 60),
    }
    lines = [f"## {options.store}, {options.workers} workers, {options.strategy}, {options.pages} pages", ""]
    lines += [f"{when:%Y-%m-%d}, Python {platform.python_version()}, first seed {options.seed}.", "", "| | |", "|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in values.items()), ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--strategy", choices=["breadth-first", "best-first", "depth-first"], default="breadth-first")
    parser.add_argument("--report", type=Path, help="file to which a section of Markdown is added")
    options = parser.parse_args()
    rounds = soak(options)
    text = report(options, rounds)
    print(text)
    if options.report:
        with options.report.open("a", encoding="utf-8") as file:
            file.write(text + "\n")
    return 1 if any(each.wrong for each in rounds) else 0


if __name__ == "__main__":
    sys.exit(main())
