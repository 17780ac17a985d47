"""The summary, as facts, as sentences, for a terminal and as the report file."""

from __future__ import annotations

import io
import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from importlib import resources
from pathlib import Path

import pytest

from focuscrawl import __version__
from focuscrawl.frontier.states import State
from focuscrawl.report import html
from focuscrawl.report.charts.hindsight import Hindsight
from focuscrawl.report.charts.histogram import bars, frame, histogram, rows
from focuscrawl.report.summary import RunEnd, Summary, summarize
from focuscrawl.report.summary_in_words import in_words
from focuscrawl.report.table import Table, show
from focuscrawl.report.terminal import TROUBLED_HOSTS, closing, hosts_table
from focuscrawl.report.translation import Language
from focuscrawl.store.engines.sqlite import connect
from tests.report import sample
from tests.report.checker import Checker

ENGLISH_WORDS = re.compile(r"[a-z]{3,} [a-z]{2,}")


def summary_of(directory: Path, **options: object) -> Summary:
    db = connect(directory / "store.sqlite", read_only=True)
    try:
        return summarize(db, "demo", str(directory), sample.NOW + 100, **options)  # type: ignore[arg-type]
    finally:
        db.close()


@pytest.fixture
def summary(tmp_path: Path) -> Summary:
    sample.sample_crawl(tmp_path)
    return summary_of(tmp_path, settings={"POLITENESS_DELAY": "0"})


@pytest.fixture
def nothing(tmp_path: Path) -> Summary:
    sample.empty_crawl(tmp_path).close()
    return summary_of(tmp_path)


def text_of(summary: Summary) -> str:
    return "\n".join(part.text() if isinstance(part, Table) else part for part in closing(summary, "/x/report.html"))


def test_the_facts(summary: Summary) -> None:
    assert (summary.requests, summary.seconds, summary.runs) == (9, 60.0, 1)
    assert summary.pages_per_second == pytest.approx(4 / 60)
    assert [point.rate for point in summary.curve] == [1.0, 1.0, 1.0, 0.75]
    assert {"Python", "scrapy"} <= set(summary.versions)
    assert summary.versions["focuscrawl"] == __version__  # also where the project is not installed as a package


def test_in_words(summary: Summary) -> None:
    words = " ".join(in_words(summary))
    assert "the wanted number of pages was reached" in words
    assert "3 pages of 4 are relevant: a harvest rate of 75 %." in words
    assert "1 page repeats others (1 exactly)" in words


def test_the_closing_summary(summary: Summary) -> None:
    text = text_of(summary)
    for piece in ("75 %", "http://news.example.com", "robots.txt forbids it", "DOWNLOAD_TIMEOUT", "/x/report.html", "calendar"):
        assert piece in text


