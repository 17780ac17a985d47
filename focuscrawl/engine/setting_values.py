"""Single settings, read and checked: a wrong one is refused with one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from scrapy.settings import BaseSettings

from focuscrawl.errors import BadInput

Value = TypeVar("Value", int, float)


def one_of(settings: BaseSettings, name: str, valid: Sequence[str]) -> str:
    """One of the words in `valid`. Raises BadInput."""
    value = str(settings.get(name))
    if value not in valid:
        raise BadInput(f"setting {name}={value!r} is unknown; use one of {', '.join(valid)}")
    return value


def number(
    settings: BaseSettings, name: str, kind: Callable[[str | float], Value], least: float = 0, most: float | None = None
) -> Value:
    """Between `least` and `most`. Raises BadInput."""
    raw = settings.get(name)
    range_ = f"{least} or more" if most is None else f"{least} to {most}"
    what = "a whole number" if kind is int else "a number"
    try:
        value = kind(raw if isinstance(raw, int | float) else str(raw).strip())
    except ValueError:
        raise BadInput(f"setting {name}={raw!r} is not {what}; use {range_}") from None
    if not value >= least or (most is not None and value > most) or value == float("inf"):
        raise BadInput(f"setting {name}={raw!r} is out of range; use {range_}")
    return value


def yes(settings: BaseSettings, name: str) -> bool:
    """Raises BadInput."""
    try:
        return settings.getbool(name)
    except ValueError:
        raise BadInput(f"setting {name}={settings.get(name)!r} is neither true nor false; use True or False") from None
