"""Did a compressed answer break off? Scrapy unpacks what is there and says nothing; this tells a cut page from a whole one."""

from __future__ import annotations

import zlib

from scrapy.http import Request, Response

PACKED = "packed"
"""Key of the body as sent in request.meta, from the download handler to the spider."""
GZIP = (b"gzip", b"x-gzip")
CHUNK = 1 << 20


def keep(request: Request, response: Response) -> None:
    """Remember the body of a gzip answer; it is no copy."""
    if response.headers.get("Content-Encoding") in GZIP:
        request.meta[PACKED] = response.body


def is_cut(request: Request, length: int) -> bool:
    """Whether a gzip answer that unpacked to `length` bytes has no end. Its last four bytes tell the length (RFC 1952,
    section 2.3.1): only where they do not fit is it unpacked once more."""
    packed: bytes = request.meta.pop(PACKED, b"")
    if not packed or int.from_bytes(packed[-4:], "little") == length & 0xFFFFFFFF:
        return False
    unpacker = zlib.decompressobj(wbits=31)
    try:
        while packed and not unpacker.eof:
            unpacker.decompress(packed, CHUNK)
            packed = unpacker.unconsumed_tail
    except zlib.error:
        return False
    return not unpacker.eof
