"""Figures of the pages against plain SQL over a store whose rows a bench has made."""

from __future__ import annotations

import time
from typing import Any

import pytest

from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from tests.dashboard.desk import Desk
from tools.bench.dashboard import time_pages
from tools.bench.dashboard_store import NAME, fill

URLS, PAGES = 3_000, 600


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("crawls")
    assert fill(folder, URLS, PAGES)
    assert not fill(folder, URLS, PAGES)
    return Desk(folder)


@pytest.fixture(scope="module")
def db(desk: Desk) -> Database:
    return open_store(desk.crawls_dir / NAME, read_only=True)


def number(db: Database, condition: str, table: str = "page") -> int:
    return int(db.execute(f"select count(*) from {table} where {condition}").fetchone()[0])


def data(desk: Desk, path: str) -> Any:
    return desk.data(f"/c/{NAME}/{path}")


def test_the_run_page_and_the_list_count_the_same(desk: Desk, db: Database) -> None:
    run, [line] = data(desk, ".json"), desk.data("/.json")["crawls"]  # type: ignore[misc]
    waiting = number(db, "state in (0, 1, 2)", "url")
    assert run["waiting"] == line["waiting"] == waiting > 0  # type: ignore[has-type]
    assert run["totals"]["pages"] == line["pages"] == PAGES  # type: ignore[has-type]
    assert sum(run["states"].values()) == URLS == sum(data(desk, "frontier.json")["states"].values())


def test_facets_count_what_their_lists_hold(desk: Desk, db: Database) -> None:
    found = data(desk, "pages.json")["facets"]
    assert found["whats"] == {
        "relevant": number(db, "relevant=1 and original is null and gone<2"),
        "off-topic": number(db, "relevant=0 and gone<2"),
    }
    assert found["kinds"] == {kind: number(db, f"kind='{kind}'") for kind in ("content", "index")}
    assert found["languages"] == {each: number(db, f"language='{each}'") for each in ("zh", "en", "fr", "")}
    news = number(db, "category like 'News / %'", "content")
    assert found["categories"] == {
        name: number(db, f"category='{name}' or category like '{name} / %'", "content") for name in ("News", "Science", "Blog")
    }
    assert len(everything(desk, "category=News")) == news == len(everything(desk, "category=News&order=best"))
    assert everything(desk, "category=Ne_s") == everything(desk, "category=New") == set()
    assert everything(desk, "category=News%20/%20Sport") < everything(desk, "category=News")
    for query, count in (("what=off-topic", found["whats"]["off-topic"]), ("language=fr&order=best", found["languages"]["fr"])):
        assert len(everything(desk, query)) == count


def everything(desk: Desk, query: str) -> set[str]:
    """The addresses of a list, through all of its parts."""
    urls: list[str] = []
    after = ""
    while True:
        found = data(desk, f"pages.json?{query}&after={after}")
        urls += [page["url"] for page in found["pages"]]
        if not (after := found["following"]):
            break
    assert len(urls) == len(set(urls))
    return set(urls)


def test_what_is_due_and_what_changed_are_counted_right(desk: Desk, db: Database) -> None:
    found = data(desk, "freshness.json")
    assert found["all"] == PAGES
    assert found["due"] + sum(row["due"] for row in found["days"]) + found["later"] == PAGES
    assert found["due"] == number(db, f"due_at<{time.time()}", "revisit")
    shown = [cell for week in found["calendar_due"] for cell in week if cell]
    assert [(cell["day"], cell["number"]) for cell in shown] == [(row["day"], row["due"]) for row in found["days"]]
    since = number(db, f"at>={found['changes'][0]['day']}", "change")
    assert sum(count for row in found["changes"] for kind, count in row.items() if kind != "day") == since > 0


def test_a_host_has_its_own_figures(desk: Desk, db: Database) -> None:
    hid, name, pages = db.execute("select hid, name, pages from host order by pages desc, hid limit 1").fetchone()
    [host] = data(desk, f"hosts.json?name={name}")["hosts"]
    assert (host["pages"], host["waiting"]) == (pages, number(db, f"hid={hid} and state in (0, 1, 2)", "url"))
    causes = {(row["state"], row["cause"]): row["count"] for row in host["causes"]}
    assert causes == {
        (state, error): number(db, f"hid={hid} and error='{error}' and state={value}", "url")
        for state, error, value in (
            ("WAIT", "timeout", 2), ("FAILED", "timeout", 9), ("GONE", "http-404", 10), ("DENIED", "robots", 8),
            ("FILTERED", "type", 7),
        ) if number(db, f"hid={hid} and error='{error}' and state={value}", "url")
    }  # fmt: skip


@pytest.mark.system
def test_the_bench_asks_for_every_page(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert time_pages(desk.crawls_dir) > 0
    told = capsys.readouterr().out
    for name in CRAWL_PAGES:
        assert f"/c/{NAME}/{name}" in told
