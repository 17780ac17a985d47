from __future__ import annotations

import pytest

from focuscrawl.links.page_kind import block_length, file_name, is_serial, page_kind
from focuscrawl.reading.page import read_page
from tests.links.labelled import labelled

PROSE = "word " * 30


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://a/", ""),
        ("http://a/b/", ""),
        ("http://a/b/index.html", ""),
        ("http://a/default.aspx?x=1", ""),
        ("http://a/list_12.html", ""),
        ("http://a/list_12_3.html", ""),
        ("http://a/page/3/", ""),
        ("http://a/archives/2019/", ""),
        ("http://a/b/C.html?x=/y", "c"),
        ("http://a/pages/20427d78/", "20427d78"),
        ("http://a/2019/06/14/intranet-kms/", "intranet-kms"),
        ("http://a/%E4%B8%BB.html", "主"),
    ],
)
def test_file_name(url: str, name: str) -> None:
    assert file_name(url) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [("12345", True), ("t20240105_12345", True), ("617807d7", True), ("content_98765", True), ("2019", False),
     ("being-polite", False), ("decade", False), ("defaced", False), ("ch06", False), ("", False)],
)  # fmt: skip
def test_serial_numbers(name: str, expected: bool) -> None:
    assert is_serial(name) is expected


@pytest.mark.parametrize(
    ("url", "text", "headings", "kind"),
    [
        ("http://a/", PROSE, ["H"], "index"),
        ("http://a/12345.html", "", [], "content"),
        ("http://a/view.php?tid=12345", "", [], "content"),
        ("http://a/name.html", PROSE, [], "content"),
        ("http://a/name.html", "short\nblocks", [], "index"),
        ("http://a/name.html", "Heading\n" + "word " * 12, ["Heading"], "content"),
        ("http://a/name.html", "word " * 12 + "\nHeading", ["Heading"], "index"),
        ("http://a/name.html", "Heading\nwords", ["Heading"], "index"),
        ("http://a/name.html", "", ["Heading"], "index"),
    ],
)
def test_algorithm_1(url: str, text: str, headings: list[str], kind: str) -> None:
    assert page_kind(url, text, headings) == kind


def test_lines_that_are_links_count_for_the_list() -> None:
    names = [f"Function{number}" for number in range(40)]
    described = "\n".join(f"{name} — {'does something useful ' * 3}" for name in names)
    assert page_kind("http://a/ref.html", f"Functions\n{described}", ["Functions"], names) == "index"
    assert page_kind("http://a/ref.html", f"Functions\n{described}", ["Functions"]) == "content"
    numbered = "\n".join(f"{number}.2. {name}" for number, name in enumerate(names))
    assert page_kind("http://a/toc.html", f"{numbered}\n{PROSE}", [], names) == "index"


@pytest.mark.parametrize(
    "row",
    [
        "2024-03-05{}",
        "{}2024-03-05",
        "[03-05] {}",
        "{}（2024年3月5日）",
        "· 2024/3/5 {}",
        "{} 2024.03.05 08:30",
        "{}【3月5 日】",
        "【2024 年 3 月 5 日】{}",
        "03 - 05 {}",
        "{} ２０２４-０３-０５",
    ],
)
def test_a_date_beside_a_link_is_no_text(row: str) -> None:
    """Lists of Chinese sites at `/index_2.html` or `/list.aspx?cid=3` were taken for content pages for their dates."""
    titles = [f"{name}关于做好本年度数据库建设工作的通知" for name in "甲乙丙丁戊己庚辛"]
    text = "通知公告\n" + "\n".join(map(row.format, titles))
    assert page_kind("http://a/tzgg/index_2.html", text, ["通知公告"], titles) == "index"
    assert page_kind("http://a/tzgg/index_2.html", text, ["通知公告"]) == "content"


def test_a_number_in_the_query_names_a_page_where_the_path_names_none() -> None:
    """An article with a list of related ones at `/index.php?id=123` was an index page."""
    related = [f"Related story {number}" for number in range(20)]
    text = "\n".join([PROSE * 2, *related])
    kinds = [page_kind(f"http://a/{query}", text, [], related) for query in ("index.php?a=show&catid=7&id=123", "?p=4567")]
    assert kinds == ["content", "content"]
    assert page_kind("http://a/index.php?a=lists&catid=123", text, [], related) == "index"


def test_prose_that_begins_with_a_link_is_no_link() -> None:
    assert page_kind("http://a/name.html", f"Python {PROSE}\nPython {PROSE}", [], ["Python"]) == "content"


def test_what_is_left_of_an_alphabetical_index_is_no_text() -> None:
    letters, names = " | ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), [f"function{number}" for number in range(200)]
    assert page_kind("http://a/genindex.html", f"Index\n{letters}\n{letters}", ["Index"], names) == "index"


TITLES = [f"How to build a steam engine, part {number}" for number in range(5)]
TEASER = "The boiler of an engine is the part in which water is made into steam, and so it has to be stro"


def test_titles_with_teasers_are_a_list_whatever_its_address() -> None:
    author, column = "http://a/u/f2049592df40", "http://a/columns/12345"
    teasers = [f"{title}\n{TEASER}{end}" for title, end in zip(TITLES, ["...", "…", "", "...", " […]"], strict=True)]
    text = "\n".join(teasers)
    assert page_kind(author, f"Ada Birch\n{text}", ["Ada Birch"], TITLES) == "index"
    assert page_kind(column, text.replace("\nThe", "\n2024-03-05\nThe"), [], TITLES) == "index"
    assert page_kind(author, f"{text}\n{PROSE * 5}", [], TITLES) == "content"
    assert page_kind(author, "\n".join(teasers[:3]), [], TITLES) == "content"
    assert page_kind(author, text, [], TITLES, 0, TITLES) == "content"  # sections of the page, with links to themselves
    assert page_kind(author, text, [], TITLES, 200) == "content"  # functions with links to their descriptions, in code
    starts = [title.removesuffix(f", part {number}") for number, title in enumerate(TITLES)]
    assert page_kind(author, text, [], starts) == "content"  # lines that begin with a link
    whole = "\n".join(f"{title}\n{TEASER}ng." for title in TITLES)
    assert page_kind(author, whole, [], TITLES) == "content"  # a page that describes what it leads to
    replies = "\n".join(f"Ada {number} 2024-03-0{number + 1} 10:00\n{TEASER}" for number in range(5))
    assert page_kind(column, replies, [], [f"Ada {number}" for number in range(5)]) == "content"


