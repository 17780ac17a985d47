"""URLs as people read them: Chinese hosts and paths in characters, if that is exactly the same URL, and URLs as words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

import idna

from focuscrawl.url.hosts import host_name
from focuscrawl.url.normalize import normalize, split

WRITTEN_TOGETHER = tuple(
    frozenset(("LATIN", "CJK", *letters)) for letters in (("HIRAGANA", "KATAKANA"), ("BOPOMOFO",), ("HANGUL",))
)
"""Scripts that one word may have: UTS #39, 5.2, level "highly restrictive", as browsers take it."""


def readable(url: str) -> str:
    """The normal URL with its percent-encoded text as characters, if the normal form of that is `url` again, so that it can be
    copied from a terminal. Otherwise `url` itself."""
    scheme, mark, rest = url.partition("://")
    authority, slash, tail = rest.partition("/")
    for shown in (
        f"{scheme}{mark}{readable_host(authority)}{slash}{_text(tail)}",
        f"{scheme}{mark}{authority}{slash}{_text(tail)}",
    ):
        if shown.isprintable() and " " not in shown and normalize(shown) == url:
            return shown
    return url


def readable_host(host: str) -> str:
    """A host name, with or without a port, in characters; unchanged if these would not stand for the same host, or could be
    taken for another, because a label mixes scripts: of `xn--pple-43d.com` the first letter is the Cyrillic а."""
    shown = _in_characters(host)
    return host if any(map(_mixes_scripts, shown.split("."))) else shown


def _in_characters(host: str) -> str:
    """A host name, with or without a port, in characters; unchanged if these would not stand for the same host."""
    if "xn--" not in host:
        return host
    name, colon, port = host.partition(":")
    try:
        shown = idna.decode(name)
    except idna.IDNAError:
        return host
    back = normalize(f"http://{shown}/")
    return shown + colon + port if back is not None and host_name(back) == name else host


def _mixes_scripts(label: str) -> bool:
    """Whether letters of this label are of scripts that are not written together. The name of a letter begins with its script;
    modifiers such as the Japanese ー belong to several."""
    if label.isascii():
        return False
    scripts = {unicodedata.name(each).split(" ")[0] for each in label if unicodedata.category(each) in ("Ll", "Lo")}
    return len(scripts) > 1 and not any(scripts <= together for together in WRITTEN_TOGETHER)


def _text(tail: str) -> str:
    """The path and query with only non-ASCII text decoded, because %2F and / differ."""
    if "%" not in tail:
        return tail
    parts, at = [], 0
    while at < len(tail):
        end = at
        # A byte of non-ASCII text is written %80 or above. A tuple, because the empty string is in every string.
        while tail[end : end + 1] == "%" and tail[end + 1 : end + 2].upper() in tuple("89ABCDEF"):
            end += 3
        if end > at:
            parts.append(unquote(tail[at:end], errors="replace"))
            at = end
        else:
            parts.append(tail[at])
            at += 1
    return "".join(parts)


_extension = re.compile(r"\.[a-z0-9]{1,5}$", re.IGNORECASE)
_camel = re.compile(r"(?<=[a-z])(?=[A-Z])")
_plain_host = frozenset(("www", "com", "org", "net", "edu", "gov", "co", "ac", "github", "io"))
"""Host labels that say nothing about a topic."""


def url_text(url: str) -> str:
    """The words of a normal URL, as a text for the segmenter: host labels and path, percent-decoded, with joined words
    separated. An IP address and a port have none."""
    origin, path = split(url)
    if "?" in path:
        path = path.partition("?")[0]
    path = _extension.sub("", unquote(path, errors="ignore") if "%" in path else path)
    return f"{_host_text(origin)} {_camel.sub(' ', path).replace('_', ' ')}"


@lru_cache(maxsize=1024)  # a page's links lead to few hosts
def _host_text(origin: str) -> str:
    *labels, last = _in_characters(host_name(origin)).split(".")
    return "" if last.isdecimal() else " ".join(label for label in labels if label not in _plain_host)
