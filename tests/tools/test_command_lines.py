"""Every tool can be asked what it does: `--help` neither starts a measurement nor writes a file."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
STARTED = 'if __name__ == "__main__":'
PARSED = re.compile(r"\bArgumentParser\(")


def test_every_tool_reads_its_command_line() -> None:
    sources = {path: path.read_text("utf-8") for folder in ("tools", "synthweb") for path in (ROOT / folder).rglob("*.py")}
    started = {str(path.relative_to(ROOT)): text for path, text in sources.items() if STARTED in text}
    assert "tools/eval/harvest/synthetic.py" in started
    assert [path for path, text in started.items() if not PARSED.search(text)] == []