@pytest.mark.parametrize("between", ["", " ", " | "])
def test_links_side_by_side_count_for_the_list(between: str) -> None:
    """The tiles below two sentences of welcome made the page a post."""
    row, welcome = between.join([*TITLES, "Valves"]), f"Engines\n{PROSE * 2}"
    assert page_kind("http://a/engines/", f"{welcome}\n{row}", ["Engines"], [*TITLES, "Valves"]) == "index"
    assert page_kind("http://a/engines/", f"{welcome}\n{row}", ["Engines"], TITLES[1:]) == "content"


def test_a_paragraph_that_begins_with_many_links_is_text() -> None:
    """The tags or chapters at the beginning of a paragraph made it a link, with all that follows."""
    tags = [f"Engine {name}" for name in "ABCDEFGHIJKL"]
    text = f"Engines\n{' | '.join(tags)} — {PROSE * 4}"
    assert page_kind("http://a/engines/on-steam.html", text, ["Engines"], tags) == "content"
    assert page_kind("http://a/engines/on-steam.html", "\n".join([text, " | ".join(tags * 9)]), ["Engines"], tags) == "index"


@pytest.mark.parametrize(
    ("below", "kind"),
    [
        ("Fixes the display of the boiler, adds a valve to the tender and makes the whistle faster", "content"),
        ("- fix: the boiler is not shown beside the tender in a narrow window by @ada in #122", "content"),
        ("Birch A. On the boiler. Journal of Railway History. 2019;12:32-39", "content"),
        (
            "Mends the valve. Thanks to Ada for the report and\nTrains are late twice. See the manual for how to limit",
            "content",
        ),
        ("修复锅炉在窄轨车厢的明细页面中无法正常显示的问题", "content"),
        ("The boiler is the part in which water is made into steam. So it has to be stro", "index"),
        ("Posted on 3 March by Ada Birch in Engines and Boilers\nThe boiler makes steam. So it has to be stro", "index"),
        ("锅炉是把水变成蒸汽的那个部分。所以它必须非常坚固而且", "index"),
        ("锅炉是把水变成蒸汽的那个部分，所以它必须非常坚固……", "index"),
    ],
)
def test_titles_with_phrases_are_no_list(below: str, kind: str) -> None:
    """Changes of releases, references and the like have no full stop, and yet they do not break off."""
    text = "\n".join(f"{title}\n{below}" for title in TITLES)
    assert page_kind("http://a/project/changelog.html", f"Changelog\n{text}", ["Changelog"], TITLES) == kind


def test_lines_of_a_card_that_is_a_link_count_for_the_list() -> None:
    card = f"News {TITLES[0]} {TEASER}"
    assert page_kind("http://a/tag/hash-58596/", f"Engines\n{TEASER}", ["Engines"], [card]) == "index"
    assert page_kind("http://a/post/hash-58596/", f"Engines\n{TEASER}\n{PROSE * 3}", ["Engines"], [card]) == "content"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://a/howto/index.html", "content"),
        ("http://a/howto/pretty-address/", "content"),
        ("http://a/", "index"),
        ("http://a/tags/crawler/", "index"),
        ("http://a/howto/page-2", "index"),
    ],
)
def test_a_chapter_that_names_no_file_is_read_unless_it_is_a_list(url: str, kind: str) -> None:
    assert page_kind(url, "\n".join([PROSE * 2] * 6), [], ["home"]) == kind
    assert page_kind(url, PROSE * 2, [], ["home"]) == "index"


def test_a_short_post_whose_address_ends_in_a_slash_is_content_unless_it_leads_on() -> None:
    post = f"On steam engines\n{PROSE}\n{PROSE}"
    assert page_kind("http://a/on-steam-engines/", post, ["On steam engines"], ["home"]) == "content"
    assert page_kind("http://a/on-steam-engines/", post, ["Engines"], ["home"]) == "index"
    assert page_kind("http://a/on-steam-engines/", f"{post}\nBoilers", ["On steam engines"], ["Boilers"]) == "index"
    assert page_kind("http://a/tags/engines/", post, ["On steam engines"], ["home"]) == "index"
    assert page_kind("http://a/", post, ["On steam engines"], ["home"]) == "index"


def test_one_pre_is_one_block() -> None:
    lines = "".join(f"     option{number}  takes a value\n" for number in range(30))
    page = f"<title>tool(1)</title><body><pre>TOOL(1)\n\nNAME\n     tool - does it\n{lines}</pre>".encode()
    assert read_page(page, "text/html", "http://a/tool.1.html").kind == "content"
    assert read_page(page.replace(b"pre>", b"div>"), "text/html", "http://a/index.html").kind == "index"


def test_a_han_character_says_as_much_as_three_letters() -> None:
    assert block_length("主题a") == 7


def test_accuracy_on_the_labelled_sample() -> None:
    pages = list(labelled())
    right = [read_page(html.encode(), "text/html", url).kind == kind for url, html, kind in pages]
    assert len(pages) == 64
    assert sum(right) / len(right) >= 0.95
