"""The pages of a crawl: name in the address, heading, template, and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from focuscrawl.dashboard.stores import View
from focuscrawl.dashboard.views import (
    changes,
    freshness,
    frontier,
    graph,
    hosts,
    overview,
    page,
    pages,
    run,
    settings,
    topic,
    workers,
)
from focuscrawl.store.crawls import Crawl

if TYPE_CHECKING:
    from focuscrawl.dashboard.rendering import Dashboard

LIVE, ADVICE, COURSE, REST, WHOLE = "live", "advice", "course", "rest", "whole"
"""Parts of pages: what changes all the time while a crawl runs, three that change more slowly, and all of it."""
Reader = Callable[["Dashboard", Crawl, Mapping[str, str]], Any]


@dataclass(frozen=True, slots=True)
class DashboardPage:
    """A page is made of `read`; where that takes long, what takes long is one of the `parts`, which an open page asks for by
    itself. `whole` is all together: for programs, and for readers without scripts."""

    heading: str
    template: str
    read: Reader
    query: frozenset[str] = frozenset()
    """What of an address's query is read; the rest is dropped, so that nobody can fill the cache with it."""
    parts: Mapping[str, Reader] = field(default_factory=dict)
    """By name; the template of `live` in `run.html` is `run_live.html`."""
    whole: Reader | None = None
    """None: `read` is all."""

    def reader(self, part: str, as_data: bool) -> Reader:
        """Of what was asked for."""
        if part in self.parts and not as_data:
            return self.parts[part]
        return self.whole if self.whole and (as_data or part == WHOLE) else self.read


def _cached(*views: View) -> Reader:
    """All of the views together, each of which is kept for as long as it is worth."""

    def read(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> dict[str, Any]:
        together: dict[str, Any] = {}
        for view in views:
            together |= dashboard.stores.read(crawl, view, query)
        return together

    return read


def _pages(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = dashboard.stores.read(crawl, pages.view, query)
    host = {"host": query["host"]} if query.get("host") else {}
    counted: dict[str, Any] = dashboard.stores.read(crawl, pages.counts, host)
    return found | counted


def _page(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> dict[str, Any]:
    ours = {page.AGENT: dashboard.user_agent, page.POLICY: dashboard.recrawl_policy}
    found: dict[str, Any] = dashboard.stores.read(crawl, page.view, {**query, **ours})
    return found


def _hosts(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = dashboard.stores.read(crawl, hosts.view, {**query, hosts.AGENT: dashboard.user_agent})
    return found


def _frontier(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = dashboard.stores.read(crawl, frontier.view, query)
    states: dict[str, Any] = dashboard.stores.read(crawl, overview.states, {})
    return found | states


def _shape(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = dashboard.stores.read(crawl, graph.shape, {}, graph.KEPT_SECONDS)
    return found


def _graph(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> dict[str, Any]:
    pages: dict[str, Any] = dashboard.stores.read(crawl, graph.view, {})
    if query.get("site"):
        tree: dict[str, Any] = dashboard.stores.read(crawl, graph.site, query, graph.KEPT_SECONDS)
        return pages | tree
    return pages | _shape(dashboard, crawl, query)


def _graph_first(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> dict[str, Any]:
    """What is shown before the shape is there; of one site its tree."""
    if query.get("site"):
        return _graph(dashboard, crawl, query)
    pages: dict[str, Any] = dashboard.stores.read(crawl, graph.view, {})
    return pages


CRAWL_PAGES: dict[str, DashboardPage] = {
    "": DashboardPage(
        "Run",
        "run.html",
        _cached(run.view, overview.states, run.curve, run.polite),
        parts={
            LIVE: _cached(run.view, overview.states),
            ADVICE: _cached(run.view, run.outlook),
            COURSE: _cached(run.view, run.curve, run.polite),
            REST: _cached(run.view, run.trouble),
        },
        whole=_cached(run.view, overview.states, run.curve, run.outlook, run.polite, run.trouble),
    ),
    "pages": DashboardPage("Pages", "pages.html", _pages, pages.QUERY),
    "page": DashboardPage("Page", "page.html", _page, page.QUERY),
    "hosts": DashboardPage("Hosts", "hosts.html", _hosts, hosts.QUERY),
    "frontier": DashboardPage("Frontier", "frontier.html", _frontier, frontier.QUERY),
    "workers": DashboardPage("Workers", "workers.html", _cached(workers.view), parts={LIVE: _cached(workers.view)}),
    "topic": DashboardPage("Topic", "topic.html", _cached(topic.view)),
    "freshness": DashboardPage("Freshness", "freshness.html", _cached(freshness.view, freshness.sites)),
    "changes": DashboardPage("Changes", "changes.html", _cached(changes.view), changes.QUERY),
    "graph": DashboardPage("Graph", "graph.html", _graph_first, graph.QUERY, parts={REST: _shape}, whole=_graph),
    "settings": DashboardPage("Settings", "settings.html", _cached(settings.view), settings.QUERY),
}
