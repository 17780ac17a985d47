"""What is no text by its words: calls to readers, imprints, credits of pictures."""

from __future__ import annotations

import pytest

from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text
from tests.linear_time import linear
from tests.text.pages import PROSE, text


@pytest.mark.parametrize(
    "line",
    [
        "<p><strong>READ MORE: <a href=/1>Ships of the year</a></strong></p>",
        "<p>Read also: <a href=/1>Ships of the year</a></p>",
        "<p>推荐阅读：<a href=/1>一年的船</a><br><a href=/2>另一年的船</a></p>",
        "<div>Advertisement</div>",
        "<p>Story continues below advertisement</p>",
        "<p>Share this article</p>",
        "<div>Previous message: <a href=/1>Re: Ships of the year</a></div>",
        "<div>Next: <a href=/1>Ships of the year</a></div>",
        "<div>上一篇：<a href=/1>一年的船</a></div>",
        "<div><a href=/1>下一章：一年的船</a></div>",
        "<div>打开APP阅读全文</div>",
        "<div>打开新浪新闻客户端 查看更多</div>",
        "<div>分享至好友和朋友圈</div>",
        "<p>责任编辑：张三</p>",
        "<p>（编辑：张三丰、李四）</p>",
        "<p>【責編：張三】</p>",
    ],
)
def test_lines_that_lead_away_are_no_text(line: str) -> None:
    assert text(f"<main><p>{PROSE * 3}</p>{line}<p>{PROSE * 2}</p></main>") == [(PROSE * 3).strip(), (PROSE * 2).strip()]


@pytest.mark.parametrize(
    "line",
    [
        "<p>Read more: the <a href=/1>manual</a> has all options</p>",
        "<p>See also: <a href=/1>Options</a></p>",
        "<p>More information: <a href=/1>Options</a></p>",
        "<p>Author: <a href=/1>Ada Birch</a></p>",
        "<p>Next: a look at <a href=/1>all ships</a></p>",
        "<h2>Advertisement</h2>",
        "<ul><li>广告</li></ul>",
        "<p>打开微信客户端，点设置。</p>",
        "<p>下载APP安装后注册</p>",
        "<p>编辑：修改文字</p>",
        "<p>责任编辑：张三说，这件事还没有完。</p>",
        "<p>责任编辑制度</p>",
        "<p>分享经济的三个问题，以及它们为什么到今天还没有答案</p>",
    ],
)
def test_lines_that_say_something_stay(line: str) -> None:
    assert len(text(f"<main><p>{PROSE * 3}</p>{line}<p>{PROSE * 2}</p></main>")) == 3


@pytest.mark.parametrize(
    "line",
    [
        "<p>© 2026 The Harbour Post. All rights reserved.</p>",
        "<p>Copyright (c) 2019-2026 Harbour Post Ltd, registered in England as number 1234567, at Whitby</p>",
        "<div>The Harbour Post 2026. All Rights Reserved.</div>",
        "<p>版权所有：青石县人民医院 地址：青石县人民路88号 电话：0712-1234567</p>",
        "<p>主办单位：江城市财政局 鄂ICP备12345678号-1 鄂公网安备 42011102000001号</p>",
    ],
)
def test_the_imprint_below_the_text_is_none_of_it(line: str) -> None:
    assert text(f"<main><p>{PROSE * 3}</p>{line}<p>Top</p></main>") == [(PROSE * 3).strip(), "Top"]
    assert len(text(f"<main><p>{PROSE * 3}</p>{line}<p>{PROSE}</p></main>")) == 3, "as in a licence"
    assert text(f"<div><p>{PROSE * 3}</p></div><div>{line * 2}</div>") == [(PROSE * 3).strip()]


def test_what_only_names_rights_is_no_imprint() -> None:
    for line in (
        "Copyright is a right of those who write.",
        "版权法保护作者。",
        "版权所有者可以许可他人使用。",
        "ICP备案需要20天。",
        "All rights of way are reserved.",
    ):
        assert len(text(f"<main><p>{PROSE * 3}</p><p>{line}</p></main>")) == 2


