"""The licence that a page names, in one form: an SPDX identifier if the licence is known, else its URL or words.

SPDX (spdx.org/licenses) has short names for the licences of Creative Commons (`CC-BY-SA-4.0`, `CC0-1.0`; a ported one keeps
its country, `CC-BY-SA-2.5-CN`), for the GNU Free Documentation License (`GFDL-1.3`) and for those of programs, which some
manuals have, too (`Apache-2.0`, `MIT`). If the page does not give the version, it is left out: `CC-BY-SA`.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from focuscrawl.politeness.reserved import RSL
from focuscrawl.reading.json_ld import Node, described
from focuscrawl.text import clean
from focuscrawl.text.document import Document
from focuscrawl.text.head import Meta
from focuscrawl.url.normalize import normalize

MAX_WORDS = 200
"""Most characters of a licence in words."""
_CREATIVE_COMMONS = re.compile(
    r"creativecommons\.org/licen[cs]es/([a-z+-]+)(?:/(\d\.\d))?(?:/([a-z]{2,5})(?=[/?#]|$))?", re.IGNORECASE
)
_PUBLIC_DOMAIN = re.compile(r"creativecommons\.org/publicdomain/(zero|mark)(?:/(\d\.\d))?", re.IGNORECASE)
_IN_WORDS = re.compile(
    r"\bCC[\s_-]*(BY(?:[\s_-]+(?:NC|ND|SA)){0,2})(?:[\s_-]*(\d\.\d))?|\bCC[\s_-]?0(?:[\s_-]+(\d\.\d))?\b|"
    r"(?:creative commons|cc)\W+(attribution(?:[\s-]+(?:non-?commercial|no-?deriv(?:ative)?s?(?: works)?|share-?alike)){0,2})"
    r"(?:[\s_-]*v?(\d\.\d))?",
    re.IGNORECASE,
)
_GNU = re.compile(r"gnu\.org/(?:licenses|copyleft)/(?:old-licenses/)?(fdl|gpl|lgpl|agpl)(?:-(\d\.\d))?", re.IGNORECASE)
_SPDX = re.compile(
    r"(?:spdx\.org/licenses|opensource\.org/licenses?|choosealicense\.com/licenses)/([A-Za-z0-9.+-]+?)(?:\.html|/|$)"
)
_APACHE = re.compile(r"apache\.org/licenses/LICENSE-(\d\.\d)", re.IGNORECASE)
_URL = re.compile(r"[a-z][a-z0-9+.-]*:|\.{0,2}/|#", re.IGNORECASE)
"""The beginning of an absolute or relative URL."""
_RIGHTS = (
    "dcterms.license", "dc.license", "dc.rights.license", "dcterms.rights", "dc.rights", "license", "licence", "copyright",
)  # fmt: skip
"""Names of meta elements, the most reliable first."""
_COPYRIGHT = frozenset({"copyrightNotice", "dc.rights", "copyright"})
"""Names that are used for any remark on copyright, so that only a known licence is taken from them."""
_ABOUT_LICENCE = re.compile(r"licen[cs]e|\bCC\b|creative\s*commons|许可|許可|协议|協議|授权|授權|版权|版權|署名", re.IGNORECASE)
_NAMES = {"fdl": "GFDL", "gpl": "GPL", "lgpl": "LGPL", "agpl": "AGPL"}
_ELEMENTS = (("attribution", "BY"), ("noncommercial", "NC"), ("noderiv", "ND"), ("sharealike", "SA"))
_WRITTEN = {"mit": "MIT", "apache-2.0": "Apache-2.0", "bsd-3-clause": "BSD-3-Clause", "bsd-2-clause": "BSD-2-Clause"}


def licence_of_page(document: Document, head: Meta, nodes: list[Node], base: str) -> str:
    """The licence of a page; empty if it names none.

    Args:
        document: The page.
        head: What was read from its head.
        nodes: Its JSON-LD.
        base: What its relative URLs are relative to.
    """
    for node in described(nodes):
        for key in ("license", "copyrightNotice"):
            given = node.get(key)
            for value in given if isinstance(given, list) else [given]:
                text = value.get("@id") or value.get("url") if isinstance(value, dict) else value
                if isinstance(text, str) and (found := licence_of(text, base, key not in _COPYRIGHT)):
                    return found
    for link in document.marked("[rel~=license i][href], [itemprop=license][href]", "rel", "itemprop")[:20]:
        kind = (link.attributes.get("type") or "").lower()
        if kind != RSL and (found := licence_of_link(link.attributes.get("href") or "", link.text(deep=True), base)):
            return found
    for name in _RIGHTS:
        if name in head.named and (found := licence_of(head.named[name], base, name not in _COPYRIGHT)):
            return found
    return _marked(document.tree, base)


def licence_of(text: str, base: str = "", sure: bool = True) -> str:
    """The licence in a URL or in words; empty if there is none.

    >>> licence_of("https://creativecommons.org/licenses/by-nc-sa/4.0/deed.zh-hans")
    'CC-BY-NC-SA-4.0'

    Args:
        text: As the page has it: an absolute or relative URL, or words.
        base: What relative URLs are relative to.
        sure: Whether the page calls it a licence. If not, only a known licence is taken.
    """
    text = clean.line(text, 2000)
    known = _known(text)
    if known or not sure:
        return known
    if _is_url(text):
        return normalize(text, base) or ""
    return text[:MAX_WORDS].rstrip()


def licence_of_link(href: str, words: str, base: str) -> str:
    """The licence in a link that the page calls its licence: a known one by its URL, else by its words, else the URL."""
    return _known(href) or _known(clean.line(words, MAX_WORDS)) or licence_of(normalize(href, base) or "")


def _marked(tree: LexborHTMLParser, base: str) -> str:
    """The licence of Creative Commons that the page links to beside a word for licence; empty if it links to several."""
    links = tree.css('a[href*="creativecommons.org/licenses/"], a[href*="creativecommons.org/publicdomain/"]')[:20]
    licences = (licence_of(link.attributes.get("href") or "", base, sure=False) for link in links if _mentions_licence(link))
    found = set(filter(None, licences))
    return found.pop() if len(found) == 1 else ""


def _mentions_licence(link: LexborNode) -> bool:
    """Whether a link's words, picture or surroundings have a word for licence."""
    around = link.parent.text(deep=True)[:300] if link.parent is not None else ""
    picture = link.css_first("img[alt]")
    alternative = picture.attributes.get("alt") or "" if picture is not None else ""
    return bool(_ABOUT_LICENCE.search(f"{link.text(deep=True)} {alternative} {around}"))


