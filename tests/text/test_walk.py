"""The pieces of a page, as a reader sees them."""

from __future__ import annotations

import pytest

from focuscrawl.text.blocks import Block
from focuscrawl.text.document import parse
from focuscrawl.text.marks import marked_layout
from focuscrawl.text.words import words_of
from tests.linear_time import linear
from tests.text.pages import layout, made


def test_the_element_around_a_piece_decides_its_kind() -> None:
    html = (
        "<h2>Head <a class=headerlink href=#x>¶</a></h2><p>One <b>two</b>\n three.</p><ul><li>a<ul><li>b</li></ul></li></ul>"
        "<pre>def f():\n    return 1\n</pre><blockquote><p>said</p></blockquote><dl><dt>term</dt><dd>meaning</dd></dl>"
    )
    assert made(html) == [
        Block("heading", "Head", 2),
        Block("paragraph", "One two three."),
        Block("item", "a", 0),
        Block("item", "b", 1),
        Block("code", "def f():\n    return 1"),
        Block("quote", "said"),
        Block("item", "term"),
        Block("item", "meaning"),
    ]


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<div><a>News</a><a>Sport</a></div>", "News Sport"),
        ("<p>See <a>News</a><a>Sport</a>.</p>", "See News Sport."),
        ("<div><span>Author</span><span>Ada</span></div>", "Author Ada"),
        ("<div><span><a>One</a></span><span><a>Two</a></span></div>", "One Two"),
        ("<dl><dt><strong>depth</strong><span class=classifier>int</span></dt></dl>", "depth int"),
        ("<div><a>Cats</a><time>2024</time></div>", "Cats 2024"),
        ("<div>By <a>Ada</a><span>Reporter</span><time>2024</time><span>3 min</span></div>", "By Ada Reporter 2024 3 min"),
        ("<div><a>科技</a><a>财经</a></div>", "科技 财经"),
        ("<li><a><span>哲学</span><span>12</span></a></li>", "哲学 12"),
        # Nothing is set apart within a word, a sentence of a script without spaces, or code.
        ("<p><b>bold</b>ly</p>", "boldly"),
        ("<p>un<span id=here></span>likely</p>", "unlikely"),
        ("<h2><span>W</span><span>o</span><span>r</span><span>d</span></h2>", "Word"),
        ("<p>the option <span>-od</span><span>x</span></p>", "the option -odx"),
        ("<p><span>H</span><sub>2</sub>O</p>", "H2O"),
        ("<dl><dt><span>asyncio.</span><span>run</span><span>(</span></dt></dl>", "asyncio.run("),
        ("<p>位于<a>中国</a><a>北京</a>市</p>", "位于中国北京市"),
        ("<p><span>他们</span><span>在</span><span>2024</span><span>年</span></p>", "他们在2024年"),
        ("<p><code><span>def</span><span>f</span></code></p>", "deff"),
        ("<pre><span>a</span><span>b</span></pre>", "ab"),
    ],
)
def test_words_are_apart_where_a_reader_sees_them_so(markup: str, shown: str) -> None:
    assert [block.text for block in made(markup)] == [shown]
    body = parse(markup).tree.body
    assert body is not None
    assert words_of(body) == shown


def test_spaces_that_the_source_does_not_have_weigh_nothing() -> None:
    """A list of links was no longer one for the spaces between them."""
    (piece,) = layout("<div><a>News</a><a>Sport</a></div>").pieces
    assert (piece.text, piece.size, piece.linked) == ("News Sport", 9, 9)


def test_line_breaks_divide_the_lines_of_code() -> None:
    html = "<div><code><span>if ($a) {<br>&nbsp;&nbsp;run();<br>}</span></code></div>"
    assert made(html) == [Block("code", "if ($a) {\n  run();\n}")]


def test_what_a_browser_does_not_show_is_not_read() -> None:
    assert made("<p hidden>a</p><script>b</script><style>c</style><select><option>d</select><noscript>e</noscript>") == []


@pytest.mark.parametrize("shown_by", ["role=tabpanel hidden", "role=tabpanel style='display:none'", "hidden=until-found"])
def test_what_a_reader_opens_is_read(shown_by: str) -> None:
    [piece] = layout(f"<div {shown_by}>the code for Windows</div><div hidden>a dialogue</div>").pieces
    assert (piece.text, piece.boilerplate) == ("the code for Windows", 0)


