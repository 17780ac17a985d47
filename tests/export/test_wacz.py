"""WACZ files, read by other programs: zipfile, warcio, and py-wacz's validator where it is installed."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from focuscrawl.export import wacz
from focuscrawl.export.selection import GONE
from focuscrawl.export.wacz import Archived, write_wacz
from focuscrawl.store.pages.stored import StoredPage, stored_pages
from focuscrawl.store.warc.recovery import verify
from focuscrawl.url.surt import surt
from tests.export.sample import selected
from tests.patience import PATIENCE
from tests.store.warc.archived import archived_crawl

URLS = {"http://www.b.example/x?b=1&a=2": True, "http://a.example/kept": True, "http://a.example/望远镜": True}
NOW = 1_790_000_000.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a crawl whose pages lie in its archive."""
    archived_crawl(tmp_path / "sky", URLS)
    return tmp_path / "sky"


def pages_of(folder: Path) -> list[StoredPage]:
    from focuscrawl.store.crawls import Crawl

    with closing(Crawl("sky", folder).open()) as db:
        return list(stored_pages(db))


def made(folder: Path, pages: list[StoredPage] | None = None, change: str = "") -> tuple[zipfile.ZipFile, Archived]:
    out = io.BytesIO()
    done = write_wacz(selected(pages_of(folder) if pages is None else pages, change), out, folder / "warc", "sky", NOW)
    return zipfile.ZipFile(io.BytesIO(out.getvalue())), done


def lines(file: zipfile.ZipFile, name: str) -> list[str]:
    data = file.read(name)
    return (gzip.decompress(data) if name.endswith(".gz") and data else data).decode().splitlines()


def test_the_package_lists_every_file_with_its_digest(folder: Path) -> None:
    file, done = made(folder)
    assert (done.count, done.missing) == (3, 0)
    package = json.loads(file.read("datapackage.json"))
    assert (package["profile"], package["wacz_version"], package["title"]) == ("data-package", "1.1.1", "sky")
    assert package["created"] == "2026-09-21T14:13:20Z"
    listed = {each["path"]: (each["hash"], each["bytes"]) for each in package["resources"]}
    assert set(listed) == set(file.namelist()) - {"datapackage.json", "datapackage-digest.json"}
    for path, (digest, length) in listed.items():
        data = file.read(path)
        assert (f"sha256:{hashlib.sha256(data).hexdigest()}", len(data)) == (digest, length)
    own = json.loads(file.read("datapackage-digest.json"))
    assert own == {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(file.read('datapackage.json')).hexdigest()}"}


def test_archives_are_not_compressed_once_more(folder: Path) -> None:
    file, _ = made(folder)
    for name in ("archive/sky-00000.warc.gz", "indexes/index.cdx.gz"):
        assert file.getinfo(name).compress_type == zipfile.ZIP_STORED


def test_the_index_leads_to_each_answer(folder: Path, tmp_path: Path) -> None:
    file, _ = made(folder)
    data = file.read("archive/sky-00000.warc.gz")
    index = lines(file, "indexes/index.cdx.gz")
    assert index == sorted(index, key=str.encode)
    for line in index:
        key, moment, facts = line.split(" ", 2)
        told = json.loads(facts)
        assert key == surt(told["url"])
        assert (told["mime"], told["status"], told["filename"]) == ("text/html", "200", "sky-00000.warc.gz")
        record = next(iter(ArchiveIterator(io.BytesIO(data[int(told["offset"]) :]))))
        assert (record.rec_type, record.rec_headers["WARC-Target-URI"]) == ("response", told["url"])
        assert record.rec_headers["WARC-Payload-Digest"] == told["digest"]
        assert record.rec_headers["WARC-Date"].startswith(f"{moment[:4]}-{moment[4:6]}-{moment[6:8]}T{moment[8:10]}:")
        assert b"<h1>Indexes</h1>" in record.content_stream().read()
    assert {json.loads(line.split(" ", 2)[2])["url"] for line in index} == set(URLS)
    (tmp_path / "a.warc.gz").write_bytes(data)
    found = verify(tmp_path / "a.warc.gz")
    assert found.whole
    assert found.kinds == {"warcinfo": 1, "response": 3, "request": 3, "metadata": 3}


