"""SURT: the key by which web archives find a URL, with the host's labels reversed and insignificant parts left out.

The rules are those of the Internet Archive's canonicalizer (the package `surt`, which pywb and the Wayback Machine use), as far
as they apply to normal URLs: `http://www.Example.com/A/?b=2&a=1` and `https://example.com/a?a=1&b=2` are both
`com,example)/a?a=1&b=2`.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from focuscrawl.url.authority import SCHEME_PORTS

_WWW = re.compile(r"\Awww\d*\.")
_SLASHES = re.compile("//+")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid=[0-9a-z]{32}|sid=[0-9a-f]+)\Z|/\((?:[a-z]\([0-9a-z]{24}\))+\)(?=/[^/]+\.aspx)")
_SESSION = re.compile(r"(?:jsessionid=[0-9a-z]{32}|phpsessid=[0-9a-z]{32}|sid=[0-9a-z]{32}|aspsessionid[a-z]{8}=[a-z]{24})\Z")


def surt(url: str) -> str:
    """The key of a normal URL, without fragment, user, scheme and `www`, in lower case."""
    parts = urlsplit(url.lower())
    host = _WWW.sub("", parts.hostname or "", count=1)
    key = host if ":" in host else ",".join(reversed(host.split(".")))
    if parts.port and parts.port != SCHEME_PORTS.get(parts.scheme):
        key += f":{parts.port}"
    path = _SLASHES.sub("/", _SESSION_IN_PATH.sub("", parts.path)).rstrip("/")
    fields = sorted(field for field in parts.query.split("&") if not _SESSION.match(field))
    query = "&".join(fields)
    return f"{key}){path or '/'}{'?' if query else ''}{query}"
