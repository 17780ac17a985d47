"""What pages show, as HTML and as data; that hostile text stays text; and what is answered when something is wrong."""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES
from focuscrawl.dashboard.views.freshness import calendar
from focuscrawl.inspect.reporting import report_of
from focuscrawl.recrawl.state import DAY
from focuscrawl.search.searching import CrawlSearch
from focuscrawl.store.crawls import crawl_named, open_store
from focuscrawl.store.engines.database import transaction
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.frontier.searches import SearchHitUrl, keep_search
from focuscrawl.store.workers.lifecycle import machine
from focuscrawl.store.workers.runs import keep_conditions
from focuscrawl.url.hosts import uid_of
from focuscrawl.url.key import url_key
from models.topic.vsm import choose
from tests.dashboard.desk import Desk, desk_of, working
from tests.report import sample


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_of(tmp_path, "first")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> float:
    """The wall clock stands still at this moment: what is left is told from it, however long the answer takes."""
    at = time.time()
    monkeypatch.setattr(time, "time", lambda: at)
    return at


QUERIES = {"page": f"?url={sample.PAGES[1][0]}"}


@pytest.mark.parametrize("name", CRAWL_PAGES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_opens_and_no_text_of_the_web_is_code(desk: Desk, name: str, language: str) -> None:
    shown = desk.page(f"/c/first/{name}{QUERIES.get(name, '')}", **{"accept-language": language})
    assert "<script>alert" not in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not re.search(r"<[^>]* (on\w+|style)=", shown)


@pytest.mark.parametrize("name", CRAWL_PAGES)
def test_a_page_is_there_as_data(desk: Desk, name: str) -> None:
    assert desk.data(f"/c/first/{name}.json{QUERIES.get(name, '')}")


@pytest.mark.parametrize("name", CRAWL_PAGES)
def test_a_crawl_that_has_nothing_yet_has_all_pages(tmp_path: Path, name: str) -> None:
    sample.empty_crawl(tmp_path / "empty").close()
    desk = Desk(tmp_path)
    assert desk.client.get(f"/c/empty/{name}{QUERIES.get(name, '')}").status_code == 200
    assert desk.client.get(f"/c/empty/{name}.json{QUERIES.get(name, '')}").status_code == 200


def test_a_page_tells_the_search_that_found_it(desk: Desk, tmp_path: Path) -> None:
    url = "http://found.example/"
    with closing(open_store(tmp_path / "first")) as db, transaction(db):
        hit = SearchHitUrl(DiscoveredUrl(url, 0.4), '[["search", 0.1], ["title", 0.3]]', "<script>alert(1)</script> Comets")
        keep_search(db, "1 comet", "comet", [hit], sample.NOW)
    shown = desk.page(f"/c/first/page?url={url}")
    assert "Found by a search of the web for “comet”, title “&lt;script&gt;alert(1)&lt;/script&gt; Comets”" in shown
    assert "First score, when a search found it" in shown
    chinese = desk.page(f"/c/first/page?url={url}", **{"accept-language": "zh"})
    assert "通过网络搜索找到，搜索词： “comet”" in chinese
    assert "最初得分（搜索找到时）" in chinese


def test_no_path_leads_to_a_seed_to_which_a_page_has_a_refused_link(desk: Desk, tmp_path: Path) -> None:
    hid, uid = url_key(sample.SEED).url_id
    with closing(open_store(tmp_path / "first")) as db, transaction(db):
        sample.insert(db, "refused", hid=hid, uid=uid, page_id=2, rule="nofollow")
    shown = desk.client.get(f"/c/first/page.json?url={sample.SEED}").json()
    assert (shown["parent"], shown["path"]) == (None, [])


def test_all_crawls_are_listed_and_one_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "first", "second")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "store.sqlite").write_bytes(b"no database" * 100)
    lines = {line["name"]: line for line in desk.data("/.json")["crawls"]}  # type: ignore[attr-defined]
    assert list(lines) == ["first", "second", "broken"]
    assert (lines["first"]["state"], lines["first"]["pages"], lines["first"]["relevant"]) == ("idle", 4, 3)
    assert lines["broken"]["state"] == "unreadable"
    assert "cannot be opened" in desk.page("/")


