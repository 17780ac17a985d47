"""A crawl and a recrawl of it through HTTP: what has not changed is not read, and what is gone is listed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from focuscrawl.frontier.states import State
from focuscrawl.recrawl.gone import Gone
from focuscrawl.store.warc.file import read_record
from tests.crawl.run import ASTRONOMY, Run, crawl, scrapy
from tests.crawl.site import Answer, Hit, Reply, Site, moved, page

pytestmark = pytest.mark.slow
HOSTS = {"main.test": "127.35.0.1", "soft.test": "127.35.0.2"}
MODIFIED = ("Last-Modified", "Mon, 01 Jun 2026 10:00:00 GMT")
SORRY = "Sorry: there is nothing to be seen here. Please go back to the front of this place or ask for something else. " * 3
SETTINGS = {"RECRAWL_SIGNALS": "False"}


def with_headers(reply: Reply, *headers: tuple[str, str]) -> Reply:
    return Reply(reply.status, reply.body, (*reply.headers, *headers))


def conditional(reply: Reply) -> Answer:
    """A server that knows 304."""
    tag = ("ETag", '"1"')

    def answer(hit: Hit) -> Reply:
        if hit.headers.get("if-none-match") == '"1"':
            return Reply(304, "", (tag,))
        return with_headers(reply, tag)

    return answer


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        links = ["/knows-304", "/ignores", "/changes-tag", "/gone", "/deleted", "/moves", "/leaves", "/plain"]
        answers = running.answers
        answers["main.test/"] = page("front", [*links, running.url("soft.test/a"), running.url("soft.test/b")])
        answers["main.test/knows-304"] = conditional(page("knows 304"))
        answers["main.test/ignores"] = with_headers(page("ignores conditions"), ("ETag", '"1"'), MODIFIED)
        numbers = iter(range(1000))
        answers["main.test/changes-tag"] = lambda hit: with_headers(page("a tag each time"), ("ETag", f'"{next(numbers)}"'))
        for name in ("gone", "deleted", "moves", "leaves", "plain"):
            answers[f"main.test/{name}"] = page(name)
        answers["soft.test/a"] = page("kept")
        answers["soft.test/b"] = page("lost")
        yield running


@pytest.fixture(scope="module")
def again(site: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, list[Hit]]:
    """After a second run that looks at everything: the crawl, and what was asked for."""
    folder = tmp_path_factory.mktemp("checked")
    seeds = folder / "main.txt"
    seeds.write_text(f"{site.url('main.test/')}\n")
    first = crawl(folder, seeds, site.dns, SETTINGS, {"keywords": ASTRONOMY})
    assert first.code == 0, first.err
    assert len(first.stored("main")) == 11
    answers = site.answers
    answers["main.test/gone"] = Reply(404, "no")
    answers["main.test/deleted"] = Reply(410, "no")
    answers["main.test/moves"] = moved("/new-home", 301)
    answers["main.test/new-home"] = page("moves")
    answers["main.test/leaves"] = moved("/knows-304", 302)
    sorry = Reply(200, f"<html><title>Sorry</title><body><p>{SORRY}</p></body></html>", (("Content-Type", "text/html"),))
    site.missing["soft.test"] = sorry
    answers["soft.test/b"] = sorry
    before = len(site.hits)
    settings = {
        "CRAWLS_DIR": str(folder), "DNS_SERVERS": site.dns, "GUARD_ALLOW_NETWORKS": "127.0.0.0/8", "POLITENESS_DELAY": "0",
        "POLITENESS_ADDRESS_DELAY": "0", "FRONTIER_IDLE_STOP": "1.5", "FRONTIER_RETRY_DELAYS": "0.2", **SETTINGS,
    }  # fmt: skip
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    run = scrapy("recrawl", "main", "--all", *options, folder=folder)
    assert run.code == 0, run.err
    return run, site.hits[before:]


def paths(hits: list[Hit], host: str = "main.test") -> list[str]:
    return [hit.path for hit in hits if hit.host == host and hit.path != "/robots.txt"]


def test_unmodified(again: tuple[Run, list[Hit]]) -> None:
    run, _ = again
    for tail, status in (("/knows-304", 304), ("/ignores", 200)):
        assert run.rows("main", "select state, status from url where path=?", tail) == [(State.NOTMOD, status)]
        assert run.rows("main", "select unread from revisit join url using (hid, uid) where path=?", tail) == [(1,)]
    rows = run.rows("main", "select path, unread from revisit join url using (hid, uid) where unread>0 order by path")
    assert [tail for tail, _ in rows] == ["/ignores", "/knows-304"]


def test_the_archive_has_revisits_and_pages_still_point_at_their_bodies(again: tuple[Run, list[Hit]]) -> None:
    run, _ = again
    found, full = {}, set()
    for path in (run.folder / "main" / "warc").glob("*.warc.gz"):
        with path.open("rb") as file:
            for each in ArchiveIterator(file, record_types=WarcRecordType.revisit | WarcRecordType.response):
                uri = each.headers["WARC-Target-URI"]
                if each.record_type == WarcRecordType.response:
                    full.add((uri, each.headers["WARC-Date"]))
                else:
                    found[uri.rpartition("/")[2]] = uri, each.headers["WARC-Refers-To-Date"]
    assert set(found) == {"knows-304", "ignores"}
    assert set(found.values()) <= full
    rows = run.rows(
        "main", "select warc, warc_offset from page join url using (hid, uid) where path in ('/knows-304', '/ignores')"
    )
    assert all(read_record(run.folder / "main" / "warc" / name, offset).body for name, offset in rows)
    assert len(rows) == 2


def test_what_is_missing_is_listed_and_kept(again: tuple[Run, list[Hit]]) -> None:
    run, _ = again
    assert dict(run.rows("main", "select path, gone from page join url using (hid, uid) where gone>0")) == {
        "/gone": Gone.SUSPECT, "/deleted": Gone.SUSPECT, "/moves": Gone.MOVED, "/b": Gone.SUSPECT
    }  # fmt: skip
    kinds = dict(
        run.rows("main", "select path, c.kind from change c join url using (hid, uid) where run=2 and c.kind<>'changed'")
    )
    assert kinds == {"/gone": "suspect", "/deleted": "suspect", "/moves": "moved", "/b": "suspect", "/new-home": "new"}


def test_a_soft_404_is_found_by_one_probe(again: tuple[Run, list[Hit]]) -> None:
    run, hits = again
    asked = [path for path in paths(hits, "soft.test") if path not in ("/a", "/b")]
    assert len(asked) == 1
    assert sorted(set(paths(hits, "soft.test")) - set(asked)) == ["/a", "/b"]
    assert run.rows("main", "select count(*) from site_profile where soft404_simhash is not null") == [(1,)]


def test_the_new_home_is_fetched_in_the_same_run_and_nothing_twice(again: tuple[Run, list[Hit]]) -> None:
    _, hits = again
    asked = paths(hits)
    assert asked.count("/new-home") == 1
    assert len(asked) == len(set(asked))
