"""Which pieces of a kept page need no vote."""

from __future__ import annotations

import pytest

from focuscrawl.text.blocks import plain
from tests.text.pages import ARTICLE, NOTICE, PROSE, kept, say


def test_what_stands_in_boxes_beside_the_prose_of_an_article_is_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    tools, notes, code = "Text size: smaller, larger", "A caption of the picture", "crawl(seeds)"
    flow = f"<p>{PROSE * 3}</p><h2>Further reading</h2><ul><li><a href=/1>A book</a></li></ul><div><pre>{code}</pre></div>"
    html = (
        f"{ARTICLE}<title>On crawlers</title><article><h1>On crawlers</h1>"
        f"<div>{tools}</div><div class=text>{flow}</div><div>{notes}</div></article>"
    )
    asked = say(monkeypatch, *[f"{PROSE * 3} {notes}"] * 2, "")
    assert tools not in plain(kept(html).blocks)
    assert [block.text for block in kept(html).blocks][2:] == ["Further reading", "A book", code, notes]
    assert set(asked) == {0, 1}


def test_entries_of_a_list_that_calls_itself_an_article_stay_with_their_titles(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = "<div class=entry><h2><a href=/{0}>Title {0}</a></h2><div class=excerpt><p>" + PROSE + "{0}</p></div></div>"
    entries = "".join(map(entry.format, range(9)))
    texts = "\n".join(f"{PROSE}{at}" for at in range(9))
    say(monkeypatch, texts, texts, "")
    found = kept(f"{ARTICLE}<title>Diary</title><main><h1>Diary</h1>{entries}</main>")
    titles_and_texts = [line for at in range(9) for line in (f"Title {at}", f"{PROSE}{at}")]
    assert [block.text for block in found.blocks] == ["Diary", *titles_and_texts]


def test_a_box_with_a_good_part_of_an_articles_text_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    say(monkeypatch, PROSE * 3, PROSE * 3, "")
    ingredients = f"<div class=things><h2>Ingredients</h2><ul>{'<li>Two cups of flour</li>' * 20}</ul></div>"
    share = "<div class=share><h3>Tell your friends</h3></div>"
    flow = f"<h1>A cake</h1>{share}<div class=text><p>{PROSE * 3}</p></div>{ingredients}"
    found = kept(f"{ARTICLE}<title>A cake</title><article>{flow}</article>")
    things = ["Ingredients", *["Two cups of flour"] * 20]
    assert [block.text for block in found.blocks] == ["A cake", (PROSE * 3).strip(), *things]


def test_an_article_without_boxes_beside_its_prose_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, "", "", "")
    flow = f"<h1>On crawlers</h1><p>{PROSE * 3}</p><ul><li><a href=/1>A book</a></li></ul><p>{PROSE}</p>"
    found = kept(f"{ARTICLE}<article>{flow}</article>")
    assert [block.text for block in found.blocks] == ["On crawlers", (PROSE * 3).strip(), "A book", PROSE.strip()]
    assert not asked


@pytest.mark.parametrize("code", ["", "<p>Call <code>crawl()</code> first.</p>"])
def test_boxes_around_the_text_of_a_page_are_voted_on_unless_it_is_a_manual(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    asked = say(monkeypatch, "", "", "")
    flow = f"<div class=text><p>{PROSE * 3}</p><div>A caption of the picture</div>{code}<p>{PROSE}</p></div>"
    after = "<div class=teaser><h3>Our shop</h3><div>New boots for spring</div></div>"
    found = kept(f"<title>On crawlers</title><main><h1>On crawlers</h1><div>Text size</div>{flow}{after}</main>")
    lines = [block.text for block in found.blocks]
    assert {(PROSE * 3).strip(), PROSE.strip(), "A caption of the picture"} < set(lines)
    around = {"Text size", "Our shop", "New boots for spring"}
    assert around.intersection(lines) == (around if code else set())
    assert bool(asked) == (not code)


def test_what_a_page_calls_boilerplate_stays_beside_its_prose_only_if_two_extractors_keep_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def page(before: str, after: str, name: str) -> list[str]:
        box = f"<div class={name}><p>{NOTICE * 2}</p></div>"
        found = kept(f"{before}<title>On trains</title><main><h1>On trains</h1><p>{PROSE * 2}</p>{box}{after}</main>")
        return [block.text for block in found.blocks][2:]

    say(monkeypatch, NOTICE, "", "")
    assert page("", "", "sidebar") == page(ARTICLE, "", "sidebar") == []
    assert page("", "", "plain") == page(ARTICLE, "", "plain") == [NOTICE * 2]
    assert page("", f"<p>{PROSE}</p>", "sidebar") == [NOTICE * 2, PROSE.strip()], "a box within the text, as manuals have"
    assert page(ARTICLE, f"<p>{PROSE}</p>", "sidebar") == [PROSE.strip()]
    assert page("", "<pre>crawl(seeds)</pre>", "sidebar") == [NOTICE * 2, "crawl(seeds)"], "a manual"
    say(monkeypatch, NOTICE, NOTICE, "")
    assert page("", "", "sidebar") == page(ARTICLE, "", "sidebar") == [NOTICE * 2]


def test_a_text_that_is_all_called_boilerplate_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, "", "", "")
    found = kept(f"{ARTICLE}<main><div class=share-card><h1>On trains</h1><p>{PROSE * 2}</p><p>{PROSE}</p></div></main>")
    assert [block.text for block in found.blocks] == ["On trains", (PROSE * 2).strip(), PROSE.strip()]
    assert not asked


