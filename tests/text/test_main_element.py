"""Which element holds the main text, and what of it is text."""

from __future__ import annotations

import pytest

from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text
from focuscrawl.text.main_element import main_element, main_pieces
from focuscrawl.text.marks import marked_layout
from tests.linear_time import linear

PROSE = "A focused crawler fetches pages about its topic and leaves the others alone, as far as it can tell. "
LINKS = "".join(f"<li><a href='/{number}'>another page {number}</a></li>" for number in range(20))


def text(html: str) -> list[str]:
    found = marked_layout(parse(html))
    return [found.pieces[at].text.strip() for at in main_pieces(found, main_element(found))]


def test_the_way_down_ends_where_prose_would_be_left_out() -> None:
    html = f"<div id=a><ul>{LINKS}</ul><div id=b><p>{PROSE}</p><div id=c><p>{PROSE * 4}</p></div></div></div>"
    assert text(html) == [PROSE.strip(), (PROSE * 4).strip()]


def test_a_heading_beside_the_largest_part_belongs_to_the_text() -> None:
    assert text(f"<ul>{LINKS}</ul><div><h2>Of crawlers</h2><div><p>{PROSE * 4}</p></div></div>")[0] == "Of crawlers"


def test_a_named_element_counts_when_it_holds_the_text() -> None:
    teaser = f"<article><p>{PROSE}</p></article>"
    assert text(f"{teaser}<div><p>{PROSE * 3}</p></div>") == [PROSE.strip(), (PROSE * 3).strip()]
    assert text(f"<div><p>{PROSE}</p></div><main><p>{PROSE * 3}</p></main>") == [(PROSE * 3).strip()]


def test_the_title_above_the_element_is_part_of_it() -> None:
    html = f"<title>Crawlers - Site</title><header><h1>Crawlers</h1></header><main><p>{PROSE * 3}</p></main>"
    assert text(html)[0] == "Crawlers"
    assert text(html.replace("<h1>Crawlers", "<h1>Welcome")) == [(PROSE * 3).strip()]


def test_items_of_a_nested_list_are_no_main_heading() -> None:
    nested = "<ul><li>First<ul><li>Crawlers</li></ul></li></ul>"
    title, main = "<title>Crawlers - Site</title>", f"<p>{PROSE * 3}</p>"
    in_the_text = text(f"{title}<header><h1>Crawlers</h1></header><main>{main}{nested}{main}</main>")
    assert (in_the_text[0], len(in_the_text)) == ("Crawlers", 5)
    assert text(f"{title}<header>{nested}</header><main>{main}</main>") == [(PROSE * 3).strip()]


@pytest.mark.parametrize("box", ["<div class=sidebar>{}</div>", "<div class='comments'>{}</div>"])
def test_a_box_in_the_text_stays_when_it_is_prose_and_goes_when_it_is_links(box: str) -> None:
    html = f"<main><p>{PROSE * 3}</p>{{}}<p>{PROSE * 3}</p></main>"
    assert len(text(html.format(box.format(f"<p>{PROSE * 2}</p>")))) == 3
    assert len(text(html.format(box.format(f"<ul>{LINKS}</ul>")))) == 2


def test_a_cell_beside_cells_of_links_is_the_text() -> None:
    html = f"<table><tr><td><ul>{LINKS}</ul></td><td><p>{PROSE}</p><p>{PROSE}</p></td></tr></table>"
    assert text(html) == [PROSE.strip()] * 2


def test_an_index_is_its_links() -> None:
    assert len(text(f"<nav><a href=/>Home</a></nav><div><ul>{LINKS}</ul></div>")) == 20


def test_links_around_the_text_of_a_page_without_layout_are_its_menu() -> None:
    links = "<ul><li><a href=/2>a page</a></li></ul>"
    see = f"<p>See also:</p>{links}<p>The end.</p>"
    assert text(f"{links}<p>{PROSE * 2}</p>{links}") == [(PROSE * 2).strip()]
    assert text(f"{links}<p>{PROSE * 2}</p>{see}{links}")[1:] == ["See also:", "a page", "The end."]


