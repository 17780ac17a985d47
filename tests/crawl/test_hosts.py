"""Hosts with odd names, bad certificates or no address: what is fetched, and what is said where nothing can be."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.commands.why import Command as Why
from tests.commands.call import call
from tests.crawl.certificate import DAY, Authority, by_name, certified
from tests.crawl.run import ASTRONOMY, Run, crawl
from tests.crawl.site import Site, page
from tests.engines import ENGINES

VERDICTS = {
    "good.test": "valid",
    "old.test": "expired",
    "other.test": "name",
    "both.test": "name,expired",
    "self.test": "name,self-signed",
    "stranger.test": "issuer",
    "xn--n3h.test": "valid",
    "xn--99999999.test": "valid",
}
ADDRESSES = {name: f"127.36.0.{number}" for number, name in enumerate(VERDICTS, 1)}
ARGUMENTS = {"keywords": ASTRONOMY, "strategy": "breadth-first", "name": "hosts"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    authority = Authority(tmp_path_factory.mktemp("authority"))
    stranger = Authority(tmp_path_factory.mktemp("stranger"), "Stranger")
    contexts = {
        "good.test": authority.context("good.test"),
        "old.test": authority.context("old.test", until=-DAY),
        "other.test": authority.context("other.test", "another.test"),
        "both.test": authority.context("both.test", "another.test", -DAY),
        "self.test": certified(tmp_path_factory.mktemp("self"), "self.test"),
        "stranger.test": stranger.context("stranger.test"),
        "xn--n3h.test": authority.context("xn--n3h.test"),
        "xn--99999999.test": authority.context("xn--99999999.test"),
    }
    with pytest.MonkeyPatch.context() as patch, Site(ADDRESSES, tls=by_name(contexts)) as running:
        patch.setenv("SSL_CERT_FILE", str(authority.file))
        for name in VERDICTS:
            running.answers[f"{name}/"] = page(name, ["/more"])
            running.answers[f"{name}/more"] = page(f"more of {name}")
        links = [running.url(f"{name}/") for name in VERDICTS if name != "xn--n3h.test"]
        running.answers["good.test/"] = page("good", [*links, f"https://☃.test:{running.port}/", "/more#\x01\x1b"])
        yield running


@pytest.fixture(scope="module")
def run(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Run:
    run = crawl(tmp_path_factory.mktemp("hosts"), site.url("good.test/"), site.dns, arguments=ARGUMENTS)
    assert run.code == 0, run.err
    return run


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_on_a_certificate_is_kept(run: Run, site: Site, name: str) -> None:
    rows = run.rows("hosts", "select certificate from page where url like ?", f"%//{name}:%")
    assert rows == [(VERDICTS[name],)] * 2  # of the second page, too, over the same connection


def test_why_and_the_archive_tell_the_verdict(run: Run, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Why(), run.folder, site.url("both.test/")) == 0
    assert "certificate of its host is not good (name, expired)" in capsys.readouterr().out
    assert call(Why(), run.folder, site.url("good.test/")) == 0
    assert "certificate" not in capsys.readouterr().out
    archive = b"".join(gzip.decompress(path.read_bytes()) for path in (run.folder / "hosts" / "warc").iterdir())
    assert archive.count(b"tlsCertificate: expired\r\n") == 2
    assert archive.count(b"tlsCertificate: valid\r\n") == 6


def test_a_strict_crawl_reads_only_where_the_certificate_is_good(site: Site, tmp_path: Path) -> None:
    before = len(site.hits)
    run = crawl(tmp_path, site.url("good.test/"), site.dns, {"TLS_POLICY": "strict"}, ARGUMENTS)
    assert run.code == 0, run.err
    assert {hit.host for hit in site.hits[before:]} == {"good.test", "xn--n3h.test", "xn--99999999.test"}
    assert run.rows("hosts", "select distinct error from robots where state='wait'") == [("certificate",)]
    assert "the host's certificate is not good" in run.err


def test_seeds_of_a_host_with_a_bad_certificate_are_not_reached(site: Site, tmp_path: Path) -> None:
    run = crawl(tmp_path, site.url("old.test/"), site.dns, {"TLS_POLICY": "strict"}, ARGUMENTS)
    assert run.code == 1
    assert "no seed gave a page: the host's certificate is not good" in run.err


@pytest.mark.parametrize("engine", ENGINES)
def test_a_host_without_an_address(site: Site, tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    url = "" if engine == "sqlite" else str(request.getfixturevalue("postgres_url"))
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("".join(f"http://gone{number}.test/\nhttp://gone{number}.test/b\n" for number in range(12)))
    run = crawl(tmp_path, seeds, site.dns, {"STORE_URL": url}, ARGUMENTS)
    assert run.code == 1
    assert "no seed gave a page: there is no such host" in run.err
    assert "robots.txt could not be read" not in run.err
    assert len([line for line in run.err.splitlines() if "robots.txt unreachable" in line]) == 6  # five hosts, and the tenth
    assert re.search(r"^requests +0; 12 names looked up$", run.err, re.MULTILINE)
    assert call(Why(), run.folder, "http://gone3.test/b") == 0


def test_who_has_no_address_costs_no_request(site: Site, tmp_path: Path) -> None:
    site.answers["good.test/links"] = page(
        "links", [f"http://gone{number}.test/" for number in range(9)] + ["/more", "/links2"]
    )
    site.answers["good.test/links2"] = page("more links", ["/more"])
    before = len(site.hits)
    run = crawl(tmp_path, site.url("good.test/links"), site.dns, arguments=ARGUMENTS | {"max_requests": 4})
    assert run.code == 0, run.err
    assert (len(site.hits) - before, run.reason("hosts")) == (4, "max_requests")


def test_hosts_without_an_address_beside_others(site: Site, tmp_path: Path) -> None:
    site.answers["good.test/links"] = page("links", ["http://gone.test/", "http://gone.test/2"])
    run = crawl(tmp_path, site.url("good.test/links"), site.dns, arguments=ARGUMENTS)
    assert run.code == 0, run.err
    assert "no such host" in run.err
    assert "dns (will be tried again)" in run.err
    report = (tmp_path / "hosts" / "report.html").read_text(encoding="utf-8")
    assert "no such host: its name has no address" in report
