"""The findings of `scrapy doctor`, and their table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


MARKS = {Level.OK: "ok", Level.WARNING: "warning", Level.PROBLEM: "PROBLEM"}


@dataclass(slots=True, frozen=True)
class Finding:
    name: str
    level: Level
    text: str
    """What was found."""
    advice: str = ""
    """What to do about it; empty if nothing is wrong."""


def ok(name: str, text: str) -> Finding:
    return Finding(name, Level.OK, text)


def warning(name: str, text: str, advice: str) -> Finding:
    return Finding(name, Level.WARNING, text, advice)


def problem(name: str, text: str, advice: str) -> Finding:
    return Finding(name, Level.PROBLEM, text, advice)


def findings_table(found: Sequence[Finding], _: Language = ENGLISH) -> Table:
    """A table with one line for each finding."""
    rows = [
        (_(MARKS[each.level]), _(each.name), _(each.text) + (f" → {_(each.advice)}" if each.advice else "")) for each in found
    ]
    return Table([Column("", whole=True), Column("", width=24, whole=True), Column("")], rows, tight=True)
