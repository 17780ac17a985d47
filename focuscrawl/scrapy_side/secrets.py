"""Masks what only the operator may know (passwords, contact, cookies) wherever something is written down.

The contact goes to the servers that are asked (it is in the User-Agent), and nowhere else: archives and reports are passed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from focuscrawl.errors import HIDDEN, without_passwords

_SECRET_SETTING = re.compile(r"KEY|TOKEN|SECRET|PASS|COOKIE|AUTH|CONTACT", re.IGNORECASE)
_SECRET_SENT = frozenset({"cookie", "authorization", "proxy-authorization", "from"})
_COOKIES_SET = frozenset({"set-cookie", "set-cookie2"})


def masked_setting(name: str, value: object) -> str:
    """A setting's value as it may be shown: not at all where the name says so, and a URL without its password."""
    return HIDDEN if _SECRET_SETTING.search(name) and value else without_passwords(str(value))


def masked_request(fields: Iterable[tuple[str, str]], contact: str = "") -> tuple[tuple[str, str], ...]:
    """Headers of a request as they are archived: without the secret ones, and without the contact in the others."""
    return tuple((name, HIDDEN if name.lower() in _SECRET_SENT else _without(contact, value)) for name, value in fields)


def masked_response(fields: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Headers of a response as they are archived: a cookie keeps its name and attributes, not the value, by which the server
    would know us again."""
    return tuple((name, _masked_cookie(value) if name.lower() in _COOKIES_SET else value) for name, value in fields)


def _without(contact: str, value: str) -> str:
    return value.replace(contact, HIDDEN) if contact else value


def _masked_cookie(value: str) -> str:
    # What has no `=` is the value of a cookie without a name (RFC 6265bis, section 5.6).
    pair, end, attributes = value.partition(";")
    name, equals, _ = pair.partition("=")
    return f"{name if equals else ''}{equals}{HIDDEN}{end}{attributes}"
