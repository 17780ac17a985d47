"""The two tiers of main text: all that the layout finds, and what the extractors change of it on kept pages."""

from __future__ import annotations

import pytest

from focuscrawl.text.blocks import plain
from focuscrawl.text.clean import bare
from focuscrawl.text.complexity import sanitize
from focuscrawl.text.document import parse
from focuscrawl.text.extract import MAX_TEXT, main_text
from focuscrawl.text.repeated import digest
from tests.text.pages import CHINESE, NOTICE, PROSE, article, fast, kept, say, site_of


@pytest.mark.parametrize("text", [PROSE, CHINESE])
def test_both_tiers_find_the_article_alone(text: str) -> None:
    html = article(text)
    for found in (fast(html), plain(kept(html).blocks)):
        assert text.strip() in found
        assert "menu entry" not in found
        assert "all rights reserved" not in found


def test_each_block_is_a_line_of_the_fast_text() -> None:
    assert len(fast(article(PROSE)).split("\n")) == 3


def test_chinese_between_inline_elements_is_kept() -> None:
    sentence = "<b>LinkedList</b> 是 <code>Deque</code>，<b>ArrayList</b>和<b>Vector</b>不是。"
    html = f"<article><p>{CHINESE}</p><p>{sentence}</p></article>"
    for found in (fast(html), plain(kept(html).blocks)):
        assert "LinkedList 是 Deque，ArrayList和Vector不是。" in found


def test_a_list_of_links_gives_its_words() -> None:
    html = "<ul>" + "".join(f"<li><a href='/{number}'>crawler article {number}</a></li>" for number in range(30)) + "</ul>"
    assert "crawler article 29" in fast(html)


@pytest.mark.parametrize(
    "html", ["", "x", "<", "<script>1</script>", "\x0c<<<>", "<img src=x>", "<frameset><frame src=a></frameset>"]
)
def test_a_page_with_next_to_nothing_has_next_to_no_text(html: str) -> None:
    assert len(fast(html)) <= 5
    assert len(plain(kept(html).blocks)) <= 5


def test_an_xml_declaration_does_not_disturb() -> None:
    assert CHINESE in plain(kept("<?xml version='1.0' encoding='gbk'?>" + article(CHINESE)).blocks)


def test_pages_too_large_for_the_extractors_keep_the_fast_text_as_blocks() -> None:
    html = article(PROSE * 1_200)
    found = kept(html)
    assert found.extractor == "fast"
    assert plain(found.blocks) == fast(html)
    assert kept(article(PROSE)).extractor == "vote"
    assert main_text(parse(article(PROSE)), vote=False).extractor == "fast"


@pytest.mark.parametrize("nest", ["<div>", "<b><div>", "<a><span>", "<ul><li>", "<table><tr><td>", "<pre><div>"])
def test_deep_nesting_is_read_to_its_end(nest: str) -> None:
    html = nest * 1_000 + PROSE
    assert PROSE.strip() in fast(html)
    assert PROSE.strip() in fast(sanitize(html))


def test_the_text_is_cut_at_its_limit() -> None:
    html = f"<p>{'word ' * 30_000}</p><pre>{'code ' * 30_000}</pre>"
    assert MAX_TEXT - 10 < len(fast(html)) <= MAX_TEXT


def two_columns(notice: str) -> str:
    text = f"<h1>Of crawlers</h1><p>{PROSE * 3}</p><p>{PROSE}</p>"
    return f"<body><div class=a><p>{notice}</p></div><div class=b>{text}</div></body>"


def test_what_all_pages_of_a_site_say_goes_unless_extractors_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere = site_of(NOTICE, PROSE)
    say(monkeypatch, PROSE * 4, PROSE * 4, NOTICE)
    assert NOTICE in plain(kept(two_columns(NOTICE)).blocks)
    found = plain(kept(two_columns(NOTICE), everywhere).blocks)
    assert NOTICE not in found
    assert found.count(PROSE.strip()) == 4


def test_prose_that_all_of_many_pages_say_goes_though_extractors_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    label = "Materials and techniques"
    text = f"<p>{PROSE * 3}</p><table><tr><td>{label}<td>Brass</table><p>{PROSE}</p>"
    html = f"<title>Engine</title><main><h1>Engine</h1>{text}<h3>About this record</h3><p>{NOTICE}</p></main>"
    asked = say(monkeypatch, NOTICE + PROSE * 4, NOTICE + PROSE * 4, NOTICE)
    assert NOTICE in plain(kept(html, site_of(NOTICE)).blocks)
    assert asked == [0, 1]
    asked.clear()
    found = plain(kept(html, site_of(NOTICE, pages=10)).blocks)
    assert NOTICE not in found
    assert asked == []
    assert found.count(PROSE.strip()) == 4
    say(monkeypatch, label, label, label)
    assert label in plain(kept(html, site_of(label, pages=10)).blocks)


