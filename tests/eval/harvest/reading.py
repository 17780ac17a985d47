"""The pages of a recorded web as our reading code sees them, kept in a file because reading 27 000 pages takes minutes."""

from __future__ import annotations

import json
import sqlite3
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class ReadPage:
    """What the topic side needs of a page."""

    url: str
    title: str
    text: str
    links: list[tuple[str, str, str]]
    """Address, anchor, context."""
