"""What the report has of each page that it lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.report import html
from focuscrawl.report.listed import BEGINNING, listed_details
from focuscrawl.report.summary import summarize
from focuscrawl.url.hosts import uid_of
from tests.report import sample

URL = "http://news.example.com/search/a.html"


def test_a_listed_page_has_its_reason_the_beginning_of_its_text_and_its_score(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = sample.empty_crawl(tmp_path)
    sample.add_page(
        db, 9, "http://news.example.com/9", "T", 0.7, 1, 1, None, "zh", at=sample.NOW, text="正文\n" + 500 * "字<b>\x1b"
    )
    found = listed_details(db, "c", [URL, "http://news.example.com/9", "http://nowhere.example/"])
    page = html.render(summarize(db, "c", str(tmp_path), sample.NOW + 9), language="zh")
    db.close()
    assert found[URL].beginning == "main text 正文"
    assert found["http://news.example.com/9"].beginning.startswith("正文 字<b>")
    assert len(found["http://news.example.com/9"].beginning) < BEGINNING
    assert found["http://nowhere.example/"].beginning == ""
    assert "字&lt;b&gt;" in page
    assert "正文与得分" in page


def test_parts_that_add_nothing_are_left_out(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = sample.empty_crawl(tmp_path)
    url = sample.WAITING
    db.execute(
        'update url set priority_parts=\'[["LinkScore",0.3],["learned",-0.0001],["exploration",0.2]]\' where uid=?',
        (uid_of(url),),
    )
    first, last = listed_details(db, "c", [url])[url].scores
    db.close()
    assert [row.words for row in first.rows] == ["its URL", "its anchor"]
    assert [(row.words, row.value) for row in last.rows] == [
        ("the page and the words together", 0.3), ("to get to know the place", 0.2),
    ]  # fmt: skip
    assert last.score == pytest.approx(0.4999)
