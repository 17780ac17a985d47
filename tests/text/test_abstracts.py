"""On a page about a paper the abstract is the text."""

from __future__ import annotations

import pytest

from focuscrawl.text import clean
from focuscrawl.text.boilerplate import HARD
from focuscrawl.text.main_element import main_element, main_pieces
from tests.text.pages import layout

PAPER = "<head><meta name='citation_title' content='Of Queues'></head>"
SERVICES = "<div><h1>Services</h1><p>This framework allows partners to develop new features for readers of papers.</p></div>"


def test_on_a_page_about_a_paper_all_but_the_abstract_is_boilerplate() -> None:
    details = "<h1>Of Queues</h1><table><tr><td>Comments:</td><td>12 pages</td></tr></table>"
    abstract = (
        f"<div id=abs>{details}<blockquote class='abstract mathjax'>{'We bound the length of queues. ' * 8}</blockquote></div>"
    )
    about = layout(f"{PAPER}{abstract}{SERVICES}")
    assert [piece.boilerplate for piece in about.pieces] == [HARD, HARD, HARD, 0, HARD, HARD]
    assert [element.tag for element in about.elements if element.main] == ["blockquote"]
    with_the_paper = layout(f"{PAPER}{abstract}<p>{'Queues were first studied by clerks. ' * 20}</p>")
    assert {piece.boilerplate for piece in with_the_paper.pieces} == {0}
    assert {piece.boilerplate for piece in layout(f"{abstract}{SERVICES}").pieces} == {0}


def test_references_and_similar_papers_are_no_paper_beside_its_abstract() -> None:
    abstract = f"<div id=abstract><p>{'We bound the length of queues. ' * 8}</p></div>"
    entry = "Reed T., Lowe M. On the shortest delay of trains between two junctions. J. Rail. 2019, 1(2): 11-19."
    references = f"<ol>{f'<li>{entry}</li>' * 9}</ol><table>{f'<tr><td>[1]</td><td>{entry}</td></tr>' * 9}</table>"
    about = layout(f"{PAPER}{abstract}{references}")
    assert [piece.boilerplate for piece in about.pieces] == [0] + [HARD] * 27
    in_a_list = layout(f"{PAPER}{abstract}<ul>{f'<li>{entry * 5}</li>' * 9}</ul>")
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
    about = layout(f"{head}<div><h2>Of Queues</h2><p>Received: 2022-05-06</p>{texts}</div>{SERVICES}")
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
    about = layout(f"{PAPER}{abstract}{'<div>' * 100}{'<h3>Part</h3>' * 100_000}")
    assert len(about.pieces) == 100_001
    assert about.pieces[-1].boilerplate == HARD
    assert len(compared) <= 100_001


def test_an_abstract_is_looked_for_behind_any_number_of_spaces() -> None:
    assert len(layout(f"{PAPER}<p>{' ' * 1_000_000}x</p>").pieces) == 1
    label = f"{' ' * 1_000}【 摘 要 】"
    about = layout(f"{PAPER}<p>{label}{'我们给出队列长度的上界。' * 9}</p>{SERVICES}")
    assert about.pieces[0].boilerplate == 0
    assert about.pieces[-1].boilerplate == HARD