def test_a_clause_that_most_pages_have_between_prose_of_their_own_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    say(monkeypatch, PROSE * 3, PROSE * 3, "")
    everywhere = site_of(NOTICE, pages=10)

    def has_notice(*parts: str) -> bool:
        html = f"<title>Lease</title><main><h1>Lease of a very {'long ' * 20}line</h1>{''.join(parts)}</main>"
        return NOTICE in plain(kept(html, everywhere).blocks)

    own, notice, note = f"<p>{PROSE * 2}</p>", f"<p>{NOTICE}</p>", "<p>Made on 1 March</p>"
    assert has_notice(own, f"<section><h2>Damages</h2>{notice}</section>", own)
    assert not has_notice(notice, own, own)  # the heading is no text of the lease
    assert not has_notice(own, own, notice, note)
    assert not has_notice(own, notice.replace("search box", "<a href=/letter>search box</a>"), own)
    assert not has_notice(own, own, notice, f"<nav>{own}</nav>")


def test_what_most_pages_say_is_voted_on_where_it_stands_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page about a site whose other pages have its first paragraph in their footers."""
    other = article(PROSE).replace("<footer>", f"<footer><p>{NOTICE}</p>")
    about = other.replace("</h1>", f"</h1><p>{NOTICE}</p>")
    everywhere = site_of(NOTICE, pages=10)
    say(monkeypatch, NOTICE + PROSE, NOTICE + PROSE, "")
    assert NOTICE in plain(kept(about, everywhere).blocks)
    assert NOTICE not in plain(kept(other, everywhere).blocks)
    say(monkeypatch, PROSE, PROSE, "")
    assert NOTICE not in plain(kept(about, everywhere).blocks)


def test_what_all_pages_say_beside_the_text_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, NOTICE, NOTICE, NOTICE)
    everywhere = site_of(NOTICE)
    html = article(PROSE).replace("<footer>", f"<footer><p>{NOTICE}</p>")
    assert NOTICE not in plain(kept(html, everywhere).blocks)
    assert asked == []
    html = article(PROSE).replace("<h1>", f"<p>{NOTICE}</p><h1>")
    assert NOTICE in plain(kept(html, everywhere).blocks)
    assert asked == [0, 1]


def test_a_page_is_never_reduced_below_what_two_extractors_agree_on(monkeypatch: pytest.MonkeyPatch) -> None:
    aside = "An aside that two of the three extractors take for text, and rightly so, as it seems."
    html = article(PROSE).replace("<footer>", f"<div class=tags><p>{aside}</p></div><footer>")
    say(monkeypatch, PROSE, PROSE, aside)
    assert aside not in plain(kept(html, site_of(NOTICE)).blocks)
    say(monkeypatch, PROSE, aside, aside)
    assert plain(kept(html, site_of(NOTICE)).blocks).endswith(aside)
    assert plain(kept(html.replace("tags", "notes")).blocks).endswith(aside)


def test_a_box_that_a_new_site_calls_boilerplate_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    life = "Tom Reed lives near a junction, has written about trains since he was a boy, and sells prints."
    html = article(PROSE).replace("<footer>", f"<div class=author-info><p>{life}</p></div><footer>")
    asked = say(monkeypatch, life, life, life)
    assert life not in plain(kept(html).blocks)
    assert asked == []


@pytest.mark.parametrize(
    ("line", "voted"),
    [
        ("2026-03-11 09:12, from the River Gazette", False),
        ("Free delivery on all of the orders", False),
        ("Each part can be had in brass or in steel, and those of 2026-03-11 in tin as well, if one asks.", True),
    ],
)
def test_datelines_and_labels_above_the_title_are_not_voted_on(monkeypatch: pytest.MonkeyPatch, line: str, voted: bool) -> None:
    asked = say(monkeypatch, *[f"{PROSE * 3} {line}"] * 3)
    html = f"<title>Heading here</title><div>{line}</div>{article(PROSE)}"
    assert (line in plain(kept(html).blocks)) is voted
    assert bool(asked) is voted
    below = article(PROSE).replace("<footer>", f"<div>{line}</div><footer>")
    assert (line in plain(kept(below).blocks)) is (voted or line.startswith("Free"))


def test_a_list_of_other_pages_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    teaser = "Of another page the list below the text says this much, and no more than that."
    others = (
        f"<h2>More posts</h2><div><h3><a href=/1>A link that is longer than its teaser. {teaser}</a></h3><p>{teaser}</p></div>"
    )
    asked = say(monkeypatch, *[f"{PROSE * 3} {teaser}"] * 3)
    found = plain(kept(f"<body><article><p>{PROSE * 3}</p><p>{PROSE}</p></article><div>{others}</div></body>").blocks)
    assert teaser not in found
    assert not asked


def test_a_remark_is_not_added_by_a_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    credit, line = "Photograph: Ada Birch / The Gazette", "A line that two of the extractors keep"
    say(monkeypatch, *[f"{PROSE * 3}\n{credit}\n{line}"] * 2, "")
    html = f"<div><p>{credit}</p><p>{line}</p><ul><li><a href=/1>Trains</a></ul></div><main><p>{PROSE * 3}</p></main>"
    assert [block.text for block in kept(html).blocks] == [line, (PROSE * 3).strip()]


def test_template_share_of_links_and_digests_are_told_with_the_text() -> None:
    text = f"<h1>T</h1><p>{PROSE}</p><p>{PROSE}<a href=/>{'link ' * 40}</a></p>"
    found = kept(f"<div class='page-12 x'><main class=doc>{text}</main></div>")
    assert found.template == "body/div.page-/main.doc"
    assert 0.4 < found.link_share < 0.5
    assert digest(bare(PROSE)) in found.digests
