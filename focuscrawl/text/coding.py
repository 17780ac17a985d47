"""Undoes the content codings of a body (`Content-Encoding`): the decoded bytes, as far as they came, and what was wrong.

A decoder that reports no errors would let half of a page pass for the whole, and noise for text. This one keeps what could be
decoded and says whether the stream came to its end (RFC 9110 section 8.4; gzip RFC 1952, deflate RFC 1950 and 1951, br RFC
7932, zstd RFC 8878).
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import brotli

from focuscrawl.text.sniff import is_binary

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Problem = Literal["", "cut", "corrupt", "length", "bomb"]

MOST_CODINGS = 5
"""Most codings on top of each other. Real servers apply one, some proxies a second; each costs a pass over the body."""
BOMB = 200
"""A stream that unpacks to more than the limit and to this many times its own size is a bomb, made for that (gzip reaches at
most 1 030)."""
PIECE = 256
"""Bytes that a decoder is given at once. An error loses the output of one piece, and no piece of gzip unpacks to more than
264 kB."""
CHUNK = 1 << 16
"""Most bytes of output that br and zstd are asked for at once, because 256 bytes of input may hold many megabytes."""
_WINDOW = 23
"""2^23 bytes, which every zstd decoder on the web supports (RFC 9659). More would be memory at a stranger's request."""
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


@dataclass(slots=True, frozen=True)
class Undone:
    """A body without its codings."""

    body: bytes
    problem: Problem = ""
    """`cut`: it broke off; `corrupt`: it is invalid from some byte on; `length`: it is longer than the limit; `bomb`: it is,
    and was made for that (`BOMB`). Empty: it is whole."""


def undo(body: bytes, codings: Sequence[str], most: int) -> Undone:
    """Undo codings, the last one first. At most `most` decoded bytes are kept.

    codings: names in lower case, in the order in which they were applied. At an unknown name the work ends, and the body stays
    as it is then (many servers put a charset there). Text that only claims to be coded stays as it is, too.
    """
    problem: Problem = ""
    if len(codings) > MOST_CODINGS:
        return Undone(b"", "corrupt")
    for coding in reversed(codings):
        if coding not in _DECODERS:
            break
        undone = _undo_one(body, _DECODERS[coding], most)
        body, problem = undone.body, problem or undone.problem
        if undone.problem == "bomb":
            return undone
    return Undone(body, problem)


def is_known(coding: str) -> bool:
    """Whether `undo` knows this coding."""
    return coding in _DECODERS


def unzip(body: bytes, most: int) -> Undone:
    """The content of a gzip file that was served as such; any other body stays as it is."""
    return _undo_one(body, _gzip, most) if body.startswith(_GZIP) else Undone(body)


class _Encoded:
    """A body that is read in pieces. `read`: how many bytes were read so far."""

    def __init__(self, body: bytes) -> None:
        self._body = memoryview(body)
        self.read = 0

    def pieces(self) -> Iterator[memoryview]:
        while self.read < len(self._body):
            start, self.read = self.read, min(self.read + PIECE, len(self._body))
            yield self._body[start : self.read]

    def give_back(self, unused: int) -> None:
        self.read -= unused

    def once_more(self) -> Iterator[memoryview]:
        """The bytes read so far again, the last piece byte by byte."""
        last = (self.read - 1) // PIECE * PIECE
        yield self._body[:last]
        for at in range(last, self.read):
            yield self._body[at : at + 1]

    def begins(self, magic: bytes) -> bool:
        return self._body[self.read : self.read + len(magic)] == magic

    def begins_like_zlib(self) -> bool:
        """Whether the body has the method and check bits of RFC 1950, section 2.2."""
        head = int.from_bytes(self._body[:2], "big")
        return head >> 8 & 0x0F == 8 and head % 31 == 0


def _undo_one(body: bytes, decoder: Callable[[_Encoded], Iterator[bytes]], most: int) -> Undone:
    out, encoded = bytearray(), _Encoded(body)
    try:
        for piece in decoder(encoded):
            out += piece
            if len(out) > most:
                return Undone(bytes(out[:most]), "bomb" if len(out) > BOMB * encoded.read else "length")
    except EOFError:
        return Undone(bytes(out), "cut")
    except (zlib.error, brotli.error, zstd.ZstdError):
        if not out and not is_binary(body):
            return Undone(body)
        return Undone(bytes(out), "corrupt")
    return Undone(bytes(out))


def _gzip(encoded: _Encoded) -> Iterator[bytes]:
    """The content of all members, which follow each other. Anything else after a member is not part of the stream."""
    while True:
        unpacker = zlib.decompressobj(wbits=31)
        for piece in encoded.pieces():
            yield unpacker.decompress(piece)
            if unpacker.eof:
                break
        else:
            raise EOFError
        encoded.give_back(len(unpacker.unused_data))
        if not encoded.begins(_GZIP):
            return


def _deflate(encoded: _Encoded) -> Iterator[bytes]:
    """The content of a stream with the header that the standard requires, or raw, as some servers send it."""
    unpacker = zlib.decompressobj(wbits=15 if encoded.begins_like_zlib() else -15)
    for piece in encoded.pieces():
        yield unpacker.decompress(piece)
        if unpacker.eof:
            return
    yield unpacker.flush()
    if not unpacker.eof:
        raise EOFError


def _brotli(encoded: _Encoded) -> Iterator[bytes]:
    """The content of a stream. Anything after its end is not part of it, but the decoder takes it for an error unless the last
    byte of the stream comes alone."""
    returned = 0
    try:
        for out in _brotli_pieces(encoded.pieces()):
            returned += len(out)
            yield out
        return
    except brotli.error:
        pass
    for out in _brotli_pieces(encoded.once_more()):
        yield out[returned:]
        returned = max(0, returned - len(out))


def _brotli_pieces(pieces: Iterable[memoryview]) -> Iterator[bytes]:
    unpacker = brotli.Decompressor()
    for piece in pieces:
        given: bytes | memoryview = piece
        while out := unpacker.process(given, output_buffer_limit=CHUNK):
            yield out
            given = b""
        if unpacker.is_finished():
            return
    raise EOFError


def _zstd(encoded: _Encoded) -> Iterator[bytes]:
    """The content of all frames, which follow each other like the members of gzip."""
    while True:
        unpacker = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _WINDOW})
        for piece in encoded.pieces():
            yield unpacker.decompress(piece, CHUNK)
            while not unpacker.eof and not unpacker.needs_input:
                yield unpacker.decompress(b"", CHUNK)
            if unpacker.eof:
                break
        else:
            raise EOFError
        encoded.give_back(len(unpacker.unused_data))
        if not encoded.begins(_ZSTD):
            return


_DECODERS: dict[str, Callable[[_Encoded], Iterator[bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
