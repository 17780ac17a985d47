from __future__ import annotations

from focuscrawl.text.document import MAX_HTML, parse


def test_text_without_scripts_and_navigation() -> None:
    page = "<nav>menu</nav><script>var x</script><style>p{}</style><p>words</p><footer>imprint</footer>"
    assert parse(page).text(100) == "words"


def test_navigation_when_there_is_nothing_else() -> None:
    assert parse("<nav><a href='/'>menu</a></nav>").text(100) == "menu"


def test_reading_text_leaves_the_tree_whole() -> None:
    document = parse("<nav><a href='/'>menu</a></nav><p>words</p>")
    document.text(100)
    assert len(document.tree.css("nav a[href]")) == 1


def test_pages_without_a_body() -> None:
    assert parse("").text(100) == ""
    assert parse("<frameset><frame src='a.html'></frameset>").text(100) == ""


def test_source_is_cut() -> None:
    assert len(parse("x" * (MAX_HTML + 5)).html) == MAX_HTML


def test_what_the_source_says() -> None:
    document = parse("<p class=related>words</p>")
    assert document.says("crumbs", "related")
    assert not document.says("crumbs", "Related")