def _known(text: str) -> str:
    """The SPDX identifier of a known licence that the text names; empty if it names none."""
    if found := _CREATIVE_COMMONS.search(text):
        elements, version, country = found.groups()
        country = "" if country is None or country.lower() in ("deed", "legal") else country
        return _joined(f"CC-{elements.strip('-').upper()}", version, country.upper())
    if found := _PUBLIC_DOMAIN.search(text):
        return _joined("CC0" if found[1].lower() == "zero" else "CC-PDM", found[2] or "1.0")
    if found := _GNU.search(text):
        return _joined(_NAMES[found[1].lower()], found[2])
    if found := _APACHE.search(text):
        return f"Apache-{found[1]}"
    if found := _SPDX.search(text):
        return _WRITTEN.get(found[1].lower(), found[1])
    return _WRITTEN.get(text.lower(), "") or _in_words(text)


def _in_words(text: str) -> str:
    """The SPDX identifier of a licence of Creative Commons that is named in words or letters; empty if none is."""
    found = _IN_WORDS.search(text)
    if found is None:
        return ""
    letters, version, zero, long, long_version = found.groups()
    if letters:
        return _joined("CC-" + re.sub(r"[\s_-]+", "-", letters).upper(), version)
    if not long:
        return _joined("CC0", zero or "1.0")
    plain = re.sub(r"[\s-]", "", long.lower())
    return _joined("CC-" + "-".join(short for name, short in _ELEMENTS if name in plain), long_version)


def _joined(*parts: str | None) -> str:
    return "-".join(part for part in parts if part)


def _is_url(text: str) -> bool:
    return " " not in text and bool(_URL.match(text) or text.endswith(".html"))
