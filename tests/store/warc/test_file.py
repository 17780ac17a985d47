from __future__ import annotations

import gzip
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from focuscrawl import __version__
from focuscrawl.items import Lease, Page
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.warc.file import WarcWriter, read_record
from focuscrawl.store.warc.recovery import verify

URL = "http://example.org:8080/a/b?c=d"
PAGE = Page(
    lease=Lease(1, 2, URL),
    url=URL,
    status=200,
    fetched_at=1_700_000_000.123456,
    latency=0.25,
    ip_address="127.0.0.1",
    headers=(("Content-Type", "text/html"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("X-Name", "caf\xe9")),
    request_headers=(("User-Agent", "focuscrawl"), ("Accept", "text/html")),
    body=b"<html>" + bytes(range(256)) * 40 + b"</html>",
    charset="utf-8",
)
FACTS = {"via": "http://example.org:8080/", "hopsFromSeed": "LL", "relevance": "0.4711", "主 题": "爬虫\nx"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "topic-20240101000000-00001-w1.warc.gz"


@pytest.fixture
def writer(path: Path) -> Iterator[WarcWriter]:
    made = WarcWriter(path)
    yield made
    made.close()


def headers_of(path: Path) -> list[dict[str, str]]:
    with path.open("rb") as file:
        return [dict(each.headers.items()) for each in ArchiveIterator(file, parse_http=False)]


def test_a_page_is_three_records_behind_the_warcinfo(writer: WarcWriter, path: Path) -> None:
    writer.write(PAGE, FACTS)
    info, response, request, metadata = headers_of(path)
    assert [each["WARC-Type"] for each in (info, response, request, metadata)] == [
        "warcinfo",
        "response",
        "request",
        "metadata",
    ]
    assert info["WARC-Filename"] == path.name
    assert f"software: focuscrawl/{__version__}\r\n".encode() in gzip.decompress(path.read_bytes())
    for each in (response, request, metadata):
        assert each["WARC-Target-URI"] == URL
        assert each["WARC-Date"] == "2023-11-14T22:13:20.123456Z"
        assert each["WARC-Warcinfo-ID"] == info["WARC-Record-ID"]
    for each in (request, metadata):
        assert each["WARC-Concurrent-To"] == response["WARC-Record-ID"]
    assert response["WARC-IP-Address"] == request["WARC-IP-Address"] == "127.0.0.1"
    assert response["Content-Type"] == "application/http; msgtype=response"
    assert metadata["Content-Type"] == "application/warc-fields"
    assert len({each["WARC-Record-ID"] for each in (info, response, request, metadata)}) == 4
    assert path.read_bytes()[:2] == b"\x1f\x8b"


def test_an_independent_reader_agrees(writer: WarcWriter, path: Path) -> None:
    """warcio reads what fastwarc wrote, digests included."""
    writer.write(PAGE, FACTS)
    writer.write(replace(PAGE, status=404, body=b""), {})
    found = []
    with path.open("rb") as file:
        for each in WarcioIterator(file, check_digests="raise"):
            content = each.content_stream().read()
            found.append(each.rec_type)
            if each.rec_type == "response" and len(found) == 2:
                assert content == PAGE.body
                assert each.http_headers.get_statuscode() == "200"
                assert each.http_headers.get_header("Content-Type") == "text/html"
            if each.rec_type == "metadata" and len(found) == 4:
                lines = content.decode().split("\r\n")
                assert "via: http://example.org:8080/" in lines
                assert "hopsFromSeed: LL" in lines
                assert "fetchTimeMs: 250" in lines
                assert "---: 爬虫 x" in lines
    assert found == ["warcinfo"] + ["response", "request", "metadata"] * 2


def test_the_location_finds_the_response(writer: WarcWriter, path: Path) -> None:
    first = writer.write(PAGE, FACTS)
    second = writer.write(replace(PAGE, body=b"second", truncated="time"), FACTS)
    for location, body in ((first, PAGE.body), (second, b"second")):
        assert location.file == path.name
        read = read_record(path, location.offset)
        assert (read.url, read.status, read.body) == (URL, 200, body)
        assert read.headers[: len(PAGE.headers)] == PAGE.headers
        assert read.fetched_at == pytest.approx(PAGE.fetched_at, abs=1e-5)
    assert read_record(path, second.offset).truncated == "time"
    data = path.read_bytes()[first.offset : first.offset + first.length]
    (path.parent / "one.warc.gz").write_bytes(data)
    assert verify(path.parent / "one.warc.gz").kinds == {"response": 1}


def test_no_response_at_that_place(writer: WarcWriter, path: Path) -> None:
    with pytest.raises(ValueError, match="no response record at 0"):
        read_record(path, 0)
    with pytest.raises(ValueError, match="no response record"):
        read_record(path, path.stat().st_size)


@pytest.mark.parametrize(("status", "why"), [(304, "304"), (200, "headers")])
def test_what_was_not_read_is_a_revisit(writer: WarcWriter, path: Path, status: int, why: str) -> None:
    """Section 6.7.3 of WARC 1.1: it points to the full response, and has no digest of its own."""
    first = writer.write(PAGE, FACTS)
    lease = replace(PAGE.lease, stored_at=PAGE.fetched_at)
    headers = (("ETag", '"1"'), ("Content-Length", "10248"))
    again = replace(PAGE, lease=lease, status=status, fetched_at=1_800_000_000.0, headers=headers, body=b"", unmodified=why)
    second = writer.write(again, {})
    revisit, request, metadata = headers_of(path)[4:]
    response = headers_of(path)[1]
    assert [each["WARC-Type"] for each in (revisit, request, metadata)] == ["revisit", "request", "metadata"]
    assert revisit["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
    assert revisit["WARC-Refers-To-Target-URI"] == response["WARC-Target-URI"]
    assert revisit["WARC-Refers-To-Date"] == response["WARC-Date"]
    assert "WARC-Payload-Digest" not in revisit
    assert revisit.get("WARC-Truncated") == ("length" if status == 200 else None)
    assert request["WARC-Concurrent-To"] == metadata["WARC-Refers-To"] == revisit["WARC-Record-ID"]
    assert verify(path).whole
    assert verify(path).kinds == {"warcinfo": 1, "response": 1, "revisit": 1, "request": 2, "metadata": 2}
    assert read_record(path, first.offset).body == PAGE.body
    with pytest.raises(ValueError, match="no response record"):
        read_record(path, second.offset)


def test_an_independent_reader_understands_the_revisit(writer: WarcWriter, path: Path) -> None:
    headers = (("Content-Type", "text/html"), ("Content-Length", "10248"))
    writer.write(replace(PAGE, headers=headers, body=b"", unmodified="headers"), {})
    with path.open("rb") as file:
        found = {each.rec_type: (each, each.content_stream().read()) for each in WarcioIterator(file, check_digests="raise")}
    revisit, body = found["revisit"]
    assert (revisit.http_headers.get_statuscode(), body) == ("200", b"")
    assert revisit.http_headers.get_header("Content-Length") == "10248"
    assert revisit.rec_headers.get_header("WARC-Refers-To-Date") is None
    assert b"unmodified: headers" in found["metadata"][1]


def test_the_length_is_what_lies_on_disk(writer: WarcWriter, path: Path) -> None:
    for _ in range(3):
        writer.write(PAGE, FACTS)
        assert writer.flush() == writer.length == path.stat().st_size
    assert writer.flush(durable=True) == writer.length


def test_rollback_forgets_whole_pages(writer: WarcWriter, path: Path) -> None:
    writer.write(PAGE, FACTS)
    before = writer.length
    writer.write(PAGE, FACTS)
    writer.rollback(before)
    assert path.stat().st_size == before
    writer.write(replace(PAGE, body=b"after"), FACTS)
    checked = verify(path)
    assert checked.whole
    assert checked.kinds == {"warcinfo": 1, "response": 2, "request": 2, "metadata": 2}


def test_rollback_keeps_the_warcinfo_record(writer: WarcWriter, path: Path) -> None:
    """A file opened within the failed step has no earlier length than 0."""
    writer.write(PAGE, FACTS)
    writer.rollback(0)
    assert verify(path).kinds == {"warcinfo": 1}
    with pytest.raises(ValueError, match="cannot go back"):
        writer.rollback(10**9)


def test_a_file_is_never_taken_over(writer: WarcWriter, path: Path) -> None:
    with pytest.raises(FileExistsError):
        WarcWriter(path)
    assert verify(path).whole


def test_no_symbolic_link_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link.warc.gz"
    link.symlink_to(tmp_path / "target")
    with pytest.raises(OSError):
        WarcWriter(link)
    assert not (tmp_path / "target").exists()


def test_a_page_without_an_answer_is_refused(writer: WarcWriter) -> None:
    with pytest.raises(ValueError, match="no answer"):
        writer.write(replace(PAGE, status=0), FACTS)


def test_closing_twice_does_no_harm(writer: WarcWriter) -> None:
    writer.close()
    writer.close()


@contextmanager
def full_at(limit: int) -> Iterator[None]:
    """A size that no file may exceed: the system then writes a part and refuses the rest, as a full disk does. (No fixture:
    the limit holds for the file that the test run itself writes to, too.)"""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_no_partial_record(writer: WarcWriter, path: Path) -> None:
    noise, limit = replace(PAGE, body=os.urandom(8_000)), 22_000
    with full_at(limit):
        writer.write(noise, FACTS)
        writer.write(noise, FACTS)
        before = writer.length
        for _ in range(2):
            with pytest.raises(OSError):
                writer.write(noise, FACTS)
            assert writer.length == path.stat().st_size == before < limit
        writer.write(replace(PAGE, body=b"small"), FACTS)
    assert verify(path).kinds == {"warcinfo": 1, "response": 3, "request": 3, "metadata": 3}
    assert verify(path).whole


def test_a_disk_full_from_the_start_leaves_no_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", refuse)
    with pytest.raises(OSError, match="No space"):
        WarcWriter(path)
    assert not path.exists()


def test_what_could_not_be_cut_is_written_over(writer: WarcWriter, path: Path) -> None:
    """Even when the cut fails too, the next page starts where the last whole one ended."""
    writer.write(PAGE, FACTS)
    with path.open("ab") as file:
        file.write(b"rest of a failed write")
    assert writer.write(PAGE, FACTS) == WarcLocation(path.name, writer.length - _size_of_page(path), _first_size(path))
    assert verify(path).whole


def _size_of_page(path: Path) -> int:
    return path.stat().st_size - _second_start(path)


def _second_start(path: Path) -> int:
    return _starts(path)[4]


def _first_size(path: Path) -> int:
    starts = _starts(path)
    return starts[5] - starts[4]


def _starts(path: Path) -> list[int]:
    with path.open("rb") as file:
        return [each.stream_pos for each in ArchiveIterator(file, parse_http=False)]