def test_without_crawls_the_first_step_is_offered(tmp_path: Path) -> None:
    assert "There is no crawl yet" in desk_of(tmp_path).page("/")


def test_a_page_that_nobody_changes_is_not_asked_for_again(desk: Desk) -> None:
    assert "every 3s" not in desk.page("/")
    for path in ("/c/first/", "/c/first/?part=whole", *(f"/c/first/?part={part}" for part in ("advice", "course", "rest"))):
        assert 'hx-trigger="every' not in desk.page(path)


def test_a_crawl_that_runs_is_looked_at_again_and_again(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path / "live")
    working(tmp_path / "live")
    desk = Desk(tmp_path)
    assert "every 3s" in desk.page("/")
    assert "every 3s" in desk.page("/c/live/")
    part = desk.page("/c/live/?part=live")
    assert part.lstrip().startswith('<div id="live"')
    assert "1 worker is at work, 90 pages a minute" in part
    assert "<html" not in part


def test_what_changes_more_slowly_is_looked_at_again_too(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path / "live")
    working(tmp_path / "live")
    desk = Desk(tmp_path)
    assert desk.page("/c/live/").count("every 15s") == 1
    for part, text in (("advice", "Is it worth going on?"), ("course", "Is it polite?"), ("rest", "What was not stored")):
        shown = desk.page(f"/c/live/?part={part}")
        assert f'hx-get="/c/live/?part={part}" hx-trigger="every 15s"' in shown
        assert text in shown
        assert "<html" not in shown


def test_progress_towards_a_limit_and_the_time_that_is_left(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path / "live")
    working(tmp_path / "live", arguments='{"max_pages": 200}')
    found = Desk(tmp_path).data("/c/live/.json")["progress"]
    assert found == [{"name": "max_pages", "done": 20, "limit": 200, "left": pytest.approx(120)}]


@pytest.mark.parametrize(
    ("arguments", "name"), [('{"max_requests": 90}', "max_requests"), ('{"mode": "recrawl", "budget": 90}', "budget")]
)
def test_progress_towards_a_number_of_requests(tmp_path: Path, now: float, arguments: str, name: str) -> None:
    sample.sample_crawl(tmp_path / "live")
    working(tmp_path / "live", arguments=arguments)
    desk = Desk(tmp_path)
    found = desk.data("/c/live/.json")["progress"]
    assert found == [{"name": name, "done": 30, "limit": 90, "left": pytest.approx(120)}]
    assert "30 / 90" in desk.page("/c/live/?part=live")
    with closing(open_store(tmp_path / "live")) as db:  # it ends
        db.execute("update run set ended_at=?, reason=?, stats=?", (now, name, '{"counts": {"requests": 90}}'))
        db.execute("update worker set state='gone'")
    desk.dashboard.stores.cache.forget()
    if name == "max_requests":
        assert desk.data("/c/live/.json")["progress"] == [{"name": name, "done": 90, "limit": 90, "left": None}]


