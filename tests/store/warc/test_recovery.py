from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from focuscrawl.items import Page
from focuscrawl.store.warc.file import WarcWriter
from focuscrawl.store.warc.records import record
from focuscrawl.store.warc.recovery import DamagedWarcError, cut_back, verify
from tests import factories

URL = "http://example.org/"


def page(body: bytes) -> Page:
    return factories.page(URL, fetched_at=1.0, body=body)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of three pages; the last response holds 4 MB that compress well."""
    path = tmp_path / "t-1-w1.warc.gz"
    writer = WarcWriter(path)
    for body in (b"one", os.urandom(3_000), bytes(4_000_000)):
        writer.write(page(body), {})
    writer.close()
    return path


def test_a_whole_file(path: Path) -> None:
    found = verify(path)
    assert found.whole
    assert found.error == ""
    assert found.records == 10
    assert found.kinds == {"warcinfo": 1, "response": 3, "request": 3, "metadata": 3}
    assert found.length == found.size == path.stat().st_size


@pytest.mark.parametrize("cut", [1, 7, 8, 9, 200])
def test_a_cut_last_record_is_seen(path: Path, cut: int) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    found = verify(path)
    assert not found.whole
    assert "the last record is cut" in found.error
    assert found.records in (8, 9)
    assert 0 < found.length <= len(data) - cut


def test_every_flipped_byte_of_a_record_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "t.warc.gz"
    block = b"x" * 50
    member = gzip.compress(record((("WARC-Type", "resource"), ("WARC-Record-ID", "<urn:1>")), block), mtime=0)
    for place in range(10, len(member), 3):  # the first ten bytes hold time and system, which say nothing
        path.write_bytes(member[:place] + bytes([member[place] ^ 0x55]) + member[place + 1 :])
        assert not verify(path).whole, place


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"no record", "no WARC header"),
        (b"WARC/1.1\r\nContent-Length: 5\r\n\r\nabc\r\n\r\n", "does not fit"),
        (b"WARC/1.1\r\n\r\nabc\r\n\r\n", "Content-Length missing"),
        (b"WARC/1.1\r\nContent-Length: 3\r\nWARC-Block-Digest: sha1:AAAA\r\n\r\nabc\r\n\r\n", "digest"),
        (b"WARC/1.1\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n", "no record type"),
    ],
)
def test_wrong_records(tmp_path: Path, content: bytes, error: str) -> None:
    path = tmp_path / "t.warc.gz"
    path.write_bytes(gzip.compress(content))
    found = verify(path)
    assert error in found.error
    assert (found.records, found.length) == (0, 0)


def test_garbage_behind_the_last_record(path: Path) -> None:
    whole = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"\0" * 100)
    found = verify(path)
    assert found.length == whole
    assert not found.whole


def test_an_empty_file_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.warc.gz"
    path.touch()
    assert verify(path).whole


def test_cutting_back_to_the_last_commit(tmp_path: Path) -> None:
    path = tmp_path / "t.warc.gz"
    writer = WarcWriter(path)
    writer.write(page(b"committed"), {})
    committed = writer.flush()
    writer.write(page(b"not committed"), {})
    writer.close()
    with path.open("ab") as file:
        file.write(b"\x1f\x8bhalf a record")
    size = path.stat().st_size
    assert cut_back(path, committed) == size - committed
    assert verify(path).whole
    assert verify(path).kinds["response"] == 1
    assert cut_back(path, committed) == 0


def test_a_file_without_a_commit_is_removed(path: Path) -> None:
    size = path.stat().st_size
    assert cut_back(path, 0) == size
    assert not path.exists()
    assert cut_back(path, 0) == 0


def test_a_file_shorter_than_committed_is_damage(path: Path) -> None:
    size = path.stat().st_size
    with pytest.raises(DamagedWarcError, match=f"has {size} bytes, but {size + 1} were committed"):
        cut_back(path, size + 1)
    assert path.stat().st_size == size
    with pytest.raises(DamagedWarcError):
        cut_back(path.with_name("missing.warc.gz"), 5)


KILLED = """
import os, sys
from pathlib import Path
from focuscrawl.items import Lease, Page
from focuscrawl.store.warc.file import WarcWriter
writer = WarcWriter(Path(sys.argv[1]))
for number in range(10**9):
    page = Page(Lease(1, 1, "http://h/"), "http://h/", 200, 1.0, body=os.urandom(200_000))
    writer.write(page, {})
    if number % 3 == 0:
        print(writer.flush(), flush=True)
"""


@pytest.mark.system
def test_a_killed_writer_loses_nothing_committed(tmp_path: Path) -> None:
    path = tmp_path / "t.warc.gz"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lengths = [int(process.stdout.readline()) for _ in range(5)]
        process.kill()
        lengths += [int(line) for line in process.stdout.read().split()]
    cut_back(path, lengths[-1])
    found = verify(path)
    assert found.whole
    assert found.length == lengths[-1]
    assert found.kinds["response"] == 3 * (len(lengths) - 1) + 1
