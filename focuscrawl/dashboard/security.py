"""Who may ask for a page, and for a change? One check before everything else, and the headers of every answer.

A request needs the token: in the address at the first visit, then in a cookie that no script can read and that no other site's
page sends along; programs send it as `Authorization: Bearer TOKEN`. Its Host must be one of ours, because a foreign name that
points to this machine would let a foreign page read the answers (DNS rebinding). A change also needs our own Origin, and the
value that only our own forms contain.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "focuscrawl_dashboard"
CSRF_FIELD = "csrf"
LARGEST_FORM = 1 << 20
"""Bytes: some ten thousand addresses."""
MOST_FIELDS = 200
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # Not `no-referrer`: with it browsers send `Origin: null` with our own forms, too. Other sites are told nothing.
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
NOT_CHANGING = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of one dashboard."""

    token: str
    host: str = "127.0.0.1"
    """The address it listens on."""
    read_only: bool = False

    @property
    def csrf(self) -> str:
        """What each of our forms contains."""
        return self._derived("csrf")

    @property
    def cookie(self) -> str:
        """The cookie's value: from it the token cannot be told."""
        return self._derived("cookie")

    def is_own_host(self, host: str) -> bool:
        """Whether a Host header names this dashboard. One that listens for other machines may be called by any IP address."""
        name = _name_of(host)
        if name in LOOPBACK or is_loopback(self.host):
            return name in LOOPBACK or name == self.host.lower()
        return name in (self.host.lower(), platform.node().lower()) or _is_ip_address(name)

    def has_token(self, request: Request) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        return same(request.cookies.get(COOKIE, ""), self.cookie) or same(bearer, self.token)

    def _derived(self, purpose: str) -> str:
        return hmac.new(self.token.encode(), purpose.encode(), hashlib.sha256).hexdigest()


def same(given: str, wanted: str) -> bool:
    """In a time that tells nothing of how much of it is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8", "replace"))


def is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    return _is_ip_address(host) and ipaddress.ip_address(host).is_loopback


class AccessCheck:
    """The outermost part of the application."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        refusal = await self._refused(request)
        await (refusal or self._app)(scope, receive, send_with_headers)

    async def _refused(self, request: Request) -> Response | None:
        """What is answered instead; None: go on."""
        access = self._access
        if not access.is_own_host(request.headers.get("host", "")):
            return _told(421, "This dashboard is not known by that name: open it under the address that it printed.")
        if "token" in request.query_params and request.method == "GET":
            return self._entered(request)
        if not access.has_token(request):
            return _told(401, "The token is missing: open the address that `scrapy dashboard` printed.")
        if request.method in NOT_CHANGING:
            return None
        if access.read_only:
            return _told(403, "This dashboard was started with --read-only: it changes nothing.")
        if not _is_own_origin(request.headers):
            return _told(403, "A change can only be asked for by the dashboard's own pages.")
        form = await _form(request)
        if form is None:
            return _told(413, f"A form may have {LARGEST_FORM:,} bytes and {MOST_FIELDS} fields at most.")
        if not same(form.get(CSRF_FIELD, [""])[0], access.csrf):
            return _told(403, "The form is of another dashboard: load its page again, and send it once more.")
        request.scope["focuscrawl_form"] = form
        return None

    def _entered(self, request: Request) -> Response:
        """The first visit: the token leaves the address."""
        if not same(request.query_params["token"], self._access.token):
            return _told(401, "The token is wrong: open the address that `scrapy dashboard` printed.")
        rest = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "token"])
        answer = RedirectResponse(_local(request.url.path) + (f"?{rest}" if rest else ""), status_code=303)
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, self._access.cookie, httponly=True, samesite="strict", secure=secure, path="/")
        return answer


def _local(path: str) -> str:
    """`//evil.example/` would be another site's address."""
    return "/" + path.lstrip("/\\")


def _told(status: int, sentence: str) -> Response:
    return PlainTextResponse(sentence + "\n", status_code=status)


def _is_own_origin(headers: Headers) -> bool:
    """Browsers say with every change where its page is from; what says nothing is no browser, and needs the form's value."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.lower() in (f"{scheme}://{headers.get('host', '').lower()}" for scheme in ("http", "https"))


async def _form(request: Request) -> dict[str, list[str]] | None:
    """The fields of a form; None where there is too much of them."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_FORM:
            return None
    try:
        return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return None


def _name_of(host: str) -> str:
    """Of `name:port`, `[::1]:port`."""
    host = host.strip().lower()
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def form_values(request: Request, names: Iterable[str]) -> dict[str, str]:
    """Fields of a form that `AccessCheck` has let through; empty where they are missing."""
    form: dict[str, list[str]] = request.scope["focuscrawl_form"]
    return {name: form.get(name, [""])[0].strip() for name in names}
