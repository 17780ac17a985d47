"""Values of columns for those who need no records: times, and JSON objects. Commands that import only these start sooner."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson


def iso_time(seconds: float) -> str:
    """Epoch seconds as `2026-01-31T23:59:59.123Z`."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def object_of(column: str) -> dict[str, Any]:
    """A column with a JSON object; anything else, as a damaged row may hold, is empty."""
    try:
        value = orjson.loads(column or "{}")
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
