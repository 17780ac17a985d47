"""The routes of topics: `/topics`, and the four pages of each topic below `/t/NAME/`, whose data have the suffix `.json`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from focuscrawl.dashboard import topic_changes
from focuscrawl.dashboard.rendering import Renderer, as_json
from focuscrawl.dashboard.security import form_values
from focuscrawl.dashboard.state import Dashboard, Notice
from focuscrawl.dashboard.topic_changes import CHANGES, NEW, TopicChange, TopicDetails
from focuscrawl.dashboard.training import TopicSession, Training
from focuscrawl.dashboard.views import training as views
from focuscrawl.errors import BadInput
from focuscrawl.store.engines.database import ERRORS

UNDO = "take-back"
"""Path that undoes a change; the form names the change by the id of its result."""


@dataclass(frozen=True, slots=True)
class TopicPage:
    heading: str
    template: str
    view: Callable[[Training, TopicSession, Mapping[str, str]], dict[str, object]]


TOPIC_PAGES: dict[str, TopicPage] = {
    "": TopicPage("Words", "topic_words.html", views.words),
    "find": TopicPage("Find pages", "topic_find.html", views.find),
    "label": TopicPage("Label pages", "topic_label.html", views.label),
    "train": TopicPage("Train and crawl", "topic_train.html", views.train),
}


class TopicAnswers:
    """Request handlers, one method per route."""

    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard = dashboard
        self._render = Renderer(dashboard)

    def routes(self) -> list[Route]:
        return [
            Route("/topics", self.topics),
            Route("/topics.json", self.topics),
            Route("/topics", self.make, methods=["POST"]),
            Route("/t/{name}", self.without_slash),
            Route("/t/{name}/{page:path}", self.page),
            Route("/t/{name}/{page:path}", self.change, methods=["POST"]),
        ]

    async def topics(self, request: Request) -> Response:
        return await self._topics(request, {})

    async def without_slash(self, request: Request) -> Response:
        return RedirectResponse(f"/t/{quote(request.path_params['name'])}/", status_code=307)

    async def page(self, request: Request) -> Response:
        """A page of one topic as HTML, or its data as JSON."""
        name, page = request.path_params["name"], request.path_params["page"]
        shown = TOPIC_PAGES.get(page.removesuffix(".json"))
        if shown is None:
            return self._render.problem(request, 404, "There is no such page.")
        try:
            view = await run_in_threadpool(self._view, shown, name)
        except BadInput as error:
            return self._render.problem(request, 404 if name not in self._dashboard.training.names() else 400, str(error))
        except ERRORS as error:
            return self._render.problem(request, 503, f"A store did not answer: {error}. Load the page again in a moment.")
        if page.endswith(".json"):
            return as_json(view)
        notice = self._dashboard.notices.get(request.query_params.get("notice", ""))
        details = notice.details if notice and isinstance(notice.details, TopicDetails) else TopicDetails()
        return await run_in_threadpool(
            self._render.page, request, shown.template, view=view, topic=name, page=page, pages=TOPIC_PAGES, details=details,
            number=request.query_params.get("notice", ""),
        )  # fmt: skip

    def _view(self, shown: TopicPage, name: str) -> dict[str, Any]:
        training = self._dashboard.training
        with training.session(name) as session:
            return shown.view(training, session, {})

    async def make(self, request: Request) -> Response:
        given = form_values(request, NEW)
        try:
            name, notice = await run_in_threadpool(topic_changes.make, self._dashboard.training, given)
        except BadInput as error:
            return await self._topics(request, given, str(error))
        return self._render.result(f"/t/{quote(name)}/", notice)

    async def change(self, request: Request) -> Response:
        """Apply a form of a topic's page, and redirect to the page that shows the result."""
        name, page = request.path_params["name"], request.path_params["page"]
        action = self._undo(request) if page == UNDO else CHANGES.get(page)
        if action is None:
            return self._render.problem(request, 404, "There is no such page.")
        try:
            notice = await run_in_threadpool(self._changed, action, name, form_values(request, action.fields))
        except (BadInput, *ERRORS) as error:
            if isinstance(error, BadInput) and name not in self._dashboard.training.names():
                return self._render.problem(request, 404, str(error))
            notice = Notice.of_error(error)
        return self._render.result(f"/t/{quote(name)}/{action.back}", notice)

    def _undo(self, request: Request) -> TopicChange:
        number = form_values(request, ("notice",))["notice"]
        notice = self._dashboard.notices.get(number)

        def run(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
            if notice is None or not isinstance(notice.details, TopicDetails) or notice.details.undo is None:
                raise BadInput("that change can no longer be undone")
            return topic_changes.undo_words(training, session, notice.details.undo)

        return TopicChange(run)

    def _changed(self, action: TopicChange, name: str, given: Mapping[str, str]) -> Notice:
        training = self._dashboard.training
        with training.session(name) as session:
            notice = action.run(training, session, given)
            training.pass_on(session)
        return notice

    async def _topics(self, request: Request, given: Mapping[str, str], problem: str = "") -> Response:
        view = await run_in_threadpool(views.topics, self._dashboard.training)
        if request.url.path.endswith(".json"):
            return as_json(view)
        return self._render.page(request, "topics.html", 400 if problem else 200, view=view, given=given, problem=problem)
