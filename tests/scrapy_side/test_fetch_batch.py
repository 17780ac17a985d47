from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from scrapy.settings import Settings

from focuscrawl.scrapy_side.fetch import BatchAnswer, fetch_batch
from tests.crawl.raw import Raw, RawSite, head, short, whole
from tests.crawl.site import page

pytestmark = pytest.mark.system

asked: list[str] = []


class Site(BaseHTTPRequestHandler):
    """A page, a redirect to it, a ring, a forbidden folder and a page that is gone."""

    def do_GET(self) -> None:
        asked.append(self.path)
        places = {"/moved": "/a", "/ring": "/ring", "/out": "http://192.0.2.1:22/"}
        bodies = {"/robots.txt": b"User-agent: *\nDisallow: /private/\n", "/a": "<title>标题</title>".encode()}
        self.send_response(302 if self.path in places else 200 if self.path in bodies else 404)
        if self.path in places:
            self.send_header("Location", places[self.path])
        body = bodies.get(self.path, b"")
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def settings_of(**values: object) -> Settings:
    settings = Settings()
    settings.setmodule("focuscrawl.settings", "project")
    for name, value in values.items():
        settings.set(name, value, "cmdline")
    return settings


def test_pages_are_fetched_guarded_and_by_robots_txt(site: str) -> None:
    settings = settings_of(GUARD_ALLOW_NETWORKS="127.0.0.0/8", POLITENESS_DELAY="0.01")
    asked.clear()
    told: list[BatchAnswer] = []
    urls = [site + path for path in ("/a", "/moved", "/ring", "/out", "/private/x", "/none")]
    found = fetch_batch(urls, settings, on_answer=told.append)
    assert [answer.url for answer in found] == urls
    assert {answer.url for answer in told} == set(urls)
    assert found[0].body.decode() == "<title>标题</title>"
    assert (found[1].status, found[1].final) == (200, site + "/a")
    assert found[2].error == "redirects"
    assert "192.0.2.1" in found[3].error or found[3].error
    assert found[4].error == "robots"
    assert found[5].status == 404
    assert asked.count("/robots.txt") == 1
    assert "/private/x" not in asked


def test_addresses_that_are_not_public_are_refused(site: str) -> None:
    asked.clear()
    (found,) = fetch_batch([site + "/a"], settings_of(), robots=False)
    assert "loopback" in found.error
    assert asked == []


def test_robots_txt_is_read_to_the_letter() -> None:
    """One that redirects is followed, and one that broke off allows nothing."""
    rules = b"User-agent: *\nDisallow: /private\n"
    with RawSite({name: name for name in ("127.39.0.1", "127.39.0.2", "127.39.0.3")}) as site:
        site.scripts |= {
            "127.39.0.1/robots.txt": Raw(head("Location: /rules", "Content-Length: 0", status="301 Moved")),
            "127.39.0.1/rules": whole(rules),
            "127.39.0.2/robots.txt": short(rules),
            "127.39.0.3/robots.txt": Raw(head("Location: http://10.0.0.7/robots.txt", "Content-Length: 0", status="302 Found")),
        }
        for name in site.hosts:
            site.answers |= {f"{name}/a": page("a"), f"{name}/private": page("private")}
        urls = [site.url(f"{name}/{path}") for name in site.hosts for path in ("a", "private")]
        answers = fetch_batch(urls, settings_of(GUARD_ALLOW_NETWORKS="127.0.0.0/8", POLITENESS_DELAY="0.01"))
    told = [answer.error or answer.status for answer in answers]
    assert told == [200, "robots", "robots", "robots", "robots", "robots"]
