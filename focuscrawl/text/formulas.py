"""Formulas in a line of text: the TeX that a page holds for them, or else their MathML written out."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from focuscrawl.text import clean

_DISPLAYSTYLE = re.compile(r"\{\\(?:display|text)style\s+(.*)\}", re.DOTALL)
"""What MediaWiki puts around each formula."""
_JOINTS = {"mfrac": "/", "msup": "^", "msub": "_"}
"""How the two parts of an element of MathML are written in a line."""
_DEEPEST = 150
"""Levels of a formula that are walked; below them its text is taken as it is."""


def is_tex(script: LexborNode) -> bool:
    """Whether this is a formula for MathJax, as kramdown and Jekyll write it."""
    return (script.attributes.get("type") or "").startswith("math/tex")


def formula(node: LexborNode) -> str:
    """A formula as the TeX that its element holds, between dollar signs, or else its MathML in a line."""
    source = node if node.tag == "script" else node.css_first("annotation[encoding='application/x-tex']")
    tex = clean.line(source.text() if source is not None else node.attributes.get("alttext") or "")
    wrapped = _DISPLAYSTYLE.fullmatch(tex)
    if wrapped:
        tex = wrapped[1].strip()
    return f"${tex}$" if tex else clean.line(_in_line(node, 0))


def _in_line(node: LexborNode, depth: int) -> str:
    tag = node.tag or ""
    if tag in {"annotation", "annotation-xml"}:
        return ""
    parts = [_in_line(child, depth + 1) for child in node.iter()] if depth < _DEEPEST else []
    if not parts:
        return node.text().strip()
    if tag in _JOINTS and len(parts) == 2:
        return _JOINTS[tag].join(part if len(part) == 1 or part.isalnum() else f"({part})" for part in parts)
    text = "".join(parts)
    return f"√({text})" if tag == "msqrt" else text
