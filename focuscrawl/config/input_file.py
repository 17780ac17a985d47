"""A user's file in, text out: whatever editor wrote it, and nothing that is not text."""

from __future__ import annotations

import stat
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from pathlib import Path

from focuscrawl.errors import BadInput, quoted
from focuscrawl.reading.documents.formats import PACKED, format_of
from focuscrawl.text.sniff import is_binary

LARGEST = 64 * 1024 * 1024
"""Bytes: about a million seeds. A larger file is more likely the wrong one, and would be read whole into memory."""

_MARKS = (  # in this order, because UTF-32's little-endian mark begins with UTF-16's
    (BOM_UTF8, "utf-8"),
    (BOM_UTF32_LE, "utf-32-le"),
    (BOM_UTF32_BE, "utf-32-be"),
    (BOM_UTF16_LE, "utf-16-le"),
    (BOM_UTF16_BE, "utf-16-be"),
)


def read_text(path: Path, what: str) -> str:
    """The text of a file in UTF-8, UTF-16 or -32 with a byte order mark, or GB18030.

    Args:
        what: what the file is to the user, such as "The seed file", for messages.

    Raises:
        BadInput: it cannot be read, is not text, or is empty.
    """
    text = decoded(read_bytes(path, what))
    if text is None:
        raise BadInput(f"{what} {quoted(str(path))} is not a text file; give UTF-8 text.")
    if not text.strip():
        raise BadInput(f"{what} {quoted(str(path))} is empty.")
    return text


def read_bytes(path: Path, what: str) -> bytes:
    """The content of a file. `what`, and what is raised, as in `check_file`; also where it cannot be read, or is empty."""
    check_file(path, what)
    try:
        with path.open("rb") as file:
            body = file.read(LARGEST)
    except OSError as error:
        raise BadInput(f"{what} {quoted(str(path))} cannot be read: {_reason(error)}.") from None
    if not body.strip():
        raise BadInput(f"{what} {quoted(str(path))} is empty.")
    return body


def read_page(path: Path, what: str) -> bytes:
    """The content of a file that is to be read as a page, such as an example: text, HTML in any charset, or a document. What is
    raised: as in `read_bytes`, also for other binary files, whose bytes would become words of the topic."""
    body = read_bytes(path, what)
    if is_binary(body) and decoded(body) is None and format_of(body, "") not in PACKED:
        raise BadInput(f"{what} {quoted(str(path))} is not a page; give HTML, text, PDF, DOCX, ODT or EPUB.")
    return body


def check_file(path: Path, what: str) -> None:
    """Refuse what is not an ordinary file of at most LARGEST bytes: reading a device or pipe would never end.

    Raises:
        BadInput: naming `what` and the path.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        raise BadInput(f"{what} {quoted(str(path))} does not exist.") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{what} {quoted(str(path))} cannot be read: {_reason(error)}.") from None
    if stat.S_ISDIR(status.st_mode):
        raise BadInput(f"{what} {quoted(str(path))} is a directory; give a file.")
    if not stat.S_ISREG(status.st_mode):
        raise BadInput(f"{what} {quoted(str(path))} is not an ordinary file.")
    if status.st_size > LARGEST:
        raise BadInput(f"{what} {quoted(str(path))} is larger than {LARGEST // 2**20} MiB.")


def decoded(body: bytes) -> str | None:
    """Text by its byte order mark, as UTF-8, else as GB18030; None for anything else, and for text with NUL in it."""
    for mark, charset in _MARKS:
        if body.startswith(mark):
            return _strictly(body[len(mark) :], charset)
    text = _strictly(body, "utf-8")
    return _strictly(body, "gb18030") if text is None else text


def _strictly(body: bytes, charset: str) -> str | None:
    try:
        text = body.decode(charset)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
