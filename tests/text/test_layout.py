"""The pieces of a page, and the blocks made of them."""

from __future__ import annotations

import pytest

from focuscrawl.text import clean
from focuscrawl.text.blocks import Block
from focuscrawl.text.boilerplate import HARD, MARKED
from focuscrawl.text.document import parse
from focuscrawl.text.layout import Layout
from focuscrawl.text.main_element import main_element, main_pieces
from focuscrawl.text.marks import marked_layout
from focuscrawl.text.piece_blocks import blocks
from focuscrawl.text.words import words_of
from tests.linear_time import linear


def read(html: str) -> Layout:
    return marked_layout(parse(html))


def made(html: str, limit: int = 10_000) -> list[Block]:
    found = read(html)
    return blocks(found, list(range(len(found.pieces))), limit)


def test_kinds_of_blocks() -> None:
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
    (piece,) = read("<div><a>News</a><a>Sport</a></div>").pieces
    assert (piece.text, piece.size, piece.linked) == ("News Sport", 9, 9)


def test_the_words_of_an_element_with_blocks() -> None:
    body = parse("<h3>Title.</h3><p>(a teaser)</p><button>Buy</button><script>x()</script><p>foo<b>()</b> ends").tree.body
    assert body is not None
    assert words_of(body) == "Title. (a teaser) Buy foo() ends"
    assert words_of(body, 8) == "Title. ("


def test_the_joints_of_a_huge_element_are_not_looked_at_one_by_one() -> None:
    body = parse("<b>a</b>b" * 30_000).tree.body
    assert body is not None
    assert words_of(body, 7) == "a b a b"


def test_rows_of_data_are_one_table() -> None:
    html = "<table><tr><th>name</th><th>size</th></tr><tr><td><p>x</p></td><td>1</td></tr></table>"
    assert made(f"{html}<table><tr><td>y</td><td>2</td></tr></table>") == [
        Block("table", "name\tsize\nx\t1"),
        Block("table", "y\t2"),
    ]


def test_a_table_for_layout_is_none() -> None:
    html = "<table><tr><td><ul><li>menu</li><li>more</li></ul></td><td><h1>Title</h1><p>text</p></td></tr></table>"
    assert [block.kind for block in made(html)] == ["item", "item", "heading", "paragraph"]
    assert made("<table><tr><td>alone</td></tr></table>") == [Block("paragraph", "alone")]


def test_line_breaks_divide_paragraphs() -> None:
    assert made("one<br>two<br><br>three") == [Block("paragraph", text) for text in ("one", "two", "three")]
    prose = (
        "A paragraph that is longer than the lines of poems are, and says something about the paragraphs before and after it."
    )
    assert [block.text for block in made(f"{prose}<br>one<br>two<br>three<br>four")] == [prose, "one", "two", "three", "four"]


def test_the_lines_of_a_stanza_stay_together() -> None:
    poem = "床前明月光，<br>疑是地上霜。<br /><br />\n<br>举头望明月，<br>低头思故乡。<br>"
    assert made(f"<p>{poem}</p>") == [
        Block("paragraph", "床前明月光，\n疑是地上霜。"),
        Block("paragraph", "举头望明月，\n低头思故乡。"),
    ]
    assert made(f"<blockquote><p>{poem}</p></blockquote>")[0].kind == "quote"


def test_code_as_php_writes_it() -> None:
    html = "<div><code><span>if ($a) {<br>&nbsp;&nbsp;run();<br>}</span></code></div>"
    assert made(html) == [Block("code", "if ($a) {\n  run();\n}")]


def test_line_numbers_are_no_code() -> None:
    html = "<table><tr><td class=gutter><pre>1\n2</pre></td><td class=code><pre>a()\nb()</pre></td></tr></table>"
    assert made(html) == [Block("code", "a()\nb()")]


def test_what_is_not_read() -> None:
    assert made("<p hidden>a</p><script>b</script><style>c</style><select><option>d</select><noscript>e</noscript>") == []


@pytest.mark.parametrize("shown_by", ["role=tabpanel hidden", "role=tabpanel style='display:none'", "hidden=until-found"])
def test_what_a_reader_opens_is_read(shown_by: str) -> None:
    [piece] = read(f"<div {shown_by}>the code for Windows</div><div hidden>a dialogue</div>").pieces
    assert (piece.text, piece.boilerplate) == ("the code for Windows", 0)


def test_readings_above_characters_are_not_read() -> None:
    html = "<p><ruby>江<rp>(</rp><rt>jiāng</rt><rp>)</rp></ruby><ruby>城<rt>chéng</rt></ruby>五月</p>"
    assert made(html) == [Block("paragraph", "江城五月")]
    assert words_of(parse(html).tree.css("p")[0]) == "江城五月"


