"""The rows of docs/settings.md, written from the declarations of the settings and their defaults.

Run: `python -m tools.settings_table`. Each row that begins with the name of a declared setting is written again, wherever it
stands; a new setting needs a row with its name: | `NAME` |
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from focuscrawl import settings
from focuscrawl.config.options import DECLARED, values_of

DOCS = Path(__file__).parents[1] / "docs/settings.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \|.*$", re.MULTILINE)


def row(name: str) -> str:
    """| `NAME` | default | values | meaning |"""
    return f"| `{name}` | {_default(getattr(settings, name))} | {values_of(DECLARED[name])} | {DECLARED[name].description} |"


def written(text: str) -> str:
    """The text with the rows of all declared settings as they should be."""
    return ROW.sub(lambda found: row(found[1]) if found[1] in DECLARED else found[0], text)


def _default(value: object) -> str:
    if isinstance(value, list):
        value = ",".join(part if isinstance(part, str) else f"{part:g}" for part in value)
    if isinstance(value, float):
        value = f"{value:g}"
    return f"`{value}`" if value != "" else "empty"


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    DOCS.write_text(written(DOCS.read_text("utf-8")), "utf-8")
