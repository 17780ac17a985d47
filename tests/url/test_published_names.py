"""Every case of Unicode's published suite for host names (UTS #46), from its own file: our answer, or why it is another one.

`IdnaTestV2.txt.xz`: IdnaTestV2.txt of Unicode 13.0.0, © 2019 Unicode, Inc. (https://www.unicode.org/terms_of_use.html). The
URL Standard (section 3.3) asks for its column toAsciiN, without the rules for hyphens and lengths, with those for joiners: as
Firefox and Safari always did and Chrome has done since version 148, a ZERO WIDTH JOINER between emoji makes no name. What is
written in ASCII is taken as it is, since June 2026.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.url.authority import normal_host

FILE = Path(__file__).with_name("IdnaTestV2.txt.xz")
ESCAPE = re.compile(r"\\u([0-9A-F]{4})|\\x\{([0-9A-F]+)\}", re.IGNORECASE)
STATUS = re.compile(r"[A-Z]\d(?:_\d)?")
IGNORED = frozenset({"V2", "V3", "A4_1", "A4_2"})
"""Hyphens, and lengths as the URL Standard has them: beStrict is false."""
NEWER = frozenset({"P1", "V6"})
"""Rules by the table of Unicode 13."""
ALLOWED_SINCE = re.compile("[\u04c0\u10a0-\u10c5\u115f\u1160\uffa0\u2132\u2183\u2260\u226e\u226f\U00032000-\U0003ffff]")
"""Allowed by tables of today: Georgian capitals and others that have got a small letter, fillers, signs of comparison, Chinese
characters that were none yet."""
SIGNS = re.compile(r"[^a-zA-Z0-9_.-]")
DIRECTION = frozenset({"B1", "B6"})
"""Rules that labels in ASCII break beside one that is written from right to left, as `0a.\u05d0`: toascii.json takes such."""


@dataclass(frozen=True, slots=True)
class Case:
    source: str
    answer: str
    """In ASCII."""
    broken: frozenset[str]
    """Rules that it breaks."""


def cases() -> Iterator[Case]:
    for line in lzma.decompress(FILE.read_bytes()).decode().splitlines():
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if len(fields) > 1:
            source, text, status, ascii_text, ascii_status = map(_plain, fields[:5])
            broken = frozenset(STATUS.findall(ascii_status or status))
            yield Case(source, ascii_text or text or source, broken)


def _plain(field: str) -> str:
    return ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), field)


def expected(case: Case) -> str | None:
    """By the standards, and by what a name server can hold: no empty label, none of more than 63 octets, 253 in all; and the
    dot behind a name says nothing."""
    in_ascii = case.source.isascii()
    name = (case.source.lower() if in_ascii else case.answer).removesuffix(".")
    if (case.broken - IGNORED and not in_ascii) or not name or len(name) > 253:
        return None
    return name if all(0 < len(label) < 64 for label in name.split(".")) else None


def argued(case: Case) -> str:
    """Why the answer is another one than `expected`; empty for no reason."""
    broken = case.broken - IGNORED
    if case.answer.removesuffix(".").rpartition(".")[2].isdigit():
        return "an IPv4 address, or none"
    if broken and broken <= DIRECTION:
        return "direction"
    if case.source.isascii() and SIGNS.search(case.source):
        return "signs that no label has"
    return "newer" if broken and broken <= NEWER and ALLOWED_SINCE.search(_text(case)) else ""


def _text(case: Case) -> str:
    labels = case.answer.split(".")
    return "".join(label[4:].encode().decode("punycode") if label.startswith("xn--") else label for label in labels)


def test_every_name() -> None:
    found = [(case, normal_host(case.source)) for case in cases()]
    others = [(case, name) for case, name in found if name != expected(case)]
    assert [case for case, _ in others if not argued(case)] == []
    assert (len(found), len(others)) == (6225, 201)


def test_a_joiner_between_emoji_makes_no_name() -> None:
    assert normal_host("\U0001f468\u200d\U0001f4bb.test") is None
    assert normal_host("\U0001f468\U0001f4bb.test") == "xn--qq8hgf.test"
