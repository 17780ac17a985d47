from __future__ import annotations

import pytest

from focuscrawl.items import Link
from focuscrawl.links.extract import MAX_LINKS, PageLinks, links_of
from focuscrawl.text.document import parse
from tests.linear_time import linear

PAGE = "http://www.example.com/dir/page.html"


def found(markup: str, charset: str = "utf-8") -> PageLinks:
    return links_of(parse(markup), PAGE, charset)


def links(markup: str, charset: str = "utf-8") -> list[Link]:
    return found(markup, charset).links


def urls(markup: str, charset: str = "utf-8") -> list[str]:
    return [link.url for link in links(markup, charset)]


def test_a_link_with_everything() -> None:
    (link,) = links("<div class=m><p>See <a href='../a%7Eb?x=1#f' rel='NoFollow ugc'>the page</a> now</p></div>")
    assert link == Link(
        "http://www.example.com/a~b?x=1", "the page", "See the page now", "body/div.m/p/a", ("nofollow", "ugc"), True
    )


def test_every_kind_of_link_in_document_order() -> None:
    markup = (
        "<a href=a.html>a</a><map><area href=b.html alt=b></map><iframe src=c.html title=c></iframe>"
        "<a name=here>no</a><link rel=stylesheet href=no.html><img src=no.png><form action=no.cgi></form>"
    )
    assert [(link.url[-6:], link.anchor) for link in links(markup)] == [("a.html", "a"), ("b.html", "b"), ("c.html", "c")]


def test_the_next_and_the_previous_page_that_the_head_names() -> None:
    """Lists whose pages are turned by a script name the next one nowhere else."""
    head = "<link rel=Prev href=1.html><link rel='prefetch next' href=3.html title='Page 3'><link rel=alternate href=no.html>"
    assert links(f"<head>{head}</head><p><a href=1.html rel=nofollow>one</a><p><a href=x.html>x</a>") == [
        Link("http://www.example.com/dir/1.html", "one", "one", "body/p/a", ("nofollow",)),
        Link("http://www.example.com/dir/x.html", "x", "x", "body/p/a"),
        Link("http://www.example.com/dir/3.html", "Page 3", "Page 3", "head/link", ("prefetch", "next")),
    ]
    assert links("<link rel=next href=#top><link rel=next href='page.html'><link rel=next href='mailto:a@b'>") == []
    assert len(links("".join(f"<link rel=next href={n}.html>" for n in range(50)))) == 10


@pytest.mark.parametrize("named", ["http://www.example.com/stable/dir/page.html", "http://example.com/dir/page.html"])
def test_the_address_that_the_page_names_as_its_own_if_it_is_that_of_another_version_or_of_its_host(named: str) -> None:
    assert links(f"<link rel=canonical href={named}><p>text") == [Link(named, position="head/link", rel=("canonical",))]
    linked = "<link rel=canonical href=/new><p><a href=/new rel=nofollow>new</a>"
    assert links(linked) == [Link("http://www.example.com/new", "new", "new", "body/p/a", ("canonical",))]
    assert links("<link rel=canonical href=page.html>") == []
    assert links("<link rel=canonical href=/dir/other.html>") == []
    assert links("<link rel=canonical href=/page.html>") == []
    assert links("<link rel=canonical href=page.html?id=5>") == []
    assert links("<link rel=canonical href=http://b.example.com/page.html>") == []


@pytest.mark.parametrize(
    ("markup", "named"),
    [
        ("<link rel=canonical href='/q/5#top'>", "http://www.example.com/q/5"),
        ("<link rel=canonical href=HTTP://B.example.com/q/5>", "http://b.example.com/q/5"),
        ("<base href=/><link rel=canonical href=dir/page.html>", "http://www.example.com/dir/page.html"),
        ("<base href=/><link rel=canonical href='#'>", ""),
        ("<link rel=canonical href=javascript:x>", ""),
        ("", ""),
    ],
)
def test_the_address_that_a_page_names_as_its_own_is_normal(markup: str, named: str) -> None:
    assert found(markup).canonical == named


