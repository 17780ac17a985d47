"""Fuzzing guided by coverage (atheris): `make fuzz`, or `python -m tools.fuzz [--only html,url] [--seconds 120]`.

Each target reads what strangers write. An exception that is not a refusal (`BadInput`), a broken promise, more than 2 GB, or an
input that takes 20 s ends it; the input is then kept under --found, and becomes a test. `tests/faults/test_fuzz.py` looks for
the same with hypothesis, in every run of the tests.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

BASE = "http://host.test/dir/page"
AGENT = "focuscrawl"
SLOW_SECONDS, MOST_MB = 20, 2048
Read = Callable[[bytes], None]


def _url() -> Read:
    from focuscrawl.url.normalize import normalize

    def read(data: bytes) -> None:
        charset = ("utf-8", "gb18030", "big5")[len(data) % 3]
        normal = normalize(data.decode("utf-8", "surrogateescape"), BASE, charset)
        assert normal is None or (normal.isascii() and normalize(normal) == normal)

    return read


def _robots() -> Read:
    from focuscrawl.politeness.robots import RobotsFile

    def read(data: bytes) -> None:
        file, url = RobotsFile.parse(data), "http://host.test/a/b?c=%2f"
        assert file.allowed(url, AGENT) != file.rule(url, AGENT).startswith("Disallow")
        assert (file.crawl_delay(AGENT) or 0) >= 0

    return read


def _meta() -> Read:
    from focuscrawl.politeness.meta_robots import directives
    from focuscrawl.text.head import refresh_target

    def read(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        directives([("robots", text), (text[:10], text)], [text], AGENT, 1e9)
        refresh_target(text)

    return read


def _charset() -> Read:
    from focuscrawl.text.decode import decode

    def read(data: bytes) -> None:
        label, _, body = data.partition(b"\n")
        text = decode(body, f"text/html; charset={label.decode('latin-1')}").text
        assert text.encode().decode() == text
        assert "\0" not in text

    return read


def _html() -> Read:
    from focuscrawl.reading.page import read_page
    from focuscrawl.url.normalize import normalize

    def read(data: bytes) -> None:
        reading = read_page(data, "text/html", BASE)
        reading.text.encode()
        assert all(normalize(link.url) == link.url for link in reading.links)

    return read


def _source(kind: int) -> Read:
    from focuscrawl.recrawl.read_source import NoSourceError, read_source

    def read(data: bytes) -> None:
        with suppress(NoSourceError):
            read_source(data, BASE, kind, 1e9)

    return read


def _sitemap() -> Read:
    from focuscrawl.items import SITEMAP

    return _source(SITEMAP)


def _feed() -> Read:
    from focuscrawl.items import FEED

    return _source(FEED)


def _warc() -> Read:
    from focuscrawl.store.warc.recovery import verify

    path = Path(tempfile.mkdtemp(prefix="fuzz-")) / "one.warc.gz"

    def read(data: bytes) -> None:
        path.write_bytes(gzip.compress(data[1:]) if data[:1] < b"\x80" else data)
        found = verify(path)
        assert found.length <= found.size

    return read


def _seeds() -> Read:
    from focuscrawl.config.topic_file import read_seeds
    from focuscrawl.errors import BadInput
    from focuscrawl.url.normalize import normalize

    path = Path(tempfile.mkdtemp(prefix="fuzz-")) / "seeds"

    def read(data: bytes) -> None:
        path.write_bytes(data)
        with suppress(BadInput):
            assert all(normalize(url) == url for url in read_seeds(path).seeds)

    return read


def _topic() -> Read:
    from focuscrawl.config.topic_file import parse_topic
    from focuscrawl.errors import BadInput

    def read(data: bytes) -> None:
        for name in ("topic.toml", "topic.txt"):
            with suppress(BadInput):
                parse_topic(Path(name), data.decode("utf-8", "replace"))

    return read


TARGETS: dict[str, tuple[Callable[[], Read], tuple[bytes, ...]]] = {
    "url": (_url, (b"http://user@Host.test:80/a/../b?c=d#e", "https://例子.测试/路径?问=答".encode(), b"//[::1]:8080/%zz")),
    "robots": (_robots, (b"User-agent: *\nDisallow: /a*$\nAllow: /b\nCrawl-delay: 2\nSitemap: http://host.test/s.xml\n",)),
    "meta": (_meta, (b"noindex, nofollow, max-snippet:-1", b"unavailable_after: 25 Jun 2026 15:00:00 GMT", b"0; url='/next'")),
    "charset": (_charset, (b"utf-8\n\xe5\xa4\xa9", b"gbk\n<meta charset=big5>\xcc\xec\xce\xc4", b"\n\xff\xfe<\0p\0>\0")),
    "html": (_html, (
        b"<!doctype html><title>t</title><base href=/x><p>text <a href='/a' rel=nofollow>a</a><table><tr><td>1</table>",
        b"<meta name=robots content=noindex><meta http-equiv=refresh content='0;url=/r'><h1>h</h1><ul><li><a href=b>b</a></ul>",
        b"<script type=application/ld+json>{\"@type\":\"Article\"}</script><frameset><frame src=f></frameset>",
    )),
    "sitemap": (_sitemap, (
        b"<urlset><url><loc>http://host.test/a</loc><lastmod>2026-01-01</lastmod></url></urlset>",
        b"<sitemapindex><sitemap><loc>http://host.test/s.xml.gz</loc></sitemap></sitemapindex>", b"http://host.test/a\n",
    )),
    "feed": (_feed, (
        b"<rss><channel><item><link>http://host.test/a</link><pubDate>Fri, 02 Jan 2026 00:00:00 GMT</pubDate></channel></rss>",
        b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/a'/><updated>2026-01-01T00:00:00Z</updated></entry>",
    )),
    "warc": (_warc, (b"\0WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x>\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n",)),
    "seeds": (_seeds, (b"\xef\xbb\xbfhttp://host.test/\n# comment\nhost.test/a\n",)),
    "topic": (_topic, (b'[topic]\nname = "x"\nkeywords = ["a", "b"]\n[seeds]\nurls = ["http://host.test/"]\n', b"http://host.test/\n")),
}  # fmt: skip
"""What reads, and valid inputs to begin with."""


def fuzz(name: str, arguments: list[str]) -> None:
    """Look for inputs that break a target, in this process, which libFuzzer ends."""
    import atheris

    make, _ = TARGETS[name]
    with atheris.instrument_imports(include=["focuscrawl", "protego", "selectolax"]):
        read = make()
    atheris.Setup([f"fuzz-{name}", *arguments], read)
    atheris.Fuzz()


def run(names: Iterable[str], seconds: int, found: Path) -> list[str]:
    """Targets that broke, one after the other."""
    broken = []
    found.mkdir(parents=True, exist_ok=True)
    for name in names:
        with tempfile.TemporaryDirectory() as corpus:
            for number, example in enumerate(TARGETS[name][1]):
                Path(corpus, str(number)).write_bytes(example)
            limits = [f"-max_total_time={seconds}", f"-timeout={SLOW_SECONDS}", f"-rss_limit_mb={MOST_MB}"]
            kept = [f"-artifact_prefix={found}/{name}-", "-verbosity=0", "-print_final_stats=1", corpus]
            command = [sys.executable, "-m", "tools.fuzz", "--target", name, *limits, *kept]
            print(f"{name}: {seconds} s", flush=True)
            if subprocess.run(command, check=False).returncode:
                broken.append(name)
    return broken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(TARGETS), help="targets, with commas")
    parser.add_argument("--seconds", type=int, default=120, help="for each target")
    parser.add_argument("--found", type=Path, default=Path("build/fuzz"), help="folder for inputs that broke something")
    parser.add_argument("--target", choices=TARGETS, help=argparse.SUPPRESS)
    options, further = parser.parse_known_args()
    if options.target:
        fuzz(options.target, further)
        return 0
    broken = run(options.only.split(","), options.seconds, options.found)
    print(f"broke: {', '.join(broken) or 'nothing'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
