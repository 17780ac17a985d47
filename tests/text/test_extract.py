from __future__ import annotations

from collections.abc import Callable

import pytest
from justext.utils import get_stoplist
from lxml.html import fromstring
from trafilatura import external

from focuscrawl.text import extractors
from focuscrawl.text.blocks import plain
from focuscrawl.text.clean import bare
from focuscrawl.text.complexity import sanitize
from focuscrawl.text.document import parse
from focuscrawl.text.extract import MAX_TEXT, MainText, fast_text, main_text
from focuscrawl.text.repeated import Site, digest
from tests.linear_time import linear

PROSE = "A focused crawler fetches pages about its topic and leaves the others alone. It reads each page and scores its links. "
CHINESE = "主题爬虫只下载与主题有关的网页，其余的网页不去访问。它阅读每个网页，并给网页中的链接打分，然后先访问分数高的链接。"


def article(text: str) -> str:
    links = "".join(f"<li><a href='/{number}'>menu entry {number}</a></li>" for number in range(30))
    return (
        f"<html><body><nav><ul>{links}</ul></nav><article><h1>Heading here</h1>"
        f"<p>{text * 2}</p><p>{text}</p></article><footer>all rights reserved</footer></body></html>"
    )


def fast(html: str) -> str:
    return fast_text(parse(html))


def kept(html: str, site: Site | None = None) -> MainText:
    return main_text(parse(html), "http://a.example/x", site)


@pytest.mark.parametrize("text", [PROSE, CHINESE])
def test_both_tiers_find_the_article_alone(text: str) -> None:
    html = article(text)
    for found in (fast(html), plain(kept(html).blocks)):
        assert text.strip() in found
        assert "menu entry" not in found
        assert "all rights reserved" not in found


def test_blocks_are_lines() -> None:
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
def test_next_to_nothing(html: str) -> None:
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


@pytest.mark.parametrize("script", ["<script>a = '<p>' < 1;{}</script>", "<STYLE>{}</Style >", "<script>{}"])
def test_scripts_do_not_count_for_what_is_too_large_and_are_not_read(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    sources: list[str] = []

    def extractor(html: str, url: str) -> str:
        sources.append(html)
        return ""

    monkeypatch.setattr("focuscrawl.text.votes.EXTRACTORS", {"one": extractor})
    page = article(PROSE).replace("<footer>", f"<div class=notes><p>{NOTICE}</p></div><footer>").replace("</body></html>", "")
    assert kept(page + script.format("<b>" * 150_000)).extractor == "vote"
    assert sources == [parse(page).html]
    assert kept(page + script.format("x")).extractor == "vote"
    assert "x" in sources[1].removeprefix(page), "a small page is read as it is"


def test_the_scripts_of_a_large_page_are_found_in_linear_time() -> None:
    with linear():
        kept("<script" * 100_000 + "</script" * 100_000)
        kept("<script>" + "</" * 300_000)


@pytest.mark.parametrize("nest", ["<div>", "<b><div>", "<a><span>", "<ul><li>", "<table><tr><td>", "<pre><div>"])
def test_deep_nesting_is_read_to_its_end(nest: str) -> None:
    html = nest * 1_000 + PROSE
    assert PROSE.strip() in fast(html)
    assert PROSE.strip() in fast(sanitize(html))


def test_the_text_is_cut_at_its_limit() -> None:
    html = f"<p>{'word ' * 30_000}</p><pre>{'code ' * 30_000}</pre>"
    assert MAX_TEXT - 10 < len(fast(html)) <= MAX_TEXT


# --- what two extractors agree on, and what a site repeats -------------------------------------------------------------------

NOTICE = "This notice about the search box stands on each of the pages of this site, and says nothing of them."


def say(monkeypatch: pytest.MonkeyPatch, *texts: str) -> list[int]:
    """Let the extractors find these texts; the list tells which of them were asked."""
    asked: list[int] = []

    def extractor(at: int) -> Callable[[str, str], str]:
        def text(html: str, url: str) -> str:
            asked.append(at)
            return texts[at]

        return text

    monkeypatch.setattr("focuscrawl.text.votes.EXTRACTORS", {str(at): extractor(at) for at in range(len(texts))})
    return asked


def two_columns(notice: str) -> str:
    text = f"<h1>Of crawlers</h1><p>{PROSE * 3}</p><p>{PROSE}</p>"
    return f"<body><div class=a><p>{notice}</p></div><div class=b>{text}</div></body>"


def site_of(*texts: str, pages: int = 9) -> Site:
    """A site whose pages all have these texts."""
    site = Site()
    for number in range(pages):
        site.learn(f"http://a.example/{number}", [digest(bare(text)) for text in texts], {})
    return site


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


def test_votes_that_end_alike_on_page_after_page_are_not_held_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, PROSE, PROSE, PROSE)
    site = Site()
    for number in range(15):
        aside = f"Aside number {number}, which no extractor takes for a part of the text, stands in its place on every page."
        html = article(f"Page {number}. {PROSE}").replace("<footer>", f"<div class=tags><p>{aside}</p></div><footer>")
        found = kept(html, site)
        site.learn(f"http://a.example/{number}", found.digests, found.votes)
        assert aside not in plain(found.blocks)
    assert asked == [0, 1] * 8


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