def test_chinese_without_a_comma_or_full_stop_does_not_hold_its_column() -> None:
    prose = "主题爬虫只抓取与主题有关的网页，其余的都放在一边。它尽量少打扰别人的主机。"
    column = "<p>地址：江城市经济开发区青石路18号慢车产业园3号楼 邮编：430000 电话：027-12345678</p>"
    assert text(f"<div><div>{column}</div><div><h1>爬虫</h1><p>{prose * 3}</p></div></div>") == ["爬虫", prose * 3]
    assert len(text(f"<div><div><p>{prose}</p></div><div><h1>爬虫</h1><p>{prose * 3}</p></div></div>")) == 3


@pytest.mark.parametrize(
    "line",
    [
        "Foto: Kay Nietfeld/dpa",
        "(Bild: Jay Sansone)",
        "© Socrates Tassos / FUNKE Foto Services",
        "Photo by Ada Birch / The Gazette",
        "(Image credit: Best Buy)",
        "Crédit photo : KB / Bondy Blog",
        "Photograph courtesy of the River Museum",
        "Fotos: privat, Archiv der Stadt",
        "图片来源：视觉中国",
        "摄影：张三",
        "摄影：新华社记者李四、王五",
    ],
)
def test_a_line_that_says_whose_a_picture_is_is_no_text(line: str) -> None:
    assert (
        text(f"<main><p>{PROSE * 3}</p><figure><figcaption>{line}</figcaption></figure><p>{PROSE * 3}</p></main>")
        == [(PROSE * 3).strip()] * 2
    )


@pytest.mark.parametrize(
    "line",
    [
        "Foto: Ein Mann steht am Fenster",
        "Photos of trains",
        "Photo: the slow train leaves",
        "Image: ",
        "Bilder",
        "图：工作人员在检查设备",
        "摄影：他在山顶拍下日出，那是春天。",
        "摄影：支持夜景模式和人像模式",
        "Credits: ten for the course",
        "Credits: 3",
        "Image: 2048 × 1536",
    ],
)
def test_a_line_that_says_what_a_picture_shows_is_text(line: str) -> None:
    assert line.strip() in text(f"<main><p>{PROSE * 3}</p><p>{line}</p><p>{PROSE * 3}</p></main>")


@pytest.mark.parametrize(
    "lines",
    [
        ["导演：王家卫", "编剧：王家卫", "摄影：杜可风", "剪辑：张叔平"],
        ["摄影：杜可风", "导演：王家卫", "剪辑：张叔平"],
        ["Text: TXT, EPUB", "Images: JPEG, PNG", "Video: MP4, MOV"],
    ],
)
def test_a_credit_in_a_list_of_lines_with_labels_is_text(lines: list[str]) -> None:
    paragraphs = "".join(f"<p>{line}</p>" for line in lines)
    assert text(f"<main><p>{PROSE * 3}</p>{paragraphs}<p>{PROSE * 3}</p></main>")[1:-1] == lines


@pytest.mark.parametrize(
    "box",
    [
        "<p>Foto: Ada Birch</p><p>Foto: Bo Ash</p><p>Foto: Cy Elm</p>",
        "<p>Text: Ada Birch</p><p>Foto: Bo Ash</p>",
        "<div><p>Foto: Bo Ash</p></div><p>Text: Ada Birch</p><p>Grafik: Cy Elm</p>",
    ],
)
def test_credits_beside_each_other_are_no_such_list(box: str) -> None:
    assert not any("Foto" in line for line in text(f"<main><p>{PROSE * 3}</p>{box}<p>{PROSE * 3}</p></main>"))


def test_credits_are_read_in_linear_time() -> None:
    page = parse(f"<main><p>{PROSE * 3}</p>{'<p>Foto: Ada Birch</p>' * 40_000}</main>")
    with linear():
        fast_text(page)
