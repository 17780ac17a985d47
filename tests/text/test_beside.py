"""What stands beside the text is none of it: other pages, authors, what is above the title or left at the end."""

from __future__ import annotations

import pytest

from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text
from tests.linear_time import linear
from tests.text.pages import ARTICLE, LINKS, PROSE, TITLED, text


@pytest.mark.parametrize(
    "box",
    [
        f"<div><h2>相关新闻</h2><ul>{LINKS}</ul></div>",
        f"<div><div class=a>热门排行：</div><div><ol>{LINKS}</ol></div></div>",
        f"<h3>You may also like…</h3><ul>{LINKS}</ul>",
        f"<h2>Related Artworks</h2><ul>{LINKS}</ul>",
        f"<h4>相似案例</h4><ul>{LINKS}</ul>",
        f"<h3>您可能还喜欢</h3><ul>{LINKS}</ul>",
        *(
            f"<h3>{label}</h3><ul>{LINKS}</ul>"
            for label in (
                "Das könnte Sie auch interessieren",
                "Mehr zum Thema",
                "Lees ook",
                "Läs också",
                "À lire aussi",
                "Articles similaires",
                "También te puede interesar",
                "Leia também",
                "Leggi anche",
                "Zobacz także",
                "Читайте также:",
                "関連記事",
                "관련 기사",
            )
        ),
        "<div><h3>Most read</h3>" + "<p><a href=/1>Trains are late again</a> <i>3 hours ago</i></p>" * 9 + "</div>",
    ],
)
def test_lists_of_other_pages_in_the_text_go(box: str) -> None:
    html = f"<title>Crawlers</title><main><h1>Crawlers</h1><p>{PROSE * 3}</p>{box}<p>{PROSE * 3}</p></main>"
    assert text(html) == ["Crawlers", (PROSE * 3).strip(), (PROSE * 3).strip()]


@pytest.mark.parametrize(
    "box",
    [
        f"<h2>See also</h2><ul>{LINKS}</ul>",
        f"<h2>Weitere Informationen</h2><ul>{LINKS}</ul>",
        f"<h1>Latest news</h1><ul>{LINKS}</ul>",
        f"<section><h2>More on lists</h2><p>{PROSE * 9}</p><ul>{LINKS}</ul></section>",
    ],
)
def test_lists_of_links_that_are_about_the_text_stay(box: str) -> None:
    assert "another page 7" in text(f"<main><p>{PROSE * 20}</p>{box}</main>")


def test_lists_of_other_pages_are_the_text_of_an_index() -> None:
    assert len(text(f"<main><h2>热门文章</h2><ul>{LINKS}</ul><h2>最新文章</h2><ul>{LINKS}</ul></main>")) == 42


def teasers(path: str, count: int = 4, end: str = "…") -> str:
    card = f"<{path}><h4><a href=/{{0}}>Another page {{0}}</a></h4><p>{PROSE * 2}And it{end}</p></{path}>"
    return "".join(map(card.format, range(count)))


@pytest.mark.parametrize("path", ["li", "div", "article"])
def test_beginnings_of_other_pages_beside_a_shorter_article_are_no_text(path: str) -> None:
    post = f"<article><h1>Ports</h1><p>{PROSE}</p></article>"

    def has_teasers(cards: str, page: str = post) -> bool:
        found = text(f"<title>Ports</title><main>{page}<section><h3>From the shelf</h3>{cards}</section></main>")
        assert PROSE.strip() in found
        return any(PROSE.strip() in line and "And it" in line for line in found)

    assert not has_teasers(teasers(path))
    assert has_teasers(teasers("div", end=" is so."))  # links with descriptions
    assert has_teasers(teasers("div"), post.replace("article", "div"))  # it may be the introduction of a list
    assert has_teasers("", post.replace("</article>", f"{teasers('div')}</article>"))


def test_posts_below_names_and_code_that_end_in_dots_are_no_beginnings_of_other_pages() -> None:
    post = f"<article><h1>Ports</h1><p>{PROSE * 6}</p></article>"
    ends = ["…", "...", "……", ".", ".", ".", "."]
    replies = "".join(f"<div><a href=/ada>Ada</a><p>{PROSE}I know{end}</p></div>" for end in ends)
    found = text(f"<title>Ports</title><main>{post}<section>{replies}</section></main>")
    assert sum("I know" in line for line in found) == 7
    call = f"<p><a href=/open>open</a></p><pre>&gt;&gt;&gt; for port in ports:\n...     {'port.open() ' * 9}\n...</pre>"
    found = text(f"<title>Ports</title><main>{post}<div>{call * 4}<p>{PROSE * 4}</p></div></main>")
    assert sum("for port in ports" in line for line in found) == 4


