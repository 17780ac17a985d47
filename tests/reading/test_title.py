from __future__ import annotations

import pytest

from focuscrawl.reading.title import title_above

PROSE = "They puff. " * 30


@pytest.mark.parametrize(
    "line",
    [
        "March 3, 2024", "Friday, 3 March 2024", "2024-03-01 10:12", "Posted: 3/12/2024", "发布时间：2024年3月1日",
        "2024年3月1日 星期五 8时30分", "Posted on March 3, 2024", "Last updated 3 March 2024", "Fri, 3 March 2024, 10:12 am",
        "更新于2024-03-01", "日期：2024年3月1日", "2024-03-01 10:12 来源：新华网 作者：林小满",
        "发布时间：2024-03-01 浏览次数：12", "责任编辑：林小满", "文章来源：新华网", "Written by Ada Birch", "By Ada Birch",
        "Author: Ada Birch", "作者：林小满", "您现在的位置：首页 > 正文", "Home | News",
        "首页 › 新闻 › 正文", "Untitled Document",
    ],
)  # fmt: skip
def test_dates_bylines_and_menus_are_no_title(line: str) -> None:
    anchors = {"Home", "News", "首页", "新闻"}
    assert title_above(f"{line}\nSteam engines\n{PROSE}", anchors) == "Steam engines"
    assert title_above(f"{line}\n{PROSE}", anchors) == ""


@pytest.mark.parametrize(
    "line",
    [
        "By the river", "Report of 3 March 2024", "2024年3月1日的列车", "Ds::get", "News: the year", "AC/DC", "作者的位置",
        "Engines | News", "Source code", "Minutes: March 3, 2024", "会议纪要：2024年3月1日",
        "Day 2: 10:15 to 11:15, 3 March 2024", "10 Marvels", "Yesterday", "今天",
    ],
)  # fmt: skip
def test_titles_that_have_a_date_or_a_link(line: str) -> None:
    assert title_above(f"{line}\nSteam engines\n{PROSE}", {"Ds", "News"}) == line


def test_text_is_no_title() -> None:
    assert title_above(PROSE, ()) == title_above(f"{PROSE}\nSteam engines", ()) == title_above("", ()) == ""
