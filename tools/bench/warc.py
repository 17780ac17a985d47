"""Milliseconds to archive a page of 40 KB, ours beside warcio in one run: `python -m tools.bench.warc`.

Everyone writes a response, a request and a metadata record, each a gzip member with digests, into a file. warcio
compresses at level 9; it is measured with level 6 too. Rounds are interleaved; processor time.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from warcio import warcwriter
from warcio.statusandheaders import StatusAndHeaders

from focuscrawl.items import Lease, Page
from focuscrawl.store.warc.file import WarcWriter
from focuscrawl.store.warc.recovery import verify

URL = "http://example.org/page.html"
FACTS = {"via": "http://example.org/", "hopsFromSeed": "LL", "relevance": "0.8123"}
HEADERS = (("Content-Type", "text/html; charset=utf-8"), ("Server", "example"), ("Content-Length", "40000"))
ROUNDS, PAGES = 9, 40


def body(size: int = 40_000) -> bytes:
    """HTML-like text that compresses about as well as real pages do (4 to 1)."""
    draw = random.Random(1)
    words = ["".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 9))) for _ in range(3000)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    lines = (
        f'<li class="item"><a href="/{draw.choice(words)}/{draw.randint(1, 999)}.html">'
        f"{' '.join(draw.choices(words, weights, k=12))}</a></li>\n"
        for _ in range(size // 60)
    )
    return "".join(lines).encode()[:size]


PAGE = Page(
    lease=Lease(1, 2, URL),
    url=URL,
    status=200,
    fetched_at=1.7e9,
    latency=0.1,
    ip_address="127.0.0.1",
    headers=HEADERS,
    request_headers=(("User-Agent", "focuscrawl"), ("Accept", "text/html")),
    body=body(),
)


def ours(level: int) -> Callable[[Path], None]:
    """Our writer at a gzip level."""

    def write(path: Path) -> None:
        writer = WarcWriter(path, level=level)
        for _ in range(PAGES):
            writer.write(PAGE, FACTS)
        writer.flush()
        writer.close()

    return write


def warcios(level: int) -> Callable[[Path], None]:
    """The reference library at a gzip level."""

    def compressor(*_: int) -> object:
        return zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS + 16)

    def write(path: Path) -> None:
        with path.open("wb") as file:
            writer = warcwriter.WARCWriter(file, gzip=True, warc_version="1.1")
            for _ in range(PAGES):
                _warcio_page(writer)

    def patched(path: Path) -> None:
        original = warcwriter.GzippingWrapper.__init__

        def init(self: warcwriter.GzippingWrapper, out: object) -> None:
            self.compressor = compressor()
            self.out = out

        warcwriter.GzippingWrapper.__init__ = init
        try:
            write(path)
        finally:
            warcwriter.GzippingWrapper.__init__ = original

    return patched


def _warcio_page(writer: warcwriter.WARCWriter) -> None:
    answer = StatusAndHeaders("200 OK", list(PAGE.headers), protocol="HTTP/1.1")
    response = writer.create_warc_record(URL, "response", payload=io.BytesIO(PAGE.body), http_headers=answer)
    asked = StatusAndHeaders("GET /page.html HTTP/1.1", [("Host", "example.org"), *PAGE.request_headers], is_http_request=True)
    request = writer.create_warc_record(URL, "request", http_headers=asked)
    writer.write_request_response_pair(request, response)
    facts = "".join(f"{name}: {value}\r\n" for name, value in FACTS.items()).encode()
    writer.write_record(
        writer.create_warc_record(URL, "metadata", payload=io.BytesIO(facts), warc_content_type="application/warc-fields")
    )


def main() -> None:
    """Print the table."""
    rivals = {
        "ours, level 6": ours(6),
        "ours, level 1": ours(1),
        "warcio, level 9": warcios(9),
        "warcio, level 6": warcios(6),
    }
    times: dict[str, list[float]] = {name: [] for name in rivals}
    sizes: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(ROUNDS):
            for name, write in rivals.items():
                path = Path(folder) / f"{turn} {name}.warc.gz"
                started = time.process_time()
                write(path)
                times[name].append((time.process_time() - started) / PAGES * 1000)
                sizes[name] = path.stat().st_size // PAGES
                found = verify(path)
                assert found.whole, found.error
                path.unlink()
    reference = statistics.median(times["ours, level 6"])
    print(f"{'writer':<18}{'ms/page':>9}{'fastest':>9}{'bytes/page':>12}{'times ours':>12}")
    for name, each in times.items():
        median = statistics.median(each)
        print(f"{name:<18}{median:>9.2f}{min(each):>9.2f}{sizes[name]:>12}{median / reference:>12.2f}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
