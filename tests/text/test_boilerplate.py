"""What names of elements say of them."""

from __future__ import annotations

import pytest

from focuscrawl.text.boilerplate import HARD, MARKED
from tests.linear_time import linear
from tests.text.pages import PROSE, layout, text


def test_tags_names_and_roles_are_signs_of_boilerplate() -> None:
    found = layout(
        "<nav>a</nav><div class='post-nav'>b</div><div id=footer>c</div><div id=footer-syntax>d</div><div role=search>e</div>"
        "<div role=main class=copyright>f</div>"
    )
    assert [piece.boilerplate for piece in found.pieces] == [HARD, MARKED, HARD, 0, HARD, 0]


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("post_info", MARKED), ("article-info clearfix", MARKED), ("wp-block-post-date", MARKED), ("author-bio", HARD),
        ("bottom-recommend", MARKED), ("user-consent", MARKED),
        ("info", 0), ("author", 0), ("date", 0), ("func_signature", 0), ("source", 0),
    ],
)  # fmt: skip
def test_names_of_what_stands_around_an_article_are_signs(name: str, sign: int) -> None:
    found = layout(f"<div class='{name}'>a</div><p>The text of the article.</p>")
    assert [piece.boilerplate for piece in found.pieces] == [sign, 0]


@pytest.mark.parametrize(
    ("name", "sign"),
    [("x-cookie-banner-y wide", HARD), ("gdpr_modal", HARD), ("cookie-banner.x", MARKED), ("cookielaws", HARD)],
)
def test_cookie_walls_are_known_by_a_whole_class(name: str, sign: int) -> None:
    assert layout(f"<div class='{name}'>a</div>").pieces[0].boilerplate == sign


def test_long_classes_take_no_time() -> None:
    """100 000 characters in each took half a minute, and were kept in memory; here are more."""
    name = "cookie-banner" * 20_000 + "."
    with linear():
        found = layout("".join(f"<div class='{name}{n}' id='{name}'>a</div>" for n in range(10)))
        assert max(len(element.classes) for element in found.elements) < 10_000


def test_names_of_code_are_no_signs() -> None:
    html = (
        "<div class='language-bash extra-class'><pre class='edit menu'>a</pre></div><ul class='language-menu'><li>b</li></ul>"
    )
    assert [piece.boilerplate for piece in layout(html).pieces] == [0, MARKED]


def test_what_pops_up_is_boilerplate() -> None:
    html = f"<p>{'words ' * 50}</p><dialog><p>Before you go</p></dialog><div popover><p>Choose your region</p></div>"
    assert [piece.boilerplate for piece in layout(html).pieces] == [0, HARD, HARD]


@pytest.mark.parametrize(
    "note",
    [
        "<aside class='callout' role=note>{}</aside>",
        "<aside role=note>{}</aside>",
        "<aside class='x-aside x-aside--tip'><div class=x-aside__content>{}</div></aside>",
    ],
)
def test_a_note_in_the_text_is_no_boilerplate(note: str) -> None:
    found = layout(f"<p>{'words ' * 40}</p>{note.format('<p>Clean the glass first.</p>')}<aside><p>Most read</p></aside>")
    assert [piece.boilerplate for piece in found.pieces] == [0, 0, HARD]


@pytest.mark.parametrize("attributes", ["class='cookie-banner'", "class='fc-consent-root x'", "id=a role=dialog"])
def test_what_asks_for_consent_is_no_text_however_long_it_is(attributes: str) -> None:
    wall = f"<div {attributes}><h1>We value your privacy</h1><p>{PROSE * 9}</p></div>"
    assert text(f"{wall}<div><h1>Crawlers</h1><p>{PROSE * 2}</p></div>") == ["Crawlers", (PROSE * 2).strip()]


def test_a_section_on_cookies_is_text() -> None:
    section = f"<section id=cookies class='cookies'><h2>Cookies</h2><p>{PROSE * 2}</p></section>"
    assert "Cookies" in text(f"<article><h1>HTTP</h1><p>{PROSE * 2}</p>{section}</article>")


@pytest.mark.parametrize(
    "box", ["<section id=author-info>{}</section>", "<div class=newsletter-post>{}</div>", "<ul class=credits>{}</ul>"]
)
def test_words_of_a_heading_and_names_of_texts_call_nothing_a_box(box: str) -> None:
    assert len(text(f"<main><p>{PROSE * 3}</p>{box.format(f'<p>{PROSE * 2}</p>')}</main>")) == 2


def test_entries_of_recent_posts_are_the_text_of_a_list() -> None:
    titles = [f"Of crawlers, part {number}" for number in range(6)]
    entries = "".join(f"<div class=recent-post-info><a href=/{title}>{title}</a></div>" for title in titles)
    assert text(f"<main><div id=recent-posts>{entries}</div></main>") == titles
    byline = f"<main><h1>Crawlers</h1><div class=post-info>By an author</div><p>{PROSE * 3}</p></main>"
    assert text(byline) == ["Crawlers", (PROSE * 3).strip()]
