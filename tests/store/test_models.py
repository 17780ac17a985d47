from __future__ import annotations

import zlib

import pytest

from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers import models


def test_a_model_is_written_and_read_with_its_version(db: Database) -> None:
    assert (models.load(db, "topic"), models.version_of(db, "topic")) == (None, 0)
    assert models.save(db, "topic", b"one", 0, worker=3, now=10.0)
    assert models.save(db, "topic", b"two", 1, worker=4, now=11.0)
    assert models.load(db, "topic") == models.StoredModel(2, 11.0, 4, b"two")
    assert models.version_of(db, "topic") == 2
    models.delete(db, "topic")
    models.delete(db, "topic")
    assert models.load(db, "topic") is None


def test_who_has_not_read_the_newest_writes_nothing(db: Database) -> None:
    assert models.save(db, "topic", b"one", 0, 3, 10.0)
    assert not models.save(db, "topic", b"late", 0, 4, 11.0)
    assert models.save(db, "topic", b"two", 1, 3, 12.0)
    assert not models.save(db, "topic", b"late", 1, 4, 13.0)
    assert not models.save(db, "other", b"none", 2, 4, 14.0)
    assert models.load(db, "topic") == models.StoredModel(2, 12.0, 3, b"two")


def test_a_body_is_zlib_of_json_lines() -> None:
    values = [{"word": "望远镜", "n": 1}, [0.5], "line\nbreak"]
    body = models.pack(values)
    assert zlib.decompress(body).count(b"\n") == 3
    assert list(models.unpack(body)) == values
    assert list(models.unpack(models.pack([{"\ud800": 1}]))) == [{"?": 1}]


@pytest.mark.parametrize("body", [b"", b"nothing of ours", models.pack([{}])[:-3]])
def test_a_damaged_body_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match="no model's body"):
        models.unpack(body)
