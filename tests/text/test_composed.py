from __future__ import annotations

import time

from focuscrawl.links.extract import links_of
from focuscrawl.text.composed import composed
from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text, main_text
from focuscrawl.text.head import meta

WORDS = "The keeper lights the lamp at dusk, and puts it out when the last boat is in. "


def boundary(number: int, fallback: str = "<p>Loading…</p>") -> str:
    return f'<!--$?--><template id="B:{number}"></template>{fallback}<!--/$-->'


def part(number: int, content: str) -> str:
    return f'<div hidden id="S:{number}">{content}</div><script>$RC("B:{number}","S:{number}")</script>'


def words_of(html: str) -> list[str]:
    body = parse(html).tree.body
    assert body is not None
    body.strip_tags(["script"])
    return body.text(separator=" ").split()


def test_the_article_of_a_streamed_page_is_its_text() -> None:
    article = f"<article><h1>The lighthouse</h1><p>{WORDS}</p><p>{2 * WORDS}<a href=/boats>boats</a></p></article>"
    page = parse(f"<header><a href=/>Home</a></header><main>{boundary(0)}</main><footer>Imprint</footer>{part(0, article)}")
    expected = ["The lighthouse", WORDS.strip(), f"{2 * WORDS}boats"]
    assert fast_text(page).split("\n") == expected
    assert [block.text for block in main_text(page).blocks] == expected
    assert [link.anchor for link in links_of(page, "http://a.example/lighthouse").links] == ["Home", "boats"]


def test_parts_are_put_into_places_in_parts() -> None:
    first = f'<p>one</p><ul>{boundary(1, "<li>wait</li>")}</ul><template id="P:2"></template><p>four</p>'
    html = f"<main>{boundary(0, '<p>wait<!--$-->inside<!--/$--></p><b>wait</b>')}</main>{part(0, first)}"
    html += f'{part(2, "<p>three</p>")}<ul hidden id="S:1"><li>two</li></ul>'
    assert words_of(html) == ["one", "two", "three", "four"]


def test_a_part_without_a_place_and_a_place_without_a_part_stay() -> None:
    html = f"<main>{boundary(1)}<p>{WORDS}</p></main>{part(2, '<p>elsewhere</p>')}"
    assert fast_text(parse(html)) == f"Loading…\n{WORDS.strip()}"
    before = f'{part(0, "<p>early</p>")}<template id="B:0"></template><p>{WORDS}</p>'
    assert words_of(before) == ["early", *WORDS.split()]


def test_nothing_is_removed_where_no_comment_ends_the_boundary() -> None:
    html = f'<main><template id="B:0"></template><p>{WORDS}</p></main>{part(0, "<p>first</p>")}'
    assert fast_text(parse(html)) == f"first\n{WORDS.strip()}"


def test_a_streamed_title_is_the_title() -> None:
    html = f"<svg><title>icon</title></svg><div hidden>{boundary(0, '')}</div>{part(0, '<title>The lighthouse</title>')}"
    assert meta(parse(html)).title == "The lighthouse"


def test_what_stands_in_a_shadow_root_is_on_the_page() -> None:
    root = f"<template shadowrootmode=open><style>p {{}}</style><h1>Boats</h1><p>{WORDS}</p></template>"
    page = parse(f"<boat-page>{root}<p slot=end>{WORDS}<a href=/end>End</a></p></boat-page>")
    assert fast_text(page).split("\n") == ["Boats", WORDS.strip(), f"{WORDS}End"]
    assert [link.url for link in links_of(page, "http://a.example/").links] == ["http://a.example/end"]


def test_other_templates_are_not() -> None:
    other = "<template><p>row</p><template shadowrootmode='open'><b>in it</b></template></template>"
    script = "<script>'<template shadowrootmode=open>'</script>"
    html = f"{script}<p>See <x-a><template shadowrootmode='closed'>the</template></x-a> lamp. {WORDS}</p>{other}"
    assert "row" not in fast_text(parse(html))
    assert fast_text(parse(html)).split() == f"See the lamp. {WORDS}".split()


def test_pages_that_are_whole_are_the_same_text() -> None:
    for html in ("<p id=S:1>text", '<p id="other">text', "<template id='B:0'></template>"):
        assert composed(html) is html


def test_a_hostile_page_is_composed_in_linear_time() -> None:
    def seconds(size: int) -> float:
        html = "".join(f'<template id="B:{at}"></template>' for at in range(size))
        html += "".join(f'<div hidden id="S:{at}"><p>x</p></div>' for at in range(size))
        tries = []
        for _ in range(3):  # the collector of garbage may take its time in one of them
            start = time.thread_time()
            composed(html)
            tries.append(time.thread_time() - start)
        return min(tries)

    seconds(100)
    assert seconds(4_000) < 20 * max(seconds(1_000), 0.005)


def test_parts_in_parts_cost_no_more_than_parts_side_by_side() -> None:
    """Each was copied with all that had been put into it."""
    words, numbers = "<b>a</b>" * 65, range(190)

    def seconds(html: str) -> float:
        start = time.thread_time()
        assert composed(html).count("<template") <= 1
        return time.thread_time() - start

    beside = "".join(boundary(at, "") for at in numbers) + "".join(part(at, words) for at in numbers)
    within = boundary(0, "") + "".join(part(at, words + boundary(at + 1, "")) for at in numbers)
    assert seconds(within) < 20 * max(seconds(beside), 0.01)


def test_a_boundary_in_what_was_shown_meanwhile_is_gone_with_it() -> None:
    """Its part comes before that of the boundary around it."""
    html = f"<main>{boundary(0, boundary(1) + '<p>wait</p>')}</main>{part(1, '<p>inner</p>')}{part(0, '<p>outer</p>')}"
    assert words_of(html) == ["outer"]
    assert words_of(html.replace(part(1, "<p>inner</p>"), "") + part(1, "<p>inner</p>")) == ["outer"]


def test_only_a_boundary_has_something_to_show_meanwhile() -> None:
    first = '<p>one</p><!--$--><template id="P:1"></template><p>three</p><!--/$-->'
    html = f"<main>{boundary(0)}</main>{part(0, first)}{part(1, '<p>two</p>')}"
    assert words_of(html) == ["one", "two", "three"]


def test_a_part_is_placed_once() -> None:
    """Characters of a page that look like a place are none."""
    html = f"<main>{boundary(0)}</main>{part(0, '<p>one &#11;0&#11;</p>')}"
    assert words_of(html) == ["one"]