@pytest.mark.parametrize(
    ("attributes", "rel"),
    [
        ("type=text/calendar", ("file",)),
        ("type='application/rss+xml; charset=utf-8' rel=nofollow", ("nofollow", "file")),
        ("download=smith.ris", ("file",)),
        ("download=smith.pdf", ()),
        ("download=notes.txt", ()),
        ("download", ()),
        ("type=text/html", ()),
        ("type=application/pdf", ()),
    ],
)
def test_links_that_say_that_they_lead_to_a_file(attributes: str, rel: tuple[str, ...]) -> None:
    (link,) = links(f"<a href=/x {attributes}>x</a>")
    assert link.rel == rel
    (link,) = links(f"<a href=/x {attributes}>x</a> <a href=/x>x</a>")
    assert link.rel == ()


@pytest.mark.parametrize(
    ("markup", "anchor"),
    [
        ("""<li onclick="location.href='/x'">Steam engine""", "Steam engine"),
        ("""<table><tr onclick="window.location = '/x'"><td>Steam engine</table>""", "Steam engine"),
        ("""<input type=button value=More name=b onclick="location.assign(&quot;/x&quot;)">""", "More"),
        ("""<a href="#" onclick="window.open('/x','_blank');return false">Steam engine</a>""", "Steam engine"),
        ("""<a href="javascript:void(0)" onclick="location='/x'">Steam engine</a>""", "Steam engine"),
        ("""<a href="JavaScript:window.open('/x')">Steam engine</a>""", "Steam engine"),
        ("""<a href="Javascript:window.open('/x')">Steam engine</a>""", "Steam engine"),
        ("""<li class=":" onClick="location.href='/x'">Steam engine""", "Steam engine"),
        ("<a href=# onclick=openDoc('../x.htm');return>Steam engine</a>", "Steam engine"),
        ("""<a href="javascript:popWindow('/x.htm', 600, 400)">Steam engine</a>""", "Steam engine"),
        ("""<a onclick="showPage(&quot;/x.htm&quot;)">Steam engine</a>""", "Steam engine"),
        ("<table><tr class=clickable-row data-href=/x><td>Steam engine</table>", "Steam engine"),
        ("<div role=link tabindex=0 data-href=../x>Steam engine</div>", "Steam engine"),
        ("<select onchange='location=this.value'><option value=''>Choose<option value=/x>Engines</select>", "Engines"),
        ("<select onchange=MM_jumpMenu('parent',this,0)><optgroup><option value=http://www.example.com/x>Ours", "Ours"),
    ],
)
def test_where_a_click_or_a_choice_leads_by_a_script(markup: str, anchor: str) -> None:
    found = [(link.url.removesuffix(".htm"), link.anchor) for link in links(markup)]
    assert found == [("http://www.example.com/x", anchor)]


@pytest.mark.parametrize(
    "markup",
    [
        """<button onclick="if (confirm('Sure?')) location.href='/x'">Delete</button>""",
        """<a href="#" onclick="return window.confirm ('Sure?') && window.open('/x')">Delete</a>""",
        """<button onclick="location.href='/x?id=' + id">Go</button>""",
        """<button onclick="go('/x')">Go</button>""",
        """<button onclick="go('/x.html')">Go</button>""",
        """<a href="#" onclick="go('12', 'x')">Go</a>""",
        """<a href="#" onclick="remove('/x.php?id=1')">Delete</a>""",
        """<a href="#" onclick="if (confirm('Sure?')) openDoc('/x.php?id=1')">Delete</a>""",
        """<a href="#" onclick="openDoc('/x.html#' + part)">Open</a>""",
        """<a href="#top" onclick="toggle('menu.html')">Open</a>""",
        """<button onclick="location.reload()">Again</button>""",
        "<select name=unit><option value=/x>per hour</select>",
        "<select onchange='location=this.value'><option value=x>word<option value='#a'>x<option value='mailto:x'>x</select>",
        "<div data-href=/x>history</div>",
        "<div class=fb-like data-href=/x></div>",
        "<ul><li data-href='/page/{n}'>a template<li data-href=/x data-confirm='Sure?'>Delete<li data-href='#a'>here</ul>",
        "<link rel=alternate hreflang=de href=/x>",
    ],
)
def test_what_leads_nowhere_that_is_said(markup: str) -> None:
    assert urls(markup) == []


def test_a_link_stays_as_it_is_where_a_click_beside_it_leads_there_too() -> None:
    card = """<div onclick="location.href='/x'">Much text <a href=/x>The engine</a></div>"""
    assert [(link.url, link.anchor) for link in links(card)] == [("http://www.example.com/x", "The engine")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "rest", ["word " * 2_000_000, "<img alt=''>" * 80_000, "onclick" * 1_250_000], ids=["text", "images", "nothing that leads"]
)
def test_clicks_on_elements_that_lie_in_each_other_do_not_take_long(rest: str) -> None:
    around = "".join(f"<div onclick=\"location='/{number}'\">" for number in range(290))
    document = parse(around + rest)
    with linear():
        assert len(links_of(document, PAGE).links) == 290


