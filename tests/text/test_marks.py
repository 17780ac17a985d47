"""What is marked as boilerplate in view of the whole page: comments, boxes, what is hidden; and what is cleared."""

from __future__ import annotations

import pytest

from focuscrawl.text.boilerplate import HARD, MARKED
from tests.text.pages import PROSE, TITLED, layout, text


def test_a_form_is_no_text_unless_it_is_wrapped_around_the_page() -> None:
    fields, text = "<label>First name</label><label>Last name</label>", "<p>What the page says of itself.</p>"
    assert [piece.boilerplate for piece in layout(f"{text}<form>{fields}</form>").pieces] == [0, MARKED]
    assert {piece.boilerplate for piece in layout(f"<p>Site</p><form>{text}{fields}</form>").pieces} == {0}


def test_an_element_that_holds_most_of_the_text_is_no_menu() -> None:
    found = layout(
        f"<div class='wy-nav-content-wrap'><h1>T</h1><p>{'text ' * 20}</p><div class=tags>x</div></div><div class=menu>y</div>"
    )
    assert [piece.boilerplate for piece in found.pieces] == [0, 0, MARKED, MARKED]
    (notice,) = layout(f"<div class=skip><p>{'text ' * 20}</p></div>").pieces
    assert notice.boilerplate == MARKED


@pytest.mark.parametrize("name", ["reviews", "review-list", "product-reviews", "customer-review"])
def test_reviews_below_the_description_of_a_product_are_comments(name: str) -> None:
    product = f"<div class=product-details><p>{'A small engine with a lamp, made of brass, for boys and girls. ' * 6}</p></div>"
    review = f"<div class={name}><p>{'I like it very much, and so does my dog. ' * 5}</p></div>"
    assert [piece.boilerplate for piece in layout(f"<h1>Engine</h1>{product}{review}").pieces][-1] == HARD
    assert {piece.boilerplate for piece in layout(f"<h1>Engine</h1>{review}").pieces} == {0}


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


def test_comments_below_an_article_without_a_name_are_no_text() -> None:
    comments = f"<div class=comments>{f'<div class=comment><p>{PROSE * 3}</p></div>' * 9}</div>"
    html = f"<div><div><h1>On crawlers</h1><p>{PROSE * 4}</p></div>{comments}</div>"
    assert text(TITLED + html) == ["On crawlers", (PROSE * 4).strip()]
    assert len(text(html)) > 2