def test_a_page_without_text() -> None:
    assert text("") == text("<img src=x>") == []


HELP = "Search bar offers these options: wildcards, fields and fuzzy matches, which find what is nearly the same. "


@pytest.mark.parametrize(
    ("style", "shown"), [("display: none;", False), ("color: red; DISPLAY:none", False), ("display: block", True)]
)
def test_what_waits_for_a_script_is_no_text(style: str, shown: bool) -> None:
    html = f'<div id="main"><div style="{style}"><p>{HELP * 3}</p></div><div><h1>Port</h1><p>{PROSE * 4}</p></div></div>'
    found = text(html)
    assert (PROSE * 4).strip() in found
    assert ((HELP * 3).strip() in found) is shown


def test_a_page_that_is_hidden_as_a_whole_is_shown_by_a_script() -> None:
    assert (PROSE * 4).strip() in text(f'<div style="display: none"><h1>Port</h1><p>{PROSE * 4}</p></div><p>Loading.</p>')


def test_answers_that_open_below_their_questions_are_text() -> None:
    hidden = "<dd class=answer style='display:none'><p>{}</p></dd>"
    answers = [f"{PROSE * 2}Of {number}." for number in range(3)]
    found = text("<h1>Questions</h1><dl>" + "".join(f"<dt>What is it?</dt>{hidden.format(said)}" for said in answers) + "</dl>")
    assert [line for line in found if line.startswith("A focused")] == answers
    assert text(f"<h1>Port</h1><p>{PROSE * 9}</p>{''.join(map(hidden.format, answers))}") == ["Port", (PROSE * 9).strip()]


VERSION = f"<div class=version style='display:none'><h1>Port</h1><p>{PROSE * 3}{{}}</p></div>"
COOKIES = f"<div {{}} style='display:none'><p>We store cookies. {PROSE * 9}</p></div>"


@pytest.mark.parametrize(
    "hidden",
    [
        VERSION.format("One.") + VERSION.format("Two.") + VERSION.format("Three."),
        COOKIES.format("") * 3,
        COOKIES.format("role=dialog"),
    ],
)
def test_hidden_versions_and_dialogs_are_no_text(hidden: str) -> None:
    assert text(f"<div class=version><h1>Port</h1><p>{PROSE * 4}</p></div>{hidden}") == ["Port", (PROSE * 4).strip()]


def test_a_hidden_part_of_a_hidden_page_has_its_own_share() -> None:
    page = f"<h1>Port</h1><p>{PROSE * 4}</p>"
    hidden = "<div style='display:none'>{}</div>"
    assert text(hidden.format(page + hidden.format("<p>A dialog.</p>"))) == ["Port", (PROSE * 4).strip()]
    assert text(hidden.format(f"<main style='display:none'>{page}</main>")) == ["Port", (PROSE * 4).strip()]


COMMENT = f"<li class='comment even' id='comment-1'><p>{PROSE * 2}</p></li>"


@pytest.mark.parametrize(
    ("article", "comments"),
    [
        ("<article><h1>Title</h1>{}</article>", "<div id=comments><h2>9 thoughts</h2><ol class=comment-list>{}</ol></div>"),
        ("<div class='wp entry-content'>{}</div>", "<div class=wp-block-comments><h2>9 replies</h2>{}</div>"),
        ("<div class='post-body'>{}</div>", "<div class=comments><h4>9 comments:</h4><dl>{}</dl></div>"),
        ("<div class='article'><div class=review>{}</div>", "<div id=comments class=comments-wrapper>{}</div></div>"),
    ],
)
def test_comments_are_no_text_however_long_they_are(article: str, comments: str) -> None:
    found = text(f"<main>{article.format(f'<p>{PROSE * 3}</p>')}{comments.format(COMMENT * 9)}</main>")
    assert found[-1] == (PROSE * 3).strip()
    assert len(found) <= 2


