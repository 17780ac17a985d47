"""The exam of page models on recorded webs. See README.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from models.page.page_model import PAGE_MODELS
from tools.eval.harvest.recorded import keywords_in, missing
from tools.eval.judge.exam import Row, rows
from tools.eval.judge.table import by_topic, differences, means
from tools.eval.pages.measure import SETS, possible
from tools.eval.pages.stream import streams

MADE_OF = ("12", "3 keywords", "8 keywords")
SEEN = "100,400"
FETCHES = 800


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine, or compare files of earlier exams; print tables."""
    options = _options(arguments)
    if options.compare:
        before, after = (json.loads(file.read_text("utf-8")) for file in options.compare)
        print(differences(before, after))
        return 0
    if reason := missing():
        print(reason)
        return 0
    options.cache.mkdir(parents=True, exist_ok=True)
    found: list[Row] = []
    seen = [int(pages) for pages in options.seen.split(",")]
    for web in options.web:
        topics = options.topics.split(",") if options.topics else ()
        words = keywords_in(options.keyword_file), keywords_in(options.negative_file)
        for stream in streams(web, options.cache, FETCHES, topics, options.first, *words):
            for name in possible(stream, options.sets.split(",")):
                found += rows(stream, name, options.model, seen)
            print(f"  {web} {stream.topic}", file=sys.stderr, flush=True)
            if options.json:
                options.json.write_text(json.dumps(found, indent=1), "utf-8")
    print(by_topic(found))
    print(means(found))
    if options.against:
        print(differences(json.loads(options.against.read_text("utf-8")), found))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.judge", description=__doc__)
    parser.add_argument("--web", nargs="+", default=["dev", "dev-en"], help="names of recorded webs, or files")
    parser.add_argument("--topics", help="only these, comma-separated")
    parser.add_argument("--first", type=int, help="only so many topics of each web")
    parser.add_argument(
        "--sets", default=",".join(MADE_OF), help=f"what topics are made of, comma-separated: {', '.join(SETS)}"
    )
    parser.add_argument("--keyword-file", type=Path, metavar="TOML", help="keywords by topic, instead of the web's own")
    parser.add_argument("--negative-file", type=Path, metavar="TOML", help="negative terms by topic")
    parser.add_argument("--seen", default=SEEN, help=f"pages learned before the exam, comma-separated; at most {FETCHES // 2}")
    parser.add_argument("--model", choices=PAGE_MODELS, default=PAGE_MODELS[0])
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "focuscrawl-harvest")
    parser.add_argument("--json", type=Path, help="write the rows there, as they come")
    parser.add_argument("--against", type=Path, metavar="JSON", help="rows of an earlier exam: print paired differences, too")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="JSON", help="examine nothing: the second file less the first")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
