from __future__ import annotations

import pytest

from focuscrawl.errors import HIDDEN
from focuscrawl.scrapy_side.secrets import masked_request, masked_response, masked_setting


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("AWS_SECRET_ACCESS_KEY", "abc", HIDDEN),
        ("CONTACT", "you@example.org", HIDDEN),
        ("CONTACT", "", ""),
        ("STORE_URL", "postgresql://me:p%40ss@db:5432/x", f"postgresql://me:{HIDDEN}@db:5432/x"),
        ("STORE_URL", "postgresql://me@db:5432/x", "postgresql://me@db:5432/x"),
        ("SEARCH_SEARXNG_URL", "https://me:p@s:s@a.test/x@y", f"https://me:{HIDDEN}@a.test/x@y"),
        ("DNS_SERVERS", "http://a.test:8000/x@y, b@c", "http://a.test:8000/x@y, b@c"),
        (
            "STORE_URL",
            "postgresql://db/x?user=me&password=p%40s&sslpassword=q",
            f"postgresql://db/x?user=me&password={HIDDEN}&sslpassword={HIDDEN}",
        ),
        ("POLITENESS_DELAY", 2.5, "2.5"),
    ],
)
def test_settings(name: str, value: object, shown: str) -> None:
    assert masked_setting(name, value) == shown


def test_headers() -> None:
    sent = [("User-Agent", "focuscrawl (+me@a.example)"), ("Cookie", "a=b"), ("Authorization", "Basic x"), ("Accept", "*/*")]
    assert masked_request(sent, "me@a.example") == (
        ("User-Agent", f"focuscrawl (+{HIDDEN})"),
        ("Cookie", HIDDEN),
        ("Authorization", HIDDEN),
        ("Accept", "*/*"),
    )
    assert masked_request(sent)[0] == sent[0]
    other = ("Content-Type", "text/html; charset=x")
    got = [("Set-Cookie", "sid=abc=; Path=/"), ("set-cookie", "flag"), ("Set-Cookie2", "a; b=c"), ("Set-Cookie", ""), other]
    masked = (f"sid={HIDDEN}; Path=/", HIDDEN, f"{HIDDEN}; b=c", HIDDEN)
    assert masked_response(got) == (*((name, value) for (name, _), value in zip(got, masked, strict=False)), other)
