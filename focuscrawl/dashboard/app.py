"""The dashboard as an application: addresses, the languages of a page, and what is answered when something is wrong."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from urllib.parse import quote

import orjson
from jinja2 import Environment, FunctionLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from focuscrawl.dashboard.actions import ACTIONS, BEGINNING, BEGUN, Told
from focuscrawl.dashboard.jobs import Jobs
from focuscrawl.dashboard.language import choose
from focuscrawl.dashboard.pages import CRAWL_PAGES, LIVE
from focuscrawl.dashboard.security import Access, Guard, form_values
from focuscrawl.dashboard.starting import ADDRESSES, FILE, FORM, arguments_of, fields, offered_files
from focuscrawl.dashboard.stores import Stores, read_now
from focuscrawl.dashboard.views import overview
from focuscrawl.errors import BadInput
from focuscrawl.report import html, web_shape
from focuscrawl.report.frontier import score_words
from focuscrawl.report.language import LANGUAGES, Language
from focuscrawl.report.plain import printable
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.workers.runs import last_arguments
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
"""Scripts, styles and the picture by the name in the address: package, path, type. There are no others."""
LIVE_SECONDS = 3
"""Between two looks of an open page at a crawl that runs."""
MOST_TOLD = 100
LONGEST_QUERY = 4_000
"""Characters of a value in an address: more than the longest URL that a crawl takes."""


@dataclass(slots=True)
class Dashboard:
    """What all requests share."""

    stores: Stores
    access: Access
    jobs: Jobs
    user_agent: str = "focuscrawl"
    """Our product token in robots.txt."""
    recrawl_policy: str = "optimal"
    topics_dir: Path = Path("topics")
    told: OrderedDict[str, Told] = field(default_factory=OrderedDict)
    """What has become of the last changes, by a number that nobody guesses: an address cannot put words into our mouth."""

    def keep(self, told: Told) -> str:
        """The number under which it can be shown."""
        number = secrets.token_hex(8)
        self.told[number] = told
        while len(self.told) > MOST_TOLD:
            self.told.popitem(last=False)
        return number


def make_app(dashboard: Dashboard) -> Starlette:
    """The application, behind its `Guard`."""
    asked = _Answers(dashboard)
    routes = [
        Route("/", asked.overview),
        Route("/.json", asked.overview),
        Route("/start", asked.start_form),
        Route("/start", asked.start, methods=["POST"]),
        Route("/static/{name}", _static),
        Route("/language/{code}", _switch_language),
        Route("/c/{name}", asked.crawl_without_slash),
        Route("/c/{name}/{page:path}", asked.crawl_page),
        Route("/c/{name}/{page:path}", asked.change, methods=["POST"]),
    ]
    return Starlette(
        routes=routes, middleware=[Middleware(Guard, access=dashboard.access)], exception_handlers={404: asked.missing}
    )


class _Answers:
    """One method for each kind of address."""

    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard = dashboard

    async def overview(self, request: Request) -> Response:
        found = await run_in_threadpool(overview.overview, self._dashboard.stores)
        if request.url.path.endswith(".json"):
            return as_json(found)
        template = "overview_live.html" if request.query_params.get("part") == LIVE else "overview.html"
        return self._page(request, template, view=found)

    async def crawl_without_slash(self, request: Request) -> Response:
        return RedirectResponse(f"/c/{quote(request.path_params['name'])}/", status_code=307)

    async def crawl_page(self, request: Request) -> Response:
        """A page of one crawl, or its data."""
        name, page = request.path_params["name"], request.path_params["page"]
        wanted, as_data, part = page.removesuffix(".json"), page.endswith(".json"), request.query_params.get("part", "")
        shown = CRAWL_PAGES.get(wanted)
        if shown is None:
            return await self.missing(request, None)
        query = {key: value[:LONGEST_QUERY] for key, value in request.query_params.items() if key in shown.query}
        try:
            crawl = await run_in_threadpool(self._dashboard.stores.named, name)
        except BadInput as error:
            return self._problem(request, 404, str(error))
        try:
            view = await run_in_threadpool(shown.reader(part, as_data), self._dashboard, crawl, query)
        except BadInput as error:
            return self._problem(request, 400, str(error))
        except ERRORS as error:
            return self._problem(request, 503, f"The store of {name} did not answer: {error}. Load the page again in a moment.")
        if as_data:
            return as_json(view)
        template = shown.template.replace(".html", f"_{part}.html") if part in shown.parts else shown.template
        return self._page(request, template, view=view, crawl=name, page=wanted, query=query, shown=shown)

    async def change(self, request: Request) -> Response:
        """A form of a crawl's page: what has become of it is told on the page that it leads back to."""
        name = request.path_params["name"]
        action = ACTIONS.get(request.path_params["page"])
        if action is None:
            return await self.missing(request, None)
        try:
            crawl = await run_in_threadpool(self._dashboard.stores.named, name)
            told = await run_in_threadpool(action.run, self._dashboard.jobs, crawl, form_values(request, action.fields))
        except BadInput as error:
            told = Told("{problem}", {"problem": str(error)}, failed=True)
        except ERRORS as error:
            told = Told("The store did not take it ({error}); try again in a moment.", {"error": error}, failed=True)
        self._dashboard.stores.cache.forget()
        return RedirectResponse(f"/c/{quote(name)}/{action.back}?told={self._dashboard.keep(told)}", status_code=303)

    async def start_form(self, request: Request) -> Response:
        """Empty, or with the arguments of a crawl's last run."""
        given: dict[str, str] = {}
        if like := request.query_params.get("like", ""):
            try:
                crawl = await run_in_threadpool(self._dashboard.stores.named, like)
                given = await run_in_threadpool(read_now, crawl, _as_before, {})
            except (BadInput, *ERRORS) as error:
                return self._problem(request, 404, str(error))
        return await run_in_threadpool(self._start_page, request, given)

    async def start(self, request: Request) -> Response:
        given = form_values(request, FORM)
        try:
            files = await run_in_threadpool(self._files, given["name"])
            arguments = arguments_of(given, files)
            begun = await run_in_threadpool(self._dashboard.jobs.crawl, arguments)
        except BadInput as error:
            return await run_in_threadpool(self._start_page, request, given, str(error))
        self._dashboard.stores.cache.forget()
        told = self._dashboard.keep(Told(BEGUN if begun else BEGINNING))
        where = f"/c/{quote(arguments['name'])}/" if begun else "/"
        return RedirectResponse(f"{where}?told={told}", status_code=303)

    def _start_page(self, request: Request, given: Mapping[str, str], problem: str = "") -> Response:
        if self._dashboard.access.read_only:
            return self._problem(request, 403, "This dashboard was started with --read-only: it changes nothing.")
        files = list(self._files(given.get("name", "")))
        status = 400 if problem else 200
        return self._page(request, "start.html", status, given=given, problem=problem, files=files, fields=fields(given))

    def _files(self, name: str) -> dict[str, Path]:
        """Those that a crawl of this name can begin with."""
        last = ""
        with suppress(BadInput, *ERRORS):
            last = read_now(self._dashboard.stores.named(name), _as_before, {}).get(FILE, "") if name else ""
        return offered_files(self._dashboard.topics_dir, last)

    async def missing(self, request: Request, error: Exception | None) -> Response:
        return self._problem(request, 404, "There is no such page.")

    def _problem(self, request: Request, status: int, sentence: str) -> Response:
        if request.url.path.endswith(".json"):
            return as_json({"error": sentence}, status)
        return self._page(request, "problem.html", status=status, sentence=sentence)

    def _page(self, request: Request, template: str, status: int = 200, **values: object) -> Response:
        language = language_of(request)
        access = self._dashboard.access
        known = {
            "_": language, "language": language, "languages": LANGUAGES, "csrf": access.csrf, "read_only": access.read_only,
            "told": self._dashboard.told.get(request.query_params.get("told", "")), "path": request.url.path,
            "address": _address(request), "live_seconds": LIVE_SECONDS, "version": static_version(), "crawl": "", "page": "",
            "crawl_pages": CRAWL_PAGES,
        }  # fmt: skip
        text = environment().get_template(template).render(known | values)
        headers = {"content-language": language.tag, "vary": "Accept-Language, Cookie"}
        return HTMLResponse(text, status, headers)


