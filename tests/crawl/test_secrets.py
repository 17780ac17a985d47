"""What only the operator knows, or a server told us alone, is in no log, archive or report."""

from __future__ import annotations

import html
import re
import zlib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.crawl.run import ASTRONOMY, crawl
from tests.crawl.site import Hit, Reply, Site, page
from tests.dashboard.desk import Desk
from tests.engines import ENGINES

CONTACT = "somebody@operator.example"
COOKIE = "c00kie-va1ue-of-the-session"
PASSWORD = "pass-w0rd-in-a-seed"  # of nobody


def files_of(folder: Path) -> bytes:
    """All that lies there, unpacked."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            body = path.read_bytes()
            found.append(body)
            while body.startswith(b"\x1f\x8b"):
                unpacker = zlib.decompressobj(31)
                found.append(unpacker.decompress(body))
                body = unpacker.unused_data
    return b"".join(found)


def pages_of(desk: Desk, name: str) -> dict[str, str]:
    """What the dashboard shows of a crawl: its pages as far as one links to the next."""
    shown, waiting = dict[str, str](), [f"/c/{name}/"]
    while waiting and len(shown) < 60:
        path = waiting.pop()
        shown[path] = desk.client.get(path).text
        linked = re.findall(rf'href="(/c/{name}/[^"#]*)', shown[path])
        waiting += [html.unescape(link) for link in linked if html.unescape(link) not in (*shown, *waiting)]
    return shown


@pytest.mark.parametrize("engine", ENGINES)
def test_secrets_are_written_nowhere(tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    url = "" if engine == "sqlite" else str(request.getfixturevalue("postgres_url"))
    secret = urlsplit(url).password or ""

    def with_cookie(hit: Hit) -> Reply:
        made = page(hit.path, ["/next", "/cut"])
        cookies = [("Set-Cookie", f"sid={COOKIE}; Path=/; HttpOnly"), ("Set-Cookie", COOKIE)]
        return Reply(made.status, made.body, (*made.headers, *cookies))

    with Site({"main.test": "127.37.0.1"}) as site:
        site.answers |= {"main.test/": with_cookie, "main.test/next": with_cookie}
        site.answers["main.test/cut"] = Reply(500, f"<p>{'x' * 40}")
        seeds = tmp_path / "seeds.txt"
        seeds.write_text(f"{site.url('main.test/').replace('//', f'//bob:{PASSWORD}@')}\nhttp://bob:{PASSWORD}@bad host/\n")
        settings = {"CONTACT": CONTACT, "STORE_URL": url, "LOG_LEVEL": "DEBUG"}
        folder = tmp_path / "crawls"
        given = f"{seeds},{site.url('main.test/').replace('//', f'//bob:{PASSWORD}@')}"
        instance = site.url("main.test/searx").replace("//", f"//bob:{PASSWORD}@")
        arguments = {"keywords": ASTRONOMY, "name": "secrets", "discover": instance}
        run = crawl(folder, given, site.dns, settings, arguments)
        assert run.code == 0, run.err
        assert "a search of the web failed, the crawl goes on" in run.err
        assert all(CONTACT in hit.headers["user-agent"] for hit in site.hits)  # who is asked may know who asks
        assert not any("cookie" in hit.headers or "authorization" in hit.headers for hit in site.hits)
    written = files_of(folder)
    assert b"User-Agent: focuscrawl/0.2 (+(hidden))\r\n" in written
    assert b"Set-Cookie: sid=(hidden); Path=/; HttpOnly\r\n" in written
    assert b"report" in written
    shown = pages_of(Desk(folder, store_url=url), "secrets")
    assert len(shown) > 10
    for text in (CONTACT, COOKIE, PASSWORD, *([secret] if secret else [])):
        assert text.encode() not in written, text
        assert text not in run.err + run.out, text
        assert not [path for path, body in shown.items() if text in body], text