def test_comments_that_a_reader_opens_are_no_text() -> None:
    comments = f"<div class=comment-list style='display:none'>{f'<p>{PROSE}</p>' * 9}</div>"
    assert text(f"<article><h1>Title</h1><p>{PROSE * 3}</p></article>{comments}") == ["Title", (PROSE * 3).strip()]
    assert len(text(f"<h1>Title</h1>{comments}")) == 10, "of a forum they are the text"


@pytest.mark.parametrize("question", ["<p>What is it?</p>", "<article><p>What is it?</p></article>", f"<p>{PROSE * 3}</p>"])
def test_comments_without_an_article_before_them_are_the_text(question: str) -> None:
    found = text(f"<main>{question}<div class=commentarea>{COMMENT * 9}</div></main>")
    assert found[-9:] == [(PROSE * 2).strip()] * 9


def test_an_article_that_is_named_after_its_comments_is_text() -> None:
    teaser = f"<div class='post-summary'><p>{PROSE * 3}</p></div>"
    for names in ("has-comments", "post comments-open", "comments"):
        assert (PROSE * 9).strip() in text(f"{teaser}<article class='{names}'><h1>Crawlers</h1><p>{PROSE * 9}</p></article>")


def test_a_section_on_comments_is_text() -> None:
    section = f"<section id='comments'><h2>Comments</h2><p>{PROSE * 2}</p></section>"
    assert text(f"<article><h1>Syntax</h1><p>{PROSE * 3}</p>{section}</article>")[-2:] == ["Comments", (PROSE * 2).strip()]


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


def test_a_title_above_all_columns_does_not_keep_the_columns() -> None:
    right = f"<div class=r><h3>Pictures</h3><ul>{LINKS}</ul></div>"
    columns = f"<div><div class=l><p>{PROSE * 3}</p><p>{PROSE * 3}</p></div>{right}</div>"
    html = f"<title>Crawlers - News</title><div><h1>Crawlers</h1><div>1 March 2024<a href=/>Daily</a></div>{columns}</div>"
    assert text(html) == ["Crawlers", (PROSE * 3).strip(), (PROSE * 3).strip()]


def test_a_short_sentence_under_the_title_belongs_to_the_text() -> None:
    html = (
        f"<title>Notes</title><div><h1>Notes</h1><p>It fixes several bugs.</p><div><p>{PROSE * 3}</p><p>{PROSE}</p></div></div>"
    )
    assert text(html)[:2] == ["Notes", "It fixes several bugs."]


def test_a_title_below_the_largest_part_belongs_to_the_text() -> None:
    html = f"<title>Notes</title><div><div><p>{PROSE}</p><p>{PROSE}</p></div><div><h1>Notes</h1></div></div>"
    assert text(html)[-1] == "Notes"


def test_the_lead_in_the_header_of_an_article_is_text() -> None:
    head = f"<header><h1>Crawlers</h1><p>{PROSE * 2}</p><time>1 March 2024</time></header>"
    found = text(f"<title>Crawlers</title><article>{head}<section><p>{PROSE * 3}</p><p>{PROSE}</p></section></article>")
    assert found == ["Crawlers", (PROSE * 2).strip(), "1 March 2024", (PROSE * 3).strip(), PROSE.strip()]
    assert (PROSE * 2).strip() not in text(f"{head}<article><p>{PROSE * 3}</p></article>")


def test_the_lead_below_the_title_in_the_header_of_main_is_text() -> None:
    lead, rest = f"<p>{PROSE * 2}</p>", f"<div><p>{PROSE * 3}</p><p>{PROSE}</p></div>"
    found = text(f"<title>Crawlers</title><main><header><h1>Crawlers</h1>{lead}</header>{rest}</main>")
    assert found == ["Crawlers", (PROSE * 2).strip(), (PROSE * 3).strip(), PROSE.strip()]
    assert (PROSE * 2).strip() not in text(f"<main><header>{lead}</header>{rest}</main>")
    assert (PROSE * 2).strip() not in text(f"<header><h1>Depot</h1>{lead}</header><main>{rest}</main>")


