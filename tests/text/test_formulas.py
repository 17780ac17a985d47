"""Formulas are kept as TeX, or in a line."""

from __future__ import annotations

from focuscrawl.text.document import parse
from focuscrawl.text.extract import main_text


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
