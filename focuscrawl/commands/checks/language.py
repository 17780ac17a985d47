"""What cuts Chinese text into words, and the list of public suffixes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from focuscrawl.commands.checks.finding import Finding, ok, problem, warning
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.hosts import registered_domain

SENTENCE = "我们用聚焦爬虫下载与搜索引擎和中文信息处理有关的网页"
"""Both segmenters cut it, without a user's words, in the same way."""
SITES = {"news.pku.edu.cn": "pku.edu.cn", "a.b.co.uk": "b.co.uk", "x.github.io": "x.github.io"}


def dictionaries() -> Iterator[Finding]:
    """Whether the segmenters load and agree."""
    try:
        terms = {
            name: Segmenter(prefer=name).terms(SENTENCE) for name in ("jieba", *(["rjieba"] if find_spec("rjieba") else []))
        }
    except (ImportError, OSError, ValueError) as error:
        yield problem("dictionaries", f"the segmenter does not load: {error}", "install jieba and rjieba again: make setup")
        return
    if not terms["jieba"]:
        yield problem("dictionaries", "jieba finds no word in a Chinese sentence", "install jieba again: make setup")
    elif "rjieba" not in terms:
        yield warning("dictionaries", "rjieba is missing: Chinese pages are cut 50 times slower", "install it: make setup")
    elif terms["rjieba"] != terms["jieba"]:
        yield problem(
            "dictionaries", f"rjieba and jieba cut a sentence differently ({_difference(terms['jieba'], terms['rjieba'])})",
            "install the versions of constraints.txt: make setup",
        )  # fmt: skip
    else:
        yield ok("dictionaries", f"{Segmenter().name}; rjieba and jieba agree on {len(terms['jieba'])} words")


def _difference(one: list[str], other: list[str]) -> str:
    return f"{' '.join(one)} | {' '.join(other)}"


def suffixes() -> Iterator[Finding]:
    """The public suffix list tells which hosts are one site."""
    wrong = [f"{host} -> {registered_domain(host)}" for host, site in SITES.items() if registered_domain(host) != site]
    if wrong:
        yield problem("suffix list", f"sites are not told apart: {', '.join(wrong)}", "install tldextract again: make setup")
    else:
        yield ok("suffix list", "the one of tldextract, with private suffixes")
