"""`scrapy frontier ls`, `stats`, `add`, `rm`, `hold` and `release`: the waiting URLs of a crawl and an operator's changes to
them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from focuscrawl.command_line.context import Context
from focuscrawl.command_line.crawls import chosen_crawl
from focuscrawl.command_line.option_values import host_of, refuse_missing_file, url_of
from focuscrawl.command_line.output import print_json, print_json_line, print_parts
from focuscrawl.command_line.steering import writable
from focuscrawl.config.input_file import decoded, read_text
from focuscrawl.config.seed_list import SCHEME, SeedList, seeds_of, seeds_of_text
from focuscrawl.errors import BadInput, few, in_shell, nearest
from focuscrawl.frontier.states import State
from focuscrawl.report.advice import advise_at_length, plain, sentences
from focuscrawl.report.frontier import stats_json, stats_parts, waiting_json, waiting_table
from focuscrawl.report.plain import count, one_line, plural
from focuscrawl.report.table import Table
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.listing import frontier_stats, waiting_counts
from focuscrawl.store.frontier.operator_changes import (
    Added,
    Removed,
    UrlPrefix,
    add,
    count_parts,
    held_hosts,
    hold,
    parts_of_host,
    parts_of_prefix,
    remove_parts,
    remove_urls,
)
from focuscrawl.store.frontier.waiting import WAITING, Kind, Stage, before_robots, waiting_urls
from focuscrawl.store.revisits.taking_out import TakenOut, count_pages, take_out_parts, take_out_urls
from focuscrawl.store.workers.control import WantedState, read_control
from focuscrawl.store.workers.status import store_now
from focuscrawl.url.readable import readable_host

# What waits -------------------------------------------------------------------------------------------------------------


def list_waiting(context: Context, options: argparse.Namespace) -> int:
    if options.state and options.state not in list(Kind):
        raise BadInput(f"--state {options.state!r} is not a state{nearest(options.state, list(Kind))}")
    host = host_of(options.host) if options.host else ""
    kinds = (Kind(options.state),) if options.state else WAITING
    crawl = chosen_crawl(context, options.name)
    with crawl.at_one_moment() as db:
        now = store_now(db)
        found = waiting_urls(db, now, options.limit, kinds, host)
        head = "" if options.json else _head(db, crawl.name, now)
    if options.json:
        for one in found:
            print_json_line(waiting_json(one, now))
        return 0
    first = [one for one in found if one.stage(now) is Stage.ROBOTS]
    others = [one for one in found if one.stage(now) is not Stage.ROBOTS]
    parts: list[str | Table] = [head]
    if others:
        parts.append(waiting_table(others, now))
    if first:
        parts.append(waiting_table(first, now, "First the robots.txt of their hosts"))
    if not found:
        parts.append("No URL is in that state." if options.state else "No URL waits.")
    print_parts(parts, context.language)
    return 0


def _head(db: Database, name: str, now: float) -> str:
    counts = waiting_counts(db)
    text = f"{one_line(name)}: {plural(counts[State.QUEUED], 'URL')} queued,"
    text += f" {count(counts[State.WAIT])} waiting for another try, {count(counts[State.LEASED])} leased"
    urls, hosts = before_robots(db, now)
    if urls:
        text += f"; robots.txt comes first on {plural(hosts, 'host')}, for {plural(urls, 'URL')}"
    wanted = read_control(db).state
    if wanted is not WantedState.RUN:
        text += f"; the crawl is {'paused' if wanted is WantedState.PAUSE else 'stopped'} by an operator"
    return text


def show_stats(context: Context, options: argparse.Namespace) -> int:
    crawl = chosen_crawl(context, options.name)
    with crawl.at_one_moment() as db:
        now, stats, advice = store_now(db), frontier_stats(db, options.limit), advise_at_length(db)
    if options.json:
        print_json({"crawl": crawl.name, **stats_json(stats), "advice": plain(advice)})
    else:
        print_parts([*stats_parts(stats, now, crawl.name), *sentences(advice)], context.language)
    return 0


# Adding and removing ----------------------------------------------------------------------------------------------------


def add_urls(context: Context, options: argparse.Namespace) -> int:
    _, crawl = context.language, crawl_named(context.crawls_dir, options.name)
    given = _read_urls(options.urls)
    for problem in few(given.problems):
        context.note(problem)
    if not given.urls:
        raise BadInput("none of these is a URL that can be added")
    with writable(crawl) as db:
        counts = add(db, given.urls, options.score, store_now(db))
    parts = [_(plural(len(given.urls), "URL")), _(", ").join(_(f"{count(number)} {what}") for what, number in counts.items())]
    then = _("; `scrapy recrawl {name}` revisits what is due", name=in_shell(crawl.name)) if Added.DUE in counts else ""
    print(_(": ").join(parts) + then)
    return 0


def remove(context: Context, options: argparse.Namespace) -> int:
    if not (options.urls or options.host or options.prefix):
        raise BadInput("say what to remove: URLs, --host HOST or --prefix URL")
    if options.dry_run and options.urls:
        raise BadInput("--dry-run counts what --host and --prefix would remove; leave out the URLs")
    _, crawl = context.language, crawl_named(context.crawls_dir, options.name)
    given = _read_urls(options.urls)
    if given.problems:
        raise BadInput(given.problems[0])
    keys = None
    if options.pages:
        from focuscrawl.config.options import read_options  # late: the other commands here need no setting

        keys = read_options(context.settings).dedup.keys
    with writable(crawl) as db:
        parts = _parts(db, options)
        if options.dry_run:
            pages = f"; to be taken out: {plural(count_pages(db, parts), 'page')}" if options.pages else ""
            print(_(f"to be removed: {_removed_words(count_parts(db, parts))}{pages}"))
            return 0
        clock = partial(store_now, db)
        now = clock()
        removed = remove_parts(db, parts, now)
        single = remove_urls(db, given.urls, now)
        out_single = take_out_urls(db, given.urls, clock, keys) if keys else TakenOut()
        out = take_out_parts(db, parts, clock, keys) if keys else TakenOut()
    ended = single.ended - out_single.urls
    total = Removed(removed.waiting + single.waiting, removed.leased + single.leased, single.unknown, ended)
    print(_(f"removed: {_removed_words(total)}{_taken_out_words(out, out_single) if options.pages else ''}"))
    return 0


def _parts(db: Database, options: argparse.Namespace) -> list[UrlPrefix]:
    """The parts of the web that --host and --prefix name, in the order in which rows are locked."""
    parts: set[UrlPrefix] = set()
    for host in options.host:
        parts |= set(found := parts_of_host(db, host_of(host)))
        if not found:
            raise BadInput(f"the crawl knows no host {host!r}")
    for prefix in options.prefix:
        parts |= set(found := parts_of_prefix(db, url_of(prefix), not SCHEME.match(prefix)))
        if not found:
            raise BadInput(f"the crawl knows no host of {prefix!r}")
    return sorted(parts, key=lambda part: (part.hid, part.path))


def _removed_words(removed: Removed) -> str:
    text = f"{plural(removed.waiting, 'waiting URL')}"
    text += f", {count(removed.leased)} that a worker had in hand" if removed.leased else ""
    text += f", {count(removed.unknown)} that the crawl had not found yet" if removed.unknown else ""
    if not removed.ended:
        return text
    stays = "stays as it is" if removed.ended == 1 else "stay as they are"
    return f"{text}; {plural(removed.ended, 'URL')} had ended before and {stays}"


def _taken_out_words(*taken: TakenOut) -> str:
    """The end of a sentence about removed URLs, which says how many pages have left the collection."""
    pages, promoted = sum(each.pages for each in taken), sum(each.promoted for each in taken)
    text = f"; taken out of the collection: {plural(pages, 'page')}"
    text += f", and copies from elsewhere replace {count(promoted)} of them" if promoted else ""
    return f"{text}; the WARC files stay as they are"


def _read_urls(given: Sequence[str]) -> SeedList:
    """The URLs in the arguments, which are URLs, files of URLs, or `-` for standard input. Raises BadInput for a file that
    cannot be read."""
    urls: dict[str, None] = {}
    problems: list[str] = []
    for each in given:
        found = _read(each)
        urls.update(dict.fromkeys(found.urls))
        problems += found.problems
    return SeedList(tuple(urls), tuple(problems))


def _read(each: str) -> SeedList:
    if each == "-":
        text = decoded(sys.stdin.buffer.read()) if sys.stdin else None
        if text is None:
            raise BadInput("standard input is not text; give UTF-8 or GB18030")
        return _some_urls(text, "standard input")
    if "://" not in each and _exists(each):
        return _some_urls(read_text(Path(each), "The file of URLs"), each)
    refuse_missing_file(each)
    return seeds_of([("the command line", each)])


def _some_urls(text: str, source: str) -> SeedList:
    found = seeds_of_text(text, source)
    if not found.urls and not found.problems:
        raise BadInput(f"{source} holds no URL; give one per line")
    return found


def _exists(path: str) -> bool:
    """Whether there is a file, or a folder, which is refused when it is read."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long, or with NUL
        return False


# Holding hosts ----------------------------------------------------------------------------------------------------------


def hold_hosts(context: Context, options: argparse.Namespace) -> int:
    return _set_held(context, options, held=True)


def release_hosts(context: Context, options: argparse.Namespace) -> int:
    return _set_held(context, options, held=False)


def _set_held(context: Context, options: argparse.Namespace, *, held: bool) -> int:
    _, crawl = context.language, crawl_named(context.crawls_dir, options.name)
    names = [host_of(each) for each in options.hosts]
    with writable(crawl) as db:
        for name in names:
            changed = hold(db, name, held)
            if held:
                waiting = sum(host.waiting for host in held_hosts(db) if host.name == name)
                word = "is held" if changed else "was already held"
                text = f"{readable_host(name)} {word}: no requests are sent to it; waiting there: {waiting:,}"
            else:
                text = f"{readable_host(name)} {'is released' if changed else 'was not held'}"
            print(_(text))
    return 0
