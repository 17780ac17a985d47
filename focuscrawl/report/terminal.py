"""The closing summary for a terminal or a log: sentences, the best hosts, what went wrong and what to do."""

from __future__ import annotations

from focuscrawl.frontier.states import State
from focuscrawl.report.advice import helps, whether
from focuscrawl.report.charts.hindsight import sentence
from focuscrawl.report.plain import count, duration, one_line, percent, plural
from focuscrawl.report.reasons import cause, rule_words, stop_words
from focuscrawl.report.revisits.recrawl import Recrawled, recrawl_table
from focuscrawl.report.run_before import sentence as run_before_in_words
from focuscrawl.report.summary import Summary, in_words
from focuscrawl.report.table import Column, Table
from focuscrawl.store.workers.runs import is_recrawl
from focuscrawl.url.readable import readable, readable_host

SHOWN_SENTENCES = (
    "Among its first",
    "The run before",
    "Of 100 pages",
    "Of the last",
    "Passed over",
    "Searches",
    "No page",
    "Drift",
    "Not read",
)
"""Beginnings of the sentences that say what the table does not."""
TOP_HOSTS = 8
TROUBLED_HOSTS = 3
"""Most hosts of these that brought nothing but trouble. A crawl meets many that do not exist."""
TOP_CAUSES = 8


def closing(summary: Summary, report: str = "") -> list[str | Table]:
    """What `report.table.show` prints at the end of a crawl. `report`: path of the report file."""
    if summary.run is not None and is_recrawl(summary.run):
        table = recrawl_table(Recrawled(summary.name, summary.run, summary.next_due))
        before = [run_before_in_words(summary.before)] if summary.before else []
        return [table, *before, *([f"Report: {report}"] if report else [])]
    parts: list[str | Table] = [_figures(summary)]
    parts += [line for line in in_words(summary) if line.startswith(SHOWN_SENTENCES)]
    if summary.hindsight and (beside := sentence(summary.hindsight)):
        parts.append(beside)
    if summary.advice:
        parts += whether(summary.advice)
    if summary.topics:
        parts.append(topics_table(summary))
    if summary.hosts and summary.totals.pages:
        parts.append(hosts_table(summary, TOP_HOSTS))
    if summary.causes:
        parts.append(causes_table(summary, TOP_CAUSES))
        parts += _advice(summary)
    if summary.refused:
        rules = [f"{rule_words(rule)} ({count(number)})" for rule, number in list(summary.refused.items())[:4]]
        parts.append("Links not followed, most often: " + "; ".join(rules) + ".")
    if summary.advice and (sentences := helps(summary.advice)):
        parts.append("What would help:")
        parts += [f"  {each}" for each in sentences]
    if report:
        parts.append(f"Report: {report}")
    return parts


def _figures(summary: Summary) -> Table:
    totals, run = summary.totals, summary.run

    def this_run(number: int | None) -> str:
        return f" ({count(number)} in this run)" if summary.runs > 1 and number is not None else ""

    rows = [
        ("stopped because", stop_words(run.reason, run.why) if run else "no run so far"),
        ("pages stored", count(totals.pages) + this_run(run.pages if run else None)),
        ("relevant", f"{count(totals.relevant)} ({count(totals.distinct)} without repeats)"),
        ("harvest rate", percent(totals.harvest_rate)),
        ("duplicates", f"{count(totals.duplicates)} ({count(totals.exact)} exact)"),
        ("requests", count(summary.all_requests) + this_run(summary.requests) + _beside_pages(summary)),
        ("hosts", f"{count(totals.hosts_fetched)} with pages, {count(totals.hosts)} known"),
        ("waiting", plural(totals.waiting, "URL")),
        (
            "duration of this run" if summary.runs > 1 else "duration",
            f"{duration(summary.seconds)}, {summary.pages_per_second:.1f} pages/s",
        ),
    ]
    return Table([Column(""), Column("")], rows, f"Crawl {one_line(summary.name)}")


def _beside_pages(summary: Summary) -> str:
    """What was asked for beside pages. The total of a run's requests includes those for robots.txt."""
    kinds = {"robots.txt": ("robots",), "sitemaps and feeds": ("sitemap", "feed"), "searches": ("search",)}
    extras = [f"{count(asked)} for {words}" for words, labels in kinds.items() if (asked := summary.requests_for(*labels))]
    extras += [plural(summary.lookups, "name looked up", "names looked up")] if summary.lookups else []
    return f"; {', '.join(extras)}" if extras else ""


HOST_COLUMNS = ("pages", "relevant", "duplicates", "errors", "waiting")


def hosts_table(summary: Summary, limit: int) -> Table:
    """A table of the best hosts, and of a few that brought only trouble, without columns that are 0 everywhere."""
    good = [host for host in summary.hosts if host.pages][:limit]
    troubled = [host for host in summary.hosts if not host.pages and (host.errors or host.trouble)]
    hosts = [*good, *troubled[: min(TROUBLED_HOSTS, limit - len(good))]]
    names = [name for name in HOST_COLUMNS if any(getattr(host, name) for host in hosts)]
    rows = [
        (
            host.origin.replace(host.name, readable_host(host.name)),
            *(count(getattr(host, name)) for name in names),
            cause(host.trouble).words if host.trouble else "",
        )
        for host in hosts
    ]
    return Table([Column("host", width=44), *(Column(name, True) for name in names), Column("")], rows, "Top hosts")


def topics_table(summary: Summary) -> Table:
    columns = [Column("topic", width=44), *(Column(name, True) for name in ("relevant", "without repeats", "harvest"))]
    rows = [(row.name, count(row.relevant), count(row.distinct), percent(row.harvest_rate)) for row in summary.topics]
    return Table(columns, [*rows, ("more than one of them", count(summary.shared), "", "")], "Topics")


def causes_table(summary: Summary, limit: int) -> Table:
    rows = [
        (
            count(row.count),
            row.cause + (" (will be tried again)" if row.state is State.WAIT else ""),
            cause(row.cause).words,
            readable(row.example),
        )
        for row in summary.causes[:limit]
    ]
    columns = [Column("URLs", True), Column("cause"), Column("meaning", width=48), Column("for example", width=60)]
    return Table(columns, rows, "Not stored")


def _advice(summary: Summary) -> list[str]:
    seen = dict.fromkeys(row.cause for row in summary.causes[:TOP_CAUSES])
    return [f"{name}: {cause(name).advice}." for name in seen if cause(name).advice][:4]