def test_what_is_left_goes_by_the_pace_of_the_worker_whose_limit_it_is(tmp_path: Path, now: float) -> None:
    sample.sample_crawl(tmp_path / "live")
    working(tmp_path / "live", arguments='{"max_pages": 200}')
    with closing(open_store(tmp_path / "live")) as db:
        sample.insert(db, "run", id=2, started_at=now - 30, arguments='{"max_relevant": 21, "minutes": 1}')
        sample.insert(
            db, "worker", id=2, run=2, machine="elsewhere", process_id=2, process_started=0.0, beat_at=now + 1,
            state="live", stats='{"pages": 10, "relevant": 1, "duplicates": 0, "pages_per_minute": 600.0}',
        )  # fmt: skip
    desk = Desk(tmp_path)
    found = desk.data("/c/live/.json")
    assert found["per_minute"] == 690.0
    assert found["progress"] == [
        {"name": "max_relevant", "done": 1, "limit": 21, "left": pytest.approx(20)},
        {"name": "minutes", "done": pytest.approx(30), "limit": 60, "left": pytest.approx(30)},
    ]
    with closing(open_store(tmp_path / "live")) as db:  # it is killed, and the other worker goes on
        db.execute("update worker set state='dead', beat_at=? where id=2", (now - 20,))
    desk.dashboard.stores.cache.forget()
    found = desk.data("/c/live/.json")
    assert (found["state"], found["per_minute"], found["run"]["seconds"]) == ("running", 90.0, pytest.approx(10))  # type: ignore[index]
    assert [(row["name"], row["left"]) for row in found["progress"]] == [("max_relevant", None), ("minutes", None)]  # type: ignore[attr-defined]
    assert found["progress"][1]["done"] == pytest.approx(10)  # type: ignore[index]


def test_a_run_that_crashed_is_no_longer_counted_on(tmp_path: Path, now: float) -> None:
    """Neither while nobody has noticed that its process is gone, nor a year later."""
    sample.sample_crawl(tmp_path / "first", started_at=now - 400)
    with closing(open_store(tmp_path / "first")) as db:
        db.execute("update run set ended_at=null, reason=null, stats='{}'")
        sample.insert(
            db, "worker", id=1, run=1, machine=machine(), process_id=os.getpid(), process_started=1.0,
            beat_at=now - 10, state="live", stats='{"pages": 4, "relevant": 3, "duplicates": 1}',
        )  # fmt: skip
    desk = Desk(tmp_path)
    for back in (0.0, 365 * DAY):
        with closing(open_store(tmp_path / "first")) as db:
            db.execute("update run set started_at=started_at-?", (back,))
            db.execute("update worker set beat_at=beat_at-?", (back,))
        desk.dashboard.stores.cache.forget()
        [run] = desk.data("/c/first/settings.json")["runs"]  # type: ignore[misc]
        assert (run["running"], run["seconds"], run["pages"]) == (False, pytest.approx(390), 4)  # type: ignore[has-type]
        [line] = desk.data("/.json")["crawls"]  # type: ignore[misc]
        assert (line["state"], line["run"]["seconds"], line["run"]["pages"]) == ("crashed", run["seconds"], 4)  # type: ignore[has-type]


def test_errors_in_the_log_of_a_run_are_told_while_it_runs_and_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "first"
    desk, told = desk_of(tmp_path, "first"), "5 errors are in the log"
    assert "in the log" not in desk.page("/c/first/")
    sample.change(folder, "update run set stats=?", '{"log_count/ERROR": 4, "log_count/CRITICAL": 1, "log_count/INFO": 7}')
    assert told in Desk(tmp_path).page("/c/first/")
    assert "日志中有 5 条错误。" in Desk(tmp_path).page("/c/first/", **{"accept-language": "zh"})
    working(folder)
    assert "in the log" not in Desk(tmp_path).page("/c/first/")
    sample.change(folder, "update worker set stats=?", '{"logged_errors": 5}')
    assert told in Desk(tmp_path).page("/c/first/")
    sample.change(folder, "insert into meta values('conditions of run 1', ?)", '{"settings": {"LOG_FILE": "logs/a.log"}}')
    assert f"{told}: logs/a.log" in Desk(tmp_path).page("/c/first/")