def test_the_closing_summary_in_chinese(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = sample.empty_crawl(tmp_path)
    why = "1 page was stored, as many as were asked for"
    sample.insert(db, "run", id=2, started_at=sample.NOW + 1, ended_at=sample.NOW + 2, reason="max_pages", why=why)
    db.close()
    out = io.StringIO()
    summary = replace(summary_of(tmp_path), refused={"nofollow": 4, "duplicate": 1})
    show(closing(summary, "/x/report.html", Language("zh")), out)
    lines = out.getvalue().splitlines()
    assert lines[:4] == [
        "任务 demo", "停止原因      已按要求存下 1 页", "已存页面      4（本次运行 0）", "相关          3（不含重复 2）",
    ]  # fmt: skip
    assert {"主要主机", "未能存下", "报告：/x/report.html"} <= {*lines}
    [refused] = [line for line in lines if line.startswith("未跟踪的链接，最常见的：")]
    assert "（4）；" in refused
    assert "; " not in refused
    assert [line for line in lines if ENGLISH_WORDS.search(re.sub(r"`[^`]*`|http\S+", "", line))] == []


def test_report_and_closing_summary_count_the_same_requests(tmp_path: Path) -> None:
    db = sample.empty_crawl(tmp_path)
    sample.add_host(db, "http://found.example", 9, 9)
    sample.add_host(db, "http://no-address.example", 0, 0)
    stats = '{"downloader/request_count": 10}'
    sample.insert(db, "run", id=1, started_at=sample.NOW, reason="empty", ended_at=sample.NOW + 1, stats=stats)
    db.close()
    summary = summary_of(tmp_path)
    assert (summary.totals.requests, summary.all_requests) == (13, 10)
    assert "<dd>13</dd>" not in html.render(summary)
    assert re.search(r"requests +10\b", text_of(summary))


def test_the_closing_hosts_are_those_that_brought_something(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = sample.empty_crawl(tmp_path)
    sample.add_host(db, "http://never-asked.example", 0, 0)
    sample.add_host(db, "http://xn--fiq228c37oz8d.example", 1, 1)
    for number in range(TROUBLED_HOSTS):
        sample.add_host(db, f"http://no{number}.example", 0, 0)
        sample.add_url(db, f"http://no{number}.example/", State.FAILED, error="dns")
    db.execute("update host set duplicates=0")
    db.close()
    table = hosts_table(summary_of(tmp_path), 9)
    assert [column.title for column in table.columns] == ["host", "pages", "relevant", "waiting", ""]
    assert [row[0] for row in table.rows] == [
        "http://news.example.com", "http://中文网站.example", "http://blog.example.org",
        "http://down.example.net", "http://no0.example", "http://no1.example",
    ]  # fmt: skip


def test_the_report_says_whether_to_go_on_and_what_breadth_first_would_have_found(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    page = html.render(summary_of(tmp_path, terms=["恒星", "<b>"], hindsight=Hindsight((1, 2), (0.5, 1.0), (0.5, 1.5))))
    assert "Is it worth going on?" in page
    assert "恒星, &lt;b&gt;." in page
    assert "Breadth-first would have found 1 to 2 relevant pages among 2 pages" in page
    assert page.count('class="band"') == 2


def test_the_report_lists_arguments_as_they_were_typed(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = connect(tmp_path / "store.sqlite")
    db.execute("update run set arguments=?", (json.dumps({"keywords": ["railway", "铁路"], "max_pages": 30}),))
    db.close()
    page = html.render(summary_of(tmp_path))
    assert "<code>keywords</code></th><td>railway, 铁路</td>" in page
    assert "<code>max_pages</code></th><td>30</td>" in page


def test_a_store_without_pages_has_a_summary(nothing: Summary) -> None:
    assert in_words(nothing) == ["No page was stored."]
    assert "no run so far" in text_of(nothing)
    assert "No page was stored" in html.render(nothing)


def test_pages_in_other_languages_than_the_topic_asks_for_are_counted(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    sample.change(tmp_path, "update page set relevance=0, relevant=0 where language='en'")
    said = "Passed over for their language: 2 pages (en 2); the topic asks for zh,"
    said += " and `languages` in its topic file can name more."
    assert said in in_words(summary_of(tmp_path, languages={"": ("zh",)}))
    assert said in text_of(summary_of(tmp_path, languages={"": ("zh",)}))
    assert not [line for line in in_words(summary_of(tmp_path, languages={"": ("en", "fr")})) if line.startswith("Passed")]


def test_why_nothing_was_stored_is_said(tmp_path: Path) -> None:
    db = sample.empty_crawl(tmp_path)
    sample.insert(db, "run", id=1, started_at=sample.NOW, reason="empty", ended_at=sample.NOW + 1)
    sample.add_host(db, "http://down.example.net", 0, 0)
    sample.add_url(db, sample.RETRIED, State.FAILED, kind=1, error="dns")
    db.close()
    assert "mostly because there is no such host: its name has no address. Advice: check its spelling" in text_of(
        summary_of(tmp_path)
    )


def test_a_run_without_an_end(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    sample.change(tmp_path, "update run set ended_at=null, reason=null")
    crashed = summary_of(tmp_path)
    assert crashed.seconds == 4.0
    assert "broken off" in in_words(crashed)[0]
    db = connect(tmp_path / "store.sqlite")
    values = {"machine": "m", "process_id": 1, "process_started": 1.0, "beat_at": sample.NOW + 99, "state": "live"}
    sample.insert(db, "worker", id=9, run=1, **values)
    db.close()
    running = summary_of(tmp_path)
    assert (running.seconds, in_words(running)[0]) == (100.0, "The run is going on.")
    told = summary_of(tmp_path, run=1, end=RunEnd("minutes"))
    assert told.run is not None
    assert told.seconds == 100.0
    assert "the time was up" in in_words(told)[0]


def test_a_fading_focus_is_told(tmp_path: Path) -> None:
    db = sample.empty_crawl(tmp_path)
    for page_id in range(1, 601):
        good = int(page_id <= 400)
        sample.add_page(db, page_id, f"http://a.example/{page_id}", "T", 0.5, good, 0, None, "en", at=sample.NOW + page_id)
    db.close()
    assert "Of the last 200 pages 0 % are relevant, poorer than in the first half (100 %)." in in_words(summary_of(tmp_path))


def test_the_report_is_one_safe_file(summary: Summary, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    html.write(summary, path)
    page = path.read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(page)
    assert checker.loads == ["script"]
    [script] = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    assert script == html.template("report.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page
    assert checker.open == []
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    for piece in ("中文标题", "POLITENESS_DELAY", "robots.txt forbids it", "<svg", "polyline", "s.txt"):
        assert piece in page
    assert [left.name for left in tmp_path.glob(".report*")] == []


def test_the_spread_of_relevance_and_its_threshold(summary: Summary) -> None:
    spread = summary.spread
    assert spread is not None
    assert rows(spread) == [(0.0, 0, 1), (0.1, 1, 0), (0.55, 1, 0), (0.6, 1, 0)]
    assert (spread.threshold, spread.above, spread.near) == (0.1, 3, 1)
    assert [bar.whole for bar in bars(spread, frame(spread))] == [154.0] * 4


def test_a_page_of_all_relevance_stands_in_the_last_bin(tmp_path: Path) -> None:
    db = sample.empty_crawl(tmp_path)
    assert histogram(db) is None
    sample.add_page(db, 1, "http://a.example/", "T", 1.0, 1, 0, None, "en", at=sample.NOW)
    found = histogram(db)
    db.close()
    assert found is not None
    assert rows(found) == [(0.95, 1, 0)]


def test_each_listed_page_says_why_and_columns_of_zeros_are_left_out(summary: Summary) -> None:
    page = html.render(summary)
    assert "Fetched first because it is a seed." in page
    hosts = page[page.index('id="hosts"') :]
    assert '<th scope="col" class="n">waiting</th>' in hosts
    assert '<th scope="col" class="n">errors</th>' not in hosts
    for name in re.findall('<li><a href="#([a-z]+)">', page):
        assert f'id="{name}"' in page


def test_the_templates_name_no_address() -> None:
    folder = resources.files("focuscrawl.report") / "templates"
    for file in folder.iterdir():
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"https?:|//[a-z]|@import|url\(", text), file.name


def test_only_web_addresses_become_links(summary: Summary, tmp_path: Path) -> None:
    sample.change(tmp_path, "update page set url='javascript:alert(1)' where page_id=2")
    page = html.render(summary_of(tmp_path))
    assert 'href="#"' in page
    assert 'href="javascript' not in page
