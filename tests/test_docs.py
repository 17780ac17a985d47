"""Nothing that a user can set, read or call may be undocumented."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path

import pytest

from focuscrawl import __version__, settings
from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.export.rows import CHANGE, FIELDS, MADE
from focuscrawl.politeness.reserved import TERMS
from focuscrawl.report.reasons import FIGURES, PLANNED_STOPS, STOPS
from focuscrawl.text.quality import ANY, RULES, QualityRule

ROOT = Path(__file__).parent.parent
SETTINGS = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
USAGE = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
PAGES = (ROOT / "docs/pages.md").read_text(encoding="utf-8")
STAT = re.compile(r"(?:inc|inc_value|set_value|note)\(\s*f?\"([a-z_]+/[^\"]+)\"")
PLACE = re.compile(r"\{[^}]*\}(?:xx)?")


def stats() -> set[str]:
    """Stat keys that the code names, their variable parts as LABEL."""
    found = set()
    for room in ("focuscrawl", "spiders", "pipelines", "middlewares"):
        for path in (ROOT / room).rglob("*.py"):
            found |= {PLACE.sub("LABEL", key) for key in STAT.findall(path.read_text(encoding="utf-8"))}
    return found


@pytest.mark.parametrize("name", sorted(name for name in vars(settings) if name.isupper()))
def test_every_setting_is_documented(name: str) -> None:
    assert f"`{name}`" in SETTINGS


def test_servers_see_the_version_that_this_is() -> None:
    assert f"{settings.USER_AGENT}." in f"focuscrawl/{__version__}"


def test_the_stats_are_found() -> None:
    assert len(stats()) > 20


@pytest.mark.parametrize("key", sorted(stats()))
def test_every_stat_is_documented(key: str) -> None:
    assert f"`{key}`" in SETTINGS or key == "dedup/LABEL_count"


STOP = re.compile(r"\b(?:stop|Stop)\(\"(\w+)\"")


def test_every_reason_to_stop_has_words_and_is_documented() -> None:
    """One that was not among the planned stops would end `scrapy crawl` with exit code 1."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "focuscrawl").rglob("*.py"))
    found = set(STOP.findall(code)) - {"failure"}  # the log has its words
    assert {"edge", "fresh", "max_pages", "no_topic"} <= found
    assert found | PLANNED_STOPS | FIGURES <= set(STOPS)
    assert {name for name in found | PLANNED_STOPS - {"finished"} if f"`{name}`" not in USAGE} == set()


@pytest.mark.parametrize("name", sorted(CrawlArguments.model_fields))
def test_every_argument_is_documented(name: str) -> None:
    assert f"`{name}`" in USAGE


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in (ROOT / "focuscrawl/commands").glob("*.py") if "Command(" in path.read_text())
)
def test_every_command_is_documented(name: str) -> None:
    assert f"scrapy {name}" in USAGE


def test_the_default_in_the_docs_is_the_default() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+?) \|", SETTINGS, re.MULTILINE))
    assert len(rows) > 20
    for name, shown in rows.items():
        value = getattr(settings, name)
        parts = value if isinstance(value, list) else [value]
        text = ",".join(f"{part:g}" if isinstance(part, float) else str(part) for part in parts)
        wanted = shown.strip("`")
        assert (wanted == "empty" and not value) or wanted == text or float(wanted) == float(text), name


def test_quality_rules_are_documented_with_their_bounds() -> None:
    rows = dict(re.findall(r"^\| `((?:gopher|c4|fineweb)_\w+)` \|.*?\| ([^|]+ \| [^|]+) \|$", PAGES, re.MULTILINE))
    assert rows == {rule.signal: f"{_bounds(rule, 'en')} | {_bounds(rule, 'zh')}" for rule in RULES}


def _bounds(rule: QualityRule, language: str) -> str:
    least, most = rule.bounds(language)
    if (least, most) == ANY:
        return "–"
    if -inf < least and most < inf:
        return f"{least:g} to {most:g}"
    signs = "><" if rule.exclusive else "≥≤"
    return f"{signs[0]} {least:g}" if least > -inf else f"{signs[1]} {most:g}"


@pytest.mark.parametrize("name", sorted({*FIELDS, *MADE, CHANGE}))
def test_every_column_of_exports_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGES


def test_terms_of_what_is_reserved_are_documented() -> None:
    assert not [term for term in TERMS if f"`{term}`" not in PAGES]
