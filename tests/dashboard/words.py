"""Every text of the dashboard that is to be there in both languages."""

from __future__ import annotations

import inspect
import re
from importlib import resources

from focuscrawl.dashboard.actions import BEGINNING, BEGUN, FRONTIER_SENTENCES, INDEXED, INDEXING, SCHEDULED, STEERED, STOPPING
from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES
from focuscrawl.dashboard.starting import fields
from focuscrawl.dashboard.topic_answers import BUSY, TOPIC_PAGES
from focuscrawl.dashboard.topic_changes import SENTENCES
from focuscrawl.report import runs, score, terminal
from focuscrawl.report.charts.web_shape import PART_NAMES, PART_WORDS
from focuscrawl.report.collection import UNKNOWN
from focuscrawl.report.html import SIMILAR
from focuscrawl.report.reasons import CAUSES, LATER, STOPS, rules
from focuscrawl.report.revisits import recrawl
from focuscrawl.report.revisits.changes import WORDS
from focuscrawl.report.revisits.site_rates import COLUMNS, EXPLAINED
from focuscrawl.report.score_parts import FIRST, FIRST_TITLE, FIRST_TITLES, LAST, LAST_TITLE, LESS, PARTS
from focuscrawl.report.why import NAMED, NEW_PLACES

HALVES = {f"{how} in the first half" for how in ("better than", "poorer than", "about as good as")}
GROUPED = {
    "Languages", "language", "Kinds", "kind", "Content types", "type", "Sites", "site", "Published", "year",
    "Categories of the sites", "category", "Licences", "licence", "Reserved", "term", "from",
    "Quality: share of the rules passed", "Lengths: words",
}  # fmt: skip
"""Titles and nouns of the groups of `report.collection`."""
SAID = re.compile(r"\b_(?:\.plural\([^,]+,\s*)?\(?\s*'((?:[^'\\]|\\.)*)'(?:,\s*'((?:[^'\\]|\\.)*)')?")
CALLED = re.compile(r"""\b_\(["']([^"']+)["']|\b_\.plural\([^"]*"([^"]*)", "([^"]*)"\)""")
"""As Python writes them."""
LISTED = re.compile(r"for \w+ in \[((?:'[^']*',?\s*)+)\] ?%}<th|_\(\{([^}]*)\}\[")
SIZES = {
    "a lot", "by some words", "a little", "order of words", "moved", "missing at the last visit",
    "answers as if it were not there (soft 404)",
}  # fmt: skip
"""How large a change was, and what became of a page that is gone."""
LABELS = {
    "What is known of it", "author", "published", "modified", "gives as its address", "site", "licence", "rights reserved",
    "language", "main text", "quality", "Freshness", "first fetched", "first asked for", "last visited", "last try",
    "found gone", "taken out by an operator", "its body was last read", "last change that was seen", "changed",
    "changes, as estimated", "next visit",
}  # fmt: skip
"""The first cells of tables of the report."""
REPORT = (
    "axes", "curve", "report", "advice", "hindsight", "histogram", "progress", "run_before", "freshness_chapter",
    "site_structure", "web_shape", "changes", "changed_pages",
)  # fmt: skip
TEMPLATES = (
    *((resources.files("focuscrawl.dashboard") / "templates").iterdir()),
    *((resources.files("focuscrawl.report") / "templates" / f"{name}.html") for name in REPORT),
)  # fmt: skip


def of_templates() -> set[str]:
    """What templates say by themselves."""
    found: set[str] = set()
    for template in TEMPLATES:
        text = template.read_text(encoding="utf-8")
        for one, many in SAID.findall(text):
            found |= {one, many} - {""}
        for names, by_key in LISTED.findall(text):
            found |= set(re.findall(r"'([^']*)'", names)) | set(re.findall(r": '([^']*)'", by_key))
    return {each.replace("\\'", "'") for each in found}


def of_summaries() -> set[str]:
    """What the summaries at the end of crawls and the lists of commands say by themselves."""
    found: set[str] = set()
    for module in (terminal, recrawl, runs, score):
        for words in CALLED.findall(inspect.getsource(module)):
            found |= {*words} - {""}
    rows = re.findall(r'^ +\("([a-z ]+)", ', inspect.getsource(recrawl.recrawl_table), re.MULTILINE)
    return found - {"never"} | {*rows, *terminal.HOST_COLUMNS, "no run so far", "robots.txt", "sitemaps", "feeds", "probes"}


def of_reasons() -> set[str]:
    """What the report says in fixed words."""
    causes = {text for cause in CAUSES.values() for text in (cause.words, cause.advice) if text}
    return causes | set(rules().values()) | set(STOPS.values()) | {LATER}


def all_words() -> set[str]:
    states = {
        "running",
        "paused",
        "stopped",
        "silent",
        "crashed",
        "idle",
        "not run yet",
        "unreadable",
        "live",
        "ended",
        "dead",
        "held",
    }
    headings = {page.heading for page in CRAWL_PAGES.values() if page.heading}
    return of_templates() | of_summaries() | of_reasons() | states | of_code() | headings


def of_code() -> set[str]:
    """What the program says to templates in fixed words."""
    answers = {"fetched", "waiting", "refused", "failed", "never seen"}
    scores = {text for part in PARTS.values() for text in part if text} | {FIRST, FIRST_TITLE, LAST, LAST_TITLE, LESS}
    scores |= set(FIRST_TITLES.values())
    scores |= {*NAMED.values(), *NEW_PLACES}
    verdicts = {"relevant", "off-topic", "duplicate", "gone", "content", "index"}
    steered = {sentence for pair in STEERED.values() for sentence in pair}
    others = {"There is no such page.", BUSY, SIMILAR}
    arguments = {field.meaning for field in fields({})}
    others |= HALVES | GROUPED | {"No page was stored", UNKNOWN, "revisited", "unchanged", "errors", "pending"}
    others |= {*SENTENCES, *(page.heading for page in TOPIC_PAGES.values())}
    others |= {BEGUN, BEGINNING, SCHEDULED, STOPPING, INDEXED, INDEXING, "crawl", "recrawl", "search index"} | arguments
    others |= {*PART_NAMES.values(), *PART_WORDS.values(), "in-degree", "out-degree", "pages of a site", "Hubs", "Authorities"}
    others |= {*WORDS.values(), *SIZES, EXPLAINED, *(column.title for column in COLUMNS)}
    return steered | set(FRONTIER_SENTENCES) | answers | scores | verdicts | LABELS | others
