"""The closing summary for a terminal or a log: sentences, the best hosts, what went wrong and what to do.

`_` is the language in which it is said, as in the templates of the report."""

from __future__ import annotations

from focuscrawl.frontier.states import State
from focuscrawl.report.advice import helps, whether
from focuscrawl.report.charts.hindsight import sentence
from focuscrawl.report.plain import count, duration, one_line, percent, plural
from focuscrawl.report.reasons import cause, rule_words, stop_words
from focuscrawl.report.revisits.recrawl import Recrawled, recrawl_table
from focuscrawl.report.run_before import sentence as run_before_in_words
from focuscrawl.report.summary import Summary
from focuscrawl.report.summary_in_words import beside_the_table, errors_in_words
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.store.workers.runs import is_recrawl
from focuscrawl.url.readable import readable, readable_host

TOP_HOSTS = 8
TROUBLED_HOSTS = 3
"""Most hosts of these that brought nothing but trouble. A crawl meets many that do not exist."""
TOP_CAUSES = 8


def closing(summary: Summary, report: str = "", _: Language = ENGLISH) -> list[str | Table]:
    """What `report.table.show` prints at the end of a crawl. `report`: path of the report file."""
    if summary.run is not None and is_recrawl(summary.run):
        table = recrawl_table(Recrawled(summary.name, summary.run, summary.due), _)
        before = run_before_in_words(summary.before) if summary.before else ""
        told = (before, errors_in_words(summary.errors, summary.settings))
        return [table, *(_(each) for each in told if each), *([report_line(report, _)] if report else [])]
    parts: list[str | Table] = [_figures(summary, _)]
    parts += map(_, beside_the_table(summary))
    if summary.hindsight and (beside := sentence(summary.hindsight)):
        parts.append(_(beside))
    if summary.advice:
        parts += map(_, whether(summary.advice))
    if summary.topics:
        parts.append(topics_table(summary, _))
    if summary.hosts and summary.totals.pages:
        parts.append(hosts_table(summary, TOP_HOSTS, _))
    if summary.causes:
        parts.append(causes_table(summary, TOP_CAUSES, _))
        parts += _advice(summary, _)
    if summary.refused:
        rules = [
            _("{rule} ({n})", rule=_(rule_words(rule)), n=count(number)) for rule, number in list(summary.refused.items())[:4]
        ]
        parts.append(_("Links not followed, most often: {rules}.", rules=_("; ").join(rules)))
    if summary.advice and (sentences := helps(summary.advice)):
        parts.append(_("What would help:"))
        parts += [f"  {_(each)}" for each in sentences]
    if report:
        parts.append(report_line(report, _))
    return parts


def report_line(path: str, _: Language = ENGLISH) -> str:
    """Where the report lies, for the end of a summary."""
    return _("Report: {path}", path=path)


def changes_line(path: str, _: Language = ENGLISH) -> str:
    """Where the page of what is new lies, for the end of a recrawl's summary."""
    return _("Changes: {path}", path=path)


def _figures(summary: Summary, _: Language) -> Table:
    totals, run = summary.totals, summary.run

    def this_run(number: int | None) -> str:
        return _(" ({n} in this run)", n=count(number)) if summary.runs > 1 and number is not None else ""

    rows = [
        (_("stopped because"), _(stop_words(run.reason, run.why) if run else "no run so far")),
        (_("pages stored"), count(totals.pages) + this_run(run.pages if run else None)),
        (_("relevant"), _("{n} ({distinct} without repeats)", n=count(totals.relevant), distinct=count(totals.distinct))),
        (_("harvest rate"), percent(totals.harvest_rate)),
        (_("duplicates"), _("{n} ({exact} exact)", n=count(totals.duplicates), exact=count(totals.exact))),
        (_("requests"), count(summary.all_requests) + this_run(summary.requests) + _beside_pages(summary, _)),
        (_("hosts"), _("{n} with pages, {known} known", n=count(totals.hosts_fetched), known=count(totals.hosts))),
        (_("waiting"), _(plural(totals.waiting, "URL"))),
        (
            _("duration of this run") if summary.runs > 1 else _("duration"),
            _("{long}, {n} pages/s", long=_(duration(summary.seconds)), n=f"{summary.pages_per_second:.1f}"),
        ),
    ]
    return Table([Column(""), Column("")], rows, _("Crawl {name}", name=one_line(summary.name)))


def _beside_pages(summary: Summary, _: Language) -> str:
    """What was asked for beside pages. The total of a run's requests includes those for robots.txt."""
    kinds = {
        _("{n} for robots.txt"): ("robots",),
        _("{n} for sitemaps and feeds"): ("sitemap", "feed"),
        _("{n} for searches"): ("search",),
    }
    extras = [words.format(n=count(asked)) for words, labels in kinds.items() if (asked := summary.requests_for(*labels))]
    extras += [_.plural(summary.lookups, "{n} name looked up", "{n} names looked up")] if summary.lookups else []
    return _("; ") + _(", ").join(extras) if extras else ""


HOST_COLUMNS = ("pages", "relevant", "duplicates", "errors", "waiting")


def hosts_table(summary: Summary, limit: int, _: Language = ENGLISH) -> Table:
    """A table of the best hosts, and of a few that brought only trouble, without columns that are 0 everywhere."""
    good = [host for host in summary.hosts if host.pages][:limit]
    troubled = [host for host in summary.hosts if not host.pages and (host.errors or host.trouble)]
    hosts = [*good, *troubled[: min(TROUBLED_HOSTS, limit - len(good))]]
    names = [name for name in HOST_COLUMNS if any(getattr(host, name) for host in hosts)]
    rows = [
        (
            host.origin.replace(host.name, readable_host(host.name)),
            *(count(getattr(host, name)) for name in names),
            _(cause(host.trouble).words) if host.trouble else "",
        )
        for host in hosts
    ]
    return Table(
        [Column(_("host"), width=44, names=True), *(Column(_(name), True) for name in names), Column("")], rows, _("Top hosts")
    )


def topics_table(summary: Summary, _: Language = ENGLISH) -> Table:
    titles = [_("relevant"), _("without repeats"), _("harvest")]
    columns = [Column(_("topic"), width=44, names=True), *(Column(title, True) for title in titles)]
    rows = [(row.name, count(row.relevant), count(row.distinct), percent(row.harvest_rate)) for row in summary.topics]
    return Table(columns, [*rows, (_("more than one of them"), count(summary.shared), "", "")], _("Topics"))


def causes_table(summary: Summary, limit: int, _: Language = ENGLISH) -> Table:
    later = f" {_('(will be tried again)')}"
    rows = [
        (
            count(row.count),
            row.cause + (later if row.state is State.WAIT else ""),
            _(cause(row.cause).words),
            readable(row.example),
        )
        for row in summary.causes[:limit]
    ]
    columns = [
        Column(_("URLs"), True), Column(_("cause")), Column(_("meaning"), width=48), Column(_("for example"), width=60),
    ]  # fmt: skip
    return Table(columns, rows, _("Not stored"))


def _advice(summary: Summary, _: Language) -> list[str]:
    seen = dict.fromkeys(row.cause for row in summary.causes[:TOP_CAUSES])
    return [f"{name}: {_(f'{cause(name).advice}.')}" for name in seen if cause(name).advice][:4]