@pytest.mark.parametrize("announced", ["You may also like", "大家都在看"])
def test_lists_of_other_pages_go_with_teasers_that_are_longer_than_their_titles(announced: str) -> None:
    page = f"<title>Ports</title><div class=w><div><h1>Ports</h1><p>{PROSE * 4}</p></div>{{}}</div>"
    box = f"<div class=b><h3>{announced}</h3>{teasers('div')}</div>"
    assert text(page.format(box)) == ["Ports", (PROSE * 4).strip()]
    assert len(text(page.format(box.replace(announced, "Ships")))) > 2


def cards(teaser: str) -> str:
    return "".join(
        f"<div><a href=/{number}><h4>Ships of the year {number}</h4></a><p>{teaser}</p></div>" for number in range(4)
    )


@pytest.mark.parametrize("announced", ["More from News", "You might also like", "相关推荐"])
def test_announced_teasers_that_do_not_say_that_they_break_off_are_no_text(announced: str) -> None:
    page = f"<title>Ports</title><div class=w><div><h1>Ports</h1><p>{PROSE * 4}</p></div><div><h3>{{}}</h3>{{}}</div></div>"
    teaser = f"{PROSE}And then the"
    assert text(page.format(announced, cards(teaser))) == ["Ports", (PROSE * 4).strip()]
    assert teaser in text(page.format("What was said", cards(teaser)))
    assert (PROSE * 4).strip() in text(page.format(announced, cards(PROSE * 4)))[2:]


def test_what_stands_above_the_title_is_no_text_unless_it_is_prose() -> None:
    title, below = "<title>Crawlers - Site</title>", f"<h1>Crawlers</h1><p>{PROSE * 3}</p>"
    above = "<div><a href=/>Back to all results</a></div><p>Open access</p>"
    assert text(f"{title}<main>{above}{below}</main>") == ["Crawlers", (PROSE * 3).strip()]
    assert len(text(f"{title}<main>{above}<p>{PROSE}</p>{below}</main>")) == 5
    assert len(text(f"{title}<main><pre>$ crawl</pre>{below}</main>")) == 3
    assert len(text(f"<title>Spiders</title><main>{above}{below}</main>")) == 4
    lead = "<p>What robots read, and why.</p>"
    assert text(f"{title}<main>{lead}{below}</main>")[0] == "What robots read, and why."
    section = "<h1>Setup</h1><ul><li>unpack it</li><li>run it</li></ul>"
    assert text(f"{title}<main>{section}{below}</main>")[:3] == ["Setup", "unpack it", "run it"]


def test_a_title_below_the_text_does_not_take_it() -> None:
    verses = "".join(
        f"<p>{verse}</p>" for verse in ("The tide goes out", "the tide comes in", "and all the boats are in the bay")
    )
    assert text(f"<title>Tides</title><main>{verses}</main><div><h1>Tides</h1></div>")[-3:] == [
        "The tide goes out", "the tide comes in", "and all the boats are in the bay",
    ]  # fmt: skip


LIFE = "Ada Birch writes on ships and edits the travel pages. She has written two books on ferries and one on trains."


@pytest.mark.parametrize(
    "box",
    [
        f"<section><h3>About the author</h3><p>{LIFE}</p><p>More of her texts are on her site.</p></section>",
        f"<div><div>About the Author</div></div><p>{LIFE}</p>",
        f"<h3>作者简介</h3><p>{LIFE}</p>",
        f"<div class=author-bio><p>{LIFE}</p></div>",
        f"<div class='box about-the-author'><p>{LIFE}</p></div>",
    ],
)
def test_the_life_of_the_author_beside_a_longer_text_is_none_of_it(box: str) -> None:
    main = f"<main><p>{PROSE * 3}</p>{{}}{{}}</main>"
    assert text(main.format(box, "")) == [(PROSE * 3).strip()]
    assert text(main.format(box, f"<h3>Sources</h3><p>{PROSE}</p>"))[1:] == ["Sources", PROSE.strip()]
    assert LIFE in text(f"<main>{box}</main>"), "a page about an author"


TEASER = f"<h3><a href=/1>Of trains</a></h3><p>{PROSE}</p>"


@pytest.mark.parametrize(
    "box", ["<div class=teaser>{}</div>", "<ul class=news-teaser-list><li>{}</ul>", "<div class=TeaserBox>{}</div>"]
)
def test_teasers_of_other_pages_behind_the_first_prose_are_no_text(box: str) -> None:
    teaser = box.format(TEASER)
    assert text(f"<main><p>{PROSE * 3}</p>{teaser}<p>{PROSE * 2}</p>{teaser}</main>") == [
        (PROSE * 3).strip(),
        (PROSE * 2).strip(),
    ]


