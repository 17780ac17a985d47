from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.warc.file import RecordFiles, WarcWriter
from focuscrawl.store.warc.recovery import DamagedWarcError, verify
from tests import factories

NAME = "t-1-w1.warc.gz"


@pytest.fixture
def places(tmp_path: Path) -> list[WarcLocation]:
    """Where the answers of two pages lie in a file of `tmp_path`."""
    writer = WarcWriter(tmp_path / NAME)
    found = [writer.write(factories.page(f"http://a.example/{n}", fetched_at=1.0, body=b"body %d" % n), {}) for n in range(2)]
    writer.close()
    return found


def test_an_answer_with_all_that_belongs_to_it(places: list[WarcLocation], tmp_path: Path) -> None:
    files = RecordFiles(tmp_path)
    records = files.answer(NAME, places[0].offset)
    assert [record.kind for record in records] == ["response", "request", "metadata"]
    assert {record.fields["warc-target-uri"] for record in records} == {"http://a.example/0"}
    assert len(records[0].data) == places[0].length
    copy = tmp_path / "copy.warc.gz"
    copy.write_bytes(b"".join(record.data for record in [files.info(NAME), *records]))
    files.close()
    assert verify(copy).whole
    assert verify(copy).records == 4


def test_what_is_not_there_or_cut_is_said(places: list[WarcLocation], tmp_path: Path) -> None:
    files = RecordFiles(tmp_path)
    with pytest.raises(OSError, match="No such file"):
        files.answer("other.warc.gz", 0)
    with pytest.raises(DamagedWarcError, match="no response at 0"):
        files.answer(NAME, 0)
    with pytest.raises(DamagedWarcError, match="at byte"):
        files.answer(NAME, places[0].offset + 1)
    files.close()
    data = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(data[: places[1].offset + 40])
    assert [record.kind for record in files.answer(NAME, places[0].offset)] == ["response", "request", "metadata"]
    with pytest.raises(DamagedWarcError, match="the last record is cut"):
        files.answer(NAME, places[1].offset)
    with pytest.raises(DamagedWarcError, match="no record at"):
        files.answer(NAME, 10**6)
    files.close()


def test_a_cut_request_leaves_the_response(places: list[WarcLocation], tmp_path: Path) -> None:
    data = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(data[: places[1].offset + places[1].length + 20])
    files = RecordFiles(tmp_path)
    assert [record.kind for record in files.answer(NAME, places[1].offset)] == ["response"]
    files.close()
