"""Every text of the dashboard that is to be there in both languages."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import resources

from focuscrawl.command_line import frontier as waiting
from focuscrawl.command_line import steering
from focuscrawl.command_line.doctor import examination, installation, stores
from focuscrawl.command_line.doctor.finding import MARKS
from focuscrawl.command_line.topic import editing, keys, labelling
from focuscrawl.command_line.topic import showing as topic_of_crawl
from focuscrawl.commands import export
from focuscrawl.dashboard.actions import (
    ADDED,
    BEGINNING,
    BEGUN,
    HELD,
    INDEXED,
    INDEXING,
    REMOVED,
    SCHEDULED,
    STEERED,
    STOPPING,
    TAKEN_OUT,
)
from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES
from focuscrawl.dashboard.starting import fields
from focuscrawl.dashboard.state import BUSY
from focuscrawl.dashboard.topic_answers import TOPIC_PAGES
from focuscrawl.dashboard.topic_changes import SENTENCES
from focuscrawl.report import (
    collection,
    frontier,
    live_table,
    page_content,
    page_weights,
    replays,
    runs,
    score,
    search,
    terminal,
    trace,
    why,
    workers,
)
from focuscrawl.report.charts import web_shape
from focuscrawl.report.charts.web_shape import PART_NAMES, PART_WORDS
from focuscrawl.report.collection import UNKNOWN
from focuscrawl.report.html import SIMILAR
from focuscrawl.report.reasons import CAUSES, LATER, STOPS, rules
from focuscrawl.report.revisits import changes, page_freshness, recrawl
from focuscrawl.report.revisits.changes import WORDS
from focuscrawl.report.revisits.freshness import SITE_COLUMNS, SITES_EXPLAINED
from focuscrawl.report.score_parts import FIRST, FIRST_TITLE, FIRST_TITLES, LAST, LAST_TITLE, LESS, PARTS
from focuscrawl.report.why import KINDS, NAMED, NEW_PLACES
from focuscrawl.topics import showing as topic
from focuscrawl.topics.suggesting import BY_SIMILARITY

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
COLUMN = re.compile(r'Column\("([^"]+)"')
LABEL = re.compile(r'^ +(?:rows\.append\(|rows \+= \[|rows = \[)?\("([a-zA-Z -]+)", ', re.MULTILINE)
"""The first cell of a row, as Python writes it."""
LISTED = re.compile(r"for \w+ in \[((?:'[^']*',?\s*)+)\] ?%}<th|_\(\{([^}]*)\}\[")
SIZES = {
    "a lot", "by some words", "a little", "order of words", "moved", "missing at the last visit",
    "answers as if it were not there (soft 404)",
}  # fmt: skip
"""How large a change was, and what became of a page that is gone."""
LABELS = {
    "What is known of it", "author", "published", "modified", "gives as its URL", "site", "licence", "rights reserved",
    "language", "main text", "quality", "Freshness", "first fetched", "first asked for", "last visited", "last try",
    "found gone", "taken out by an operator", "its body was last read", "last change that was seen", "changed",
    "changes, as estimated", "next visit",
}  # fmt: skip
"""The first cells of tables of the report."""
TABLES = {
    "Terms that counted", "For each topic", "In the store", "Former versions, and what changed then (--diff shows it)",
    "relevant: labelled", "not relevant: labelled", "relevant: an example", "outside its scope", "no copy",
    ", behind everything else", ", ahead of everything that is not a revisit", ", at its last revisit", "after its answer",
    "Hosts with the most waiting URLs", "Held by an operator", "in all",
    "sitemaps, feeds and probes, visited or for later", "No URL waits.", "No URL is in that state.",
    "Nothing waits that falls due by time.", "Lengths and quality", "Quality rules", "keyword", "negative", "given", "Terms",
    "Nothing changed.", "The topic has no words yet.", "Newly above the threshold", "No longer above it",
}  # fmt: skip
"""Titles and cells of the tables of commands, and sentences beside them."""
DIALOGUE = {
    keys.HELP, keys.ACCEPT, keys.REJECT, keys.SKIP, keys.UNDO, keys.QUIT, "Enter another round   q done", "picked",
    BY_SIMILARITY, "Terms of the picked pages", "Terms of the picked pages: accept makes a keyword, reject a negative term",
    "No page was found; other keywords may find some.", labelling.NONE_LEFT, labelling.NONE_STORED,
}  # fmt: skip
"""What `scrapy topic suggest` and `label` ask and answer."""
COMPUTED = {
    "ulimit -n 1024; a crawl of 16 requests takes about 100", "is its disk full, its store locked or its network gone?"
}  # fmt: skip
"""What `scrapy doctor` says in words that its source does not have as an argument."""
STAGES = {
    "dns", "guard", "robots", "archive", "fetch", "decode", "weigh", "parse", "meta", "text", "links", "describe",
    "meta robots", "segment", "relevance", "fingerprint", "dedup", "read whole", "learned so far", "link scores",
    "end", "dns and guard", "all",
}  # fmt: skip
"""The stages of `scrapy trace`; `url` and `robots.txt` are called the same in both languages."""
DECIDED = {
    "no rule refuses it", "it is not fetched", "no connection is made to it", "there is no page to read",
    "no robots.txt of this host in the store", "heavy: a worker process reads a sanitized copy", "an ordinary page",
    "nothing is forbidden", "no other page has this text", "nothing was learned yet", "nothing of it learns",
    "the crawl's scope is not known",
}  # fmt: skip
"""What a stage may decide."""
ANSWERS = {
    "another process keeps it", "--all searches off-topic pages too", "as crawled", "by the crawl's verdicts",
    "Relevant pages found after so many fetches",
    "area 1 is all of them first",
    "the others were worth the same or nothing that is stored links to them",
    "what they were counted as stays until the next run",
    "`scrapy crawl topic` starts one", "the WARC files stay as they are",
    "no worker is at work", "no worker is at work, as far as stores can be read", "nothing has changed since then",
    "no page is stored yet", "--limit N shows more of each list, --limit 0 all.", "Degrees and sizes", "Bow tie",
    "Hosts that cite each other", "Farthest up", "Farthest down", "now",
    "and {n} page that says the same", "and {n} pages that say the same",
}  # fmt: skip
"""What commands say beside tables, or instead of one."""
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
    modules = (terminal, recrawl, runs, score, live_table, why, collection, page_content, topic, labelling, editing, search)
    for module in (*modules, export, waiting):
        for words in CALLED.findall(inspect.getsource(module)):
            found |= {*words} - {""}
    rows = re.findall(r'^ +\("([a-z ]+)", ', inspect.getsource(recrawl.recrawl_table), re.MULTILINE)
    return found - {"never"} | {*rows, *terminal.HOST_COLUMNS, "no run so far", "robots.txt", "sitemaps", "feeds", "probes"}


def of_tables() -> set[str]:
    """What the tables of commands say by themselves: the titles of tables and columns, and cells that are words of ours."""
    found = set(KINDS.values()) | set(frontier.STATES.values()) | set(frontier.NAMES.values()) | TABLES
    modules = (why, frontier, collection, workers, page_weights, page_freshness, topic, topic_of_crawl, labelling, trace)
    for module in (*modules, web_shape, changes, replays):
        source = inspect.getsource(module)
        found |= {*COLUMN.findall(source), *LABEL.findall(source)}
    tables = "".join(map(inspect.getsource, (frontier, collection, workers, page_weights, web_shape)))
    for names in re.findall(r"for name in \(([^)]*)\)", tables):
        found |= set(re.findall(r'"([^"]+)"', names))
    return found - {"ms", "in"}


def of_doctor() -> set[str]:
    """Names of checks, findings and advice that are said in fixed words."""
    found = set(MARKS.values())
    for module in (installation, stores, examination):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("ok", "warning", "problem"):
                found |= {str(each.value) for each in node.args if isinstance(each, ast.Constant)}
            elif isinstance(node, ast.FunctionDef) and node.name == "_advice":
                given = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
                found |= {str(each.value) for each in given if isinstance(each, ast.Constant)}
    return found - {"python"} | COMPUTED


def of_answers() -> set[str]:
    """What commands that change a crawl say in fixed words, and the stages of `scrapy trace` with what they decide."""
    return (
        {word.partition("; ")[0] for words in steering.WORDS.values() for word in words} | STAGES | DECIDED | ANSWERS | DIALOGUE
    )


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
    of_commands = of_summaries() | of_tables() | of_doctor() | of_answers()
    return of_templates() | of_commands | of_reasons() | states | of_code() | headings


def of_code() -> set[str]:
    """What the program says to templates in fixed words."""
    answers = {"fetched", "waiting", "refused", "failed", "never seen"}
    scores = {text for part in PARTS.values() for text in part if text} | {FIRST, FIRST_TITLE, LAST, LAST_TITLE, LESS}
    scores |= set(FIRST_TITLES.values())
    scores |= {*NAMED.values(), *NEW_PLACES}
    verdicts = {"relevant", "off-topic", "duplicate", "gone", "content", "index"}
    steered = {sentence for pair in (*STEERED.values(), *HELD.values()) for sentence in pair}
    others = {"There is no such page.", BUSY, SIMILAR}
    arguments = {field.meaning for field in fields({})}
    others |= HALVES | GROUPED | {"No page was stored", UNKNOWN, "revisited", "unchanged", "errors", "pending"}
    others |= {*SENTENCES, *(page.heading for page in TOPIC_PAGES.values())}
    others |= {BEGUN, BEGINNING, SCHEDULED, STOPPING, INDEXED, INDEXING, "crawl", "recrawl", "search index"} | arguments
    others |= {*PART_NAMES.values(), *PART_WORDS.values(), "in-degree", "out-degree", "pages of a site", "Hubs", "Authorities"}
    others |= {*WORDS.values(), *SIZES, SITES_EXPLAINED, *(column.title for column in SITE_COLUMNS)}
    return steered | {ADDED, REMOVED, REMOVED + TAKEN_OUT} | answers | scores | verdicts | LABELS | others