def test_a_title_that_is_no_main_heading_belongs_to_the_text_before_which_it_stands() -> None:
    page = "<title>{} - Depot</title><h2>Depot</h2><h3>Line 2</h3>" + f"<ul>{LINKS}</ul>" + "<div><p>{}</p><p>{}</p></div>"
    assert text(page.format("Line 2", PROSE * 3, PROSE)) == ["Line 2", (PROSE * 3).strip(), PROSE.strip()]
    assert text(page.format("Line 21", PROSE * 3, PROSE)) == [(PROSE * 3).strip(), PROSE.strip()]


def test_the_name_of_the_site_above_the_title_is_no_section_of_the_text() -> None:
    site = "<div><h1>Depot</h1><p>For all who love trains</p><a href=/>Home</a></div>"
    post = f"<div><h2><a href=/>Line 2</a></h2><a href=/>Reply</a><div><p>{PROSE * 3}</p></div></div>"
    assert text(f"<title>Line 2 - Depot</title>{site}{post}") == ["Line 2", (PROSE * 3).strip()]


def test_a_link_below_the_text_that_begins_as_the_title_does_takes_no_section_from_it() -> None:
    facts = "<div><h2>Facts</h2><div>Founded</div><div>1901</div></div>"
    page = f"<div>{facts}<div><p>{PROSE * 3}</p><p>{PROSE}</p></div></div><div><h3><a href=/>Depot</a></h3></div>"
    assert text(f"<title>Depot | Trains</title>{page}")[:3] == ["Facts", "Founded", "1901"]
    long = "Of the night train that stands at the junction every winter until the snow is gone from the line"
    site = "<div><h1>Depot</h1><div>For all</div><a href=/>Home</a></div>"
    post = f"<div><h2><a href=/>{long}</a></h2><div>x</div><div><p>{PROSE * 3}</p></div></div>"
    assert text(f"<title>{long} - Depot</title>{site}{post}")[0] == long


@pytest.mark.parametrize("attributes", ["class='cookie-banner'", "class='fc-consent-root x'", "id=a role=dialog"])
def test_what_asks_for_consent_is_no_text_however_long_it_is(attributes: str) -> None:
    wall = f"<div {attributes}><h1>We value your privacy</h1><p>{PROSE * 9}</p></div>"
    assert text(f"{wall}<div><h1>Crawlers</h1><p>{PROSE * 2}</p></div>") == ["Crawlers", (PROSE * 2).strip()]


def test_a_section_on_cookies_is_text() -> None:
    section = f"<section id=cookies class='cookies'><h2>Cookies</h2><p>{PROSE * 2}</p></section>"
    assert "Cookies" in text(f"<article><h1>HTTP</h1><p>{PROSE * 2}</p>{section}</article>")


def test_a_post_of_two_sentences_is_the_text_and_not_the_longer_column_beside_it() -> None:
    card = f"<div class=card-widget><div>最新文章</div><div>{'<a href=/1>2024-12-23 返程</a>' * 5}</div></div>"
    column = f"<div class=aside-content><div class=card-widget><a href=/tags>标签</a></div>{card * 3}</div>"
    post = "<div id=post><article><p>又来到这个位置了。</p><p>马上又需要做一个决定了。</p></article></div>"
    assert text(f"<main class=layout>{post}{column}</main>") == ["又来到这个位置了。", "马上又需要做一个决定了。"]


def test_a_post_of_a_sentence_is_the_text_and_not_the_longer_list_of_other_posts() -> None:
    others = f"<div class=relatedPosts><div>相关推荐</div>{LINKS}</div>"
    column = "<div class=aside-content><a href=/>文章</a><div>162</div><div>公告</div><div>世界，即非世界。</div></div>"
    post = "<article><p>该有的会有，无运的会无。</p><p>都是好的。</p></article>"
    assert text(f"<main><div>{post}{others}</div>{column}</main>") == ["该有的会有，无运的会无。", "都是好的。"]
    index = f"<article><p>都是好的。</p><ul>{LINKS}</ul></article>"
    assert "another page 7" in text(f"<main><div>{index}{others}</div>{column}</main>")


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