def test_the_index_can_be_read_in_blocks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wacz, "BLOCK_LINES", 2)
    file, _ = made(folder)
    data, whole = file.read("indexes/index.cdx.gz"), lines(file, "indexes/index.cdx.gz")
    head, *blocks = lines(file, "indexes/index.idx")
    assert head == '!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}'
    found = []
    for block in blocks:
        key, _, place = block.partition(" {")
        told = json.loads("{" + place)
        part = data[told["offset"] : told["offset"] + told["length"]]
        assert told["digest"] == f"sha256:{hashlib.sha256(part).hexdigest()}"
        found.append(gzip.decompress(part).decode().splitlines())
        assert found[-1][0].startswith(key + " {")
    assert [len(block) for block in found] == [2, 1]
    assert [line for block in found for line in block] == whole


def test_pages_are_listed_with_their_texts(folder: Path) -> None:
    head, *pages = map(json.loads, lines(made(folder)[0], "pages/pages.jsonl"))
    assert (head["format"], head["hasText"]) == ("json-pages-1.0", True)
    assert {page["url"] for page in pages} == set(URLS)
    assert {page["text"] for page in pages} == {"of the fast tier"}
    assert all(page["title"] and page["id"] and page["ts"].endswith("Z") for page in pages)


def test_several_archives_of_a_size(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wacz, "WARC_BYTES", 1)
    file, _ = made(folder)
    for name in (name for name in file.namelist() if name.startswith("archive/")):
        kinds = [record.rec_type for record in ArchiveIterator(io.BytesIO(file.read(name)))]
        assert kinds[0] == "warcinfo"
    names = [name for name in file.namelist() if name.startswith("archive/")]
    assert names == [f"archive/sky-0000{number}.warc.gz" for number in range(3)]
    assert {json.loads(line.split(" ", 2)[2])["filename"] for line in lines(file, "indexes/index.cdx.gz")} == {
        name.removeprefix("archive/") for name in names
    }


def test_an_index_that_is_sorted_in_parts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lines(made(folder)[0], "indexes/index.cdx.gz")
    monkeypatch.setattr(wacz, "SORTED_BYTES", 1)
    assert lines(made(folder)[0], "indexes/index.cdx.gz") == whole


def test_pages_without_their_answers_are_left_out_and_counted(folder: Path) -> None:
    first, second, third = pages_of(folder)
    moved = replace(second, warc_file="none.warc.gz")
    file, done = made(folder, [first, moved, replace(third, warc_offset=third.warc_offset + 3), replace(first, warc_file="")])
    assert (done.count, done.missing) == (1, 3)
    assert "none.warc.gz" in done.problem
    assert len(lines(file, "pages/pages.jsonl")) == 2
    assert len(lines(file, "indexes/index.cdx.gz")) == 1


def test_what_is_gone_is_not_archived(folder: Path) -> None:
    file, done = made(folder, change=GONE)
    assert done.count == 0
    assert lines(file, "indexes/index.cdx.gz") == []


def test_a_full_disk_is_no_missing_page(folder: Path) -> None:
    class Full(io.BytesIO):
        def write(self, data: Any) -> int:
            if self.tell() > 300:
                raise OSError(28, "No space left on device")
            return super().write(data)

    with pytest.raises(OSError, match="No space left"):
        write_wacz(selected(pages_of(folder)), Full(), folder / "warc", "sky", NOW)


@pytest.mark.system
def test_the_validator_of_py_wacz_takes_it(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("wacz", reason="py-wacz has no wheels of all that it needs")
    path = tmp_path / "sky.wacz"
    with path.open("wb") as out:
        write_wacz(selected(pages_of(folder)), out, folder / "warc", "sky", NOW)
    command = [sys.executable, "-W", "ignore", "-c", "import sys; from wacz.main import main; sys.exit(main(sys.argv[1:]))"]
    done = subprocess.run(
        [*command, "validate", "-f", str(path)], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, "Validation succeeded" in done.stdout) == (0, True), done.stdout + done.stderr
