"""What does the shape of a large web cost? `python -m tools.bench.graph [PAGES] [LINKS_A_PAGE]`: seconds and memory.

In-degrees have an exponent of 2.5: page i is linked to in proportion to i^(-1 / 1.5). The pages lie in a store of SQLite,
without texts. A million of them with ten million links take 5 minutes and 1 GB of disk.
"""

from __future__ import annotations

import argparse
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from focuscrawl.graph.shape import shape_of
from focuscrawl.items import Fingerprint, Lease, Page, Verdict
from focuscrawl.report.charts.web_shape import shape_parts
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.page_record import PAGES, WarcLocation, record_of
from focuscrawl.store.pages.link_graph import nodes_and_edges, urls_of, web_graph
from focuscrawl.url.key import url_key

HOSTS = 1000
EXPONENT = 2.5
BLOCK = 100_000
T = TypeVar("T")
Numbers = npt.NDArray[np.int64]


def made_links(pages: int, links: int) -> tuple[Numbers, Numbers]:
    """Sources and targets, each pair once."""
    random = np.random.default_rng(1)
    shares = np.cumsum(np.arange(1, pages + 1) ** (-1 / (EXPONENT - 1)))
    targets = np.searchsorted(shares, random.random(pages * links) * shares[-1])
    places = random.permutation(pages)  # what is linked to most is anywhere
    pairs = np.unique(np.repeat(np.arange(pages), links) * pages + places[targets])
    return pairs // pages, pairs % pages


def fill(directory: Path, pages: int, links: int) -> None:
    """A store with these pages."""
    open_store(directory, "", name="bench", create=True).close()
    hosts = (np.random.default_rng(2).zipf(1.5, pages) - 1) % HOSTS
    urls = [f"http://h{host}.test/{number}" for number, host in enumerate(hosts.tolist())]
    keys = [url_key(url).url_id for url in urls]
    db = sqlite3.connect(directory / "store.sqlite")
    db.execute("pragma synchronous=off")
    insert = f"insert into page({','.join(PAGES.columns)}) values({','.join('?' * len(PAGES.columns))})"
    verdict = Verdict(0.5, True, 0.1)
    for number, (url, key) in enumerate(zip(urls, keys, strict=True)):
        page = Page(Lease(*key, url), url, 200, 1.0, verdict=verdict, kind="content", fingerprint=Fingerprint(b"", number))
        db.execute(insert, PAGES.to_row(record_of(page, WarcLocation())))
    origins = {key[0]: url.rpartition("/")[0] for url, key in zip(urls, keys, strict=True)}
    rows = [(hid, origin, origin[7:], origin[7:]) for hid, origin in origins.items()]
    db.executemany("insert into host(hid, origin, name, site) values(?, ?, ?, ?)", rows)
    sources, targets = made_links(pages, links)
    ranks = np.empty(pages, np.int64)
    ranks[sorted(range(pages), key=keys.__getitem__)] = np.arange(pages)
    order = np.argsort(ranks[targets], kind="stable")  # by key: random inserts would take hours
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK]
        found = zip(sources[block].tolist(), targets[block].tolist(), strict=True)
        db.executemany(
            "insert into inlink(hid, uid, page_id) values(?, ?, ?)", ((*keys[target], source + 1) for source, target in found)
        )
    db.commit()
    db.close()


def step(name: str, work: Callable[[], T]) -> T:
    """Its result; prints what it took."""
    cpu, wall = time.process_time(), time.perf_counter()
    found = work()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:10} {time.process_time() - cpu:7.1f} s CPU  {time.perf_counter() - wall:7.1f} s  most {most:7.0f} MB so far")
    return found


def write(directory: Path) -> int:
    nodes, edges = nodes_and_edges(open_store(directory))
    return sum(1 for _ in nodes) + sum(1 for _ in edges)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="?", type=int, default=1_000_000)
    parser.add_argument("links", nargs="?", type=int, default=10, help="of a page")
    parser.add_argument("--store", type=Path, help="a directory whose store is read, or made if there is none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        directory = options.store or Path(folder)
        if not (directory / "store.sqlite").exists():
            directory.mkdir(parents=True, exist_ok=True)
            print("made in a process of its own: its memory does not count")
            made_apart(directory, options.pages, options.links)
        db = open_store(directory)
        graph = step("read", lambda: web_graph(db))
        shape = step("shape", lambda: shape_of(graph, lambda ids: urls_of(db, ids)))
        step("as a file", lambda: write(directory))
        for part in shape_parts(shape, "bench"):
            print(part if isinstance(part, str) else part.text())


def made_apart(directory: Path, pages: int, links: int) -> None:
    from multiprocessing import get_context

    process = get_context("spawn").Process(target=fill, args=(directory, pages, links))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit("the store could not be made")


if __name__ == "__main__":
    main()
