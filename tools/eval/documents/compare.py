"""What is read from a document against the same text as HTML: `python -m tools.eval.documents.compare FILE HTML...`.

For manuals that are published in both forms. Precision and recall are of runs of four words; the HTML pages are taken whole, so
that their navigation and tables of contents count against the recall.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from focuscrawl.reading.documents.formats import format_of
from focuscrawl.reading.documents.markup import blocks_of_markup, document_of
from focuscrawl.reading.documents.reading import read_document
from focuscrawl.text.blocks import Block
from focuscrawl.text.decode import decode

RUN = 4
"""Words of a run."""


def runs(blocks: Iterable[Block]) -> Counter[tuple[str, ...]]:
    """Runs of words with how often they occur."""
    words = re.findall(r"\w+", " ".join(block.text for block in blocks).lower())
    return Counter(zip(*(words[start:] for start in range(RUN)), strict=False))


def main(path: str, *pages: str) -> None:
    """Print what was read, how long it took, and how much of it is the same."""
    body = Path(path).read_bytes()
    form = format_of(body, "", path)
    if not form:
        print(f"{path} is no document that can be read")
        return
    read_document(body, form)  # what is loaded once
    start = time.process_time()
    found = read_document(body, form).blocks
    print(f"{path}: {form}, {len(found)} blocks, {1000 * (time.process_time() - start):.0f} ms CPU")
    if not pages:
        return
    html = [block for page in pages for block in blocks_of_markup(document_of(decode(Path(page).read_bytes()).text))]
    read, written = runs(found), runs(html)
    same = (read & written).total()
    print(f"precision {same / max(read.total(), 1):.3f}, recall {same / max(written.total(), 1):.3f}")
    headings = [{block.text for block in blocks if block.kind == "heading"} for blocks in (found, html)]
    print(f"headings: {len(headings[0] & headings[1])} of {len(headings[1])}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document", metavar="FILE")
    parser.add_argument("pages", nargs="*", metavar="HTML")
    given = parser.parse_args()
    main(given.document, *given.pages)