def test_pages_that_are_gone_are_in_no_tile_and_no_line_of_the_list(desk: Desk) -> None:
    with closing(open_store(desk.crawls_dir / "first")) as db:
        db.execute("update page set gone=3 where page_id in (3, 4)")  # a copy and a page off topic
    totals, [line] = desk.data("/c/first/.json")["totals"], desk.data("/.json")["crawls"]  # type: ignore[misc]
    assert [totals[name] for name in ("pages", "relevant", "duplicates", "harvest_rate")] == [2, 2, 0, 1.0]  # type: ignore[index]
    assert [line[name] for name in ("pages", "relevant", "harvest_rate")] == [2, 2, 1.0]  # type: ignore[has-type]
    assert "<dt>pages</dt><dd>2</dd>" in desk.page("/c/first/")
    hosts = {host["name"]: host for host in desk.data("/c/first/hosts.json")["hosts"]}  # type: ignore[attr-defined]
    assert [sum(host[name] for host in hosts.values()) for name in ("pages", "relevant", "duplicates")] == [2, 2, 0]
    assert hosts["blog.example.org"]["pages"] == 0


def test_what_was_not_stored_is_told_with_advice(desk: Desk) -> None:
    found = desk.data("/c/first/.json")
    causes = {row["cause"]: row["count"] for row in found["causes"]}  # type: ignore[attr-defined]
    assert causes == {"timeout": 1, "http-404": 1, "robots": 1}
    assert "Show it" in desk.page("/c/first/")
    whole = desk.page("/c/first/?part=whole", **{"accept-language": "zh"})
    assert "服务器未及时应答" in whole
    assert "离今天太远的日历页" in whole


def test_an_unknown_crawl_is_named_with_the_nearest(desk: Desk) -> None:
    answer = desk.client.get("/c/frist/")
    assert answer.status_code == 404
    assert "did you mean &#39;first&#39;" in answer.text
    assert desk.client.get("/c/frist/.json").json()["error"].endswith("did you mean 'first'?")


@pytest.mark.parametrize(
    "path", ["/nothing", "/c/first/nothing", "/static/../app.py", "/static/nothing.js", "/c/..%2f..%2fetc/"]
)
def test_what_is_not_there_is_said(desk: Desk, path: str) -> None:
    assert desk.client.get(path).status_code == 404


def test_a_crawl_has_its_pages_below_a_slash(desk: Desk) -> None:
    assert desk.client.get("/c/first").headers["location"] == "/c/first/"


def listed(desk: Desk, query: str) -> list[str]:
    found = desk.data(f"/c/first/pages.json{query}")
    return [page["title"] for page in found["pages"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("", ["Off topic", "=SUM(A1)", sample.HOSTILE, "News"]),
        ("?order=best", [sample.HOSTILE, "=SUM(A1)", "News", "Off topic"]),
        ("?what=relevant", [sample.HOSTILE, "News"]),
        ("?what=off-topic", ["Off topic"]),
        ("?what=duplicate", ["=SUM(A1)"]),
        ("?what=gone", []),
        ("?language=zh", ["=SUM(A1)", sample.HOSTILE]),
        ("?language=-", []),
        ("?host=blog.example.org", ["Off topic"]),
        ("?kind=index", []),
        ("?band=0.6", [sample.HOSTILE]),
        ("?band=0.0", ["Off topic", "News"]),
        ("?changed=yes", []),
        ("?after=0.0~3", [sample.HOSTILE, "News"]),
        ("?order=best&after=0.58~3", ["News", "Off topic"]),
    ],
)
def test_pages_are_chosen_by_what_they_are(desk: Desk, query: str, titles: list[str]) -> None:
    assert listed(desk, query) == titles


@pytest.mark.parametrize(
    "query",
    ["what=x", "kind=x", "order=x", "after=x", "after=1~x", "after=nan~1", "after=inf~1", "band=0.3", "changed=no"],
)
def test_what_is_no_choice_is_said(desk: Desk, query: str) -> None:
    assert desk.client.get(f"/c/first/pages?{query}").status_code == 400


def test_facets_count_what_there_is(desk: Desk) -> None:
    found = desk.data("/c/first/pages.json")["facets"]
    assert found == {
        "whats": {"relevant": 2, "duplicate": 1, "off-topic": 1}, "languages": {"en": 2, "zh": 2}, "kinds": {"content": 4},
            "categories": {}, "bands": {"0.6": 1, "0.4": 1, "0.0": 2}, "changed": 0,
        "hosts": {"news.example.com": 3, "blog.example.org": 1}, "cut": False,
    }  # fmt: skip


