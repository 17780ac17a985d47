"""`scrapy export NAME`: writes the pages of a crawl for other programs."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.command_line.option_values import share, whole_number
from focuscrawl.errors import BadInput, in_shell

if TYPE_CHECKING:
    from focuscrawl.command_line.exporting import Since
    from focuscrawl.export.job import Written
    from focuscrawl.export.selection import Filters, Selection
    from focuscrawl.report.translation import Language
    from focuscrawl.store.crawls import Crawl
    from focuscrawl.store.engines.database import Database

FORMATS = "jsonl|csv|parquet|markdown|wacz|bulk|dataset"


class Command(ProjectCommand):
    """Exit codes: 0 all written (or the reader of the output has ended), 1 writing failed, 2 bad input."""

    summary = "Write the pages of a crawl for other programs: tables, Markdown, a data set, a web archive"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("name", metavar="NAME", help="the crawl")
        add("--format", default="", metavar=FORMATS, help="(default: by the extension of FILE, else jsonl)")
        add("-o", "--output", default="-", metavar="FILE", help="file, folder or s3:// URL (default: standard output); "
            ".gz and .zst compress")  # fmt: skip
        add(
            "--columns",
            default="",
            metavar="NAMES",
            help="columns in this order, separated by commas; id and markdown only if named",
        )
        add("--topic", default="", metavar="TOPIC", help="pages for this topic, in a crawl of several topics")
        add("--all", action="store_true", help="every page stored with status 200, also lists of links and duplicates")
        add("--kind", default="", metavar="KIND", help="content, index or any (default: content)")
        add("--language", default="", metavar="TAGS", help="such as en or zh-Hant; zh is both kinds of Chinese")
        add("--host", default="", metavar="HOSTS", help="pages of these hosts and of hosts below them")
        add(
            "--licence",
            default="",
            metavar="NAMES",
            help="pages that state one of these licences, such as CC-BY; any: any licence",
        )
        add("--min-words", type=whole_number(0), default=0, metavar="N", help="pages with a main text of N words or more")
        add("--min-relevance", type=share, default=0.0, metavar="R", help="pages with a relevance of R or more, 0 to 1")
        add("--min-quality", type=share, default=0.0, metavar="Q", help="pages with a quality of Q or more, 0 to 1")
        add("--no-reserved", action="store_true", help="leave out pages that reserve rights against machines")
        add(
            "--since",
            default="",
            metavar="last|DATE",
            help="what is new, changed and gone since then; last: since the last such export",
        )
        add("--shard-size", default="", metavar="SIZE", help="start a new file after this many bytes, such as 500MB")
        add("--bom", action="store_true", help="of csv: begin with a byte order mark, for Excel")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.exporting import as_typed, filters_of, origin_of, since_of, size_of
        from focuscrawl.config.arguments import split_list
        from focuscrawl.export.job import ExportJob, checked_format, run
        from focuscrawl.export.rows import columns_named
        from focuscrawl.export.since import settled_until
        from focuscrawl.store.crawls import crawl_named
        from focuscrawl.store.pages.stored import count_unread
        from focuscrawl.store.pages.verdicts import check_topic

        form = checked_format(options.format, options.output)
        if form == "parquet" and options.output == "-" and sys.stdout.isatty():
            raise BadInput("Parquet is not text for a terminal; name a file with -o FILE")
        columns = columns_named(split_list(options.columns)) if options.columns else ()
        filters, shard_bytes = filters_of(options), size_of(options.shard_size)
        crawl = crawl_named(self.context.crawls_dir, options.name)
        with closing(crawl.open()) as db:
            if options.topic:
                check_topic(db, options.topic)
            since, until = since_of(options.since, db), settled_until(db)
            selection = _selection(db, options, filters, since, until)
            job = ExportJob(
                form, options.output, crawl.name, crawl.directory / "warc", columns, with_change=since is not None,
                shard_bytes=shard_bytes, bom=options.bom, origin=lambda: origin_of(db, crawl),
                conditions=as_typed(options),
            )  # fmt: skip
            written, unread = run(job, selection), count_unread(db)
        if since:
            _remember(crawl, options, since, until)
        _print_result(crawl, options, written, selection, since, self.context.language)
        _print_hints(crawl, options, unread, self.context.language)
        return 0


def _selection(db: Database, options: argparse.Namespace, filters: Filters, since: Since | None, until: float) -> Selection:
    from focuscrawl.command_line.exporting import CHOOSING, as_typed
    from focuscrawl.export.selection import Selection

    if since is None:
        return Selection(db, filters, everything=options.all, topic=options.topic, until=until)
    anew = since.had is not None and since.chosen != as_typed(options, CHOOSING)
    return Selection(
        db, filters, everything=options.all, topic=options.topic, since=since.at, until=until, had=since.had,
        waiting=since.waiting, anew=anew,
    )  # fmt: skip


def _remember(crawl: Crawl, options: argparse.Namespace, since: Since, until: float) -> None:
    """Set the mark from which the next export goes on."""
    from focuscrawl.command_line.exporting import CHOOSING, as_typed
    from focuscrawl.command_line.steering import writable
    from focuscrawl.export.since import set_last_export
    from focuscrawl.store.frontier.operator_changes import change

    had, waiting = since.had, since.waiting
    if had is None or waiting is None:
        return
    with writable(crawl) as db:
        change(db, set_last_export, since.label, until, had, waiting, as_typed(options, CHOOSING))


def _print_result(
    crawl: Crawl, options: argparse.Namespace, written: Written, selection: Selection, since: Since | None, _: Language
) -> None:
    """Report what was written, and what was left out for which reason."""
    from focuscrawl.command_line.output import note
    from focuscrawl.export.selection import REASONS
    from focuscrawl.report.plain import count, plural

    what = plural(written.count, "page" if options.all or since else "relevant page")
    if since:
        found = ", ".join(f"{count(written.changes[name])} {name}" for name in ("new", "changed", "gone"))
        note(_(f"{what} of {crawl.name}: {found}"))
    else:
        note(_(f"{what} of {crawl.name}"))
    left_out = [(REASONS.get(name, f"by {name}"), number) for name, number in selection.left_out.most_common()]
    if left_out:
        default = _(" (lists of links; --kind any keeps them)") if not options.kind else ""
        parts = [_(f"{count(number)} {reason}") + (default if reason == "by --kind" else "") for reason, number in left_out]
        of = _("left out of what has changed") if since else _("left out")
        note(of + _(": ") + _(", ").join(parts) + ("" if options.all else _("; --all writes every page")))
    if not written.count:
        nothing = [] if left_out else ["nothing has changed since then" if since else "no page is stored yet"]
        if why := nothing or selection.nearest.in_words():
            note(_(f"no page was written: {'; '.join(why)}"))
    if written.missing:
        note(_(f"{plural(written.missing, 'page')} left out: not whole in {crawl.directory / 'warc'} ({written.problem})"))


def _print_hints(crawl: Crawl, options: argparse.Namespace, unread: int, _: Language) -> None:
    """Say what the user may have wanted otherwise."""
    from focuscrawl.command_line.output import note
    from focuscrawl.export.job import unknown_ending
    from focuscrawl.report.plain import plural

    if not options.format and (ending := unknown_ending(options.output)):
        note(_(f"{ending} names no format, so JSON lines were written; --format names another"))
    if unread:
        left = f"{plural(unread, 'page')} of {crawl.name} not read whole yet"
        note(_(f"{left}: `scrapy extract {in_shell(crawl.name)} --missing` does that"))
