"""How answers are rendered: HTML from templates in the user's language, JSON, and the static files."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources
from urllib.parse import quote

import orjson
from jinja2 import Environment, FunctionLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES, LIVE
from focuscrawl.dashboard.state import Dashboard, Notice
from focuscrawl.report import html
from focuscrawl.report.charts import site_structure, site_tree, web_shape
from focuscrawl.report.frontier import score_words
from focuscrawl.report.plain import printable
from focuscrawl.report.translation import LANGUAGES, Language
from focuscrawl.url.readable import readable, readable_host

LANGUAGE_COOKIE = "focuscrawl_language"
YEAR = 365 * 86_400
OWN = "focuscrawl.dashboard"
FILES = {
    "htmx.js": (OWN, "static/vendored/htmx.min.js", "text/javascript"),
    "dashboard.js": (OWN, "static/dashboard.js", "text/javascript"),
    "report.css": ("focuscrawl.report", "templates/report.css", "text/css"),
    "dashboard.css": (OWN, "static/dashboard.css", "text/css"),
    "icon.svg": (OWN, "static/icon.svg", "image/svg+xml"),
}
"""The static files: name in the URL to package, path and media type."""
LIVE_SECONDS = 3
"""Refresh interval of an open page of a running crawl."""
SLOW_SECONDS = 15
"""Refresh interval of its curve, advice and tables."""
LONGEST_QUERY = 4_000
"""Characters of a query value: more than the longest URL that a crawl takes."""


class Renderer:
    """Renders pages in the user's language."""

    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard = dashboard

    def problem(self, request: Request, status: int, sentence: str) -> Response:
        """An error page, or JSON with the error."""
        if request.url.path.endswith(".json"):
            return as_json({"error": sentence}, status)
        return self.page(request, "problem.html", status=status, sentence=sentence)

    def result(self, where: str, notice: Notice) -> Response:
        """Send the browser to this page, which shows the result of a change. What was read before the change is forgotten."""
        self._dashboard.stores.cache.forget()
        return RedirectResponse(f"{where}?notice={self._dashboard.keep(notice)}", status_code=303)

    def live(self, request: Request, template: str, view: object) -> Response:
        """The page of this view, the part of it that an open page asks for again and again, or the view as JSON."""
        if request.url.path.endswith(".json"):
            return as_json(view)
        part = "_live" if request.query_params.get("part") == LIVE else ""
        return self.page(request, f"{template}{part}.html", view=view)

    def page(self, request: Request, template: str, status: int = 200, **values: object) -> Response:
        """The template rendered with these values and those that all pages share."""
        language = language_of(request)
        access = self._dashboard.access
        known = {
            "_": language, "language": language, "languages": LANGUAGES, "csrf": access.csrf, "read_only": access.read_only,
            "notice": self._dashboard.notices.get(request.query_params.get("notice", "")), "path": request.url.path,
            "current_url": _current_url(request), "live_seconds": LIVE_SECONDS, "slow_seconds": SLOW_SECONDS,
            "version": static_version(), "crawl": "", "page": "", "crawl_pages": CRAWL_PAGES,
            "scrapyd": self._dashboard.jobs.scrapyd is not None,
        }  # fmt: skip
        text = environment().get_template(template).render(known | values)
        headers = {"content-language": language.tag, "vary": "Accept-Language, Cookie"}
        return HTMLResponse(text, status, headers)


def as_json(value: object, status: int = 200) -> Response:
    """A JSON response."""
    data = orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)
    return Response(data, status, media_type="application/json")


def language_of(request: Request) -> Language:
    return chosen_language(request.cookies.get(LANGUAGE_COOKIE, ""), request.headers.get("accept-language", ""))


def chosen_language(switched: str, accept: str) -> Language:
    """The language of the user's cookie, else the preferred one of the header Accept-Language (RFC 9110, 12.5.4)."""
    if switched in LANGUAGES:
        return Language(switched)
    ranges: list[tuple[float, int, str]] = []
    for place, part in enumerate(accept.split(",")[:20]):
        name, _, weight = part.strip().lower().partition(";q=")
        try:
            ranges.append((-float(weight or 1), place, name.partition("-")[0]))
        except ValueError:
            continue
    return Language(next((name for weight, _, name in sorted(ranges) if name in LANGUAGES and weight < 0), "en"))


def _current_url(request: Request) -> str:
    """Path and query, without the parameters that are valid for one request only."""
    query = "&".join(part for part in request.url.query.split("&") if part and not part.startswith(("part=", "notice=")))
    return quote(request.url.path) + (f"?{query}" if query else "")


@lru_cache(maxsize=len(FILES))
def static_file(name: str) -> tuple[bytes, str]:
    """Content and media type of one of `FILES`."""
    package, path, media_type = FILES[name]
    return resources.files(package).joinpath(path).read_bytes(), media_type


@lru_cache(maxsize=1)
def static_version() -> str:
    """A digest of all static files. It is part of their URLs, so that browsers can keep them until they change."""
    digest = hashlib.blake2b(digest_size=6)
    for name in FILES:
        digest.update(static_file(name)[0])
    return digest.hexdigest()


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The dashboard's templates together with those of the report and its filters."""
    report = html.environment()
    made = Environment(
        loader=FunctionLoader(_template), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters.update(report.filters)
    made.filters.update(readable=readable, readable_host=readable_host, printable=printable, score_words=score_words)
    made.globals.update(here=_here, web_shape=web_shape, site_structure=site_structure, site_tree=site_tree)
    return made


def _template(name: str) -> str | None:
    own = resources.files("focuscrawl.dashboard") / "templates" / name
    return own.read_text(encoding="utf-8") if own.is_file() else html.template(name)


def _here(page: str = "", **query: object) -> str:
    """A relative URL within a crawl's pages, without empty values."""
    given = "&".join(f"{key}={quote(str(value), safe='')}" for key, value in query.items() if value not in ("", None))
    return (page or "./") + (f"?{given}" if given else "")