@pytest.mark.parametrize(
    ("row", "stays"),
    [
        ("<li><a href=/flour>Flour</a>, two cups of it</li>", True),
        ("<li><a href=/flour>All that we have on flour</a></li>", False),
        ("<div class=row>Two cups of flour</div>", True),
        ("<div class=row>Two cups of <a href=/flour>flour</a></div>", False),
        ("<div>Two cups of flour</div>", False),
    ],
)
def test_rows_of_a_list_between_the_prose_of_an_article_are_not_voted_on(
    monkeypatch: pytest.MonkeyPatch, row: str, stays: bool
) -> None:
    def flours(rows: int, after: str) -> int:
        text = f"<div class=text><p>{PROSE * 3}</p></div><div class=things><div>{row * rows}</div></div>{after}"
        found = kept(f"{ARTICLE}<title>A cake</title><article><h1>A cake</h1>{text}</article>")
        return plain(found.blocks).lower().count("flour")

    say(monkeypatch, PROSE * 3, PROSE * 3, "")
    after = f"<div class=text><p>{PROSE}</p></div>"
    assert flours(4, after) == (4 if stays else 0)
    assert flours(3, after) == flours(4, "") == 0


@pytest.mark.parametrize("title", ["h2", "div"])
def test_the_title_of_a_page_is_not_voted_on(monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    say(monkeypatch, PROSE * 3, PROSE * 3, "")
    top = f"<div><{title}>On crawlers of the web</{title}><div>Section: crawlers</div></div>"
    html = f"<title>On crawlers of the web - Gazette</title><main>{top}<div class=text><p>{PROSE * 3}</p></div></main>"
    assert [block.text for block in kept(html).blocks] == ["On crawlers of the web", (PROSE * 3).strip()]
    assert len(kept(html.replace("<title>On", "<title>Of")).blocks) == 1


def test_the_lead_of_an_article_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    say(monkeypatch, PROSE * 6, PROSE * 6, "")
    lead = "Crawlers that know their topic leave most of the web alone, and find more of what they look for."
    top = f"<div class=top><h1>On crawlers</h1><p>{lead}</p></div>"
    html = f"<title>On crawlers</title><article>{top}<div class=text><p>{PROSE * 3}</p><p>{PROSE * 3}</p></div></article>"
    assert lead in plain(kept(ARTICLE + html).blocks)
    later = html.replace(top, "<h1>On crawlers</h1>").replace("</article>", f"<div class=top><p>{lead}</p></div></article>")
    assert lead not in plain(kept(ARTICLE + later).blocks)


def test_the_lines_of_a_poem_above_its_discussion_are_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, "", "", "")
    lines = ["The wind is low", "the rails go far", "a train at night", "and no one asks"]
    poem = f"<div class=poem>{''.join(f'<p>{line}</p>' for line in lines)}</div>"
    said = f"<div class=text><p>{PROSE * 3}</p></div><div class=text><p>{PROSE}</p></div>"
    found = kept(f"<title>The slow train</title><main><h1>The slow train</h1>{poem}{said}</main>")
    assert [block.text for block in found.blocks] == ["The slow train", *lines, (PROSE * 3).strip(), PROSE.strip()]
    assert not asked
