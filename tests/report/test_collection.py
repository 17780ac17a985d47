from __future__ import annotations

import json
from dataclasses import replace

from focuscrawl.report.collection import BAR, as_json, bar, collection_parts, groups
from focuscrawl.report.html import render
from focuscrawl.report.summary import Summary
from focuscrawl.report.table import Table
from focuscrawl.store.overview import Totals
from focuscrawl.store.pages.collection import Collection, LeftOut, Part, RuleResult
from tests.report.sample import HOSTILE, NOW

FOUND = Collection(
    pages=200, read=150, hosts=40, sites=30, words=9_000, characters=60_000, bytes=5_000_000, first_fetched=NOW,
    last_fetched=NOW + 86_400, with_author=30, with_date=75, with_licence=3, with_reserved=2, code_share=0.25,
    left_out=LeftOut(7, 6, 5, 4), languages=[Part("en", 190, 8_000), Part("", 10, 1_000)],
    largest_sites=[Part(f"site{number:02}.example", 9, 300) for number in range(20)],
    years=[Part(str(year), 3, 100) for year in range(2000, 2020)], licences=[Part(HOSTILE, 3, 90)],
    word_quantiles=((0.05, 10.0), (0.5, 1_234.0)), quality_quantiles=((0.05, 0.4), (0.5, 0.9)),
    quality=[Part("0.9", 150, 9_000)], lengths=[Part("500", 3, 1_800), Part("1000", 0), Part("2000", 9, 20_000)],
)  # fmt: skip


def text() -> str:
    return "\n".join(part.text() if isinstance(part, Table) else part for part in collection_parts(FOUND, "c"))


def test_figures_at_a_glance() -> None:
    shown = text()
    assert "200 of 40 hosts, 30 sites" in shown
    assert "9,000 in 60,000 characters, 25 % of them code" in shown
    assert "7 off topic, 6 duplicates, 5 noindex, 4 gone" in shown
    assert "author of 20 %, date of 50 %, licence of 2.0 %" in shown
    assert "50 pages: scrapy extract c --missing" in shown
    assert "1,234" in shown


def test_large_groups_are_cut_and_what_is_left_is_told() -> None:
    by_title = {group.title: group for group in groups(FOUND)}
    sites = by_title["Sites"]
    assert (len(sites.parts), sites.rest, sites.rest_pages, sites.rest_words) == (12, 18, 200 - 12 * 9, 9_000 - 12 * 300)
    years = by_title["Published"]
    assert ([part.name for part in years.parts][::11], years.rest, years.rest_pages) == (["2008", "2019"], 8, 24)
    assert "18 more" in text()
    assert "Reserved" not in by_title


def test_lengths_are_told_in_order() -> None:
    (lengths,) = [group for group in groups(FOUND) if group.title == "Lengths: words"]
    assert [lengths.shown(part) for part in lengths.parts] == ["500", "1,000", "2,000"]


def test_hosts_are_read_in_their_own_script() -> None:
    sites = [Part("xn--fiq228c37oz8d.example", 3, 10)]
    shown = [part.text() for part in collection_parts(replace(FOUND, largest_sites=sites), "c") if isinstance(part, Table)]
    assert any("中文网站.example" in table for table in shown)


def test_nothing_hostile_reaches_the_terminal_or_the_page() -> None:
    assert "\x1b" not in text()
    assert "\u202e" not in text()
    page = render(Summary("c", "/c", NOW, None, 0, Totals(), 0.0, collection=FOUND))
    assert "The collection in figures" in page
    assert page.count("<script") == 1  # our own, which its hash allows
    assert "(unknown)" in page


def test_without_pages_there_is_one_table_and_no_section() -> None:
    assert len(collection_parts(Collection(), "c")) == 1
    assert "The collection in figures" not in render(Summary("c", "/c", NOW, None, 0, Totals(), 0.0))


def test_rules_where_they_were_asked_for() -> None:
    judged = replace(FOUND, rules=[RuleResult("gopher_words", 150, 120), RuleResult("c4_sentences", 0, 0)])
    (table,) = [part for part in collection_parts(judged, "c") if isinstance(part, Table) and part.title == "Quality rules"]
    assert [row[:3] for row in table.rows] == [("gopher_words", "150", "80 %")]


def test_json() -> None:
    values = json.loads(json.dumps(as_json(FOUND, "c")))
    assert values["crawl"] == "c"
    assert values["first_fetched"].startswith("2026-")
    assert values["word_quantiles"] == {"0.05": 10, "0.5": 1_234}
    assert values["languages"][0] == {"name": "en", "pages": 190, "words": 8_000}
    assert as_json(Collection(), "c")["first_fetched"] is None


def test_bars() -> None:
    assert bar(1.0) == "█" * BAR
    assert bar(0.5) == "█" * (BAR // 2)
    assert bar(1e-9) == "▏"
