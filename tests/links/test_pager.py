from __future__ import annotations

import pytest

from focuscrawl.items import Link
from focuscrawl.links.extract import links_of
from focuscrawl.links.pager import further_pages
from focuscrawl.text.document import parse

COUNTED = """
var currentPage = 1;//所在页从0开始
var nextPage = currentPage+1//下一页
var countPage = 4//共多少页
if(currentPage!=0) document.write("<a href=\\"index"+"_" + prevPage + "."+"htm\\">上一页</a>&nbsp;");
"""


@pytest.mark.parametrize(
    ("script", "pages"),
    [
        ('createPageHTML(4, 0, "index", "html");', "index_1.html index_2.html index_3.html"),
        ('createPageHTML(4,2,"index","html")', "index_3.html index_1.html"),
        ("createPageHTML('5', '3', 't20240513_1234567', 'htm')", "t20240513_1234567_4.htm t20240513_1234567_2.htm"),
        ('createPageHTML(4, 3, "list", "shtml");', "list_2.shtml"),
        ("createPageHTML('page_div',3, 1,'index','shtml',52);", "index_2.shtml index_3.shtml"),
        ("createPageHTML('page_div',3, 3,'index','shtml',52);", "index_2.shtml"),
        ("Pager({size:3, current:0, prefix:'index',suffix:'html'});", "index_1.html index_2.html"),
        (COUNTED, "index_2.htm index_3.htm"),
        ('createPageHTML(1, 0, "index", "html");', ""),
        ('createPageHTML(4, 9, "index", "html");', ""),
        ("function createPageHTML(_nPageCount, _nCurrIndex, _sPageName, _sPageExt){ if(_nPageCount<=1) return; }", ""),
        ("var countPage = 4; var currentPage = 1;", ""),
    ],
)
def test_the_pages_that_a_script_counts(script: str, pages: str) -> None:
    assert " ".join(address for address, _ in further_pages(script)) == pages


def test_of_many_pages_the_next_ones_are_named() -> None:
    names = [f"index_{number}.html" for number in (*range(21, 31), 19)]
    assert [address for address, _ in further_pages('createPageHTML(400, 20, "index", "html")')] == names


def test_further_pages_are_links_with_the_numbers_that_people_see() -> None:
    page = "<p><a href=index_1.html>下一页</a></p><div class=page><script>createPageHTML(3, 0, 'index', 'html');</script></div>"
    found = links_of(parse(page), "http://www.example.gov.cn/zwgk/tlgh/").links
    assert found == [
        Link("http://www.example.gov.cn/zwgk/tlgh/index_1.html", "下一页", "下一页", "body/p/a"),
        Link("http://www.example.gov.cn/zwgk/tlgh/index_2.html", "3", "3", "body/div.page/script"),
    ]


@pytest.mark.parametrize(
    "markup",
    [
        "<div class='infinite-scroll-trigger' data-next-url='/blog/page/2/' data-container='#posts'></div>",
        "<ul id=posts data-next='/blog/page/2/'><li>Soil</ul>",
        "<button class='btn load-more' type=button data-url='/blog/page/2/'>Load more posts</button>",
        "<a href='javascript:;' class=LoadMore data-href='http://www.example.org/blog/page/2/'>More</a>",
    ],
)
def test_the_next_page_of_an_endless_list_is_a_link(markup: str) -> None:
    (link,) = links_of(parse(markup), "http://www.example.org/blog/").links
    assert (link.url, link.anchor, link.rel) == ("http://www.example.org/blog/page/2/", "", ("next",))


@pytest.mark.parametrize(
    "markup",
    [
        "<div class=carousel data-next='Next slide' data-next-page=2 data-next-url='#slide2'></div>",
        "<button class=load-more data-url='/wp-admin/admin-ajax.php' data-page=2>Load more</button>",
        "<div class=video data-url='/watch/2'></div>",
    ],
)
def test_what_else_scripts_read_is_no_link(markup: str) -> None:
    assert links_of(parse(markup), "http://www.example.org/blog/").links == []
