"""What a dead worker was parsing."""

from __future__ import annotations

from pathlib import Path

from focuscrawl.store.workers.crash_mark import CrashMark, forget_parsing, parsing_of


def test_a_mark_can_be_read_until_it_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    CrashMark(tmp_path, 3).begin(-7)
    assert [parsing_of(tmp_path, 3) for _ in range(2)] == [-7, -7]  # the transaction that counts the crash may fail
    forget_parsing(tmp_path, 3)
    assert parsing_of(tmp_path, 3) == 0
