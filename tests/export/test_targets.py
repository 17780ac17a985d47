"""Where exports go: files, folders, standard output, and addresses of fsspec, on an S3 server of this machine."""

from __future__ import annotations

import gzip
import json
import logging
import os
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from focuscrawl.commands.export import Command
from focuscrawl.errors import BadInput
from focuscrawl.export.targets import LocalFiles, LocalFolder, Remote, compressed, files_beside, folder_at, scheme_of, writing
from tests.commands.call import call
from tests.report.sample import PAGES, sample_crawl
from tests.store.warc.archived import archived_crawl

BUCKET = "s3://corpus"


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample_crawl(tmp_path / "crawls" / "search")
    return tmp_path / "crawls"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A file system of fsspec with a bucket `corpus`, served by moto on the loopback."""
    s3fs = pytest.importorskip("s3fs", reason="s3fs is an extra")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()  # one process has one store
    s3fs.S3FileSystem.clear_instance_cache()
    files = s3fs.S3FileSystem()
    files.mkdir("corpus")
    yield files
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def names(files: Any) -> set[str]:
    files.invalidate_cache()
    return {path.removeprefix("corpus/") for path in files.find("corpus")}


def test_files_have_their_names_when_all_are_written(tmp_path: Path) -> None:
    target = LocalFiles(tmp_path)
    (tmp_path / "old").write_text("")
    with writing(target):
        for name in ("a", "b"):
            with target.create(name) as out:
                out.write(b"1")
        target.remove("old")
        assert {path.name for path in tmp_path.iterdir()} == {"a.part", "b.part", "old"}
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}


def test_a_device_is_written_as_it_is(tmp_path: Path) -> None:
    target, name = files_beside(os.devnull)
    with writing(target), target.create(name) as out:
        out.write(b"1")
    assert not Path(os.devnull).is_file()


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    for name in ("a", "b/c"):
        target = LocalFolder(tmp_path / "f", keep=False)
        with writing(target), target.create(name) as out:
            out.write(b"1")
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == ["f", "f/b", "f/b/c"]


def test_what_a_killed_export_has_left_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "f.part" / "x").mkdir(parents=True)
    target = LocalFolder(tmp_path / "f", keep=False)
    with writing(target), target.create("x") as out:
        out.write(b"1")
    assert (tmp_path / "f" / "x").read_bytes() == b"1"


@pytest.mark.parametrize(
    ("address", "scheme"),
    [("s3://b/f", "s3"), ("S3://b", "s3"), ("a/b", ""), ("C:/x", ""), ("-", ""), ("memory://x", "memory")],
)
def test_schemes(address: str, scheme: str) -> None:
    assert scheme_of(address) == scheme


def test_places_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for address, piece in (
        (str(tmp_path / "no" / "f"), "does not exist"),
        (str(tmp_path / "file"), "is a file; name a folder"),
    ):
        with pytest.raises(BadInput, match=piece):
            folder_at(address, ours=lambda name: False)


def test_compressing_leaves_the_file_open(tmp_path: Path) -> None:
    for name in ("a.gz", "a.zst", "a"):
        with (tmp_path / name).open("wb") as out:
            with compressed(out, name) as inner:
                inner.write(b"text")
            assert not out.closed
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == (tmp_path / "a").read_bytes() == b"text"


def test_other_file_systems_of_fsspec(crawls: Path, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is an extra")
    assert call(Command(), crawls, "search", "-o", f"file://{tmp_path}/p.jsonl", "--columns", "url") == 0
    assert call(Command(), crawls, "search", "-o", "memory://corpus/p.jsonl", "--columns", "url") == 0
    assert fsspec.filesystem("memory").cat("/corpus/p.jsonl") == (tmp_path / "p.jsonl").read_bytes()
    assert (tmp_path / "p.jsonl").read_bytes().count(b"\n") == 2


@pytest.mark.system
def test_files_in_a_bucket(crawls: Path, s3: Any) -> None:
    assert call(Command(), crawls, "search", "-o", f"{BUCKET}/new/pages.jsonl.gz") == 0
    assert [json.loads(line)["url"] for line in gzip.decompress(s3.cat("corpus/new/pages.jsonl.gz")).splitlines()] == [
        page[0] for page in PAGES[:2]
    ]
    for arguments in (["pages.parquet"], ["b.ndjson", "--format", "bulk"], ["p.jsonl", "--shard-size", "1kB", "--all"]):
        assert call(Command(), crawls, "search", "-o", f"{BUCKET}/{arguments[0]}", *arguments[1:]) == 0
    assert {"new/pages.jsonl.gz", "pages.parquet", "b.ndjson", "b.mapping.json", "p-00000.jsonl", "p-00001.jsonl"} <= names(s3)
    assert call(Command(), crawls, "search", "-o", f"{BUCKET}/p.jsonl", "--shard-size", "1GB") == 0
    assert {name for name in names(s3) if name.startswith("p-")} == {"p-00000.jsonl"}


@pytest.mark.system
def test_folders_in_a_bucket(crawls: Path, s3: Any) -> None:
    for form in ("dataset", "markdown"):
        assert call(Command(), crawls, "search", "--format", form, "-o", f"{BUCKET}/{form}/") == 0
    made = names(s3)
    assert {"dataset/README.md", "dataset/data/train-00000.parquet"} <= made
    assert len([name for name in made if name.startswith("markdown/news.example.com/")]) == 2


@pytest.mark.system
def test_a_web_archive_in_a_bucket(tmp_path: Path, s3: Any) -> None:
    archived_crawl(tmp_path / "crawls" / "sky")
    assert call(Command(), tmp_path / "crawls", "sky", "-o", f"{BUCKET}/sky.wacz", "--kind", "any") == 0
    with s3.open("corpus/sky.wacz") as file, zipfile.ZipFile(file) as package:
        assert package.testzip() is None
        assert "datapackage.json" in package.namelist()


@pytest.mark.system
def test_what_fails_half_way_has_no_name_in_the_bucket(s3: Any) -> None:
    for at_once in (False, True):
        target = Remote(f"{BUCKET}/half", each_at_once=at_once)

        def broken(target: Remote = target) -> None:
            with writing(target), target.create("a") as out:
                out.write(b"x" * 6_000_000)  # more than a part of an upload
                raise OSError("full")

        with pytest.raises(OSError, match="full"):
            broken()
    assert names(s3) == set()


@pytest.mark.system
def test_a_bucket_that_is_not_there_is_one_sentence(crawls: Path, s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "search", "-o", "s3://other/p.jsonl") == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith("scrapy export: s3://other cannot be written (")


@pytest.mark.system
def test_a_server_that_does_not_answer_is_one_sentence(
    crawls: Path, s3: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{unused.getsockname()[1]}")
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
        monkeypatch.setattr(type(s3), "retries", 1)
        type(s3).clear_instance_cache()
        assert call(Command(), crawls, "search", "-o", f"{BUCKET}/p.jsonl") == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert "cannot be written (" in said[0]
