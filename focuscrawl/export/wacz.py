"""Writes WACZ 1.1.1 (specs.webrecorder.net/wacz/1.1.1): pages and archived answers in one file, for replayweb.page and pywb.

It is a zip file with `archive/*.warc.gz` (the records of the crawl's own WARC files, not compressed again),
`indexes/index.cdx.gz` (CDXJ, sorted by SURT), `pages/pages.jsonl` (with the main texts, for searching) and `datapackage.json`,
which has the digests of all of them. It is written as a stream; index and pages wait in temporary files.

As in py-wacz, the index is compressed in blocks, and `indexes/index.idx` says where each begins, so that a browser loads only
the blocks that it needs. All readers know this form: wabac.js, the engine of replayweb.page, reads `.cdx`, `.cdxj` and `.idx`,
and pywb 2.10 reads `.cdx` and `.cdx.gz`.
"""

from __future__ import annotations

import gzip
import hashlib
import heapq
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any, BinaryIO

import orjson

from focuscrawl import __version__
from focuscrawl.export.rows import row_id
from focuscrawl.export.selection import GONE, Selected
from focuscrawl.store.pages.stored import StoredPage
from focuscrawl.store.warc.file import CopiedRecord, RecordFiles
from focuscrawl.store.warc.recovery import DamagedWarcError
from focuscrawl.text.sniff import media_type
from focuscrawl.url.surt import surt
from focuscrawl.whole_files import naming

VERSION = "1.1.1"
WARC_BYTES = 1 << 30
"""A new WARC file begins after this many bytes, as is usual."""
BLOCK_LINES = 1024
"""Index lines that are compressed together, as in py-wacz."""
SORTED_BYTES = 64 << 20
"""Bytes of index lines that are sorted in memory at once."""


@dataclass(slots=True)
class Archived:
    """What was written to a WACZ file."""

    count: int = 0
    missing: int = 0
    """Number of pages left out because their answers are missing from the archive or damaged there."""
    problem: str = ""
    """What was wrong with the first of these."""


def write_wacz(selected: Iterable[Selected], out: BinaryIO, folder: Path, title: str, now: float = 0.0) -> Archived:
    """Write pages with their answers.

    Args:
        selected: The pages; those that are gone are skipped.
        out: The file.
        folder: The directory of the crawl's WARC files.
        title: Name of the collection, after which WARC files are named.
        now: When the file is made, in epoch seconds; by default now.
    """
    done = Archived()
    with ExitStack() as stack:
        package = _Package(stack.enter_context(_zip(out)), now or time.time())
        pages, lines = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        records = RecordFiles(folder)
        stack.callback(records.close)
        pages.write(_json({"format": "json-pages-1.0", "id": "pages", "title": title, "hasText": True}))
        archive = stack.enter_context(closing(_Archive(package, records, title)))
        for page, change in selected:
            if change == GONE:
                continue
            try:
                line = archive.add(page)
            except (OSError, DamagedWarcError) as error:
                if isinstance(error, _WriteError):
                    raise
                done.missing += 1
                done.problem = done.problem or str(error)
                continue
            with naming(tempfile.gettempdir()):
                lines.write(line)
                pages.write(_page_line(page))
            done.count += 1
            package.main_url = package.main_url or page.url
        archive.close()
        with naming(tempfile.gettempdir()):
            lines.seek(0)  # which writes what is left of them
            pages.seek(0)
        _add_index(package, _sorted_lines(lines))
        package.add("pages/pages.jsonl", iter(lambda: pages.read(1 << 16), b""), zipfile.ZIP_DEFLATED)
        package.close(title)
    return done


@contextmanager
def _zip(out: BinaryIO) -> Iterator[zipfile.ZipFile]:
    """A zip file. If it is given up, its end is not written, because that would fail again."""
    file = zipfile.ZipFile(out, "w")
    try:
        yield file
    except BaseException:
        with suppress(OSError):
            file.close()
        raise
    file.close()


class _WriteError(OSError):
    """The output cannot be written, as opposed to an OSError of an input that cannot be read."""


