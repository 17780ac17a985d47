"""Bodies that did not come whole are fetched again, then kept as far as they came, and marked; noise is never judged."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.store.warc.file import read_record
from tests.crawl.raw import CODINGS, Raw, RawSite, chunks, coded, cut_chunk, head, short, whole
from tests.crawl.run import ASTRONOMY, Run, crawl
from tests.crawl.site import Hit, Reply, page

ARCHIVED = 200_000
HTML = "Content-Type: text/html"


def text(title: str, words: int = 3000) -> bytes:
    return page(title, words=words).body.encode()


def noisy(body: bytes) -> bytes:
    """A gzip stream whose middle is noise."""
    encoded = gzip.compress(body)
    middle = len(encoded) // 2
    return encoded[:middle] + bytes(255 - byte for byte in encoded[middle : middle + 300]) + encoded[middle + 300 :]


BROKEN = {
    **{f"/cut/{coding}": coded(text(coding, 30_000), coding, 0.9) for coding in CODINGS},
    "/noise": whole(noisy(text("noise")), HTML, "Content-Encoding: gzip"),
    "/sum": whole(gzip.compress(text("sum"))[:-8] + bytes(8), HTML, "Content-Encoding: gzip"),
    "/short": short(text("short"), HTML),
    "/chunk": cut_chunk(text("chunk"), HTML),
}
REASON = {"/short": "disconnect", "/chunk": "disconnect"}
WHOLE = {
    **{f"/whole/{coding}": coded(text(f"whole {coding}"), coding) for coding in CODINGS},
    "/raw": whole(zlib.compress(text("raw"), wbits=-15), HTML, "Content-Encoding: deflate"),
    **{
        f"/junk/{coding}": whole(encode(text(f"junk {coding}")) + b"junk", HTML, f"Content-Encoding: {coding}")
        for coding, encode in CODINGS.items()
    },
    "/label": whole(text("only the label"), HTML, "Content-Encoding: gzip"),
    "/twice": whole(CODINGS["br"](gzip.compress(text("twice"))), HTML, "Content-Encoding: gzip, br"),
    "/identity": Raw(head(HTML, "Transfer-Encoding: identity") + text("identity")),
    "/identity-long": whole(text("identity-long"), HTML, "Transfer-Encoding: Identity"),
    "/chunked-alone": chunks(text("chunked-alone"), HTML, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
    "/gzip-chunked": chunks(gzip.compress(text("gzip-chunked")), HTML, "Transfer-Encoding: gzip, chunked"),
    "/gzip-alone": Raw(head(HTML, "Transfer-Encoding: gzip") + gzip.compress(text("gzip-alone"))),
    "/octets": whole(b"\n<!-- by hand --><title>octets</title>" + text("octets"), "Content-Type: application/octet-stream"),
}
CHUNK = b"telescope galaxy planet nebula supernova comet " * 100
PACKER = zlib.compressobj(wbits=31)
FIRST, NEXT = (PACKER.compress(part) + PACKER.flush(zlib.Z_FULL_FLUSH) for part in (text("packed", 30_000), CHUNK * 20))
ENDLESS = {
    "/packed": Raw(head(HTML, "Content-Encoding: gzip") + FIRST, NEXT),
    "/announced": Raw(head(HTML, "Content-Length: 5000000000") + text("announced"), CHUNK),
    "/endless": Raw(head(HTML) + text("endless"), CHUNK),
    "/stream": Raw(head(HTML, "Transfer-Encoding: chunked"), b"%x\r\n%b\r\n" % (len(CHUNK), CHUNK)),
}
NONE = {
    "/bomb": whole(gzip.compress(bytes(80 << 20)), HTML, "Content-Encoding: gzip"),
    "/film": Raw(head("Content-Type: video/mp4", "Content-Length: 5000000000") + bytes(1000), bytes(1000)),
    "/eight": Raw(b"ICY 200 OK\r\n\r\n"),
    "/nine": Raw(b"<html><title>nine</title><p>telescope galaxy"),
    "/picture": whole(b"\x89PNG\r\n\x1a\n\0\0", "Content-Type: application/octet-stream"),
}


def wanted(hit: Hit) -> str:
    """The coding that the server likes best of those that are accepted."""
    return max(CODINGS, key=lambda coding: hit.headers["accept-encoding"].find(coding))


@pytest.fixture(scope="module")
def site() -> Iterator[RawSite]:
    with RawSite({"main.test": "127.34.0.1"}) as running:
        scripts = BROKEN | WHOLE | ENDLESS | NONE
        running.answers["main.test/"] = page("home", [*scripts, "/healed", "/block", "/zstd-alone"])
        running.scripts.update({f"main.test{path}": script for path, script in scripts.items()})
        tries: list[Hit] = []

        def healed(hit: Hit) -> Raw:
            tries.append(hit)
            return coded(text("healed"), "br", 1.0 if len(tries) > 1 else 0.5)

        running.scripts["main.test/healed"] = healed
        running.scripts["main.test/block"] = lambda hit: coded(text("block"), wanted(hit), 0.9)
        running.scripts["main.test/zstd-alone"] = coded(text("zstd alone"), "zstd", 0.9)
        yield running


@pytest.fixture(scope="module")
def run(site: RawSite, tmp_path_factory: pytest.TempPathFactory) -> Run:
    settings = {"ARCHIVE_BODY_BYTES": str(ARCHIVED)}
    arguments = {"keywords": ASTRONOMY, "strategy": "breadth-first", "name": "bodies"}
    run = crawl(tmp_path_factory.mktemp("bodies"), site.url("main.test/"), site.dns, settings, arguments)
    assert run.code == 0, run.err
    return run


def archived(run: Run, site: RawSite, path: str) -> tuple[str, bytes]:
    """Why the record says that the body is not whole, and the body."""
    ((warc, offset),) = run.rows("bodies", "select warc, warc_offset from page where url=?", site.url(f"main.test{path}"))
    record = read_record(run.folder / "bodies" / "warc" / warc, offset)
    return record.truncated, record.body


@pytest.mark.parametrize("path", BROKEN)
def test_a_broken_body_is_fetched_twice_and_kept_as_far_as_it_came(run: Run, site: RawSite, path: str) -> None:
    assert site.paths("main.test").count(path) == 2
    assert run.state("bodies", path)[0] == State.DONE
    reason = REASON.get(path, "coding")
    assert run.rows("bodies", "select truncated from page where url like ?", f"%{path}") == [(reason,)]
    truncated, body = archived(run, site, path)
    assert truncated == {"coding": "unspecified"}.get(reason, reason)
    title = path.rpartition("/")[2]
    assert body[:200] == text(title)[:200]
    ((words,),) = run.rows("bodies", "select length(text) from page join body using(page_id) where url like ?", f"%{path}")
    assert words > 0


def test_what_heals_is_whole(run: Run, site: RawSite) -> None:
    assert site.paths("main.test").count("/healed") == 2
    assert archived(run, site, "/healed") == ("", text("healed"))
    assert run.state("bodies", "/healed") == (State.DONE, "")


def test_a_page_cut_in_its_first_block_of_zstd_is_asked_for_in_another_coding(run: Run, site: RawSite) -> None:
    """Of which a beginning can be undone: of a block of zstd nothing, unless it is whole."""
    first, second = (hit for hit in site.hits if hit.path == "/block")
    assert (wanted(first), wanted(second)) == ("zstd", "br")
    truncated, body = archived(run, site, "/block")
    assert truncated == "unspecified"
    assert text("block").startswith(body)
    assert len(body) > len(text("block")) // 2


def test_what_cannot_be_undone_at_all_is_no_page(run: Run, site: RawSite) -> None:
    assert run.state("bodies", "/zstd-alone") == (State.FAILED, "coding")
    assert run.rows("bodies", "select count(*) from page where url like '%/zstd-alone'") == [(0,)]


@pytest.mark.parametrize("path", WHOLE)
def test_whole_bodies(run: Run, site: RawSite, path: str) -> None:
    assert site.paths("main.test").count(path) == 1
    truncated, body = archived(run, site, path)
    assert truncated == ""
    assert body.rstrip().endswith(b"</html>")


@pytest.mark.parametrize("path", ENDLESS)
def test_of_an_endless_answer_the_beginning_is_kept(run: Run, site: RawSite, path: str) -> None:
    assert site.paths("main.test").count(path) == 1
    truncated, body = archived(run, site, path)
    assert (truncated, len(body)) == ("length", ARCHIVED)


def test_what_is_no_page(run: Run, site: RawSite) -> None:
    assert run.state("bodies", "/bomb") == (State.FAILED, "bomb")
    assert run.state("bodies", "/film") == (State.FAILED, "length")
    assert run.state("bodies", "/picture") == (State.FILTERED, "type")


def test_http_0_9_is_refused_once(run: Run, site: RawSite) -> None:
    for path in ("/eight", "/nine"):
        assert site.paths("main.test").count(path) == 1
        assert run.state("bodies", path) == (State.FAILED, "http-0.9")


# What a host says where there is nothing


def sorry(hit: Hit) -> Reply:
    """A page of status 200 for every address."""
    words = "<p>We looked everywhere, and there is nothing at this address. Try our search, or begin at the home page."
    return Reply(200, f"<title>Oops</title><h1>Not found</h1>{words}", (("Content-Type", "text/html"),))


def test_a_soft_404_is_known_in_a_first_crawl(tmp_path: Path) -> None:
    hosts = {"soft.test": "127.35.0.1", "same.test": "127.35.0.2", "hard.test": "127.35.0.3"}
    with RawSite(hosts) as site:
        lost = [f"/lost/{number}" for number in range(4)]
        site.answers["soft.test/"] = page("home", [*lost, "/twin/1", "/twin/2", site.url("same.test/"), site.url("hard.test/")])
        site.missing["soft.test"] = sorry
        site.answers["soft.test/twin/1"] = site.answers["soft.test/twin/2"] = page("twins")
        site.answers["same.test/"] = page("drawn by a script", ["/a", "/b"])
        site.missing["same.test"] = page("drawn by a script")
        site.answers["hard.test/"] = page("hard", ["/about-404"])
        site.answers["hard.test/about-404"] = page("What 404 means: not found")
        run = crawl(
            tmp_path,
            site.url("soft.test/"),
            site.dns,
            arguments={"keywords": ASTRONOMY, "strategy": "breadth-first", "name": "soft"},
        )
        assert run.code == 0, run.err
        assert {run.state("soft", path) for path in lost} == {(State.GONE, "soft404")}
        stored = {"soft.test/", "soft.test/twin/1", "soft.test/twin/2", "same.test/", "same.test/a", "same.test/b"}
        assert run.stored("soft") == stored | {"hard.test/", "hard.test/about-404"}
        for host in hosts:  # each is asked once where there is nothing
            probes = [path for path in site.paths(host) if len(path) == 25 and "/" not in path[1:]]
            assert len(probes) == 1, host


def test_an_endless_answer_that_takes_its_time_is_kept_when_it_is_over(tmp_path: Path) -> None:
    with RawSite({"slow.test": "127.35.0.4"}) as site:
        site.scripts["slow.test/"] = Raw(head(HTML) + text("slow", 200), CHUNK, 0.1)
        run = crawl(
            tmp_path, site.url("slow.test/"), site.dns, {"DOWNLOAD_TIMEOUT": "2"}, {"keywords": ASTRONOMY, "name": "slow"}
        )
        assert run.code == 0, run.err
        assert site.paths("slow.test") == ["/robots.txt", "/", "/sitemap.xml"]  # a seed without links is asked for a sitemap
        assert run.rows("slow", "select truncated from page where length between 20000 and 400000") == [("time",)]