def test_a_column_without_a_sentence_is_no_text() -> None:
    column = f"<div class=sidebar>{'<div>Posts</div><div>162</div><div>Notice of the day</div>' * 6}</div>"
    assert text(f"<main><div><p>{PROSE}</p></div>{column}</main>") == [PROSE.strip()]
    poem = "<p>A train departs,</p><p>the snow is deep,</p><p>the moon is gone.</p>" * 4
    assert len(text(f"<div><h1>Of snow</h1><div class=post-box>{poem}</div></div>")) == 13
    sentence = f"<div class=sidebar><p>{PROSE * 2}</p></div>"
    assert text(f"<main><div><p>{PROSE}</p></div>{sentence}</main>") == [PROSE.strip(), (PROSE * 2).strip()]


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


@pytest.mark.parametrize(
    "box",
    [
        "<div class='author-info author-info--bottom'>{}</div>",
        "<div id=mvp-author-box-wrap>{}</div>",
        "<p class='postmetadata alt'>{}</p>",
        "<div class=entry-utility>{}</div>",
        "<p class=aawp-disclaimer>{}</p>",
        "<div class=affiliate-text>{}</div>",
        "<div class='relatedArticle standard'>{}</div>",
        "<div class=newsletter-box>{}</div>",
        "<div class=figure__credits>{}</div>",
    ],
)
def test_what_is_called_a_box_beside_the_text_is_none_of_it(box: str) -> None:
    assert text(f"<main><p>{PROSE * 3}</p>{box.format(PROSE * 2)}</main>") == [(PROSE * 3).strip()]
    assert (PROSE * 4).strip() in text(f"<main><p>{PROSE * 3}</p>{box.format(PROSE * 4)}</main>"), "most of the page"


@pytest.mark.parametrize(
    "names", [["disclaimer"] * 3, ["related-article"] * 3, ["author-info", "author-bio", "author-details"]]
)
def test_boxes_that_are_the_text_of_a_page_are_no_boxes(names: list[str]) -> None:
    boxes = [f"<div class={name}><p>{name} {number}. {PROSE * 2}</p></div>" for number, name in enumerate(names)]
    found = text(f"<main><h1>On trains</h1>{''.join(boxes)}</main>")
    assert found == ["On trains", *(f"{name} {number}. {PROSE * 2}".strip() for number, name in enumerate(names))]
    article = f"<p>{PROSE * 3}</p>"
    assert text(f"<main><h1>On trains</h1>{article}{''.join(boxes)}</main>") == ["On trains", (PROSE * 3).strip()]


def test_what_is_in_a_box_within_a_box_counts_once_there() -> None:
    boxes = f"<div class=author-info><p>{PROSE}</p><div class=author-bio><p>{PROSE * 2}</p></div></div>"
    assert text(f"<main><p>{PROSE * 4}</p>{boxes}</main>") == [(PROSE * 4).strip()]


def test_a_box_with_the_title_is_no_box() -> None:
    box = f"<div class=author-info><h1>On trains</h1><p>{PROSE * 2}</p></div>"
    assert text(f"<main>{box}<p>{PROSE * 3}</p></main>") == ["On trains", (PROSE * 2).strip(), (PROSE * 3).strip()]


@pytest.mark.parametrize(
    "box", ["<section id=author-info>{}</section>", "<div class=newsletter-post>{}</div>", "<ul class=credits>{}</ul>"]
)
def test_words_of_a_heading_and_names_of_texts_call_nothing_a_box(box: str) -> None:
    assert len(text(f"<main><p>{PROSE * 3}</p>{box.format(f'<p>{PROSE * 2}</p>')}</main>")) == 2


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
    html = f"{ARTICLE}<main><h1>On crawlers</h1><p>{PROSE}</p>{f'<div class=teaser>{TEASER}</div>' * 3}</main>"
    assert text(html) == ["On crawlers", PROSE.strip()]