def test_the_images_of_what_is_clicked_name_it() -> None:
    row = """<table><tr onclick="location='/x'"><td><img alt=Steam><td><b><img alt=engine></b></table>"""
    assert [(link.url, link.anchor) for link in links(row)] == [("http://www.example.com/x", "Steam engine")]


def test_frames_of_a_frameset() -> None:
    frames = "<frameset><frame src=menu.html name=menu><frame src=/main.html></frameset>"
    assert urls(frames) == ["http://www.example.com/dir/menu.html", "http://www.example.com/main.html"]


def test_base_and_refresh() -> None:
    page = "<base href='/other/'><base href='/no/'><meta http-equiv=refresh content='0; url=next.html'><a href=x.html>x</a>"
    first, second = links(page)
    assert (first.url, first.position) == ("http://www.example.com/other/next.html", "meta")
    assert second.url == "http://www.example.com/other/x.html"


@pytest.mark.parametrize("base", ["ftp://x.test/", "mailto:a@x.test"])
def test_beside_a_base_of_another_scheme_only_whole_addresses_lead_anywhere(base: str) -> None:
    markup = f"<base href='{base}'><a href=x.html>x</a><a href=/y>y</a><a href=//b.test/>b</a><a href=http://a.test/z>z</a>"
    assert urls(markup) == ["http://a.test/z"]


@pytest.mark.parametrize(
    "script",
    [
        'window.location.href = "main.html";',
        "location='main.html'",
        "top.location.replace( 'main.html' )",
        "self.location.assign('main.html')",
        r'location.href = "\/dir\/main.html"',
    ],
)
def test_a_page_without_links_leads_where_its_script_sends_browsers(script: str) -> None:
    (link,) = links(f"<script>{script}</script>")
    assert (link.url, link.position) == ("http://www.example.com/dir/main.html", "meta")
    assert urls(f"<script>function go() {{ {script} }}</script><a href=x>x</a>") == ["http://www.example.com/dir/x"]


@pytest.mark.parametrize(
    "script", ["location.href = '/a?id=' + id", "location.href = target", "var location_of = 'x'", "if (location == '/') a()"]
)
def test_what_a_script_works_out_is_not_known(script: str) -> None:
    assert urls(f"<script>{script}</script>") == []


def test_a_base_within_a_drawing_is_none() -> None:
    assert urls("<svg><base href=/no/></svg><base href=/other/><a href=x>x</a>") == ["http://www.example.com/other/x"]


@pytest.mark.parametrize("base", ["javascript:1", "http://", "data:text/html,x"])
def test_a_bad_base_is_ignored(base: str) -> None:
    assert urls(f"<base href='{base}'><a href=x.html>x</a>") == ["http://www.example.com/dir/x.html"]


def test_repeated_links_are_one_with_all_their_words() -> None:
    (link,) = links("<a href=x.html><img></a> <p><a href=x.html#a>first words</a></p> <a href=X.html>no</a>".replace("X", "./x")
                    + "<a href=/dir/x.html>first</a>")  # fmt: skip
    assert link.anchor == "first words no"


def test_schemes_are_written_in_any_case() -> None:
    assert urls("<a href='HTTP://B.Test/x'>x</a><a href='Https://b.test/'>x</a>") == ["http://b.test/x", "https://b.test/"]


def test_other_schemes_are_ignored_and_counted() -> None:
    schemes = (
        "mailto:a@b",
        "javascript:void(0)",
        "data:text/html,x",
        "tel:1",
        "about:blank",
        "blob:http://x/1",
        "ws://x/",
        " JavaScript:x",
    )
    page = found("".join(f"<a href='{scheme}'>x</a>" for scheme in schemes) + "<a href='#top'>x</a><a href=''>x</a>")
    assert (page.links, page.bad) == ([], 0)


def test_links_to_the_page_itself_are_left_out() -> None:
    page = found("<a href=page.html#part>x</a>")
    assert (page.links, page.bad) == ([], 0)


