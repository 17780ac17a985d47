"""URLs that HTTP headers name: the reference of one, and the links of a header Link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_LINK = re.compile(r'[\s,]*<([^>]*)>((?:[^",]|"(?:[^"\\]|\\.)*(?:"|\Z))*)', re.DOTALL)
"""A reference and its parameters. A comma ends them, but not in a quoted string."""
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)|([^;\s]*)))?', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(slots=True, frozen=True)
class HeaderLink:
    """A link that a header Link gives (RFC 8288, section 3)."""

    reference: str
    """As written; relative to the URL of the answer, whatever base the page names."""
    parameters: Mapping[str, str]
    """By name in lower case; the first of each name."""

    def has_rel(self, relation: str) -> bool:
        """Whether it relates the page itself to its target in this way, and not a part of the page or another one."""
        return "anchor" not in self.parameters and relation in self.parameters.get("rel", "").lower().split()


def header_links(value: str) -> Iterator[HeaderLink]:
    """The links of a header Link, up to where it breaks the grammar. `value`: its bytes as Latin-1."""
    at = 0
    while found := _LINK.match(value, at):
        parameters: dict[str, str] = {}
        for name, quoted, token in _PARAMETER.findall(found[2]):
            parameters.setdefault(name.lower(), _ESCAPED.sub(r"\1", quoted) or token)
        yield HeaderLink(header_reference(found[1].strip().encode("latin-1", "replace")), parameters)
        at = found.end()


def header_reference(raw: bytes) -> str:
    """The reference that a header gives. Bytes that are not ASCII are read as UTF-8, or else escaped one by one, as browsers
    do."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in raw)
