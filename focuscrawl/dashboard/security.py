"""Access control: one middleware that checks every request first, and the security headers of every answer.

Each request needs the token: in the URL at the first visit, then in a cookie that scripts cannot read and that browsers do not
send with requests from other sites. Programs send it as `Authorization: Bearer TOKEN`. The Host header must name this
dashboard, because a foreign name that points to this machine would let a foreign page read the answers (DNS rebinding). A
change also needs our own Origin and the CSRF value that only our own forms contain.
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
"""Bytes, enough for some ten thousand URLs."""
MOST_FIELDS = 200
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # Not `no-referrer`: with that, browsers send `Origin: null` with our own forms as well. Other sites get no referrer.
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
    """Who may access one dashboard, and how."""

    token: str
    host: str = "127.0.0.1"
    """The address it listens on."""
    read_only: bool = False

    @property
    def csrf(self) -> str:
        """The value that each of our forms contains."""
        return self._derived("csrf")

    @property
    def cookie(self) -> str:
        """The cookie's value, from which the token cannot be derived."""
        return self._derived("cookie")

    def is_own_host(self, host: str) -> bool:
        """Whether a Host header names this dashboard. If it listens for other machines, any IP address is accepted."""
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
    """Compare in constant time, so that the time does not show how much of a guess is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8", "replace"))


def is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    return _is_ip_address(host) and ipaddress.ip_address(host).is_loopback


class AccessCheck:
    """The outermost middleware of the application."""

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
        """The answer to a request that is refused or redirected; None if it may proceed."""
        access = self._access
        if not access.is_own_host(request.headers.get("host", "")):
            return _plain_text(421, "This dashboard is not known by that name: open it at the URL that it printed.")
        if "token" in request.query_params and request.method == "GET":
            return self._entered(request)
        if not access.has_token(request):
            return _plain_text(401, "The token is missing: open the URL that `scrapy dashboard` printed.")
        if request.method in NOT_CHANGING:
            return None
        if access.read_only:
            return _plain_text(403, "This dashboard was started with --read-only: it changes nothing.")
        if not _is_own_origin(request.headers):
            return _plain_text(403, "A change can only be asked for by the dashboard's own pages.")
        form = await _form(request)
        if form is None:
            return _plain_text(413, f"A form may have {LARGEST_FORM:,} bytes and {MOST_FIELDS} fields at most.")
        if not same(form.get(CSRF_FIELD, [""])[0], access.csrf):
            return _plain_text(403, "The form is of another dashboard: load its page again, and send it once more.")
        request.scope["focuscrawl_form"] = form
        return None

    def _entered(self, request: Request) -> Response:
        """The answer to a first visit: sets the cookie and redirects to the URL without the token."""
        if not same(request.query_params["token"], self._access.token):
            return _plain_text(401, "The token is wrong: open the URL that `scrapy dashboard` printed.")
        rest = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "token"])
        answer = RedirectResponse(_local(request.url.path) + (f"?{rest}" if rest else ""), status_code=303)
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, self._access.cookie, httponly=True, samesite="strict", secure=secure, path="/")
        return answer


def _local(path: str) -> str:
    """The path with a single leading slash, because `//evil.example/` would be the URL of another site."""
    return "/" + path.lstrip("/\\")


def _plain_text(status: int, sentence: str) -> Response:
    return PlainTextResponse(sentence + "\n", status_code=status)


def _is_own_origin(headers: Headers) -> bool:
    """Whether a change comes from our own pages. Browsers always send the origin; a client that sends none is not a browser,
    and still needs the form's CSRF value."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.lower() in (f"{scheme}://{headers.get('host', '').lower()}" for scheme in ("http", "https"))


async def _form(request: Request) -> dict[str, list[str]] | None:
    """The fields of a form; None if it is too large or has too many."""
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
    """The host of `name:port` or `[::1]:port`, in lower case."""
    host = host.strip().lower()
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def form_values(request: Request, names: Iterable[str]) -> dict[str, str]:
    """Fields of a form that `AccessCheck` has accepted; missing ones are empty."""
    form: dict[str, list[str]] = request.scope["focuscrawl_form"]
    return {name: form.get(name, [""])[0].strip() for name in names}
