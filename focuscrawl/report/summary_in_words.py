"""A crawl's summary in sentences, as the report file begins and the closing summary ends.

The Chinese of each stands in `zh_sentences.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.advice import whether
from focuscrawl.report.charts.curve import Point
from focuscrawl.report.charts.hindsight import sentence
from focuscrawl.report.plain import count, duration, one_line, percent, plural
from focuscrawl.report.precision import precision_in_words
from focuscrawl.report.reasons import cause, stop_words
from focuscrawl.report.run_before import sentence as run_before_in_words
from focuscrawl.report.summary import PassedOver, Summary
from focuscrawl.store.frontier.searches import SearchTotals
from focuscrawl.store.overview import CauseRow
from focuscrawl.store.workers.runs import RunRow, is_recrawl

MOST_TYPES = 8
"""Most content types that are named."""


class ReportOnly(str):
    """A sentence that the closing summary of a terminal leaves out: it has a table, or paragraphs, that say the same."""


def in_words(summary: Summary) -> list[str]:
    """The crawl in about five sentences, the most important first."""
    run = _of_run(summary, summary.run) if summary.run else ()
    whole = _of_crawl(summary) if summary.totals.pages else [_nothing_stored(summary.causes)]
    return [line for line in (*run, *whole) if line]


def beside_the_table(summary: Summary) -> list[str]:
    """Those of the sentences that the closing summary of a terminal has, too."""
    return [line for line in in_words(summary) if not isinstance(line, ReportOnly)]


def _of_run(summary: Summary, run: RunRow) -> Iterator[str]:
    ended = f"The run {'stopped' if run.reason else 'was broken off'}: {stop_words(run.reason, run.why)}."
    yield ReportOnly("The run is going on." if summary.running else ended)
    yield ReportOnly(_recrawl_sentence(summary, run) if is_recrawl(run) else _stored(summary, run))
    yield run_before_in_words(summary.before) if summary.before else ""
    yield errors_in_words(summary.errors, summary.settings)
    yield from (f"Drift: {alarm}." for alarm in run.drift)
    yield from (ReportOnly(f"Barren: {part}.") for part in run.barren)


def errors_in_words(errors: int, settings: Mapping[str, str] | None) -> str:
    """A sentence on the errors that were logged, as by a user's own pipeline; empty if there were none. `settings`: of
    the run; None if they are not known any more."""
    if not errors:
        return ""
    file = (settings or {}).get("LOG_FILE", "")
    there = f"{plural(errors, 'error is', 'errors are')} in the log"
    return f"{there}: {one_line(file)}" if file else f"{there}."


def _of_crawl(summary: Summary) -> Iterator[str]:
    """Sentences on a crawl that has stored pages; empty ones where there is nothing to say."""
    totals = summary.totals
    yield ReportOnly(_relevant(summary))
    if totals.gone:
        yield ReportOnly(
            f"{count(totals.gone)} more were stored and are gone since ({count(totals.gone_relevant)} relevant);"
            " curves count them, totals do not."
        )
    yield precision_in_words(summary.precision) if summary.precision else ""
    yield ReportOnly(_by_topic(summary))
    yield from map(_for_language, summary.passed_over)
    yield _by_search(summary.searches) if summary.searches else ""
    if summary.run and (failed := summary.run.stats.get("discover/failed_count")):
        yield f"Searches of the web that failed in this run: {failed}; its log says why."
    yield _trend(summary.curve)
    yield ReportOnly(sentence(summary.hindsight) if summary.hindsight else "")
    yield from map(ReportOnly, whether(summary.advice) if summary.advice else ())
    if totals.duplicates:
        yield ReportOnly(
            f"{plural(totals.duplicates, 'page')} {'repeats' if totals.duplicates == 1 else 'repeat'} others"
            f" ({count(totals.exact)} exactly); {plural(totals.distinct, 'relevant page')} without repeats."
        )
    yield ReportOnly(
        f"The pages come from {plural(totals.hosts_fetched, 'host')} of {count(totals.hosts)} known;"
        f" {plural(totals.waiting, 'URL')} still {'waits' if totals.waiting == 1 else 'wait'}."
    )
    yield _not_read(list(summary.refused_types.items()))


def _relevant(summary: Summary) -> str:
    totals = summary.totals
    return (
        f"{f'In all {summary.runs} runs, ' if summary.runs > 1 else ''}"
        f"{plural(totals.relevant, 'page')} of {count(totals.pages)} "
        f"{'is' if totals.relevant == 1 else 'are'} relevant: a harvest rate of {percent(totals.harvest_rate)}."
    )


def _not_read(refused: Sequence[tuple[str, int]]) -> str:
    """A sentence on the content types that are not read; empty if there was none."""
    named = ", ".join(f"{one_line(name)} ({count(number)})" for name, number in refused[:MOST_TYPES])
    return f"Not read because of the type: {named}{' and others' if len(refused) > MOST_TYPES else ''}." if named else ""


def _stored(summary: Summary, run: RunRow) -> str:
    return (
        f"It took {duration(summary.seconds)} and stored {plural(run.pages, 'page')} ({summary.pages_per_second:.1f} a second)."
    )


def _recrawl_sentence(summary: Summary, run: RunRow) -> str:
    figures = Figures.of(run.stats)
    return (
        f"In {duration(summary.seconds)} it revisited {plural(figures.visited, 'page')}"
        f" with {plural(figures.requests, 'request')}: {count(figures.changed)} changed, {count(figures.new)} new,"
        f" {count(figures.gone)} gone, {count(figures.unchanged)} the same." + _besides(figures) + _crossings(figures)
    )


def _besides(figures: Figures) -> str:
    """The end of a sentence that says what else became of visited pages, so that the numbers add up."""
    parts = (
        (figures.minor, "changed by a few words"), (figures.suspect, "may be gone"), (figures.absent, "still missing"),
        (figures.moved, "moved"), (figures.back, "back"), (figures.failed, "not reached"),
    )  # fmt: skip
    besides = ", ".join(f"{count(number)} {words}" for number, words in parts if number)
    return f" Besides: {besides}." if besides else ""


def _crossings(figures: Figures) -> str:
    """A sentence on pages that are there, but left the collection, or joined it; they count above, too."""
    if not figures.left and not figures.joined:
        return ""
    return f" Of known pages {count(figures.left)} left the collection, and {count(figures.joined)} joined it."


def _by_topic(summary: Summary) -> str:
    """A sentence on how much each topic brought; empty in a crawl of one topic."""
    if not summary.topics:
        return ""
    each = ", ".join(f"{row.name} {count(row.relevant)} ({percent(row.harvest_rate)})" for row in summary.topics)
    return f"By topic: {one_line(each)}; {plural(summary.shared, 'page')} for more than one."


def _for_language(passed: PassedOver) -> str:
    """A sentence on the pages in languages that a topic does not ask for, and on where it asks."""
    each, topic = ", ".join(f"{tag} {count(number)}" for tag, number in passed.pages.items()), f"topic {one_line(passed.topic)}"
    return (
        f"Passed over for their language: {plural(sum(passed.pages.values()), 'page')} ({each});"
        f" {topic if passed.topic else 'the topic'} asks for {', '.join(passed.asked)},"
        " and `languages` in its topic file can name more."
    )


def _by_search(searches: SearchTotals) -> str:
    """A sentence on what searches of the web brought."""
    return (
        f"Searches of the web: {count(searches.searches)}, which found {plural(searches.found, 'new URL', 'new URLs')};"
        f" {plural(searches.pages, 'page')} of these stored, {count(searches.relevant)} relevant."
    )


def _nothing_stored(causes: Sequence[CauseRow]) -> str:
    if not causes:
        return "No page was stored."
    why = cause(causes[0].cause)
    return f"No page was stored, mostly because {why.words}." + (f" Advice: {why.advice}." if why.advice else "")


def _trend(curve: Sequence[Point]) -> str:
    """A sentence on whether the crawl finds more or fewer relevant pages than at first."""
    if len(curve) < 3 or curve[-1].pages < 400:
        return ""
    last = curve[-1]
    before = next(point for point in curve if point.pages >= last.pages / 2)
    change = last.recent - before.rate
    if abs(change) < 0.05:
        word = "about as good as in the first half"
    else:
        word = "better than in the first half" if change > 0 else "poorer than in the first half"
    return f"Of the last 200 pages {percent(last.recent)} are relevant, {word} ({percent(before.rate)})."
