from __future__ import annotations

from pathlib import Path

from focuscrawl.config.arguments import LONGEST_NAME_BYTES, check_name
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.warc.archive import Archive, cut_back_dead
from tests import factories


def worker_with(tmp_path: Path, name: str, length: int) -> Database:
    db = connect(tmp_path / "store.sqlite")
    db.execute(
        """insert into worker(id, run, machine, process_id, process_started, beat_at, state, warc, warc_length)
        values(7, 1, '', 1, 0, 0, 'live', ?, ?)""",
        (name, length),
    )
    return db


def test_a_clock_that_was_set_back_costs_no_finished_file(tmp_path: Path) -> None:
    """The first file was filled and committed before the clock went back a day; the second is being written."""
    finished, current, stray, foreign = (
        tmp_path / f"crawl-{stamp}-{number:05}-w{worker}.warc.gz"
        for stamp, number, worker in [
            ("20260102000000", 1, 7),
            ("20260101000000", 2, 7),
            ("20251231000000", 3, 7),
            ("20260103000000", 9, 17),
        ]
    )
    for path in (finished, current, stray, foreign):
        path.write_bytes(b"0123456789")
    db = worker_with(tmp_path, current.name, 6)
    cut_back_dead(db, tmp_path, 7, current.name)
    assert finished.read_bytes() == foreign.read_bytes() == b"0123456789"
    assert current.read_bytes() == b"012345"
    assert not stray.exists()


def test_the_file_of_a_crawl_with_the_longest_name_can_be_written(tmp_path: Path) -> None:
    name = check_name("铁" * (LONGEST_NAME_BYTES // 3), "name")
    archive = Archive(tmp_path, name, 10**9, lambda: 0.0, 1 << 20)
    location = archive.write(factories.page(body=b"<p>"))
    archive.close()
    assert (tmp_path / location.file).name == f"{'铁' * 66}-19700101000000-00001-w1000000000.warc.gz"