def test_impossible_addresses_are_counted() -> None:
    page = found("<a href='http://'>x</a><a href='http://a:99999/'>x</a><a href='http://exa mple/'>x</a>")
    assert (page.links, page.bad) == ([], 3)


def test_queries_go_out_in_the_charset_of_the_page() -> None:
    assert urls("<a href='/s?q=中'>x</a>", "gb18030") == ["http://www.example.com/s?q=%D6%D0"]


def test_in_site_by_the_mark_of_the_host() -> None:
    page = "<a href='http://news.example.com/'>a</a><a href='http://example.org/'>b</a><a href='http://other.net/'>c</a>"
    assert [link.in_site for link in links(page)] == [True, True, False]


def test_the_number_of_links_is_capped_and_the_rest_counted() -> None:
    page = found("".join(f"<a href=/{number}>x</a>" for number in range(MAX_LINKS + 500)))
    assert (len(page.links), page.capped) == (MAX_LINKS, 500)


def test_one_paragraph_with_all_links_takes_linear_time() -> None:
    page = "<p>" + "".join(f"<a href=/{number}>word {number}</a> between " for number in range(1_900)) + "</p>"
    last = links(page)[-1]
    assert "word 1898" in last.context
    assert last.context.endswith("word 1899 between")


FEED = "<link rel=alternate type=application/rss+xml href='{}' title='{}'>"


@pytest.mark.parametrize(
    ("page", "address", "title", "feed"),
    [
        ("http://www.example.com/x/", "/feed", "", "http://www.example.com/feed"),
        ("http://www.example.com/x/", "http://news.example.com/rss", "", "http://news.example.com/rss"),
        ("http://www.example.com/x/", "https://feeds.example.org/rss", "", ""),
        ("http://www.example.com/x/", "/comments/feed/", "", ""),
        ("http://www.example.com/x/", "/x/feed/", "Site » X Comments Feed", ""),
        ("http://www.example.com/x/", "/x/feed/", "文章评论", ""),
        ("http://www.example.com/tag/x/", "/tag/x/feed/", "", "http://www.example.com/tag/x/feed/"),
        ("http://www.example.com/2026/05/01/title/", "/2026/05/01/title/feed/", "", ""),
        ("http://www.example.com/x/", "mailto:x@example.com", "", ""),
    ],
)
def test_feeds_of_the_site(page: str, address: str, title: str, feed: str) -> None:
    assert links_of(parse(FEED.format(address, title)), page).feeds == ([feed] if feed else [])


def test_at_most_five_feeds() -> None:
    markup = "".join(FEED.format(f"/{number // 2}", "") for number in range(40))
    assert found(markup).feeds == [f"http://www.example.com/{number}" for number in range(5)]


@pytest.mark.parametrize(
    ("first", "second", "rel"),
    [
        ("nofollow", "", ()),
        ("", "nofollow", ()),
        ("nofollow ugc", "ugc, nofollow", ("nofollow", "ugc")),
        ("UGC,nofollow", "sponsored", ("ugc", "nofollow")),
        ("nofollow", "noopener", ("noopener",)),
    ],
)
def test_what_all_links_to_a_page_say_of_it(first: str, second: str, rel: tuple[str, ...]) -> None:
    [link] = links(f'<a href="/post" rel="{first}"><img alt=""></a> <h2><a href="/post" rel="{second}">Title</a></h2>')
    assert (link.rel, link.anchor) == (rel, "Title")


def test_the_language_of_a_link_is_what_its_page_says_of_it() -> None:
    head = """<head><link rel="alternate" hreflang="de-AT" href="/de/a"><link rel="ALTERNATE" hreflang="x-default" href="/a">
        <link rel="alternate" hreflang="fr" href="/both"><link rel="alternate" hreflang="en" href="/both">
        <link rel="stylesheet" hreflang="ja" href="/style"><link rel="alternate" hreflang="ko" href="/nowhere"></head>"""
    body = """<a href="/de/a">Deutsch</a> <a href="/a">other</a> <a href="/both">both</a> <a href="/style">style</a>
        <a href="/es" hreflang="es">es</a> <a href="/es">the same</a> <a href="/it" hreflang="italiano">Italiano</a>"""
    found = {
        link.url.removeprefix("http://a.test"): link.language for link in links_of(parse(head + body), "http://a.test/x").links
    }
    assert found == {"/de/a": "de", "/a": "", "/both": "", "/style": "", "/es": "es", "/it": ""}