LINK = "<p><a href=/1>{}</a></p>"


@pytest.mark.parametrize(
    "below",
    [LINK.format("Back to all news"), LINK.format("Sign this") * 2, "<h2>In pictures</h2>", "<h2>Register</h2><h3>Form</h3>"],
)
def test_links_and_a_heading_below_the_last_prose_of_an_article_are_no_text(below: str) -> None:
    html = f"{ARTICLE}<main><h1>On crawlers</h1><p>{PROSE * 3}</p>{below}</main>"
    assert text(html) == ["On crawlers", (PROSE * 3).strip()]
    assert len(text(html.removeprefix("<meta property='og:type' content='article'>"))) > 2


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
    below_text = text(f"{ARTICLE}<main><h1>On crawlers</h1><p>{PROSE * 3}</p>{below}</main>")[2:]
    assert len(below_text) == below.count("<p>") + below.count("<h2>") + below.count("<li>")


@pytest.mark.parametrize(
    "label", ["Mehr lesen:", "Weitere aktuelle Themen", "Lees verder", "Noch mehr Züge", "À lire également"]
)
def test_labels_of_other_pages_in_other_languages(label: str) -> None:
    html = f"<main><p>{PROSE * 3}</p><h3>{label}</h3>{LINK.format('Of trains') * 2}<p>{PROSE * 2}</p></main>"
    assert text(html) == [(PROSE * 3).strip(), (PROSE * 2).strip()]


@pytest.mark.parametrize("label", ["Mehr erfahren", "Pour en savoir plus", "Saber más"])
def test_what_stands_below_further_information_stays(label: str) -> None:
    below = text(f"<main><p>{PROSE * 3}</p><h3>{label}</h3>{LINK.format('Of trains') * 2}<p>{PROSE * 2}</p></main>")
    assert below[1:-1] == [label, "Of trains", "Of trains"]


def test_labels_of_authors_are_read_in_linear_time() -> None:
    """From each, all below it was looked through for a heading."""
    page = parse(f"<main><p>{PROSE * 3}</p>{'<p>About the author</p>' * 40_000}</main>")
    with linear():
        fast_text(page)


def test_a_text_about_authors_is_text() -> None:
    long = f"<h2>About the authors</h2>{f'<p>{LIFE}</p>' * 20}"
    assert len(text(f"<main><p>{PROSE * 30}</p>{long}</main>")) == 22
    assert len(text(f"<main><p>{PROSE * 3}</p><h1>About the author</h1><p>{LIFE}</p></main>")) == 3


@pytest.mark.parametrize(
    "box",
    [
        "<form><h3>Get the Morning Post</h3><p>The stories that you need to start the day, each weekday at seven.</p>"
        "<input type=email></form>",
        "<div><div>The Sunday Letter</div><p>One long read in your inbox each Sunday, chosen by our editors for you.</p>"
        "<div><input name=EMAIL><button>Sign up</button></div></div>",
    ],
)
def test_a_box_that_asks_for_an_address_is_no_text(box: str) -> None:
    assert text(f"<main><p>{PROSE * 3}</p>{box}<p>{PROSE * 3}</p></main>") == [(PROSE * 3).strip()] * 2


def test_a_form_with_prose_stays_where_it_asks_for_an_address() -> None:
    form = f"<form><h2>Apply for a berth</h2>{f'<p>{PROSE}</p>' * 5}<label>E-mail <input type=email></label></form>"
    assert text(f"<main><p>{PROSE * 3}</p>{form}</main>").count(PROSE.strip()) == 5
    sign_in = "<div><h1>Sign in</h1><p>Welcome back.</p><form><input type=email><p>Forgot it?</p></form></div>"
    assert text(sign_in)[:2] == ["Sign in", "Welcome back."]


def test_comments_below_a_chapter_are_no_text() -> None:
    comments = f"<div class=comments-container><h2>Comments (2)</h2><div class=comment><p>{PROSE}</p></div></div>"
    assert text(f"<div><div class=chapter-content><p>{PROSE * 4}</p></div>{comments}</div>") == [(PROSE * 4).strip()]


