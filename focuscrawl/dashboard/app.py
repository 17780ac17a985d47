"""The dashboard as an ASGI application: its routes, its answers, and its error pages."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from focuscrawl.config.arguments import list_of
from focuscrawl.dashboard.actions import ACTIONS, BEGINNING, BEGUN, scheduled, stop_job
from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES
from focuscrawl.dashboard.job_list import SCRAPYD
from focuscrawl.dashboard.rendering import (
    FILES,
    LANGUAGE_COOKIE,
    LONGEST_QUERY,
    YEAR,
    Renderer,
    as_json,
    static_file,
)
from focuscrawl.dashboard.security import AccessCheck, form_values
from focuscrawl.dashboard.starting import FILE, FIRST, FORM, WHERE, arguments_of, fields, offered_seeds, seeds_as_fields
from focuscrawl.dashboard.state import Dashboard, Notice
from focuscrawl.dashboard.stores import read_now
from focuscrawl.dashboard.topic_answers import TopicAnswers
from focuscrawl.dashboard.views import jobs, overview
from focuscrawl.errors import BadInput
from focuscrawl.report.translation import LANGUAGES
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.workers.runs import last_crawl_arguments


def make_app(dashboard: Dashboard) -> Starlette:
    """The application, with `AccessCheck` as its outermost middleware."""
    asked, of_topics = _Answers(dashboard), TopicAnswers(dashboard)
    routes = [
        Route("/", asked.overview),
        Route("/.json", asked.overview),
        Route("/start", asked.start_form),
        Route("/start", asked.start, methods=["POST"]),
        Route("/jobs", asked.jobs),
        Route("/jobs.json", asked.jobs),
        Route("/jobs/log", asked.job_log),
        Route("/jobs/stop", asked.stop_job, methods=["POST"]),
        *of_topics.routes(),
        Route("/static/{name}", _static),
        Route("/language/{code}", _switch_language),
        Route("/c/{name}", asked.crawl_without_slash),
        Route("/c/{name}/{page:path}", asked.crawl_page),
        Route("/c/{name}/{page:path}", asked.change, methods=["POST"]),
    ]
    return Starlette(
        routes=routes, middleware=[Middleware(AccessCheck, access=dashboard.access)], exception_handlers={404: asked.missing}
    )


class _Answers:
    """Request handlers, one method per route."""

    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard = dashboard
        self._render = Renderer(dashboard)

    async def overview(self, request: Request) -> Response:
        return self._render.live(request, "overview", await run_in_threadpool(overview.overview, self._dashboard.stores))

    async def crawl_without_slash(self, request: Request) -> Response:
        return RedirectResponse(f"/c/{quote(request.path_params['name'])}/", status_code=307)

    async def crawl_page(self, request: Request) -> Response:
        """A page of one crawl as HTML, or its data as JSON."""
        name, page = request.path_params["name"], request.path_params["page"]
        wanted, as_data, part = page.removesuffix(".json"), page.endswith(".json"), request.query_params.get("part", "")
        shown = CRAWL_PAGES.get(wanted)
        if shown is None:
            return await self.missing(request, None)
        query = {key: value[:LONGEST_QUERY] for key, value in request.query_params.items() if key in shown.query}
        try:
            crawl = await run_in_threadpool(self._dashboard.stores.named, name)
        except BadInput as error:
            return self._render.problem(request, 404, str(error))
        try:
            view = await run_in_threadpool(shown.reader(part, as_data), self._dashboard, crawl, query)
        except BadInput as error:
            return self._render.problem(request, 400, str(error))
        except ERRORS as error:
            return self._render.problem(
                request, 503, f"The store of {name} did not answer: {error}. Load the page again in a moment."
            )
        if as_data:
            return as_json(view)
        template = shown.template.replace(".html", f"_{part}.html") if part in shown.parts else shown.template
        return self._render.page(request, template, view=view, crawl=name, page=wanted, query=query, shown=shown)

    async def change(self, request: Request) -> Response:
        """Apply a form of a crawl's page, and redirect to the page that shows the result."""
        name = request.path_params["name"]
        action = ACTIONS.get(request.path_params["page"])
        if action is None:
            return await self.missing(request, None)
        try:
            crawl = await run_in_threadpool(self._dashboard.stores.named, name)
            notice = await run_in_threadpool(action.run, self._dashboard, crawl, form_values(request, action.fields))
        except (BadInput, *ERRORS) as error:
            notice = Notice.of_error(error)
        return self._render.result(f"/c/{quote(name)}/{action.back}", notice)

    async def jobs(self, request: Request) -> Response:
        """The jobs of this machine and of Scrapyd."""
        return self._render.live(request, "jobs", await run_in_threadpool(jobs.view, self._dashboard))

    async def job_log(self, request: Request) -> Response:
        number = request.query_params.get("id", "")[:LONGEST_QUERY]
        try:
            text, cut = await run_in_threadpool(self._dashboard.jobs.log, number)
        except BadInput as error:
            return self._render.problem(request, 404, str(error))
        return self._render.page(request, "job_log.html", number=number, text=text, cut=cut)

    async def stop_job(self, request: Request) -> Response:
        try:
            notice = await run_in_threadpool(stop_job, self._dashboard.jobs, form_values(request, ("where", "id")))
        except BadInput as error:
            notice = Notice.of_error(error)
        return self._render.result("/jobs", notice)

    async def start_form(self, request: Request) -> Response:
        """The form that starts a crawl: empty, filled in for a topic, or with the arguments of a crawl's last run."""
        given: dict[str, str] = {}
        if topic := request.query_params.get("topic", ""):
            given = {"name": topic, FILE: str(self._dashboard.training.topics_dir / f"{topic}.toml")}
        if like := request.query_params.get("like", ""):
            try:
                crawl = await run_in_threadpool(self._dashboard.stores.named, like)
                given = await run_in_threadpool(read_now, crawl, _as_before, {})
            except (BadInput, *ERRORS) as error:
                return self._render.problem(request, 404, str(error))
        return await run_in_threadpool(self._start_page, request, given)

    async def start(self, request: Request) -> Response:
        given = form_values(request, FORM)
        try:
            offered = await run_in_threadpool(self._offered, given["name"])
            arguments = arguments_of(given, offered)
            if given[WHERE] == SCRAPYD:
                return self._render.result("/jobs", await run_in_threadpool(scheduled, self._dashboard.jobs, arguments))
            begun = await run_in_threadpool(self._dashboard.jobs.crawl, arguments)
        except BadInput as error:
            return await run_in_threadpool(self._start_page, request, given, str(error))
        where = f"/c/{quote(arguments['name'])}/" if begun else "/"
        return self._render.result(where, Notice(BEGUN if begun else BEGINNING))

    def _start_page(self, request: Request, given: Mapping[str, str], problem: str = "") -> Response:
        if self._dashboard.access.read_only:
            return self._render.problem(request, 403, "This dashboard was started with --read-only: it changes nothing.")
        files = list(self._offered(given.get("name", "")))
        status = 400 if problem else 200
        shown = fields(given)
        unfolded = any(given.get(each.name) for each in shown[len(FIRST) :])
        return self._render.page(
            request, "start.html", status, given=given, problem=problem, files=files, fields=shown, common=len(FIRST),
            unfolded=unfolded,
        )  # fmt: skip

    def _offered(self, name: str) -> dict[str, str]:
        """The topic and seed files that a crawl of this name can start with, see `offered_seeds`."""
        last = ""
        with suppress(BadInput, *ERRORS):
            last = read_now(self._dashboard.stores.named(name), _as_before, {}).get(FILE, "") if name else ""
        return offered_seeds(self._dashboard.training.topics_dir, last)

    async def missing(self, request: Request, error: Exception | None) -> Response:
        return self._render.problem(request, 404, "There is no such page.")


def _as_before(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, str]:
    """The arguments of the last run that was no recrawl, as fields of the form."""
    given = {
        name: list_of(value) if isinstance(value, list) else str(value) for name, value in last_crawl_arguments(db).items()
    }
    given = {name: value for name, value in given.items() if value not in ("", "None")}
    return given | seeds_as_fields(given.pop("seeds", "")) | {"name": crawl.name}


async def _switch_language(request: Request) -> Response:
    """Set the language cookie and redirect back. This is a link, so that it works without scripts; only the cookie changes."""
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