def test_what_stands_in_boxes_beside_the_prose_of_an_article_is_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    tools, notes, code = "Text size: smaller, larger", "A caption of the picture", "crawl(seeds)"
    flow = f"<p>{PROSE * 3}</p><h2>Further reading</h2><ul><li><a href=/1>A book</a></li></ul><div><pre>{code}</pre></div>"
    html = (
        "<meta property='og:type' content='article'><title>On crawlers</title><article><h1>On crawlers</h1>"
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
    found = kept(f"<meta property='og:type' content='article'><title>Diary</title><main><h1>Diary</h1>{entries}</main>")
    titles_and_texts = [line for at in range(9) for line in (f"Title {at}", f"{PROSE}{at}")]
    assert [block.text for block in found.blocks] == ["Diary", *titles_and_texts]


def test_a_box_with_a_good_part_of_an_articles_text_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    say(monkeypatch, PROSE * 3, PROSE * 3, "")
    ingredients = f"<div class=things><h2>Ingredients</h2><ul>{'<li>Two cups of flour</li>' * 20}</ul></div>"
    share = "<div class=share><h3>Tell your friends</h3></div>"
    flow = f"<h1>A cake</h1>{share}<div class=text><p>{PROSE * 3}</p></div>{ingredients}"
    found = kept(f"<meta property='og:type' content='article'><title>A cake</title><article>{flow}</article>")
    things = ["Ingredients", *["Two cups of flour"] * 20]
    assert [block.text for block in found.blocks] == ["A cake", (PROSE * 3).strip(), *things]


def test_an_article_without_boxes_beside_its_prose_is_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, "", "", "")
    flow = f"<h1>On crawlers</h1><p>{PROSE * 3}</p><ul><li><a href=/1>A book</a></li></ul><p>{PROSE}</p>"
    found = kept(f"<meta property='og:type' content='article'><article>{flow}</article>")
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


ARTICLE = "<meta property='og:type' content='article'>"


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


def test_a_remark_is_not_added_by_a_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    credit, line = "Photograph: Ada Birch / The Gazette", "A line that two of the extractors keep"
    say(monkeypatch, *[f"{PROSE * 3}\n{credit}\n{line}"] * 2, "")
    html = f"<div><p>{credit}</p><p>{line}</p><ul><li><a href=/1>Trains</a></ul></div><main><p>{PROSE * 3}</p></main>"
    assert [block.text for block in kept(html).blocks] == [line, (PROSE * 3).strip()]


def test_the_lines_of_a_poem_above_its_discussion_are_not_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, "", "", "")
    lines = ["The wind is low", "the rails go far", "a train at night", "and no one asks"]
    poem = f"<div class=poem>{''.join(f'<p>{line}</p>' for line in lines)}</div>"
    said = f"<div class=text><p>{PROSE * 3}</p></div><div class=text><p>{PROSE}</p></div>"
    found = kept(f"<title>The slow train</title><main><h1>The slow train</h1>{poem}{said}</main>")
    assert [block.text for block in found.blocks] == ["The slow train", *lines, (PROSE * 3).strip(), PROSE.strip()]
    assert not asked


