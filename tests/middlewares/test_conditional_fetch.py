"""Whole fetches over loopback by Scrapy's engine: a body whose headers agree with the stored version is not sent."""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests import forked
from tests.crawl.certificate import certified

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("fetch_leases.py")
SIZE = 32 << 20
"""More than sockets hold: a client that does not read leaves most of it with the server."""
DATE = "Date: Tue, 02 Jun 2026 10:00:00 GMT"
MODIFIED = "Mon, 01 Jun 2026 10:00:00 GMT"
PAGE = b"<html><title>stars</title>" + b"stars and planets " * 20
BIG = PAGE + b" " * (SIZE - len(PAGE))


@dataclass
class Server:
    """Answers each path with the bytes it is given, over TLS where it is spoken to so; tells how many it got rid of."""

    tls: ssl.SSLContext

    answers: dict[str, tuple[list[str], bytes]] = field(repr=False)
    """By path: lines of the head, and the body."""
    asked: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    sent: dict[str, int] = field(default_factory=dict)
    connections: int = 0

    def __enter__(self) -> Server:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def url(self, path: str) -> str:
        return f"{'https' if path == '/secure' else 'http'}://127.0.0.1:{self.port}{path}"

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._talk, args=(peer,), daemon=True).start()

    def _talk(self, caller: socket.socket) -> None:
        secure = caller.recv(1, socket.MSG_PEEK) == b"\x16"
        with self.tls.wrap_socket(caller, server_side=True) if secure else caller as peer:
            buffer = b""
            while True:
                try:
                    got = peer.recv(65536)
                except OSError:
                    return
                buffer += got
                if not got:
                    return
                if b"\r\n\r\n" in buffer:
                    head, _, buffer = buffer.partition(b"\r\n\r\n")
                    if not self._answer(peer, head.decode("latin-1")):
                        return

    def _answer(self, peer: socket.socket, head: str) -> bool:
        """False: the connection is over."""
        path = head.split(" ")[1]
        self.asked.append(path)
        self.heads.append(head)
        lines, body = self.answers[path]
        data, self.sent[path] = "\r\n".join([*lines, "", ""]).encode() + body, 0
        try:
            for start in range(0, len(data), 65536):
                self.sent[path] += peer.send(data[start : start + 65536])
        except OSError:
            return False
        return lines[0].startswith("HTTP/1.1")


def answer(body: bytes, *lines: str, status: str = "HTTP/1.1 200 OK", length: bool = True) -> tuple[list[str], bytes]:
    told = [f"Content-Length: {len(body)}"] if length else []
    return [status, "Content-Type: text/html", DATE, *told, *lines], body


def chunked(body: bytes) -> bytes:
    return f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    tag, modified = 'ETag: "1"', f"Last-Modified: {MODIFIED}"
    answers = {
        "/both": answer(BIG, tag, modified),
        "/tag": answer(BIG, tag),
        "/secure": answer(BIG, tag),
        "/old": answer(BIG, tag, status="HTTP/1.0 200 OK"),
        "/endless": answer(BIG, tag, status="HTTP/1.0 200 OK", length=False),
        "/chunks": answer(chunked(BIG), tag, "Transfer-Encoding: chunked", length=False),
        "/small": answer(PAGE, tag),
        "/binary": answer(PAGE, tag, "X-Kind: none"),
        "/packed": answer(gzip.compress(PAGE), tag, "Content-Encoding: gzip"),
        "/brotli": answer(PAGE, tag, "Content-Encoding: br"),
        "/304": (["HTTP/1.1 304 Not Modified", DATE, tag], b""),
        "/304-unasked": (["HTTP/1.1 304 Not Modified", DATE, tag], b""),
        "/changed": answer(PAGE, 'ETag: "2"'),
        "/length-only": answer(PAGE),
        "/distrusted": answer(PAGE, tag),
        "/moved": answer(PAGE, tag, "Location: /small", status="HTTP/1.1 301 Moved"),
        "/missing": answer(PAGE, tag, status="HTTP/1.1 404 Not Found"),
    }
    with Server(certified(tmp_path_factory.mktemp("tls"), "127.0.0.1"), answers) as running:
        yield running


