"""Pages that stall, blow up or fool parsers, made on demand. Knows nothing of the crawler.

`page(name, scale)` gives one; scale 1.0 is the size at which ordinary extractors hang, small scales keep the shape.
"""

from __future__ import annotations

from collections.abc import Callable


def _nested_div(scale: float) -> str:
    return "<div>" * int(100_000 * scale) + "deepest words <a href='/deep'>deep link</a>"


def _nested_tables(scale: float) -> str:
    return "<table><tr><td>" * int(2_000 * scale) + "cell words <a href='/cell'>cell link</a>"


def _unclosed(scale: float) -> str:
    count = int(20_000 * scale)
    return "".join(f"<b><i><p><div><span><a href=/open{number}>open {number}" for number in range(count))


def _formatting(scale: float) -> str:
    count = int(1_000 * scale)
    return "<p>" + "".join(f"<font a{number}>" for number in range(count)) + "<p>words" * count


def _attributes(scale: float) -> str:
    return "<p " + " ".join(f"a{number}=1" for number in range(int(1_000_000 * scale))) + ">words</p>"


def _long_attribute(scale: float) -> str:
    return f"<p title='{'x' * int(5_000_000 * scale)}'>words <a href='/after'>after</a></p>"


def _links(scale: float) -> str:
    return "".join(f"<a href=/p{number}>link {number}</a> " for number in range(int(200_000 * scale)))


def _breaks(scale: float) -> str:
    return "<br>word" * int(200_000 * scale)


def _single_line(scale: float) -> str:
    return "x" * int(10_000_000 * scale)


def _chinese_run(scale: float) -> str:
    return "<p>" + "主题爬虫" * int(2_500_000 * scale)


def _options(scale: float) -> str:
    return "<select>" + "<option>x" * int(20_000 * scale)


def _quotes(scale: float) -> str:
    return '<p "' * int(200_000 * scale)


def _stray_ends(scale: float) -> str:
    return "<div></x>" * int(50_000 * scale) + "words"


PAGES: dict[str, Callable[[float], str]] = {
    "nested_div": _nested_div, "nested_tables": _nested_tables, "unclosed": _unclosed, "formatting": _formatting,
    "attributes": _attributes, "long_attribute": _long_attribute, "links": _links, "breaks": _breaks,
    "single_line": _single_line, "chinese_run": _chinese_run, "options": _options, "quotes": _quotes,
    "stray_ends": _stray_ends,
}  # fmt: skip


def page(name: str, scale: float = 1.0) -> str:
    return "<html><head><title>hostile</title></head><body>" + PAGES[name](scale)
