"""The hosts of the web of faults: nearly each has one of its own, at `/` unless the fault says otherwise."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from pathlib import Path

from tests.crawl.certificate import certified
from tests.faults import answers as make
from tests.faults.answers import CLOSE, HTML, answer, html, kept, moved, raw, reset, silence, trickle
from tests.faults.net import Answer, Exchange, Handler, Host

DEAD, DEAD_TOO = "93.184.250.1", "93.184.250.2"
"""Public addresses where nobody listens."""
HOLE = "93.184.251.1"
"""One that takes packets and says nothing."""
DEAD_SIX = "2a02:fa17::dead"
INNER = (
    "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://[::1]/",
    "http://127.0.0.1./", "http://１２７.0.0.1/", "http://[64:ff9b::7f00:1]/", "http://169.254.169.254/latest",
    "http://inner.test/",
)  # fmt: skip
STATUSES = ("204 Empty", "205 Reset", "206 Part", "000 Null", "99 Short", "999 No", "abc No", "299 Odd", "407 Proxy")
RETRIED = ("408 Late", "500 Broken", "502 Bad", "504 Late", "520 Odd", "530 Odd")
HOPS: dict[str, tuple[str | None, str]] = {
    "file": ("file:///etc/passwd", "302 Found"),
    "data": ("data:text/html,hello", "302 Found"),
    "script": ("javascript:alert(1)", "302 Found"),
    "missing": (None, "302 Found"),
    "broken": ("http://[::1", "302 Found"),
    "utf-8": ("/café", "302 Found"),
    "choices": (None, "300 Multiple Choices"),
    "self": ("/self", "302 Found"),
    "port": ("http://hops.test:22/", "302 Found"),
    "inner": ("http://127.0.0.1/x", "302 Found"),
}
VERBS = b"""<a href="/logout">log out</a> <a href="/cart?action=delete&id=1">delete</a> <a href="/item?add-to-cart=5">buy</a>
    <a href="/login">log in</a> <form method=post action="/post"><input name=x><button>send</button></form>"""
INWARDS = b"""<a href="/jump">jump</a> <a href="/base">base</a> <meta http-equiv=refresh content="9; url=http://127.0.0.1/r">"""
BASE = b"""<base href="http://127.0.0.1/"><a href="secret">secret</a>"""
NOISE = b"<p>a\0b\x01c\xff\xef\xbf\xbe\x1b[2J\xd6\xd0</p>"
"""NUL, controls, a byte that is no UTF-8, U+FFFE, two bytes of GBK."""
TITLE = b"<title>=cmd()|'x'!A1\n\xe2\x80\xaeevil\x1b[2J&lt;script>alert(1)&lt;/script></title>"
FOREIGN = "the answer to nobody's question"
SECRET = "c00kie"
UNLINKED = ("handshake.test", "plain-443.test", "other-cookies.test", "home.test")


def whole(name: str) -> bytes:
    """A page that nobody else has, with words at its end by which it is known to be whole."""
    return make.body(name, words=300).replace(b"</p>", f" {end_of(name)}</p>".encode())


def end_of(name: str) -> str:
    return f"here {name} ends"


def web(folder: Path) -> dict[str, Host]:
    """All of them; `home.test` links to the others. `folder`: for keys."""
    hosts = {f"{name}.test": Host({"/": content}) for name, content in _plain().items()}
    hosts |= _unreachable() | _statuses() | _several_pages(folder)
    hosts["six.test"].addresses = ("2a02:fa17::6",)
    hosts["dual.test"].addresses = (DEAD_SIX, "93.184.200.1")
    hosts["many.test"].addresses = (DEAD, DEAD_TOO, *(f"93.184.201.{n}" for n in range(1, 19)))
    hosts["mixed.test"].addresses = ("10.0.0.1", "93.184.202.1", "127.0.0.1")
    links = [f"http://{name}/" for name in hosts if name not in UNLINKED]
    links += ["http://servfail.test/", "http://mute.test/", "http://nowhere.test/", "http://secure.test/deep"]
    links += ["https://handshake.test/", "https://plain-443.test/", "/mine", *INNER]
    hosts["home.test"] = Host({"/": html("home", links), "/mine": html("mine")})
    return hosts


def _plain() -> dict[str, Answer]:
    return {
        **{name: answer(whole(name)) for name in ("six", "dual", "many", "mixed")},
        "rebind": html("rebind", ["/again"]),
        "reset": reset,
        "reset-body": _in_pieces(raw("HTTP/1.1 200 OK", HTML, "Content-Length: 99999", content=whole("reset-body"))),
        "silent": silence,
        "head-drip": trickle(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n", 0.3),
        "body-drip": trickle(raw("HTTP/1.1 200 OK", HTML, "Content-Length: 90000"), b"x", 0.3),
        **_old_servers(),
        **_lengths(),
        **_codings(),
        **_headers(),
        **_contents(),
    }


def _old_servers() -> dict[str, Answer]:
    return {
        "old": raw("HTTP/1.0 200 OK", HTML, content=whole("old")),
        "no-reason": raw("HTTP/1.1 200", "content-type: text/html", "CONNECTION: close", content=whole("no-reason")),
        "bare": raw("HTTP/1.1 200 OK", HTML, CLOSE, content=whole("bare"), line="\n"),
    }


def _lengths() -> dict[str, Answer]:
    both = whole("both-lengths")
    return {
        "negative": raw("HTTP/1.1 200 OK", HTML, "Content-Length: -5", content=whole("negative")),
        "two-lengths": raw("HTTP/1.1 200 OK", HTML, "Content-Length: 9", "Content-Length: 99", content=whole("two")),
        "both-lengths": raw("HTTP/1.1 200 OK", HTML, "Content-Length: 12", "Transfer-Encoding: chunked", CLOSE,
                            content=_chunked(both).partition(b"\r\n\r\n")[2]),
        "short-length": raw("HTTP/1.1 200 OK", HTML, "Content-Length: 700", CLOSE, content=whole("short-length")),
        "bad-chunk": _chunked(whole("bad-chunk"), end=b"zz\r\n"),
        "no-last-chunk": _chunked(whole("no-last-chunk"), end=b""),
        "long-extension": _chunked(whole("long-extension"), extension=f";x={'y' * 1_000_000}"),
        "trailers": _chunked(whole("trailers"), end=b"0\r\n" + b"X-Trailer: 1\r\n" * 50_000 + b"\r\n"),
    }  # fmt: skip


def _codings() -> dict[str, Answer]:
    packer = zlib.compressobj(wbits=-15)
    deflated = packer.compress(whole("raw-deflate")) + packer.flush()
    return {
        "unknown-coding": answer(whole("unknown-coding"), HTML, "Content-Encoding: rot13"),
        "raw-deflate": answer(deflated, HTML, "Content-Encoding: deflate"),
        "behind-gzip": answer(gzip.compress(whole("behind-gzip")) + b"garbage", HTML, "Content-Encoding: gzip"),
    }


def _headers() -> dict[str, Answer]:
    odd = ("Content-Type: image/png", "X-Nul: a\0b", "X-Folded: a\r\n b", "X-Latin: é", CLOSE)
    return {
        "header-flood": raw("HTTP/1.1 200 OK", HTML, *(f"X-{n}: 1" for n in range(100_000)), content=whole("flood")),
        "long-header": raw("HTTP/1.1 200 OK", HTML, f"X: {'x' * 5_000_000}", content=whole("long-header")),
        "odd-headers": raw("HTTP/1.1 200 OK", HTML, *odd, content=whole("odd-headers")),
        "attached": html("attached", [], 'Content-Disposition: attachment; filename="../../../etc/passwd"'),
    }


def _contents() -> dict[str, Answer]:
    return {
        "pdf": answer(b"%PDF-1.4\n" + bytes(range(256)) * 40, HTML),
        "video": answer(b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(100_000), HTML),
        "zip": answer(b"PK\x03\x04" + bytes(1000), HTML),
        "json": answer(b'{"telescope": "galaxy"}', "Content-Type: application/json"),
        "title": answer(TITLE + whole("title").partition(b"</title>")[2]),
        "long-title": answer(b"<title>" + b"star " * 200_000 + b"</title>" + whole("long-title")),
        "noise": answer(NOISE + whole("noise")),
        "empty": answer(b""),
        "one-byte": answer(b"x"),
        "frames": answer(b'<frameset><frame src="/inside"></frameset>'),
        "script": answer(b"<html><script>var telescope = 1;</script></html>"),
        "noscript": answer(b'<html><noscript><meta http-equiv="refresh" content="0; url=/plain"></noscript></html>'),
        "thief": html("thief", head='<link rel="canonical" href="http://home.test/mine">'),
    }


def _unreachable() -> dict[str, Host]:
    return {
        "refused.test": Host(addresses=(DEAD,)),
        "hole.test": Host(addresses=(HOLE,)),
        "inner.test": Host(addresses=("127.0.0.1",)),
        "handshake.test": Host(on_443=True, connected=reset),
        "plain-443.test": Host({"*": html("never")}, on_443=True),
        "tls-80.test": Host(connected=_garbage),
        "robots-inwards.test": Host({"/robots.txt": moved("http://127.0.0.1/robots.txt"), "/": html("never")}),
    }


def _statuses() -> dict[str, Host]:
    made = {
        f"status-{status.partition(' ')[0]}.test": Host({"/": raw(f"HTTP/1.1 {status}", HTML, CLOSE, content=whole(status))})
        for status in STATUSES
    }
    made |= {f"status-{status[:3]}.test": Host({"/": answer(b"", status=status)}) for status in RETRIED}
    made["hints.test"] = Host({"/": b"HTTP/1.1 103 Early Hints\r\n\r\n" * 200 + answer(whole("hints"))})
    made["unasked-304.test"] = Host({"/": raw("HTTP/1.1 304 Not Modified", "ETag: x", CLOSE)})
    return made


def _several_pages(folder: Path) -> dict[str, Host]:
    cookies = [f"Set-Cookie: c{n}={SECRET}; Domain=test" for n in range(150)]
    hops: dict[str, Answer] = {f"/{name}": moved(*hop) for name, hop in HOPS.items()}
    circle: dict[str, Answer] = {f"/{n}": moved(f"/{(n + 1) % 5}") for n in range(5)}
    none = '<meta name="focuscrawl" content="none"><!-- <meta name="robots" content="all"> -->'
    return {
        "early.test": Host({"*": _two_answers}),
        "stale.test": Host({"/robots.txt": _stale, "/": _stale}),
        "counter.test": Host({"*": _counter}),
        "loop.test": Host(circle | {"/": moved("/0")}),
        "hops.test": Host(hops | {"/": html("hops", hops), "/caf%C3%A9": html("café")}),
        "secure.test": Host({"/": _by_scheme, "/deep": _by_scheme}, tls=certified(folder, "secure.test")),
        "cookies.test": Host({"/": html("cookies", ["/next", "http://other-cookies.test/"], *cookies), "/next": html("next")}),
        "other-cookies.test": Host({"/": html("other cookies")}),
        "verbs.test": Host({"/": answer(VERBS + whole("verbs")), "*": html("done")}),
        "inwards.test": Host({
            "/": answer(INWARDS + whole("inwards")), "/jump": moved(INNER[0]), "/base": answer(BASE + whole("base")),
        }),
        "tags.test": Host({
            "/": html("tags", ["/noindex", "/none"]),
            "/noindex": html("noindex", ["/from-noindex"], "X-Robots-Tag: noindex"),
            "/none": html("none", ["/from-none"], head=none),
            "/from-noindex": html("from noindex"), "/from-none": html("from none"),
        }),
    }  # fmt: skip


def _chunked(content: bytes, extension: str = "", end: bytes = b"0\r\n\r\n") -> bytes:
    written = f"{len(content):x}{extension}\r\n".encode() + content + b"\r\n"
    return raw("HTTP/1.1 200 OK", HTML, "Transfer-Encoding: chunked", CLOSE, content=written + end)


def _in_pieces(data: bytes) -> Handler:
    """Half an answer, then a reset."""

    async def send(exchange: Exchange) -> None:
        await exchange.send(data)
        await asyncio.sleep(0.1)
        exchange.reset()

    return send


async def _stale(exchange: Exchange) -> None:
    """Closes a connection that was kept, just as the next request comes."""
    if exchange.number > 1:
        exchange.reset()
    else:
        await kept(whole("stale") if exchange.path == "/" else b"User-agent: *")(exchange)


async def _two_answers(exchange: Exchange) -> None:
    """The answer, and behind it one that nobody has asked for."""
    links = ["/second", "/third"] if exchange.path == "/" else []
    await kept(make.body(f"early {exchange.path}", links))(exchange)
    await exchange.send(answer(f"<title>another</title>{FOREIGN}".encode()))


async def _garbage(exchange: Exchange) -> None:
    await exchange.send(b"\x16\x03\x01\x00\x02\x01\x00" * 40)
    exchange.writer.close()


async def _counter(exchange: Exchange) -> None:
    """A redirect without end, each to another address."""
    await exchange.send(moved(f"/{int(exchange.path[1:] or 0) + 1}"))
    exchange.writer.close()


async def _by_scheme(exchange: Exchange) -> None:
    """The page over https; over http a redirect to it."""
    path = exchange.path
    links = ["/deep"] if path == "/" else []
    page = html(f"secure {path}", links) if exchange.secure else moved(f"https://secure.test{path}", "301 Moved")
    await exchange.send(page)
    exchange.writer.close()