def test_extractors_are_asked_only_as_far_as_the_text_hangs_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, PROSE, NOTICE, NOTICE)
    assert kept(article(PROSE)).extractor == "vote"
    assert asked == []  # the layout has found all of it
    html = article(PROSE).replace("<footer>", f"<div class=tags><p>{NOTICE}</p></div><footer>")
    assert NOTICE in plain(kept(html, site_of(PROSE)).blocks)
    assert asked == [0, 1, 2]
    asked = say(monkeypatch, NOTICE, NOTICE, PROSE)
    assert NOTICE in plain(kept(html, site_of(PROSE)).blocks)
    assert asked == [0, 1]  # two agree


def test_what_is_told_beside_the_text() -> None:
    text = f"<h1>T</h1><p>{PROSE}</p><p>{PROSE}<a href=/>{'link ' * 40}</a></p>"
    found = kept(f"<div class='page-12 x'><main class=doc>{text}</main></div>")
    assert found.template == "body/div.page-/main.doc"
    assert 0.4 < found.link_share < 0.5
    assert digest(bare(PROSE)) in found.digests


def test_stop_words_of_all_languages_are_told_from_other_words() -> None:
    words = extractors._StopWords()
    for language in ("English", "Czech", "Russian"):
        assert all(word in words for word in get_stoplist(language))
    assert not any(word in words for word in ("telescope", "爬虫", "", "tHe"))


def test_justext_tells_sentences_from_lists_by_them() -> None:
    extractors.by_trafilatura(article(PROSE))  # loads it
    sentence = "It is not the telescope that sees the stars but the man who is behind it and has learned what to look for. "
    names = "Betelgeuse Rigel Bellatrix Mintaka Alnilam Alnitak Saiph Aldebaran Castor Pollux Procyon Sirius Adhara Capella "
    tree = fromstring(f"<body><p>{sentence * 3}</p><p>{names * 4}</p></body>")
    text = " ".join(external.try_justext(tree, None, None).itertext())
    assert sentence.strip() in text
    assert "Betelgeuse" not in text


def test_formulas_are_kept_as_tex_or_in_a_line() -> None:
    annotation = r'<annotation encoding="application/x-tex">{\displaystyle E=mc^{2}}</annotation>'
    tex = f"<math><semantics><mi>E</mi>{annotation}</semantics></math>"
    katex = '<span class="katex-mathml"><math alttext="x^2"><mi>x</mi></math></span><span class="katex-html">x2</span>'
    line = "<math><mfrac><mi>F</mi><mrow><mi>f</mi><mo>+</mo><msqrt><mi>x</mi></msqrt></mrow></mfrac></math>"
    html = (
        f'<main><p>The energy {tex} of a body is larger than most people expect of it.</p><div class="mwe-math-mathml-display"'
        f' style="display: none;">{tex}</div><p>A square {katex} and a fraction {line} stand here.</p></main>'
    )
    assert [block.text for block in main_text(parse(html)).blocks] == [
        "The energy $E=mc^{2}$ of a body is larger than most people expect of it.",
        "$E=mc^{2}$",
        "A square $x^2$ and a fraction F/(f+√(x)) stand here.",
    ]


def test_formulas_in_scripts_for_mathjax_are_kept() -> None:
    tex = '<script type="math/tex">a_1</script>'
    html = f'<main><p>The sum of {tex} is finite.</p><script type="math/tex; mode=display">\\sum_i a_i</script></main>'
    assert [block.text for block in main_text(parse(html)).blocks] == ["The sum of $a_1$ is finite.", r"$\sum_i a_i$"]


def test_a_formula_nested_without_end_is_read() -> None:
    html = f"<p>The formula {'<math>' + '<mrow>' * 5_000}<mi>y</mi>"
    assert [block.text for block in main_text(parse(html)).blocks] == ["The formula y"]
