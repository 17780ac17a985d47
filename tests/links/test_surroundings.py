from __future__ import annotations

import pytest

from focuscrawl.links.surroundings import MAX_CONTEXT, Surroundings, anchor_of
from focuscrawl.text.document import parse


def context(markup: str) -> str:
    (node,) = parse(markup).tree.css("#x")
    return Surroundings().context(node, anchor_of(node))


def position(markup: str) -> str:
    (node,) = parse(markup).tree.css("#x")
    return Surroundings().position(node, node.attributes)


@pytest.mark.parametrize(
    ("markup", "anchor"),
    [
        ("<a id=x> two\n <b>words</b></a>", "two words"),
        ("<a id=x><h3>Title</h3><p>teaser</p></a>", "Title teaser"),
        ("<a id=x><em>爬</em>虫的<b>bold</b>ly</a>", "爬虫的boldly"),
        ("<a id=x><span>News</span><span>Sport</span></a>", "News Sport"),
        ("<a id=x title=t><img alt='a picture'><img alt=''></a>", "a picture"),
        ("<a id=x title=' in the  title '><i></i></a>", "in the title"),
        ("<a id=x aria-label=label></a>", "label"),
        ("<map><area id=x alt='area text'></map>", "area text"),
        ("<iframe id=x name=n title=player>no frames</iframe>", "player"),
        ("<a id=x></a>", ""),
        ("<a id=x>safe\u202etext&#0;</a>", "safetext"),
    ],
)
def test_anchor(markup: str, anchor: str) -> None:
    (node,) = parse(markup).tree.css("#x")
    assert anchor_of(node) == anchor


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>before <a id=x>link</a> after</p><p>other</p>", "before link after"),
        ("<p>before <b><i><a id=x>link</a></i></b> after</p>", "before link after"),
        ("<ul><li><a id=x>link</a></li><li>other</li></ul>", "link"),
        ("<p>关于<b>爬</b>虫的<a id=x>文章</a>。<a>next</a></p>", "关于爬虫的文章。next"),
        ("<div><h2><a id=x>Title</a></h2><p>teaser</p></div>", "Title teaser"),
        ("<table><tr><td><a id=x>name</a></td><td>what it is</td></tr></table>", "name what it is"),
        ("<p><a id=x><img alt=picture></a></p>", "picture"),
        ("<a id=x>alone</a>", "alone"),
    ],
)
def test_context_is_the_text_under_the_aggregation_node(markup: str, expected: str) -> None:
    assert context(markup) == expected


def test_long_contexts_are_cut_around_the_anchor() -> None:
    found = context("<p>" + "before " * 200 + "<a id=x>the link</a> " + "after " * 200 + "</p>")
    assert "before the link after" in found
    assert len(found) <= MAX_CONTEXT + len("the link")


def test_the_second_link_of_the_same_words_has_its_own_surroundings() -> None:
    filler = "filler words " * 30
    document = parse(f"<p>{filler}<a>more</a> about dogs {filler} <a>more</a> about cats {filler}</p>")
    around = Surroundings()
    contexts = [around.context(node, "more") for node in document.tree.css("a")]
    assert "dogs" in contexts[0]
    assert "cats" in contexts[1]
    assert "dogs" not in contexts[1]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<body class=home><div class='main wide'><ul><li class=item-17><a id=x>y</a></li></ul></div>",
            "body/div.main/ul/li.item/a",
        ),
        ("<a id=x class='nav3 active'>y</a>", "body/a.nav"),
        ("<div>" * 9 + "<a id=x>y</a>", "div/div/div/div/div/a"),
        ("<div class=' '><a id=x class=123>y</a></div>", "body/div/a"),
    ],
)
def test_position(markup: str, expected: str) -> None:
    assert position(markup) == expected


def test_what_is_read_of_large_elements_is_bounded_by_all_that_they_hold() -> None:
    depth, text = 30, "word " * 60_000
    tree = parse("".join(f"<div><a>{number}</a>" for number in range(depth)) + text + "</div>" * depth).tree
    surroundings = Surroundings()
    contexts = [surroundings.context(node, anchor_of(node)) for node in tree.css("a")]
    assert "word" in contexts[0]
    assert contexts[-1] == str(depth - 1)
