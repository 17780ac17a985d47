"""What a crawl leaves behind, what its log looks like, and how the next run with the same name goes on."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, Run, crawl, lines, scrapy
from tests.crawl.site import Reply, Site, page

HOSTS = {"sky.test": "127.33.0.1", "next.test": "127.33.0.2"}
LOG_LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[[\w.]+\] (INFO|WARNING): \S.*")


@dataclass(frozen=True, slots=True)
class Crawled:
    """One crawl and the files of its feeds."""

    run: Run
    jsonl: Path
    table: Path
    agents: frozenset[str]
    """User-Agent headers of its requests."""

    def tool(self, *command: str) -> Run:
        """Another command on the same folder; it must succeed."""
        done = scrapy(*command, "-s", f"CRAWLS_DIR={self.run.folder}", folder=self.run.folder)
        assert done.code == 0, done.err
        return done


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        next_home = f"http://next.test:{running.port}/"
        running.answers["sky.test/"] = page("sky home", ["/1", "/2", "/3", "/copy", "/hidden", "/dull", next_home])
        for number in range(1, 4):
            running.answers[f"sky.test/{number}"] = page(f"star {number}", [f"/{number + 1}"])
        running.answers["sky.test/4"] = page("star 4", ["/5"])
        running.answers["sky.test/copy"] = Reply(200, running.answers["sky.test/1"].body.replace("<ul>", "<ul>\n"))  # type: ignore[union-attr]
        running.answers["sky.test/hidden"] = page("unlisted star", head='<meta name="robots" content="noindex">')
        running.answers["sky.test/dull"] = page("a dull page", on_topic=False)
        running.answers["next.test/"] = page("next", [f"/{number}" for number in range(5)])
        for number in range(5):
            running.answers[f"next.test/{number}"] = page(f"next {number}", head=f"<!-- 中文 {number} -->")
        yield running


@pytest.fixture(scope="module")
def crawled(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    folder = tmp_path_factory.mktemp("results")
    seeds = folder / "sky.txt"
    hidden = site.url("sky.test/hidden")  # a seed, so that it is one of the eight whatever the order of the answers
    seeds.write_text(f"{site.url('sky.test/')}\nnot a url at all\n{hidden}\n")
    jsonl, table = folder / "pages.jsonl", folder / "pages.csv"
    settings = {"CONTACT": "me@example.org"}
    extra = ("-O", str(jsonl), "-O", str(table))
    before = len(site.hits)
    run = crawl(folder, seeds, site.dns, settings, {"keywords": ASTRONOMY, "max_pages": 8}, extra)
    assert run.code == 0, run.err
    return Crawled(run, jsonl, table, frozenset(hit.headers["user-agent"] for hit in site.hits[before:]))


def test_every_event_is_one_clean_line_and_the_summary_is_last(crawled: Crawled) -> None:
    told, _, rest = crawled.run.err.partition("Crawl sky\n")
    first, *log = told.splitlines()
    assert first.startswith("scrapy crawl: ")  # the line of the seed file that was skipped
    assert "line 2" in first
    assert [line for line in log if not LOG_LINE.fullmatch(line)] == []
    assert not [line for line in log if "WARNING" in line]  # a deprecated call would be one
    assert rest.rstrip().endswith("report.html")
    assert "Traceback" not in crawled.run.err
    assert crawled.run.out == ""


def test_contact_is_in_the_user_agent(crawled: Crawled) -> None:
    assert crawled.agents == {"focuscrawl/0.2 (+me@example.org)"}


def test_the_crawl_directory(crawled: Crawled) -> None:
    names = {path.name for path in (crawled.run.folder / "sky").iterdir()}
    assert {"store.sqlite", "report.html", "warc"} <= names
    assert not [name for name in names if name.endswith(".json")]  # the topic is in the store, too
    assert json.loads(crawled.run.topic("sky"))["terms"]


def test_a_worker_that_has_ended_is_shown_with_all_that_it_did(crawled: Crawled) -> None:
    [[stats]], [[closing]] = (crawled.run.rows("sky", f"select stats from {table}") for table in ("worker", "run"))
    counts = json.loads(closing)["counts"]
    assert counts["pages"] == 8
    assert {name: json.loads(stats)[name] for name in counts} == counts


def test_feeds_hold_every_stored_page(crawled: Crawled) -> None:
    rows = lines(crawled.jsonl.read_text())
    assert len(rows) == 8
    assert {"url", "status", "title", "text", "relevance", "relevant", "depth", "parent", "simhash", "digest"} <= set(rows[0])
    with crawled.table.open(newline="") as file:
        assert {row["url"] for row in csv.DictReader(file)} == {row["url"] for row in rows}


def test_tools_read_the_result(crawled: Crawled) -> None:
    everything = lines(crawled.tool("export", "sky", "--format", "jsonl", "--all").out)
    relevant = lines(crawled.tool("export", "sky").out)
    assert len(everything) == 8
    assert {row["url"] for row in relevant} < {row["url"] for row in everything}
    assert not [row for row in relevant if row["duplicate_of"] or not row["relevant"] or row["url"].endswith("/hidden")]
    assert "Fetched at" in crawled.tool("why", relevant[0]["url"]).out
    trace = crawled.tool("trace", relevant[0]["url"]).out
    assert "robots" in trace
    assert "relevance" in trace
    runs = crawled.tool("runs").out
    assert "sky" in runs


def test_our_commands_are_listed(crawled: Crawled) -> None:
    assert crawled.tool("list").out == "topic\n"
    told = scrapy("-h", folder=crawled.run.folder).out
    assert all(f"\n  {name}" in told for name in ("crawl", "demo", "export", "runs", "trace", "why"))


def test_the_same_name_goes_on_and_a_changed_topic_makes_a_new_model(site: Site, tmp_path: Path) -> None:
    seeds = tmp_path / "sky.txt"
    seeds.write_text(site.url("sky.test/"))
    before = len(site.hits)
    first = crawl(tmp_path, seeds, site.dns, arguments={"max_pages": 2})
    assert first.code == 0, first.err
    made = first.topic("sky")
    again = crawl(tmp_path, seeds, site.dns, arguments={"max_pages": 3, "keywords": "river,market,bread"})
    assert again.code == 0, again.err
    assert len(again.stored("sky")) == 5
    assert again.topic("sky") != made
    asked = [hit.host + hit.path for hit in site.hits[before:]]
    assert len(asked) == len(set(asked))  # nothing twice, robots.txt neither
    assert "topic of 3 terms" in again.err
    seeds.write_text(f"{site.url('sky.test/')}\n{site.url('next.test/3')}\n")
    defined = crawl(
        tmp_path, seeds, site.dns, arguments={"max_pages": 1}
    )  # its seeds define it again; one of them is stored already
    assert defined.code == 0, defined.err
    assert "next.test/3" in defined.stored("sky")
    sources = defined.topic("sky")
    assert site.url("sky.test/") in sources
    assert site.url("next.test/3") in sources