def test_a_form_is_no_text_unless_it_is_wrapped_around_the_page() -> None:
    fields, text = "<label>First name</label><label>Last name</label>", "<p>What the page says of itself.</p>"
    assert [piece.boilerplate for piece in read(f"{text}<form>{fields}</form>").pieces] == [0, MARKED]
    assert {piece.boilerplate for piece in read(f"<p>Site</p><form>{text}{fields}</form>").pieces} == {0}


def test_signs_of_boilerplate() -> None:
    found = read(
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
    found = read(f"<div class='{name}'>a</div><p>The text of the article.</p>")
    assert [piece.boilerplate for piece in found.pieces] == [sign, 0]


@pytest.mark.parametrize(
    ("name", "sign"),
    [("x-cookie-banner-y wide", HARD), ("gdpr_modal", HARD), ("cookie-banner.x", MARKED), ("cookielaws", HARD)],
)
def test_cookie_walls_are_known_by_a_whole_class(name: str, sign: int) -> None:
    assert read(f"<div class='{name}'>a</div>").pieces[0].boilerplate == sign


def test_long_classes_take_no_time() -> None:
    """100 000 characters in each took half a minute, and were kept in memory; here are more."""
    name = "cookie-banner" * 20_000 + "."
    with linear():
        found = read("".join(f"<div class='{name}{n}' id='{name}'>a</div>" for n in range(10)))
        assert max(len(element.classes) for element in found.elements) < 10_000


def test_names_of_code_are_no_signs() -> None:
    html = (
        "<div class='language-bash extra-class'><pre class='edit menu'>a</pre></div><ul class='language-menu'><li>b</li></ul>"
    )
    assert [piece.boilerplate for piece in read(html).pieces] == [0, MARKED]


def test_an_element_that_holds_most_of_the_text_is_no_menu() -> None:
    found = read(
        f"<div class='wy-nav-content-wrap'><h1>T</h1><p>{'text ' * 20}</p><div class=tags>x</div></div><div class=menu>y</div>"
    )
    assert [piece.boilerplate for piece in found.pieces] == [0, 0, MARKED, MARKED]
    (notice,) = read(f"<div class=skip><p>{'text ' * 20}</p></div>").pieces
    assert notice.boilerplate == MARKED


def test_sizes_are_bytes_and_links_are_counted() -> None:
    (piece,) = read("<p>中文 <a href=/>ab</a></p>").pieces
    assert (piece.size, piece.linked) == (9, 2)


def test_blocks_end_at_the_limit() -> None:
    assert made("<p>one</p><p>two</p><p>three</p>", 6) == [Block("paragraph", "one"), Block("paragraph", "tw")]


def test_a_cell_with_a_table_of_its_own_stands_apart() -> None:
    [block] = made("<table><tr><td>Name</td><td><table><tr><td>Smith</td></tr></table></td></tr></table>")
    assert block.text == "Name\tSmith"


def test_cells_without_text_keep_their_places() -> None:
    rows = ["<th></th><th>Min</th><th>Max</th>", "<td>x</td><td>&nbsp;</td><td>10</td>", "<td>y</td><td>1</td><td></td>"]
    [block] = made(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
    assert block.text == "\tMin\tMax\nx\t\t10\ny\t1"


def test_words_for_editors_and_screen_readers_are_left_out() -> None:
    edit = "<span class='mw-editsection'><span>[</span><a href=/edit>edit</a><span>]</span></span>"
    link = "<a href=/>map<span class=sr-only>New tab</span></a>"
    html = f"<h2><span>History</span>{edit}</h2><div><h3>Rails</h3>{edit}</div><p>A {link}</p>"
    assert [block.text for block in made(html)] == ["History", "Rails", "A map"]


PAPER = "<head><meta name='citation_title' content='Of Queues'></head>"
SERVICES = "<div><h1>Services</h1><p>This framework allows partners to develop new features for readers of papers.</p></div>"


def test_on_a_page_about_a_paper_all_but_the_abstract_is_boilerplate() -> None:
    details = "<h1>Of Queues</h1><table><tr><td>Comments:</td><td>12 pages</td></tr></table>"
    abstract = (
        f"<div id=abs>{details}<blockquote class='abstract mathjax'>{'We bound the length of queues. ' * 8}</blockquote></div>"
    )
    about = read(f"{PAPER}{abstract}{SERVICES}")
    assert [piece.boilerplate for piece in about.pieces] == [HARD, HARD, HARD, 0, HARD, HARD]
    assert [element.tag for element in about.elements if element.main] == ["blockquote"]
    with_the_paper = read(f"{PAPER}{abstract}<p>{'Queues were first studied by clerks. ' * 20}</p>")
    assert {piece.boilerplate for piece in with_the_paper.pieces} == {0}
    assert {piece.boilerplate for piece in read(f"{abstract}{SERVICES}").pieces} == {0}


def test_references_and_similar_papers_are_no_paper_beside_its_abstract() -> None:
    abstract = f"<div id=abstract><p>{'We bound the length of queues. ' * 8}</p></div>"
    entry = "Reed T., Lowe M. On the shortest delay of trains between two junctions. J. Rail. 2019, 1(2): 11-19."
    references = f"<ol>{f'<li>{entry}</li>' * 9}</ol><table>{f'<tr><td>[1]</td><td>{entry}</td></tr>' * 9}</table>"
    about = read(f"{PAPER}{abstract}{references}")
    assert [piece.boilerplate for piece in about.pieces] == [0] + [HARD] * 27
    in_a_list = read(f"{PAPER}{abstract}<ul>{f'<li>{entry * 5}</li>' * 9}</ul>")
    assert {piece.boilerplate for piece in in_a_list.pieces} == {0}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("<div class=abstract><h3>摘要</h3><p>{}</p></div>", "<div class=abstract><h3>Abstract</h3><p>{}</p></div>"),
        ("<div><p><b>摘 要：</b>{}</p></div>", "<div><p><b>Abstract:</b> {}</p></div>"),
    ],
)
def test_an_abstract_in_two_languages_is_kept_in_both(first: str, second: str) -> None:
    texts = first.format("我们给出队列长度的上界。" * 9) + second.format("We bound the length of queues. " * 8)
    head = "<head><title>Of Queues - Journal</title><meta name='citation_title' content='Of Queues'></head>"
    about = read(f"{head}<div><h2>Of Queues</h2><p>Received: 2022-05-06</p>{texts}</div>{SERVICES}")
    kept = [at for at, piece in enumerate(about.pieces) if not piece.boilerplate]
    assert kept == list(range(2, len(about.pieces) - 2))
    assert main_pieces(about, main_element(about)) == [0, *kept]


