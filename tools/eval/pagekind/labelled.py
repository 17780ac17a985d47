"""Accuracy of the page kind on 386 recorded pages labelled by looking: `python -m tools.eval.pagekind.labelled`.

`labels.tsv` comes from 324 pages that were drawn at random, 15 from each host of the Chinese web and 6 from each of the
English one, and 80 more whose URLs promise an index page, since few random ones are. Each was looked at, and is an index
page if most of its main text is links and what describes them. Left out: duplicates, search forms, redirects, pages without
text or with a sentence. The rules were made by looking at the mistakes on half of the hosts. On those of `HELD_OUT` they were
right on 0.952; only then the rule on alphabetical indexes was added, which their mistakes taught.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.reading.page import read_page
from tools.eval.webs.recorded import body_of, opened

LABELS = Path(__file__).with_name("labels.tsv")
HELD_OUT = frozenset(
    {
        "docs.aiohttp.org",
        "docs.celeryq.dev",
        "docs.dask.org",
        "docs.scrapy.org",
        "docs.twisted.org",
        "flask.palletsprojects.com",
        "httpd.apache.org",
        "ipython.readthedocs.io",
        "jinja.palletsprojects.com",
        "leileiluoluo.github.io",
        "lxml.de",
        "pymongo.readthedocs.io",
        "requests.readthedocs.io",
        "www.gnutls.org",
        "www.postfix.org",
        "www.psycopg.org",
        "www.tornadoweb.org",
        "xmlsoft.org",
    }
)


@dataclass(slots=True, frozen=True)
class Label:
    """One line of the file."""

    web: str
    kind: str
    template: str
    url: str


def labels() -> list[Label]:
    """All labels, in the order of the file."""
    with LABELS.open(encoding="utf-8", newline="") as lines:
        return [Label(**row) for row in csv.DictReader(lines, delimiter="\t")]


def digest() -> str:
    """SHA-256 of the labels."""
    return hashlib.sha256(LABELS.read_bytes()).hexdigest()


def kind_of(label: Label) -> str:
    """As the crawl reads the page."""
    with opened(label.web) as database:
        return read_page(body_of(database, label.url), "text/html", label.url).kind


def main() -> None:
    """Print right answers by template, over all, and on the hosts that were not looked at."""
    print(f"{len(labels())} labels {digest()[:12]}")
    pages, right, held_out = Counter[str](), Counter[str](), []
    for label in labels():
        good = kind_of(label) == label.kind
        pages[label.template] += 1
        right[label.template] += good
        if label.url.split("/")[2] in HELD_OUT:
            held_out.append(good)
        if not good:
            print(f"  not {label.kind}: {label.url}")
    for template in sorted(pages):
        print(f"{template:18} {right[template]:3} of {pages[template]:3}")
    print(
        f"all {right.total() / pages.total():.3f}, hosts not looked at {sum(held_out) / len(held_out):.3f} of {len(held_out)}"
    )


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