@dataclass(slots=True)
class _Package:
    """The zip file, and the contents of its datapackage.json."""

    zip: zipfile.ZipFile
    now: float
    resources: list[dict[str, Any]] = field(default_factory=list)
    main_url: str = ""

    @contextmanager
    def entry(self, path: str, method: int = zipfile.ZIP_STORED) -> Iterator[_Entry]:
        """A new file in the zip. Only one is open at a time."""
        with self.zip.open(self._info(path, method), "w", force_zip64=True) as file:
            entry = _Entry(file)
            yield entry
        self.resources.append(
            {"name": path.rpartition("/")[2].lower(), "path": path, "hash": entry.hash, "bytes": entry.length}
        )

    def add(self, path: str, parts: Iterable[bytes], method: int) -> None:
        """Add a whole file."""
        with self.entry(path, method) as entry:
            for part in parts:
                entry.write(part)

    def close(self, title: str) -> None:
        """Write datapackage.json and the file with its digest."""
        made = datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        package: dict[str, Any] = {
            "profile": "data-package", "wacz_version": VERSION, "title": title,
            "software": f"focuscrawl {__version__}", "created": made, "modified": made, "resources": self.resources,
        }  # fmt: skip
        if self.main_url:
            package["mainPageUrl"] = self.main_url
        data = orjson.dumps(package, option=orjson.OPT_INDENT_2)
        self.zip.writestr(self._info("datapackage.json", zipfile.ZIP_DEFLATED), data)
        digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(data).hexdigest()}"}
        self.zip.writestr(self._info("datapackage-digest.json", zipfile.ZIP_DEFLATED), orjson.dumps(digest))

    def _info(self, path: str, method: int) -> zipfile.ZipInfo:
        moment = time.gmtime(max(self.now, 315_532_800))  # zip files have no times before 1980
        info = zipfile.ZipInfo(path, moment[:6])
        info.compress_type = method
        return info


class _Entry:
    """A file in the zip, with its length and digest so far."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.length = 0

    def write(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise _WriteError(*error.args) from error
        self._digest.update(data)
        self.length += len(data)

    @property
    def hash(self) -> str:
        return f"sha256:{self._digest.hexdigest()}"


class _Archive:
    """The WARC files in the zip, one after the other."""

    def __init__(self, package: _Package, records: RecordFiles, title: str) -> None:
        self._package, self._records, self._title = package, records, title
        self._number = 0
        self._stack = ExitStack()
        self._entry: _Entry | None = None
        self._name = ""
        self._sources: set[str] = set()

    def add(self, page: StoredPage) -> bytes:
        """Copy the records of a page. Returns its index line. Raises OSError or DamagedWarcError if they cannot be read."""
        if not page.warc_file:
            raise DamagedWarcError(f"{page.url} was not archived")
        found = self._records.answer(page.warc_file, page.warc_offset)
        entry = self._opened()
        # The warcinfo record of each source goes into each new file once, before the first of its records.
        if page.warc_file not in self._sources and (info := self._records.info(page.warc_file)):
            entry.write(info.data)
            self._sources.add(page.warc_file)
        offset = entry.length
        for record in found:
            entry.write(record.data)
        return _index_line(page, found[0], self._name, offset)

    def close(self) -> None:
        self._stack.close()

    def _opened(self) -> _Entry:
        if self._entry is None or self._entry.length >= WARC_BYTES:
            self._stack.close()
            self._name = f"{self._title}-{self._number:05}.warc.gz"
            self._number += 1
            self._entry = self._stack.enter_context(self._package.entry(f"archive/{self._name}"))
            self._sources = set()
        return self._entry


def _index_line(page: StoredPage, record: CopiedRecord, name: str, offset: int) -> bytes:
    """A line of CDXJ 1.0 (specs.webrecorder.net/cdxj/0.1.0): key, 14 digits of time, JSON."""
    facts = {
        "url": record.fields.get("warc-target-uri", page.url),
        "digest": record.fields.get("warc-payload-digest", ""),
        "mime": media_type(page.content_type) or "unk",
        "status": str(page.status),
        "offset": str(offset),
        "length": str(len(record.data)),
        "filename": name,
    }
    moment = datetime.fromisoformat(record.fields["warc-date"]).strftime("%Y%m%d%H%M%S")
    return f"{surt(facts['url'])} {moment} ".encode() + _json(facts)


def _add_index(package: _Package, lines: Iterator[bytes]) -> None:
    """Add the index: blocks of lines, each a gzip member, and a list of the blocks' first keys, offsets and lengths
    (ZipNum)."""
    listed = [b"!meta 0 " + _json({"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"})]
    with package.entry("indexes/index.cdx.gz") as entry:
        while block := list(islice(lines, BLOCK_LINES)):
            data = gzip.compress(b"".join(block), mtime=0)
            key = block[0].partition(b" {")[0]
            digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
            listed.append(key + b" " + _json({"offset": entry.length, "length": len(data), "digest": digest}))
            entry.write(data)
    package.add("indexes/index.idx", listed, zipfile.ZIP_DEFLATED)


def _page_line(page: StoredPage) -> bytes:
    moment = datetime.fromtimestamp(page.fetched_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return _json({"id": row_id(page.url), "url": page.url, "ts": moment, "title": page.title or page.url, "text": page.text})


def _json(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)


def _sorted_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file in the order of their bytes, by merging sorted runs in temporary files."""
    with ExitStack() as stack:
        runs: list[IO[bytes]] = []
        while lines := file.readlines(SORTED_BYTES):
            run = stack.enter_context(tempfile.TemporaryFile())
            with naming(tempfile.gettempdir()):
                run.writelines(sorted(lines))
                run.seek(0)
            runs.append(run)
        yield from heapq.merge(*runs)
