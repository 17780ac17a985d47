"""What is known of one page that was read whole, as a table of `scrapy why`."""

from __future__ import annotations

from focuscrawl.items import Content
from focuscrawl.report.plain import count, percent
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.text.language_labels import code
from focuscrawl.text.quality import QualityRule, failed_rules


def content_table(content: Content, url: str, _: Language = ENGLISH) -> Table:
    """A table with one row for each known field of a page's content. `url`: the URL of the page; `_`: the language of what we
    say of it."""
    known = (
        ("author", content.author),
        ("published", content.published),
        ("modified", content.modified),
        ("gives as its URL", content.canonical if content.canonical != url else ""),
        ("site", content.site_name),
        ("category", content.category),
        ("licence", content.licence),
        ("rights reserved", ", ".join(content.reserved)),
        ("language", ", ".join(content.languages or (content.language,))),
        (
            "main text",
            _(f"{count(content.words)} words by {content.extractor or 'all text'}, {percent(content.code_share)} code"),
        ),
        ("quality", _quality(content, _)),
    )
    return Table([Column("", ours=True), Column("")], [row for row in known if row[1]], "What is known of it")


def _quality(content: Content, _: Language) -> str:
    if not content.signals:
        return ""
    failed = [_failed(rule, content) for rule in failed_rules(content.signals, code(content.language))]
    failed[:1] = [f"not {each}" for each in failed[:1]]
    return _("; ").join(_(each) for each in (f"{content.quality:.2f} of the rules", *failed))


def _failed(rule: QualityRule, content: Content) -> str:
    """A rule that the text fails, with its value and bound: `c4_sentences 1 (at least 3)`."""
    least, most = rule.bounds(code(content.language))
    value = content.signals[rule.signal]
    bound = f"at least {least:g}" if value <= least else f"at most {most:g}"
    return f"{rule.signal} {value:g} ({bound})"
