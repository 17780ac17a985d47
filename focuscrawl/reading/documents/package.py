"""Documents that are ZIP files of XML: read within bounds (how many entries, how large each, how much in all), and what reading
their texts has in common."""

from __future__ import annotations

import io
import zipfile
import zlib
from abc import ABC, abstractmethod
from typing import Any

from focuscrawl.reading.documents.document import BROKEN, ENCRYPTED, Reference, Unreadable
from focuscrawl.text import clean
from focuscrawl.text.safe_xml import MAX_BYTES, name_of, read_text, root_of

MAX_ENTRIES = 20_000
MAX_UNPACKED = 64 << 20
"""Bytes unpacked from one file in all."""
_ENCRYPTED_FLAG = 1
_DAMAGE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError, IndexError)
"""What zipfile raises for files that are broken or use what it cannot do, while it opens them and while it unpacks."""


class Package:
    """The entries of a ZIP file by name. Raises Unreadable for one that is broken, locked or a bomb."""

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
        """An entry's bytes; empty when it is not there."""
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
        """The root element of an entry that is XML; None when it is not there or is none."""
        body = self.read(name)
        return root_of(read_text(body, "text/xml")) if body else None


def texts(root: Any) -> dict[str, str]:
    """The text of the first element of each local name, in lower case: what files of metadata are made of."""
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


class PackageReader(ABC):
    """What the readers of word processors' files share: a title, and texts whose links become references."""

    def __init__(self) -> None:
        self.references: list[Reference] = []
        self.title = ""
        """Of the first paragraph whose style is Title."""

    def _text(self, element: Any) -> str:
        """The words under an element; notes its links."""
        found: list[str] = []
        links: list[tuple[str, str]] = []
        self._gather(element, found, links, 0)
        text = "".join(found)
        self.references += [Reference(address, clean.line(anchor), clean.line(text, 300)) for address, anchor in links]
        return text

    @abstractmethod
    def _gather(self, element: Any, found: list[str], links: list[tuple[str, str]], depth: int) -> None:
        """Append the words below an element to `found`, and its links (address, anchor) to `links`."""
