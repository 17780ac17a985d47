"""The blocks that are made of chosen pieces: rows of tables, paragraphs, stanzas."""

from __future__ import annotations

from focuscrawl.text.blocks import Block
from tests.text.pages import made


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


def test_line_numbers_are_no_code() -> None:
    html = "<table><tr><td class=gutter><pre>1\n2</pre></td><td class=code><pre>a()\nb()</pre></td></tr></table>"
    assert made(html) == [Block("code", "a()\nb()")]


def test_blocks_end_at_the_limit() -> None:
    assert made("<p>one</p><p>two</p><p>three</p>", 6) == [Block("paragraph", "one"), Block("paragraph", "tw")]


def test_a_cell_with_a_table_of_its_own_stands_apart() -> None:
    [block] = made("<table><tr><td>Name</td><td><table><tr><td>Smith</td></tr></table></td></tr></table>")
    assert block.text == "Name\tSmith"


def test_cells_without_text_keep_their_places() -> None:
    rows = ["<th></th><th>Min</th><th>Max</th>", "<td>x</td><td>&nbsp;</td><td>10</td>", "<td>y</td><td>1</td><td></td>"]
    [block] = made(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
    assert block.text == "\tMin\tMax\nx\t\t10\ny\t1"