def test_a_search_without_an_index_says_how_to_make_one(desk: Desk) -> None:
    assert "scrapy search first --refresh" in desk.page("/c/first/pages")
    answer = desk.client.get("/c/first/pages?words=x")
    assert answer.status_code == 400
    assert not (desk.crawls_dir / "first" / "search").exists()


def test_what_pages_say_is_searched_for_in_both_languages(desk: Desk) -> None:
    with closing(CrawlSearch(crawl_named(desk.crawls_dir, "first"))):
        pass
    [first, *_] = desk.data("/c/first/pages.json?words=正文")["pages"]  # type: ignore[misc]
    assert first["url"].startswith("http://")  # type: ignore[has-type]
    assert "<mark>正文</mark>" in desk.page("/c/first/pages?words=正文")
    assert desk.data("/c/first/pages.json?words=elephant")["pages"] == []


def test_a_page_says_why_and_how_it_was_found(desk: Desk) -> None:
    found = desk.data(f"/c/first/page.json?url={sample.PAGES[1][0]}")
    assert found["answer"] == "fetched"
    assert [step["url"] for step in found["path"]] == [sample.SEED]  # type: ignore[attr-defined]
    [score] = found["scores"]  # type: ignore[misc]
    assert [(bar["words"], bar["value"]) for bar in score["bars"]] == [  # type: ignore[has-type]
        ("its URL", 0.3), ("its anchor", 0.25),
    ]  # fmt: skip
    assert score["score"] == 0.55  # type: ignore[has-type]
    shown = desk.page(f"/c/first/page?url={sample.PAGES[1][0]}")
    assert "Fetched mainly because the words of its URL are about the topic and its anchor is about the topic." in shown
    assert 'title="the words in the URL itself">its URL</th>' in shown
    assert "main text 正文" in shown
    assert "&lt;script&gt;" in shown


def test_a_url_that_was_not_fetched_has_a_page_too(desk: Desk) -> None:
    assert desk.data(f"/c/first/page.json?url={sample.WAITING}")["answer"] == "waiting"
    assert desk.data(f"/c/first/page.json?url={sample.REFUSED}")["answer"] == "refused"
    assert desk.data("/c/first/page.json?url=http://nowhere.test/")["answer"] == "never seen"


def test_a_page_and_its_copy_can_be_set_side_by_side(desk: Desk) -> None:
    url = sample.PAGES[2][0]
    [original] = desk.data(f"/c/first/page.json?url={url}")["alike"]  # type: ignore[misc]
    assert (original["page_id"], original["is_original"]) == (2, True)  # type: ignore[has-type]
    assert "The texts are the same" in desk.page(f"/c/first/page?url={url}&beside=2")
    assert desk.client.get(f"/c/first/page?url={url}&beside=99").status_code == 400


def test_a_former_version_is_compared_with_what_came_after_it(desk: Desk) -> None:
    db = open_store(desk.crawls_dir / "first")
    sample.insert(
        db, "version", page_id=1, number=1, read_at=1.0, replaced_at=2.0, title="Old <b>", text=zlib.compress(b"former text"),
        distance=9, words_added=1, words_gone=2, links_added="[]", links_gone="[]",
    )  # fmt: skip
    db.execute("insert into revisit(hid, uid, signature_digest) select hid, uid, digest from page where page_id=1")
    db.close()
    shown = desk.page(f"/c/first/page?url={sample.SEED}&version=1")
    assert "<del>former" in shown
    assert "Old &lt;b&gt;" in shown
    assert desk.client.get(f"/c/first/page?url={sample.SEED}&version=2").status_code == 400


@pytest.mark.parametrize("url", ["", "mailto:x@y.test", "word"])
def test_what_is_no_address_is_said(desk: Desk, url: str) -> None:
    assert desk.client.get("/c/first/page", params={"url": url}).status_code == 400