def _as_before(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, str]:
    """The arguments of the last run as fields of the form."""
    given = {name: ", ".join(value) if isinstance(value, list) else str(value) for name, value in last_arguments(db).items()}
    given = {name: value for name, value in given.items() if value not in ("", "None")}
    seeds = given.pop("seeds", "")
    given[ADDRESSES if "://" in seeds else FILE] = seeds.replace(",", "\n") if "://" in seeds else seeds
    return given | {"name": crawl.name}


def as_json(value: object, status: int = 200) -> Response:
    """For programs."""
    data = orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)
    return Response(data, status, media_type="application/json")


def language_of(request: Request) -> Language:
    return choose(request.cookies.get(LANGUAGE_COOKIE, ""), request.headers.get("accept-language", ""))


def _address(request: Request) -> str:
    """Path and query, without what a refresh asks for."""
    query = "&".join(part for part in request.url.query.split("&") if part and not part.startswith(("part=", "told=")))
    return quote(request.url.path) + (f"?{query}" if query else "")


async def _switch_language(request: Request) -> Response:
    """By a link, so that it works without scripts; nothing but the reader's own cookie changes."""
    back = request.query_params.get("back", "/")
    local = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = RedirectResponse(back if local else "/", status_code=303)
    if request.path_params["code"] in LANGUAGES:
        answer.set_cookie(
            LANGUAGE_COOKIE, request.path_params["code"], max_age=YEAR, httponly=True, samesite="strict", path="/"
        )
    return answer


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        return as_json({"error": "There is no such file."}, 404)
    content, media_type = static_file(name)
    headers = {"cache-control": f"private, max-age={YEAR}, immutable"} if "v" in request.query_params else {}
    return Response(content, media_type=media_type, headers=headers)


@lru_cache(maxsize=len(FILES))
def static_file(name: str) -> tuple[bytes, str]:
    """Content and type of one of `FILES`."""
    package, path, media_type = FILES[name]
    return resources.files(package).joinpath(path).read_bytes(), media_type


@lru_cache(maxsize=1)
def static_version() -> str:
    """Changes with the files: browsers keep them for as long as it stays."""
    digest = hashlib.blake2b(digest_size=6)
    for name in FILES:
        digest.update(static_file(name)[0])
    return digest.hexdigest()


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Our templates beside those of the report, with its filters."""
    report = html.environment()
    made = Environment(
        loader=FunctionLoader(_template), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters.update(report.filters)
    made.filters.update(readable=readable, readable_host=readable_host, printable=printable, score_words=score_words)
    made.globals.update(here=_here, web_shape=web_shape)
    return made


def _template(name: str) -> str | None:
    own = resources.files("focuscrawl.dashboard") / "templates" / name
    return own.read_text(encoding="utf-8") if own.is_file() else html.template(name)


def _here(page: str = "", **query: object) -> str:
    """A relative address within a crawl's pages; empty values are left out."""
    given = "&".join(f"{key}={quote(str(value), safe='')}" for key, value in query.items() if value not in ("", None))
    return (page or "./") + (f"?{given}" if given else "")