def test_a_deep_page_about_a_paper_is_marked_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    bare = clean.bare

    def counted(text: str) -> str:
        compared.append(text)
        return bare(text)

    monkeypatch.setattr(clean, "bare", counted)
    abstract = f"<div id=abstract><p>{'We bound the length of queues. ' * 8}</p></div>"
    about = read(f"{PAPER}{abstract}{'<div>' * 100}{'<h3>Part</h3>' * 100_000}")
    assert len(about.pieces) == 100_001
    assert about.pieces[-1].boilerplate == HARD
    assert len(compared) <= 100_001


def test_an_abstract_is_looked_for_behind_any_number_of_spaces() -> None:
    assert len(read(f"{PAPER}<p>{' ' * 1_000_000}x</p>").pieces) == 1
    label = f"{' ' * 1_000}【 摘 要 】"
    about = read(f"{PAPER}<p>{label}{'我们给出队列长度的上界。' * 9}</p>{SERVICES}")
    assert about.pieces[0].boilerplate == 0
    assert about.pieces[-1].boilerplate == HARD


@pytest.mark.parametrize("name", ["reviews", "review-list", "product-reviews", "customer-review"])
def test_reviews_below_the_description_of_a_product_are_comments(name: str) -> None:
    product = f"<div class=product-details><p>{'A small engine with a lamp, made of brass, for boys and girls. ' * 6}</p></div>"
    review = f"<div class={name}><p>{'I like it very much, and so does my dog. ' * 5}</p></div>"
    assert [piece.boilerplate for piece in read(f"<h1>Engine</h1>{product}{review}").pieces][-1] == HARD
    assert {piece.boilerplate for piece in read(f"<h1>Engine</h1>{review}").pieces} == {0}


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


def test_what_pops_up_is_boilerplate() -> None:
    html = f"<p>{'words ' * 50}</p><dialog><p>Before you go</p></dialog><div popover><p>Choose your region</p></div>"
    assert [piece.boilerplate for piece in read(html).pieces] == [0, HARD, HARD]


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


@pytest.mark.parametrize(
    "note",
    [
        "<aside class='callout' role=note>{}</aside>",
        "<aside role=note>{}</aside>",
        "<aside class='x-aside x-aside--tip'><div class=x-aside__content>{}</div></aside>",
    ],
)
def test_a_note_in_the_text_is_no_boilerplate(note: str) -> None:
    found = read(f"<p>{'words ' * 40}</p>{note.format('<p>Clean the glass first.</p>')}<aside><p>Most read</p></aside>")
    assert [piece.boilerplate for piece in found.pieces] == [0, 0, HARD]