def test_a_host_shows_the_rules_that_hold_and_what_was_refused(desk: Desk) -> None:
    [host] = desk.data("/c/first/hosts.json?name=news.example.com")["hosts"]  # type: ignore[misc]
    assert host["rules"] == ["Disallow: /private/"]  # type: ignore[has-type]
    assert [(row["cause"], row["count"]) for row in host["causes"]] == [("robots", 1)]  # type: ignore[has-type]
    shown = desk.page("/c/first/hosts?name=news.example.com")
    assert "its rules are kept" in shown
    assert shown.partition("first URL found</th><td>")[2].startswith("2026-09-21")


def test_hosts_are_ordered_and_chosen_by_a_part_of_their_name(desk: Desk) -> None:
    def names(query: str) -> list[str]:
        return [host["name"] for host in desk.data(f"/c/first/hosts.json{query}")["hosts"]]  # type: ignore[attr-defined]

    assert names("") == ["news.example.com", "blog.example.org", "down.example.net"]
    assert names("?text=EXAMPLE.o") == ["blog.example.org"]
    assert names("?text=%25") == []
    assert names("?after=0~1~3~http://blog.example.org") == ["down.example.net"]
    places = ("after=x", "after=1~1~x~http://a.test", "after=1~nan~1~http://a.test", "after=1~a.test")
    for query in ("order=x", *places, "name=x.test"):
        assert desk.client.get(f"/c/first/hosts?{query}").status_code == 400


def test_workers_are_listed_with_what_each_has_stored(desk: Desk) -> None:
    working(desk.crawls_dir / "first")
    [row] = desk.data("/c/first/workers.json")["workers"]  # type: ignore[misc]
    assert (row["state"], row["pages"], row["per_minute"]) == ("live", 20, 90.0)  # type: ignore[has-type]
    assert "every 3s" in desk.page("/c/first/workers")


def test_why_a_topic_has_its_threshold_is_told_in_chinese(desk: Desk) -> None:
    with closing(open_store(desk.crawls_dir / "first")) as db:
        chosen = choose(held_out=[], noise=[0.01], made_up=[0.07])
        content = {"threshold": {"value": chosen.value, "explanation": chosen.explanation}}
        body = zlib.compress(json.dumps(content).encode())
        db.execute("delete from model where name='topic'")
        sample.insert(db, "model", name="topic", version=1, at=1.0, worker=1, body=body)
    assert "0.049：为主题构造的页面的相似度中位数" in desk.page("/c/first/topic", **{"accept-language": "zh"})


def test_words_of_the_user_are_shown_as_they_were_given(desk: Desk) -> None:
    with closing(open_store(desk.crawls_dir / "first")) as db:
        content = {"evidence": {"negative_terms": ["hobbi"]}, "terms": [{"term": "hobbi", "weight": -0.4}]}
        db.execute("delete from model where name='topic'")
        body = zlib.compress(json.dumps(content).encode())
        sample.insert(db, "model", name="topic", version=1, at=1.0, worker=1, body=body)
        topic = {"name": "sky", "negative_terms": ["hobby"]}
        set_meta(db, "job", json.dumps({"seeds": [], "topic": topic, "scope": {}, "arguments": {}}))
    [shown] = desk.data("/c/first/topic.json")["topics"]  # type: ignore[misc]
    assert (shown["negative_terms"], shown["terms"][0]["term"]) == (["hobby"], "hobby")  # type: ignore[has-type]


def test_the_topic_shows_where_pages_lie(desk: Desk) -> None:
    found = desk.data("/c/first/topic.json")
    bins = {row["from"]: (row["relevant"], row["other"]) for row in found["spread"] if row["relevant"] + row["other"]}  # type: ignore[attr-defined]
    assert bins == {0.1: (1, 0), 0.6: (1, 0), 0.55: (1, 0), 0.0: (0, 1)}
    assert found["threshold"] == 0.1


