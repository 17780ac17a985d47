"""One line of `scrapy doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(slots=True, frozen=True)
class Finding:
    name: str
    level: Level
    text: str
    """What was found."""
    advice: str = ""
    """What to do; empty where nothing is wrong."""


def ok(name: str, text: str) -> Finding:
    return Finding(name, Level.OK, text)


def warning(name: str, text: str, advice: str) -> Finding:
    return Finding(name, Level.WARNING, text, advice)


def problem(name: str, text: str, advice: str) -> Finding:
    return Finding(name, Level.PROBLEM, text, advice)
