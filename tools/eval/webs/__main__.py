"""Build recorded webs to measure on that nobody tuned for. See README.md beside this file."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tools.eval.webs.documentation import HALVES, build
from tools.eval.webs.news import build as build_news
from tools.eval.webs.recorded import WEBS, copy_web
from tools.eval.webs.synthetic import build as build_synthetic
from tools.eval.webs.topics import KIND, MAKERS, make_topics
from tools.eval.webs.university import build as build_universities

PARTS = ("docs", "recorded", "synthetic", "news")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the webs, each with its made topics."""
    options = _options(arguments)
    made: list[Path] = []
    if "docs" in options.parts:
        wanted = slice(options.skip, options.skip + options.packages)
        build(options.out, options.archives or options.out / "packages", wanted)
        made += [options.out / f"{name}.sqlite" for name in HALVES]
    if "recorded" in options.parts:
        for source in sorted(WEBS.glob("*.sqlite")):
            copy_web(source, target := options.out / f"{source.stem}-made.sqlite")
            made.append(target)
    if "synthetic" in options.parts:
        build_synthetic(options.out)
        build_universities(options.out)
    if "news" in options.parts:
        build_news(options.out)
    for file in made:
        with sqlite3.connect(file) as db:
            kinds = Counter(topic["kind"] for topic in make_topics(db, options.topics))
        db.close()
        print(f"{file}: " + ", ".join(f"{count} topics by {kind}" for kind, count in kinds.items()), flush=True)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.webs", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the webs")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--packages", type=int, default=1000, help="only so many packages of packages.txt")
    parser.add_argument("--skip", type=int, default=0, help="leave out so many packages before them")
    parser.add_argument("--archives", type=Path, help="folder of the packages' archive files (default: OUT/packages)")
    parser.add_argument("--topics", type=int, default=40, help=f"made topics of each kind ({', '.join((*MAKERS, KIND))})")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
