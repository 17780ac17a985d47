"""Documents that are ZIP files of XML: their entries, with bounds on number and size, and what their readers share."""

from __future__ import annotations

import io
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from focuscrawl.reading.documents.document import BROKEN, ENCRYPTED, Reference, Unreadable
from focuscrawl.text import clean
from focuscrawl.text.blocks import Block
from focuscrawl.text.safe_xml import MAX_BYTES, name_of, read_text, root_of

MAX_ENTRIES = 20_000
MAX_UNPACKED = 64 << 20
"""Bytes unpacked from one file in all."""
_ENCRYPTED_FLAG = 1
_DAMAGE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError, IndexError)
"""What zipfile raises for files that are broken or use what it cannot do, while it opens them and while it unpacks."""


class Package:
    """The entries of a ZIP file by name. It and its methods raise Unreadable if the file is broken, encrypted or a bomb."""

    def __init__(self, body: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
        except _DAMAGE as error:
            raise Unreadable(BROKEN) from error
        self._left = MAX_UNPACKED
        self.names = frozenset(self._zip.namelist())
        if len(self.names) > MAX_ENTRIES:
            raise Unreadable(BROKEN)

    def read(self, name: str, most: int = MAX_BYTES) -> bytes:
        """The bytes of an entry; empty if there is no such entry."""
        if name not in self.names:
            return b""
        entry = self._zip.getinfo(name)
        if entry.flag_bits & _ENCRYPTED_FLAG:
            raise Unreadable(ENCRYPTED)
        most = min(most, self._left)
        try:
            with self._zip.open(entry) as stream:
                found = stream.read(most + 1)
        except _DAMAGE as error:
            raise Unreadable(BROKEN) from error
        if len(found) > most:
            raise Unreadable(BROKEN)
        self._left -= len(found)
        return found

    def root(self, name: str) -> Any:
        """The root element of an XML entry; None if there is no such entry or it is not XML."""
        body = self.read(name)
        return root_of(read_text(body, "text/xml")) if body else None


def texts(root: Any) -> dict[str, str]:
    """The metadata in a file of simple elements: by local name in lower case the text of the first such element."""
    found: dict[str, str] = {}
    if root is not None:
        for element in root.iter():
            if (text := " ".join((element.text or "").split())) and (name := name_of(element)):
                found.setdefault(name, text)
    return found


def attribute(element: Any, name: str) -> str:
    """The value of the attribute of this local name, whatever its namespace."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2].rpartition(":")[2] == name:
            return str(value)
    return ""


def joined_code(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks with neighboring blocks of code joined, because word processors have a paragraph for each line of code."""
    for kind, group in groupby(blocks, key=attrgetter("kind")):
        if kind == "code":
            yield Block("code", "\n".join(block.text for block in group))
        else:
            yield from group


class PackageReader(ABC):
    """What the readers of word processors' files share: they collect the title and the links while they go through the text."""

    def __init__(self) -> None:
        self.references: list[Reference] = []
        self.title = ""
        """The first paragraph whose style is Title."""

    def _text(self, element: Any) -> str:
        """The text below an element, whose links are added to `references`."""
        found: list[str] = []
        links: list[tuple[str, str]] = []
        self._gather(element, found, links, 0)
        text = "".join(found)
        self.references += [Reference(url, clean.line(anchor), clean.line(text, 300)) for url, anchor in links]
        return text

    @abstractmethod
    def _gather(self, element: Any, found: list[str], links: list[tuple[str, str]], depth: int) -> None:
        """Append the words below an element to `found`, and its links (URL, anchor) to `links`."""