def test_changes_since_a_time(desk: Desk) -> None:
    db = open_store(desk.crawls_dir / "first")
    sample.insert(
        db, "change", id=1, at=time.time() - 60, run=1, kind="new", hid=sample.hid(sample.SEED), uid=uid_of(sample.SEED),
        page_id=1, url=sample.SEED,
    )  # fmt: skip
    db.close()
    assert desk.data("/c/first/changes.json?since=1h")["counts"] == {"new": 1, "changed": 0, "gone": 0, "suspect": 0}
    assert sample.SEED in desk.page("/c/first/changes?since=1h")
    assert desk.client.get("/c/first/changes?since=soon").status_code == 400


def test_each_run_shows_what_it_began_with(desk: Desk) -> None:
    db = open_store(desk.crawls_dir / "first")
    job = {"topic": "sky", "keywords": ["star", "<b>"], "seeds": [f"http://a.test/{n}" for n in range(9)]}
    keep_conditions(db, 1, {"settings": {"POLITENESS_DELAY": "7"}, "job": [job]})
    sample.insert(db, "run", id=2, started_at=sample.NOW + 90, arguments='{"max_pages": 5}')
    db.close()
    assert "They were not kept" in desk.page("/c/first/settings")
    assert desk.data("/c/first/settings.json")["arguments"] == {"max_pages": 5}
    found = desk.data("/c/first/settings.json?run=1")
    assert (found["arguments"], found["conditions"]["settings"]) == ({"seeds": "s.txt"}, {"POLITENESS_DELAY": "7"})  # type: ignore[index]
    shown = desk.page("/c/first/settings?run=1")
    assert "POLITENESS_DELAY" in shown
    assert "star, &lt;b&gt;" in shown
    assert "<summary>9</summary>" in shown
    assert desk.client.get("/c/first/settings?run=9").status_code == 400
    assert "POLITENESS_DELAY" in report_of(crawl_named(desk.crawls_dir, "first"), 1)


def test_what_is_due_is_counted_by_day(desk: Desk, now: float) -> None:
    db = open_store(desk.crawls_dir / "first")
    for page_id, due in ((1, now - 10), (2, now + 3 * 86_400), (3, now + 90 * 86_400)):
        db.execute(
            "insert into revisit(hid, uid, signature_digest, due_at) select hid, uid, digest, ? from page where page_id=?",
            (due, page_id),
        )
    db.close()
    found = desk.data("/c/first/freshness.json")
    assert (found["all"], found["due"], found["later"]) == (3, 1, 1)
    assert sum(row["due"] for row in found["days"]) == 1  # type: ignore[attr-defined]


def test_a_site_is_shown_as_a_tree(desk: Desk) -> None:
    tree = desk.data("/c/first/graph.json?site=example.com")["tree"]
    assert (tree["pages"], len(tree["listed"]), len(tree["dots"])) == (3, 3, 3)  # type: ignore[index]
    shown = desk.page("/c/first/graph?site=example.com")
    assert shown.count("<circle") == 3
    assert "&lt;script&gt;alert(1)" in shown
    assert "graph?site=example.com" in desk.page("/c/first/graph?part=rest")
    assert desk.client.get("/c/first/graph?site=nowhere.test").status_code == 400


def test_a_calendar_has_weeks_from_monday_to_sunday() -> None:
    thursday = 20_419 * DAY  # 2025-11-27
    weeks = calendar([(thursday + DAY * day, number) for day, number in enumerate((0, 1, 2, 3, 4, 0))])
    assert [[cell and (cell["number"], cell["shade"]) for cell in week] for week in weeks] == [
        [None, None, None, (0, 0), (1, 1), (2, 2), (3, 3)],
        [(4, 4), (0, 0), None, None, None, None, None],
    ]
    assert calendar([]) == []


def test_the_shape_is_asked_for_on_its_own(desk: Desk) -> None:
    assert "Bow tie" not in desk.page("/c/first/graph")
    assert "<svg" in desk.page("/c/first/graph?part=rest")
    assert desk.data("/c/first/graph.json")["shape"]["pages"] == 4  # type: ignore[index]