def test_a_short_list_of_posts_is_the_text_and_not_the_longer_marked_column_beside_it() -> None:
    """As on pages of a tag under Hexo's theme Butterfly."""
    entry = "<div class=item><time>2022-11-03</time><a href=/kvm>Virtual machines with KVM</a></div>"
    column = "".join(f"<div>{name} 2023</div>" for name in ("May", "April", "March", "January", "October", "August", "July"))
    html = (
        f"<main><div id=tag><div>Tag - Virtual</div>{entry}</div><div class=aside-content>{column}<ul>{LINKS}</ul></div></main>"
    )
    assert text(html) == ["Tag - Virtual", "2022-11-03 Virtual machines with KVM"]


def test_entries_of_recent_posts_are_the_text_of_a_list() -> None:
    titles = [f"Of crawlers, part {number}" for number in range(6)]
    entries = "".join(f"<div class=recent-post-info><a href=/{title}>{title}</a></div>" for title in titles)
    assert text(f"<main><div id=recent-posts>{entries}</div></main>") == titles
    byline = f"<main><h1>Crawlers</h1><div class=post-info>By an author</div><p>{PROSE * 3}</p></main>"
    assert text(byline) == ["Crawlers", (PROSE * 3).strip()]


ARTICLE = "<meta property='og:type' content='article'><title>On crawlers | Daily</title>"
SLOGAN = f"<div><ul>{LINKS}</ul><p>Latest news, weather, health, business, sports and science from all over the land.</p></div>"


def test_a_slogan_among_links_beside_an_article_does_not_keep_them() -> None:
    html = f"{ARTICLE}<div><h1>On crawlers</h1><div class=a><p>{PROSE * 4}</p></div>{SLOGAN}</div>"
    assert text(html) == ["On crawlers", (PROSE * 4).strip()]
    assert len(text(html.replace("'article'", "'website'"))) == 2 + 21


def test_a_section_of_links_with_a_sentence_stays_beside_sections_of_an_article() -> None:
    section = f"<section><h2>Elsewhere</h2><p>{PROSE}</p><ul>{LINKS}</ul></section>"
    found = text(f"{ARTICLE}<div><section><h2>Of crawlers</h2><p>{PROSE * 6}</p></section>{section}</div>")
    assert (found[0], found[2], len(found)) == ("Of crawlers", "Elsewhere", 24)


@pytest.mark.parametrize("head", [ARTICLE, "<title>On crawlers | Daily</title>"])
def test_columns_beside_the_title_and_the_text_are_none_of_it(head: str) -> None:
    column = f"<div class=b><div><h3>Hot leads</h3><ul>{LINKS}</ul><p>{PROSE}</p></div><p>{PROSE}</p></div>"
    html = f"{head}<div><div class=a><div><h1>On crawlers</h1></div><div>{f'<p>{PROSE * 2}</p>' * 4}</div></div>{column}</div>"
    assert text(html) == ["On crawlers", *[(PROSE * 2).strip()] * 4]


def test_a_text_in_parts_that_are_called_the_same_is_whole() -> None:
    first = f"<div class=part><div><h1>On crawlers</h1><p>{PROSE * 5}</p></div></div>"
    html = f"{ARTICLE}<div>{first}{f'<div class=part><p>{PROSE * 2}</p></div>' * 2}<div><ul>{LINKS}</ul></div></div>"
    assert text(html) == ["On crawlers", (PROSE * 5).strip(), *[(PROSE * 2).strip()] * 2]


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{PROSE * 2}<a href='/1'>{PROSE}</a></p>" * 3,
        f"{PROSE * 2}<br>{PROSE * 2}<br>{PROSE * 2}",
        "<p>Rails that gleam in the rain,</p><p>a whistle over the plain.</p>" * 10,
        f"<pre>{'crawl(seeds, depth)' * 30}</pre>",
    ],
)
def test_a_text_beside_a_shorter_one_with_the_title_is_its_other_part(body: str) -> None:
    html = f"{ARTICLE}<div><div class=intro><h1>On crawlers</h1><p>{PROSE * 3}</p></div><div class=body>{body}</div></div>"
    assert len(text(html)) == 2 + max(1, body.count("<p>"))


