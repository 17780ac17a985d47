"""The pages of a crawl: path, heading, template, and the function that reads the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from focuscrawl.dashboard.state import Dashboard
from focuscrawl.dashboard.stores import View
from focuscrawl.dashboard.views import (
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
)
from focuscrawl.store.crawls import Crawl

LIVE, ADVICE, COURSE, REST, WHOLE = "live", "advice", "course", "rest", "whole"
"""Names of parts of pages: `live` changes constantly while a crawl runs, three change more slowly, and `whole` is all of
them."""
PageData = dict[str, object]
Reader = Callable[[Dashboard, Crawl, Mapping[str, str]], PageData]


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


def _cached(*views: View[PageData]) -> Reader:
    """A reader that merges the data of these views, each of which is cached on its own."""

    def read(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> PageData:
        together: PageData = {}
        for view in views:
            together |= dashboard.stores.read(crawl, view, query)
        return together

    return read


def _pages(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> PageData:
    host = {"host": query["host"]} if query.get("host") else {}
    return dashboard.stores.read(crawl, pages.view, query) | dashboard.stores.read(crawl, pages.counts, host)


def _page(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> PageData:
    ours = {page.AGENT: dashboard.user_agent, page.POLICY: dashboard.recrawl_policy}
    return dashboard.stores.read(crawl, page.view, {**query, **ours})


def _hosts(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> PageData:
    return dashboard.stores.read(crawl, hosts.view, {**query, hosts.AGENT: dashboard.user_agent})


def _frontier(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> PageData:
    return dashboard.stores.read(crawl, frontier.view, query) | dashboard.stores.read(crawl, overview.states, {})


def _shape(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> PageData:
    return dashboard.stores.read(crawl, graph.shape, {}, graph.KEPT_SECONDS)


def _graph(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> PageData:
    pages = dashboard.stores.read(crawl, graph.view, {})
    if query.get("site"):
        return pages | dashboard.stores.read(crawl, graph.site, query, graph.KEPT_SECONDS)
    return pages | _shape(dashboard, crawl, query)


def _graph_first(dashboard: Dashboard, crawl: Crawl, query: Mapping[str, str]) -> PageData:
    """What is shown while the shape is being computed, or the tree if the query names a site."""
    if query.get("site"):
        return _graph(dashboard, crawl, query)
    return dashboard.stores.read(crawl, graph.view, {})


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
    "workers": DashboardPage("Workers", "workers.html", _cached(overview.workers), parts={LIVE: _cached(overview.workers)}),
    "topic": DashboardPage("Topic", "topic.html", _cached(topic.view)),
    "freshness": DashboardPage("Freshness", "freshness.html", _cached(freshness.view, freshness.sites)),
    "changes": DashboardPage("Changes", "changes.html", _cached(freshness.changes), freshness.CHANGES_QUERY),
    "graph": DashboardPage("Graph", "graph.html", _graph_first, graph.QUERY, parts={REST: _shape}, whole=_graph),
    "settings": DashboardPage("Settings", "settings.html", _cached(settings.view), settings.QUERY),
}
