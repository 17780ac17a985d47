"""Codings are undone as far as they came, and what was wrong is told."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable

import brotli
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.text.coding import MOST_CODINGS, Undone, undo, unzip

WORDS = random.Random(1)
TEXT = " ".join(f"telescope{WORDS.random()}" for _ in range(40_000)).encode()
"""Several blocks of zstd, of which a block is undone whole or not at all."""
MOST = 2 << 20


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


def quick_brotli(body: bytes) -> bytes:
    return bytes(brotli.compress(body, quality=5))


ENCODERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("x-gzip", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "br": ("br", quick_brotli),
    "zstd": ("zstd", zstd.compress),
}
EACH = pytest.mark.parametrize(("coding", "encode"), ENCODERS.values(), ids=ENCODERS)


@EACH
def test_a_whole_body(coding: str, encode: Callable[[bytes], bytes]) -> None:
    for text in (TEXT, b"x", b"", b"\n" * 100_000):
        assert undo(encode(text), [coding], MOST) == Undone(text)


@EACH
def test_a_body_that_breaks_off_keeps_what_came(coding: str, encode: Callable[[bytes], bytes]) -> None:
    encoded = encode(TEXT)
    for share in (0.3, 0.9):
        undone = undo(encoded[: int(share * len(encoded))], [coding], MOST)
        assert undone.problem == "cut"
        assert TEXT.startswith(undone.body)
        assert len(undone.body) > 0.5 * share * len(TEXT)


@EACH
def test_a_cut_at_the_last_byte_is_seen(coding: str, encode: Callable[[bytes], bytes]) -> None:
    assert undo(encode(TEXT)[:-1], [coding], MOST).problem == "cut"


@EACH
@pytest.mark.parametrize("junk", [b"\n", b"junk" * 200, bytes(3)], ids=["line", "text", "zeros"])
def test_junk_behind_the_end_is_no_part_of_the_stream(coding: str, encode: Callable[[bytes], bytes], junk: bytes) -> None:
    for text in (TEXT, *(TEXT[: 500 + size] for size in range(40)), b""):
        assert undo(encode(text) + junk, [coding], MOST) == Undone(text)


@EACH
def test_nothing_at_all_is_cut(coding: str, encode: Callable[[bytes], bytes]) -> None:
    assert undo(b"", [coding], MOST) == Undone(b"", "cut")


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_noise_in_the_middle(name: str) -> None:
    """Where a stream has no checksum, noise may pass for a while; then it is corrupt, or ends too early."""
    coding, encode = ENCODERS[name]
    encoded = encode(TEXT)
    middle = len(encoded) // 2
    noise = bytes(255 - byte for byte in encoded[middle : middle + 400])
    undone = undo(encoded[:middle] + noise + encoded[middle + 400 :], [coding], MOST)
    assert undone.problem in ("corrupt", "cut")
    assert undone.body[:1000] == TEXT[:1000]


def test_a_wrong_checksum_is_corrupt_and_costs_only_the_end() -> None:
    undone = undo(gzip.compress(TEXT)[:-8] + bytes(8), ["gzip"], MOST)
    assert undone.problem == "corrupt"
    assert TEXT.startswith(undone.body)
    assert len(undone.body) > len(TEXT) - 2000


def test_members_follow_each_other_and_garbage_behind_them_does_not_count() -> None:
    assert undo(gzip.compress(b"one ") + gzip.compress(b"two"), ["gzip"], MOST) == Undone(b"one two")
    assert undo(gzip.compress(TEXT) + b"garbage", ["gzip"], MOST) == Undone(TEXT)
    assert undo(zstd.compress(b"one ") + zstd.compress(b"two"), ["zstd"], MOST) == Undone(b"one two")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_text_that_only_claims_to_be_coded(coding: str) -> None:
    page = b"<!doctype html><title>plain</title><p>" + b"telescope galaxy " * 50
    assert undo(page, [coding], MOST) == Undone(page)


def test_several_codings() -> None:
    twice = quick_brotli(gzip.compress(TEXT))
    assert undo(twice, ["gzip", "br"], MOST) == Undone(TEXT)
    assert undo(twice[:-40], ["gzip", "br"], MOST).problem == "cut"
    assert undo(TEXT, ["utf-8"], MOST) == Undone(TEXT)
    assert undo(b"x", ["gzip"] * (MOST_CODINGS + 1), MOST).problem == "corrupt"


def test_what_is_too_long_is_cut_and_bombs_are_told_apart() -> None:
    assert undo(gzip.compress(TEXT), ["gzip"], 1000) == Undone(TEXT[:1000], "length")
    for name in ("gzip", "deflate", "br", "zstd"):
        coding, encode = ENCODERS[name]
        undone = undo(encode(bytes(50 << 20)), [coding], MOST)
        assert (undone.problem, len(undone.body)) == ("bomb", MOST)


def test_a_window_that_no_browser_has_is_refused() -> None:
    options: dict[int, int] = {zstd.CompressionParameter.window_log: 27}
    stream = zstd.ZstdCompressor(options=options)
    encoded = stream.compress(TEXT) + stream.flush(stream.FLUSH_FRAME)
    assert undo(encoded, ["zstd"], MOST).problem == "corrupt"


def test_files_without_a_label() -> None:
    assert unzip(gzip.compress(TEXT), MOST) == Undone(TEXT)
    assert unzip(gzip.compress(TEXT)[:-9], MOST).problem == "cut"
    assert unzip(TEXT, MOST) == Undone(TEXT)


@given(st.binary(max_size=600), st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_any_bytes_are_taken(noise: bytes, coding: str) -> None:
    undone = undo(noise, [coding], MOST)
    assert undone.problem in ("", "cut", "corrupt", "length", "bomb")
