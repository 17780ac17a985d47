"""Compare the three near-duplicate methods: `python -m tools.eval.dedup.compare [--pages N]`.

One table. Data: generated bilingual pages (corpus.py) and, where the folder of recorded webs is there (FOCUSCRAWL_WEBS,
by default ../shared/webs), real pages changed in the same ways (webs.py).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from focuscrawl.dedup.methods import METHOD_NAMES, method
from focuscrawl.dedup.simhash import simhash64
from tools.eval.dedup import webs
from tools.eval.dedup.corpus import Document, corpus, digest_of
from tools.eval.dedup.trial import Result, run

_ROW = "{:<12} {:<10} {:>7} {:>7} {:>10} {:>7} {:>7} {:>9} {:>11} {:>10}"


def webs_folder() -> Path:
    """Where the recorded webs are expected."""
    root = Path(__file__).resolve().parents[3]
    return Path(os.environ.get("FOCUSCRAWL_WEBS", root.parent / "shared" / "webs"))


def sources(pages: int) -> Iterator[tuple[str, list[Document]]]:
    """The data sets by name."""
    yield "generated", corpus(pages=pages)
    found = sorted(webs_folder().glob("*.sqlite"))
    if not found:
        print(f"(no recorded webs in {webs_folder()}: generated pages only)")
    for web in found:
        yield web.stem, webs.documents(web, pages * 3)


def line(source: str, result: Result, confirmed: bool) -> str:
    """One row of the table."""
    return _ROW.format(
        source,
        result.method,
        "yes" if confirmed else "no",
        result.documents,
        f"{result.precision:.3f}",
        f"{result.recall:.3f}",
        f"{result.f1:.3f}",
        f"{result.microseconds:.0f}",
        f"{result.bytes_a_page:.0f}",
        result.checked,
    )


def worst(result: Result) -> str:
    """What a method missed, by kind of page."""
    parts = [f"{kind} {count['missed']}/{count['all']}" for kind, count in sorted(result.by_kind.items()) if count["missed"]]
    wrong = sum(count["wrong"] for count in result.by_kind.values())
    return f"  missed: {', '.join(parts) or 'none'}; wrong: {wrong}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100, help="articles for each language (default 100)")
    parser.add_argument("--details", action="store_true", help="what was missed, by kind")
    options = parser.parse_args(arguments)
    heads = ("data", "method", "checked", "pages", "precision", "recall", "F1", "us/page", "bytes/page", "text reads")
    print(_ROW.format(*heads))
    for source, documents in sources(options.pages):
        for document in documents:
            simhash64(document.words)  # every method finds the words' hashes cached, as late in a crawl
        for name in METHOD_NAMES:
            for confirmed in (True, False):
                result = run(method(name), documents, confirmed)
                print(line(source, result, confirmed))
                if options.details and confirmed:
                    print(worst(result))
        print(f"  {source}: data digest {digest_of(documents)}")


if __name__ == "__main__":
    main()