@pytest.mark.parametrize(
    "html",
    [
        f"<main><div class=teaser>{TEASER}</div><p>{PROSE * 3}</p></main>",
        f"<main><p>{PROSE * 3}</p><div class=teaser><p>{PROSE}</p></div></main>",
        f"<main><p>{PROSE * 3}</p><div class=teaser><h1>Of rivers</h1>{TEASER}</div></main>",
        f"<main><p>{PROSE}</p><div class=teaser><p>{PROSE * 3}</p><a href=/1>Trains</a></div></main>",
        f"<main><p>{PROSE}</p>{f'<div class=teaser>{TEASER}</div>' * 3}</main>",
        f"<main><p>{PROSE * 3}</p><p class=teaser>As <a href=/1>we reported</a>. {PROSE}</p><p>{PROSE * 2}</p></main>",
        f"<main><p>{PROSE * 3}</p><div class=has-teaser>{TEASER}</div></main>",
        f"<main><p>{PROSE * 3}</p><div class=brainteaser>{TEASER}</div></main>",
    ],
    ids=[
        "above the text",
        "no link",
        "a main heading",
        "half of the text",
        "a list",
        "a link in prose",
        "not one",
        "another word",
    ],
)
def test_teasers_that_are_the_text_stay(html: str) -> None:
    html = f"<title>Crawlers</title>{html}"
    assert len(text(html)) == len(text(html.replace("teaser", "part"))) > 1


def test_teasers_below_an_article_go_though_they_are_longer() -> None:
    html = f"{TITLED}<main><h1>On crawlers</h1><p>{PROSE}</p>{f'<div class=teaser>{TEASER}</div>' * 3}</main>"
    assert text(html) == ["On crawlers", PROSE.strip()]


LINK = "<p><a href=/1>{}</a></p>"


@pytest.mark.parametrize(
    "below",
    [LINK.format("Back to all news"), LINK.format("Sign this") * 2, "<h2>In pictures</h2>", "<h2>Register</h2><h3>Form</h3>"],
)
def test_links_and_a_heading_below_the_last_prose_of_an_article_are_no_text(below: str) -> None:
    html = f"{TITLED}<main><h1>On crawlers</h1><p>{PROSE * 3}</p>{below}</main>"
    assert text(html) == ["On crawlers", (PROSE * 3).strip()]
    assert len(text(html.removeprefix(ARTICLE))) > 2


@pytest.mark.parametrize(
    "below",
    [
        f"<h2>Sources</h2>{LINK.format('Of crawlers')}",
        LINK.format("https://a.example/crawlers"),
        LINK.format("附件：申报表.xlsx"),
        "<h2>Indexes</h2><h2>Glossary</h2><p>None yet</p>",
        "<ul><li><a href=/1>Of crawlers</a></ul>",
        f"<p>See <a href=/1>Of crawlers</a></p><p>{PROSE}</p>",
        f"<p><strong>Sources:</strong></p>{LINK.format('Of crawlers') * 2}",
        f"{LINK.format('Norwich Library') * 2}<p>They open at nine.</p>",
        LINK.format("The report (PDF, 2 MB)"),
        LINK.format("ada@norwich.museum"),
    ],
    ids=[
        "below a heading", "address", "file", "headings", "list", "above prose", "below a label", "above a line", "PDF", "mail"
    ],
)  # fmt: skip
def test_links_that_belong_to_an_article_stay(below: str) -> None:
    below_text = text(f"{TITLED}<main><h1>On crawlers</h1><p>{PROSE * 3}</p>{below}</main>")[2:]
    assert len(below_text) == below.count("<p>") + below.count("<h2>") + below.count("<li>")


def test_labels_of_authors_are_read_in_linear_time() -> None:
    """From each, all below it was looked through for a heading."""
    page = parse(f"<main><p>{PROSE * 3}</p>{'<p>About the author</p>' * 40_000}</main>")
    with linear():
        fast_text(page)


def test_a_text_about_authors_is_text() -> None:
    long = f"<h2>About the authors</h2>{f'<p>{LIFE}</p>' * 20}"
    assert len(text(f"<main><p>{PROSE * 30}</p>{long}</main>")) == 22
    assert len(text(f"<main><p>{PROSE * 3}</p><h1>About the author</h1><p>{LIFE}</p></main>")) == 3


def test_boxes_of_links_around_an_article_go_and_lists_in_its_text_stay() -> None:
    box = f"<div class=box><h3>Partners</h3><ul>{LINKS}</ul></div>"
    inside = f"<h1>On crawlers</h1>{box}<p>{PROSE * 9}</p><h2>Further reading</h2><ul>{LINKS}</ul>{box}"
    html = f"{TITLED}<article>{inside}</article>"
    assert text(html) == [
        "On crawlers",
        (PROSE * 9).strip(),
        "Further reading",
        *(f"another page {number}" for number in range(20)),
    ]
    assert len(text(html.replace("article'", "website'"))) == 23 + 21 * 2


def test_an_index_that_calls_itself_an_article_keeps_its_boxes() -> None:
    box = f"<div class=box><h3>Partners</h3><ul>{LINKS}</ul></div>"
    assert len(text(f"{TITLED}<main><h1>On crawlers</h1><p>{PROSE}</p>{box * 5}</main>")) == 2 + 21 * 5