def test_readings_above_characters_are_not_read() -> None:
    html = "<p><ruby>江<rp>(</rp><rt>jiāng</rt><rp>)</rp></ruby><ruby>城<rt>chéng</rt></ruby>五月</p>"
    assert made(html) == [Block("paragraph", "江城五月")]
    assert words_of(parse(html).tree.css("p")[0]) == "江城五月"


def test_sizes_are_bytes_and_links_are_counted() -> None:
    (piece,) = layout("<p>中文 <a href=/>ab</a></p>").pieces
    assert (piece.size, piece.linked) == (9, 2)


def test_words_for_editors_and_screen_readers_are_left_out() -> None:
    edit = "<span class='mw-editsection'><span>[</span><a href=/edit>edit</a><span>]</span></span>"
    link = "<a href=/>map<span class=sr-only>New tab</span></a>"
    html = f"<h2><span>History</span>{edit}</h2><div><h3>Rails</h3>{edit}</div><p>A {link}</p>"
    assert [block.text for block in made(html)] == ["History", "Rails", "A map"]


def test_a_row_of_spans_that_hold_spans_takes_linear_time() -> None:
    document = parse("<p>" + "<span><i>a</i><span>b</span>c</span>" * 40_000)  # minutes when each looks at all of the row
    with linear():
        assert len(marked_layout(document).pieces) == 1


def test_a_heading_whose_words_are_a_button_that_opens_it_is_one() -> None:
    question = "<h3><button aria-expanded=false>How long does it take?</button></h3><p>Two days.</p>"
    html = f"{question}<h3>Boats <button>Copy</button></h3>"
    assert [(block.kind, block.text) for block in made(html)] == [
        ("heading", "How long does it take?"), ("paragraph", "Two days."), ("heading", "Boats"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        (
            "Since <relative-time>March 4</relative-time> the <b><tool-tip>lamp</tool-tip></b> is lit.",
            "Since March 4 the lamp is lit.",
        ),
        ("Good <g-emoji>🎉</g-emoji> news", "Good 🎉 news"),
        ("Press <picture><source><img></picture> to go on, <output>5</output> times.", "Press to go on, 5 times."),
        ("Let <mjx-container><mjx-math><mjx-mi></mjx-mi></mjx-math></mjx-container> be a number.", "Let be a number."),
    ],
)
def test_elements_without_a_meaning_do_not_break_a_sentence(markup: str, shown: str) -> None:
    assert [block.text for block in made(f"<p>{markup}</p>")] == [shown]


def test_elements_without_a_meaning_stand_apart_where_there_is_no_sentence() -> None:
    assert [block.text for block in made("<x-card>one</x-card><x-card><h3>two</h3>three</x-card>")] == ["one", "two", "three"]


def test_what_a_browser_shows_instead_of_a_film_is_not_read() -> None:
    html = "<video>No video.</video><audio>No audio.</audio><canvas>No chart.</canvas><p>Done <meter>2 of 10</meter></p>"
    assert [block.text for block in made(html)] == ["Done"]


@pytest.mark.parametrize(
    "lines",
    [
        "<ol><li>a = 1</li><li>  b = 2</li></ol>",
        "<code><div class=line><div>a = 1</div></div><div class=line><div>  b = 2</div></div></code>",
        "<code><div>a = 1\n</div><div>  b = 2\n</div></code>",
        "<table><tr><td></td><td>a = 1</td></tr><tr><td></td><td>  b = 2</td></tr></table>",
        "<code><span>a = 1</span>\n<span>  b = 2</span></code>",
    ],
)
def test_each_line_of_code_is_a_line(lines: str) -> None:
    assert made(f"<pre>{lines}</pre>") == [Block("code", "a = 1\n  b = 2")]


@pytest.mark.parametrize(
    "question",
    [
        "<dt><button aria-expanded=true>What is it?</button></dt>",
        "<h5><button data-toggle=collapse>What is it?</button></h5>",
    ],
)
def test_a_question_in_a_button_is_read(question: str) -> None:
    assert [block.text for block in made(f"{question}<div>A lamp.</div>")] == ["What is it?", "A lamp."]


def test_a_button_beside_the_words_of_a_heading_is_not_read() -> None:
    assert [block.text for block in made("<h2>Contents <button aria-expanded=false>hide</button></h2>")] == ["Contents"]