@dataclass(frozen=True)
class Fetched:
    pages: dict[str, Any]
    paces: dict[str, list[Any]]
    stats: dict[str, int]


@pytest.fixture(scope="module")
def fetched(server: Server) -> Fetched:
    leases = []
    for path, (lines, body) in server.answers.items():
        told = any(line.startswith("Content-Length") for line in lines)
        lease: dict[str, Any] = {"url": server.url(path), "trusted": path != "/distrusted", "length": len(body) if told else -1}
        if path not in ("/length-only", "/304-unasked"):
            lease["etag"] = '"1"'
        if path == "/both":
            lease["last_modified"] = MODIFIED
        leases.append(lease)
    done = forked.run("tests.middlewares.fetch_leases", json.dumps(leases), env={})
    assert done.returncode == 0, done.stderr
    assert not done.stderr.strip(), done.stderr
    told = json.loads(done.stdout)
    pages = {urlsplit(page["url"]).path: page for page in told["pages"]}
    return Fetched(pages, {urlsplit(url).path: pace for url, *pace in told["paces"]}, told["stats"])


@pytest.mark.parametrize("path", ["/both", "/tag", "/secure", "/old", "/endless", "/chunks"])
def test_a_body_that_we_have_stays_with_the_server(fetched: Fetched, server: Server, path: str) -> None:
    page = fetched.pages[path]
    assert (page["status"], page["unmodified"], page["truncated"], page["error"]) == (200, "headers", "", "")
    assert page["read"] == 0
    assert server.sent[path] < SIZE / 4


@pytest.mark.parametrize("path", ["/small", "/binary", "/packed", "/brotli"])
def test_small_and_packed_ones_too(fetched: Fetched, path: str) -> None:
    page = fetched.pages[path]
    assert (page["status"], page["unmodified"], page["truncated"], page["error"], page["read"]) == (200, "headers", "", "", 0)


@pytest.mark.parametrize("path", ["/changed", "/length-only", "/distrusted"])
def test_what_is_not_known_to_be_the_same_is_read(fetched: Fetched, path: str) -> None:
    assert (fetched.pages[path]["unmodified"], fetched.pages[path]["read"]) == ("", len(PAGE))


def test_not_modified(fetched: Fetched) -> None:
    assert fetched.pages["/304"]["unmodified"] == "304"
    assert fetched.pages["/304-unasked"]["unmodified"] == ""


def test_only_a_page_is_unmodified(fetched: Fetched) -> None:
    assert (fetched.pages["/moved"]["status"], fetched.pages["/moved"]["unmodified"]) == (301, "")
    assert (fetched.pages["/missing"]["status"], fetched.pages["/missing"]["unmodified"]) == (404, "")


def test_the_host_is_none_the_worse_for_it(fetched: Fetched) -> None:
    """The pace hears of answers, with their address; every request was made once, and no connection failed."""
    assert all(error == "" for _, error in fetched.paces.values())
    assert {path: status for path, (status, _) in fetched.paces.items()} == {
        path: page["status"] for path, page in fetched.pages.items()
    }
    assert {page["address"] for page in fetched.pages.values()} == {"127.0.0.1"}


def test_each_was_asked_for_once_and_with_validators(fetched: Fetched, server: Server) -> None:
    assert sorted(server.asked) == sorted(server.answers)
    both = server.heads[server.asked.index("/both")].lower()
    assert 'if-none-match: "1"' in both
    assert f"if-modified-since: {MODIFIED}".lower() in both
    assert server.connections <= len(server.asked)


def test_counts(fetched: Fetched, server: Server) -> None:
    stopped = [path for path, page in fetched.pages.items() if page["unmodified"] == "headers"]
    saved = sum(
        len(body) for path, (lines, body) in server.answers.items() if path in stopped and "Content-Length" in str(lines)
    )
    assert fetched.stats == {
        "conditional/asked_count": len(server.answers) - 2,
        "conditional/unmodified_count": 1,
        "conditional/agreed_count": len(stopped),
        "conditional/saved_bytes": saved,
    }