def test_a_remark_and_prose_beside_a_section_of_a_manual_stay() -> None:
    note = f"<div class=note><p>{PROSE}</p></div>"
    html = f"<title>On crawlers</title><main>{note}<section><h1>On crawlers</h1>{f'<p>{PROSE * 2}</p>' * 5}</section></main>"
    assert len(text(html)) == 7


def test_the_name_of_the_site_is_not_the_title_of_its_articles() -> None:
    post = f"<div class=post><h4>On crawlers</h4><p>{PROSE * 3}</p></div>"
    column = f"<div class=col><p>{PROSE}</p><p>{PROSE}</p><ul>{LINKS}</ul></div>"
    html = f"{ARTICLE}<div class=top><h1>Daily</h1><ul>{LINKS}</ul></div><div><div>{post}</div>{column}</div>"
    assert text(html) == ["On crawlers", (PROSE * 3).strip()]


@pytest.mark.parametrize("head", ["<meta property='og:type' content='article'>", ""])
def test_a_title_that_is_no_heading_is_the_title_where_no_heading_is(head: str) -> None:
    prose = "主题爬虫只下载与主题有关的网页，其余的网页不去访问。它阅读每个网页，并给网页中的链接打分，然后先访问分数高的链接。"
    article = f"<div class=tit>新的爬虫</div><div class=con>{f'<p>{prose}</p>' * 4}</div><ul>{LINKS}</ul>"
    html = f"{head}<title>新的爬虫_山川网</title><div>{article}</div><div><ul>{LINKS}</ul><p>{prose}</p></div>"
    assert text(html) == ["新的爬虫", *[prose] * 4]
    assert text(html.replace("</div><div class=con>", "</div><div class=con><h1>新的爬虫</h1>")) == ["新的爬虫", *[prose] * 4]


def test_a_header_is_no_article_however_much_of_it_it_holds() -> None:
    header = f"<header><h1>On crawlers</h1><p>{PROSE}</p></header>"
    html = f"{ARTICLE}<article>{header}<div><p>A line.</p><p>Another line.</p><p>A third line.</p></div></article>"
    assert text(html) == ["On crawlers", PROSE.strip(), "A line.", "Another line.", "A third line."]


def test_boxes_of_links_around_an_article_go_and_lists_in_its_text_stay() -> None:
    box = f"<div class=box><h3>Partners</h3><ul>{LINKS}</ul></div>"
    inside = f"<h1>On crawlers</h1>{box}<p>{PROSE * 9}</p><h2>Further reading</h2><ul>{LINKS}</ul>{box}"
    html = f"{ARTICLE}<article>{inside}</article>"
    assert text(html) == [
        "On crawlers",
        (PROSE * 9).strip(),
        "Further reading",
        *(f"another page {number}" for number in range(20)),
    ]
    assert len(text(html.replace("article'", "website'"))) == 23 + 21 * 2


def test_an_index_that_calls_itself_an_article_keeps_its_boxes() -> None:
    box = f"<div class=box><h3>Partners</h3><ul>{LINKS}</ul></div>"
    assert len(text(f"{ARTICLE}<main><h1>On crawlers</h1><p>{PROSE}</p>{box * 5}</main>")) == 2 + 21 * 5


def test_comments_below_an_article_without_a_name_are_no_text() -> None:
    comments = f"<div class=comments>{f'<div class=comment><p>{PROSE * 3}</p></div>' * 9}</div>"
    html = f"<div><div><h1>On crawlers</h1><p>{PROSE * 4}</p></div>{comments}</div>"
    assert text(ARTICLE + html) == ["On crawlers", (PROSE * 4).strip()]
    assert len(text(html)) > 2
