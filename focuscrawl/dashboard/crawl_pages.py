"""The pages of a crawl: path, heading, template, and the function that reads the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from focuscrawl.dashboard.state import Dashboard
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

LIVE, ADVICE, COURSE, REST, WHOLE = "live", "advice", "course", "rest", "whole"
"""Names of parts of pages: `live` changes constantly while a crawl runs, three change more slowly, and `whole` is all of
them."""
Reader = Callable[[Dashboard, Crawl, Mapping[str, str]], Any]


@dataclass(frozen=True, slots=True)
class DashboardPage:
    """A page shows the data of `read`. Slow data is left to the `parts`, which an open page requests separately. `whole` reads
    everything at once, for programs and for browsers without scripts."""

    heading: str
    template: str
    read: Reader
    query: frozenset[str] = frozenset()
    """The query parameters that are read. Others are dropped, so that they cannot fill the cache."""
    parts: Mapping[str, Reader] = field(default_factory=dict)
    """Readers by the part's name; the template of part `live` of `run.html` is `run_live.html`."""
    whole: Reader | None = None
    """None if `read` reads everything."""

    def reader(self, part: str, as_data: bool) -> Reader:
        """The reader for the requested part, or for the page's data as JSON."""
        if part in self.parts and not as_data:
            return self.parts[part]
        return self.whole if self.whole and (as_data or part == WHOLE) else self.read


def _cached(*views: View) -> Reader:
    """A reader that merges the data of these views, each of which is cached on its own."""

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
    """What is shown while the shape is being computed, or the tree if the query names a site."""
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
