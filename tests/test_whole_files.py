"""Files are whole or not there, and errors name them."""

from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from focuscrawl.whole_files import fitting, naming, replacing
from tests.patience import PATIENCE


def test_a_file_is_replaced_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
    assert (path.read_text(), list(tmp_path.iterdir())) == ("new", [path])


def test_a_file_that_two_threads_write_at_once_is_that_of_one(tmp_path: Path) -> None:
    path = tmp_path / "topic.toml"

    def write(text: bytes) -> None:
        with replacing(path) as file:
            file.write(text)
            both.wait(PATIENCE)

    both = Barrier(2)
    with ThreadPoolExecutor(2) as threads:
        for written in [threads.submit(write, text) for text in (b"one", b"another")]:
            written.result()
    assert path.read_bytes() in (b"one", b"another")
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_with_the_longest_name_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / ("铁" * 85)
    with replacing(path) as file:
        file.write(b"new")
    assert (path.read_text(), list(tmp_path.iterdir())) == ("new", [path])


@pytest.mark.parametrize(
    ("name", "most", "start"), [("rails", 5, "rails"), ("rails", 4, "rail"), ("铁路", 5, "铁"), ("a\udce9\ud800b", 9, "ab")]
)
def test_a_name_is_cut_between_characters(name: str, most: int, start: str) -> None:
    assert fitting(name, most) == start


def test_a_file_that_others_may_not_read_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "topic.toml"
    path.write_text("old")
    path.chmod(0o600)
    with replacing(path) as file:
        file.write(b"new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o600)


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_what_cannot_be_written_leaves_the_former_file(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(type(error)) as caught, replacing(path):
        raise error
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])
    assert getattr(caught.value, "filename", str(path)) == str(path)


def test_a_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "no" / "report.html"):
        pass
    assert caught.value.filename == str(tmp_path / "no" / "report.html")


def test_a_full_disk_names_the_file() -> None:
    with pytest.raises(OSError, match="No space left") as caught, naming("/dev/full"), open("/dev/full", "wb") as file:
        file.write(b"1" * 100_000)
    assert caught.value.filename == "/dev/full"


def test_an_error_that_names_a_file_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, naming(tmp_path):
        (tmp_path / "missing").read_bytes()
    assert caught.value.filename == str(tmp_path / "missing")
