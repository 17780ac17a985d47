"""The fault plan: 102 things that go wrong with crawlers, and the tests that show what becomes of each.

A test whose name begins with the numbers of faults (`test_f17_…`, `test_f49_f50_…`) is found by its name; others, which were
there before or show more than one thing, are named here: a file, or a test of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
NUMBERED = re.compile(r"^def (test_((?:f\d+_)+)\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fault:
    """`what` happens, and what is to become of it. `shown_by`: test files, or tests of them, below tests/."""

    number: int
    what: str
    shown_by: tuple[str, ...] = ()
    remark: str = ""
    """What was not shown, or is measured elsewhere."""


def fault(number: int, what: str, *shown_by: str, remark: str = "") -> Fault:
    return Fault(number, what, shown_by, remark)


GROUPS: dict[str, tuple[Fault, ...]] = {
    "Process and storage": (
        fault(
            1,
            "kill -9 again and again: nothing lost, nothing stored twice",
            "crash/test_kill.py",
            remark="200 kills: [crash.md](crash.md#the-long-run)",
        ),
        fault(2, "kill -9 at every edge of a commit: the page is stored completely or not at all", "crash/test_edges.py"),
        fault(
            3,
            "kill -9 while an archive is written: the next start cuts it back",
            "crash/test_edges.py",
            "store/warc/test_recovery.py",
        ),
        fault(4, "SIGTERM, Ctrl-C: a clean end within 10 s", "crash/test_signals.py"),
        fault(
            5,
            "a second signal: an end at once, with no more loss than a kill",
            "crash/test_signals.py::test_a_second_signal_ends_at_once_and_costs_no_more_than_a_kill",
            "crash/test_signals.py::test_a_second_signal_does_not_wait_for_servers_that_hang",
        ),
        fault(
            6,
            "power loss, torn sectors: the last commits may be lost, nothing else",
            remark="SQLite's log with its unsynced part kept, zeroed or torn; 8 adds an ext4 that is repaired. "
            "PostgreSQL's own log is PostgreSQL's to keep: it is killed by `crash/test_database.py`",
        ),
        fault(
            7,
            "disk full: fetching pauses and goes on",
            "crash/test_storage.py",
            "store/warc/test_file.py::test_a_full_disk_leaves_no_partial_record",
            "store/warc/test_file.py::test_a_disk_full_from_the_start_leaves_no_file",
        ),
        fault(8, "no inodes; a disk turned read-only: fetching pauses and goes on"),
        fault(
            9,
            "database locked by others: the crawl waits",
            "crash/test_storage.py::test_a_database_that_others_lock_is_waited_for",
            "crash/test_database.py::test_tables_that_others_lock_are_waited_for",
        ),
        fault(
            10,
            "damaged database: refused, with the way to repair it",
            "crash/test_limits.py::test_a_damaged_database_is_refused_in_one_sentence",
            "commands/test_doctor.py::test_a_damaged_store_says_how_it_is_repaired",
        ),
        fault(
            11,
            "two processes on one crawl: they share it; a recrawl and a crawl exclude each other",
            "crash/test_sharing.py",
            "crash/test_starting.py",
            "store/test_recrawl_alone.py",
        ),
        fault(12, "a store of another version: refused, left as it is"),
        fault(
            13,
            "clocks that jump: no storm, no freeze",
            "crash/test_clock.py",
            "store/test_clock.py",
            remark="jumps of days, forward and back; a leap second is smaller than these",
        ),
        fault(14, "a memory cap of 512 MiB: waiting URLs lie on disk", remark="a million waiting URLs: [scale.md](scale.md)"),
        fault(15, "256 file descriptors are enough", "crash/test_limits.py::test_256_file_descriptors_are_enough"),
        fault(
            16,
            "an exception on one page: set aside, the crawl goes on",
            "crash/test_poison.py",
            "scrapy_side/test_scheduler.py",
        ),
        fault(
            17,
            "a model file that is missing, cut, of another version, a pickle: refused",
            "models/topic/test_json_file.py",
            "crawl_process/test_pretrained_topic.py",
        ),
        fault(
            18,
            "nobody reads the log: nothing breaks",
            "crash/test_limits.py::test_a_log_that_nobody_reads_any_more_stops_nothing",
            "commands/test_log_pipe.py",
        ),
        fault(
            19,
            "a million URLs: memory does not grow",
            "text/test_segment.py::test_a_remembering_segmenter_keeps_no_long_texts_and_few_others",
            "frontier/test_url_cache.py",
            "recrawl/test_sitemap.py::test_at_most_so_many",
            remark="the run itself: [scale.md](scale.md)",
        ),
        fault(
            20,
            "a worker that hangs and comes back late commits nothing",
            "crash/test_late.py",
            "crash/test_machines.py",
            "crash/test_database.py::test_who_is_cut_off_for_too_long_is_dead_for_the_others_and_learns_it",
        ),
    ),
    "DNS and addresses": (
        fault(
            21,
            "no such host: remembered and reported, nothing assumed",
            "politeness/test_dns.py::test_nxdomain_is_remembered_shorter",
            "crawl/test_hosts.py::test_a_host_without_an_address",
        ),
        fault(
            22,
            "name servers that fail or are silent: other hosts are still fetched",
            "politeness/test_dns.py::test_failover_and_rotation",
        ),
        fault(23, "a TTL of 0, a TTL of a week: clamped", "politeness/test_dns.py::test_ttl_is_clamped"),
        fault(
            24,
            "an IP address that changes: the new one is used after expiry",
            "politeness/test_dns.py::test_an_address_that_changed_is_used_after_expiry",
        ),
        fault(
            25,
            "many hosts on one IP address: one pace for all",
            "crawl/test_politeness.py::test_hosts_at_one_address_share_its_delay",
            "crawl/test_politeness_shared.py::test_addresses_keep_their_delay",
            "store/test_address_pace.py",
        ),
        fault(26, "twenty IP addresses, some dead: the next one is tried"),
        fault(27, "IPv6 only; IPv6 broken: both work"),
        fault(
            28,
            "odd host names: normalized or refused",
            "url/test_authority.py",
            "politeness/test_dns.py::test_alias_loops_and_endless_chains_end",
            "politeness/test_dns.py::test_names_that_are_none_are_never_asked",
        ),
        fault(
            29,
            "DNS rebinding: only the checked IP address is connected to",
            "scrapy_side/test_resolver.py::test_the_resolver_alone_opens_no_socket_either",
        ),
        fault(
            30,
            "every form of an inner IP address, by every way: no socket is opened",
            "politeness/test_ip_literals.py",
            "politeness/test_guard.py",
            "scrapy_side/test_resolver.py::test_a_crawl_opens_no_socket_to_guarded_addresses",
        ),
        fault(
            31,
            "public and private IP addresses in one answer: only the public ones are used",
            "scrapy_side/test_resolver.py::test_of_mixed_answers_only_the_public_part_is_used",
        ),
    ),
    "Connections and TLS": (
        fault(32, "connections refused, or reset in handshake or body: retried and named"),
        fault(
            33,
            "answers that never come or trickle: ended by a time limit",
            "crawl/test_broken_bodies.py::test_an_endless_answer_that_takes_its_time_is_kept_when_it_is_over",
        ),
        fault(34, "a black hole: ended by a time limit, the host waits"),
        fault(35, "a hundred slow hosts: the fast ones are still fetched"),
        fault(
            36,
            "bad certificates: noted or refused, by policy",
            "crawl/test_hosts.py::test_the_verdict_on_a_certificate_is_kept",
            "crawl/test_hosts.py::test_a_strict_crawl_reads_only_where_the_certificate_is_good",
            remark="not shown: SHA-1 and TLS 1.0, because OpenSSL's own settings decide on them first",
        ),
        fault(37, "a kept connection that ends while we send: one silent retry"),
        fault(38, "two answers to one request: the second is dropped"),
        fault(39, "HTTP/1.0, no reason phrase, bare line feeds: accepted"),
        fault(40, "http on the https port and the other way round: no hang"),
    ),
    "HTTP": (
        fault(
            41,
            "Retry-After of every kind: obeyed, up to a limit",
            "politeness/test_retry_after.py",
            "politeness/test_pace.py::test_retry_after",
            "crawl/test_politeness.py::test_retry_after_is_kept_by_the_whole_host",
        ),
        fault(
            42,
            "408, 5xx: retried, then given up; the stored page stays",
            "crawl/test_answers.py::test_server_errors_are_tried_again_and_then_given_up",
            "store/revisits/test_revisit.py::test_a_host_that_is_down_is_not_gone",
        ),
        fault(
            43,
            "404, 410: gone, confirmed at revisits",
            "recrawl/test_gone.py",
            "store/revisits/test_revisit.py::test_a_404_is_listed_at_once_and_confirmed_at_the_third_visit",
        ),
        fault(
            44,
            "401, 403, 407, 451: no retry",
            "crawl/test_answers.py::test_statuses",
            remark="407 is in 50; a host that always answers 403 is not slowed beyond the delay that its answer times give",
        ),
        fault(
            45,
            "soft 404: recognized",
            "crawl/test_broken_bodies.py::test_a_soft_404_is_known_in_a_first_crawl",
            "recrawl/test_soft404.py",
        ),
        fault(46, "redirects in circles, chains, counters: ended and reported", "crawl/test_answers.py::test_redirects"),
        fault(
            47,
            "redirects to other schemes, ports, inner hosts, nowhere: refused and named",
            "crawl/test_answers.py::test_a_redirect_inwards_is_refused_by_the_guard",
        ),
        fault(48, "a site that moves to https: stored once"),
        fault(
            49,
            "an unasked 304, validators that change: never believed",
            "scrapy_side/test_responses.py::test_304_counts_only_when_it_was_asked_for",
            "recrawl/test_validators.py",
            "middlewares/test_conditional_fetch.py",
        ),
        fault(
            50,
            "odd statuses, a flood of early hints: named or read past",
            "crawl/test_answers.py::test_a_status_of_five_digits_is_no_answer",
        ),
        fault(
            51,
            "HEAD that lies: none is sent; headers of a GET are believed only if they proved right",
            "middlewares/test_conditional_fetch.py",
            "recrawl/test_validators.py::test_hosts_are_trusted_until_they_lie",
        ),
        fault(52, "lengths that lie: the page is complete, or marked as cut", "crawl/test_broken_bodies.py"),
        fault(53, "chunks that break off: the page is complete, or marked as cut", "crawl/test_broken_bodies.py"),
        fault(
            54,
            "compression bombs of every coding: stopped at the limit",
            "text/test_coding.py",
            "middlewares/test_body.py::test_long_bodies_and_bombs",
            "crawl/test_broken_bodies.py::test_what_is_no_page",
        ),
        fault(55, "codings cut, wrong, unknown", "text/test_coding.py", "crawl/test_broken_bodies.py"),
        fault(
            56,
            "endless bodies: the beginning is kept",
            "crawl/test_broken_bodies.py::test_of_an_endless_answer_the_beginning_is_kept",
        ),
        fault(57, "headers without end: a named error", "scrapy_side/test_header_limit.py"),
        fault(58, "cookies: never sent", "crawl/test_secrets.py"),
        fault(
            59, "types that lie: the first bytes decide", "text/test_sniff.py", "crawl/test_answers.py::test_what_is_no_page"
        ),
        fault(60, "file names that climb: ignored"),
        fault(
            61,
            "a host down for six hours: 20 requests at most, nothing lost",
            "politeness/test_pace.py::test_a_host_down_for_six_hours_sees_at_most_20_requests",
        ),
        fault(
            62,
            "the network down: nothing lost",
            remark="tested as an outage of every host; there are enough tries to outlast it",
        ),
        fault(
            63,
            "pages with a clock or counter that differs each time: their revisit period stays",
            "recrawl/test_page_signature.py",
            "recrawl/test_cron.py",
        ),
    ),
    "robots.txt": (
        fault(
            64,
            "RFC 9309 to the letter",
            "politeness/test_robots.py",
            "politeness/test_robots_state.py::test_status",
            "crawl/test_politeness.py",
        ),
        fault(
            65,
            "503 for an hour, for 30 days",
            "politeness/test_robots_state.py::test_503_for_an_hour_then_rules",
            "politeness/test_robots_state.py::test_after_thirty_days_the_old_rules_or_none_hold",
        ),
        fault(
            66,
            "hostile files: read in bounded time",
            "politeness/test_robots.py::test_hostile_files_take_no_time",
            "crawl/test_broken_robots.py",
        ),
        fault(
            67,
            "rules that change: waiting URLs that they forbid are denied",
            "crawl/test_broken_robots.py::test_the_last_good_rules_go_on",
        ),
        fault(
            68,
            "Crawl-delay of every kind: clamped",
            "politeness/test_pace.py::test_crawl_delay_is_clamped",
            "crawl/test_politeness.py::test_crawl_delay_is_kept",
        ),
        fault(
            69,
            "sitemaps with loops, bombs, other hosts: limited",
            "recrawl/test_sitemap.py",
            "crawl_process/test_sources.py",
            "crawl/test_sitemaps_and_feeds.py::test_no_other_site",
        ),
        fault(
            70,
            "noindex and nofollow by every way: the strictest counts",
            "politeness/test_meta_robots.py",
            "crawl/test_politeness.py::test_robots_tags",
        ),
    ),
    "URLs and traps": (
        fault(
            71,
            "calendars, facets, paths that repeat or grow: a bounded share of the requests",
            "url/test_traps.py",
            "frontier/test_yields.py",
        ),
        fault(
            72,
            "sessions in path and query: one page is stored",
            "url/test_normalize.py::test_tracking_and_sessions_leave_the_query",
            "url/test_normalize.py::test_sessions_leave_the_path",
        ),
        fault(
            73, "one page at many URLs: stored once, or known as a duplicate", "url/test_normalize.py", "dedup/test_confirm.py"
        ),
        fault(
            74,
            "URLs of a megabyte: refused, the page is still read",
            "url/test_filters.py",
            "url/test_normalize.py::test_long_addresses_are_normalized_up_to_a_cap",
        ),
        fault(
            75,
            "URLs of odd bytes: normalized or refused",
            "url/test_normalize.py",
            "middlewares/test_guard.py::test_header_injection",
        ),
        fault(76, "other schemes: ignored, counted", "links/test_extract.py::test_other_schemes_are_ignored_and_counted"),
        fault(77, "seed files of every kind: bad lines are named by number", "config/test_topic_file.py"),
        fault(
            78,
            "farms that imitate the topic",
            "crawl_process/test_drift.py",
            "models/page/test_page_regression.py::test_pages_without_a_topic_word_are_never_relevant",
            remark="a drift is named; the table of traps measures the share of requests that a farm gets",
        ),
        fault(
            79,
            "links that do something, forms: never followed, never sent",
            "url/test_filters.py::test_actions_are_refused",
            "middlewares/test_guard.py::test_only_questions_without_a_proxy",
        ),
    ),
    "Contents": (
        fault(80, "charsets right, wrong, missing, contradictory", "text/test_decode.py"),
        fault(81, "NUL, controls, bad bytes", "text/test_decode.py"),
        fault(
            82,
            "pages made to hang parsers: read in another process, with limits",
            "text/test_complexity.py",
            "reading/test_worker.py",
            "reading/test_page.py::test_hostile_pages_do_not_stall_the_loop",
        ),
        fault(
            83,
            "text that a parser drops silently: still read",
            "reading/test_page.py::test_nothing_deep_is_lost",
            "text/test_complexity.py::test_neither_deep_text_nor_deep_links_are_lost",
        ),
        fault(84, "pages without words: stored, with the reason", "reading/test_page.py::test_pages_without_words_say_why"),
        fault(
            85,
            "titles of a megabyte, with markup, overrides, formulas",
            "text/test_clean.py",
            "text/test_head.py::test_titles_are_cut_and_cleaned",
            "dashboard/test_browser.py::test_hostile_titles_are_text",
        ),
        fault(
            86,
            "ten megabytes without a space: linear time",
            "dedup/test_linear_time.py",
            "recrawl/test_page_signature.py::test_time_is_linear",
            "text/test_complexity.py",
        ),
        fault(
            87,
            "near-duplicates and mirrors: confirmed by comparing the texts",
            "dedup/test_confirm.py",
            "store/test_commit.py::test_equal_simhash_alone_makes_no_duplicate",
        ),
        fault(
            88,
            "a million equal fingerprints: bounded time",
            "dedup/test_methods.py::test_pages_with_one_simhash_are_all_kept_and_looked_up_in_bounded_time",
        ),
        fault(
            89,
            "only a clock changes: no change",
            "recrawl/test_page_signature.py",
            "recrawl/test_cron.py::test_noise_is_no_change",
        ),
        fault(
            90,
            "pages that would teach another topic",
            "models/page/test_assessment.py",
            "crawl_process/test_drift.py",
            remark="a learned page model may add to the topic's own words, but never outvotes them",
        ),
        fault(
            91,
            "feeds, JSON, archives at page URLs",
            "reading/documents/test_formats.py",
            "reading/documents/test_broken.py",
        ),
        fault(92, "a canonical link to another host: a hint only"),
    ),
    "Operation and interfaces": (
        fault(
            93,
            "a second recrawl meanwhile: exit code 75",
            "commands/test_recrawl.py::test_nobody_begins_beside_a_recrawl_and_it_begins_beside_nobody",
        ),
        fault(
            94,
            "hostile jobs on Scrapyd: refused",
            "scrapyd/test_scrapyd.py::test_hostile_jobs_are_refused",
            "config/test_scrapyd_policy.py",
        ),
        fault(
            95,
            "hostile requests to the dashboard: refused",
            "dashboard/test_security.py",
            "dashboard/test_browser.py::test_another_sites_page_changes_nothing",
        ),
        fault(
            96,
            "a dashboard over many URLs with markup: no script runs, no wait",
            "dashboard/test_browser.py::test_hostile_titles_are_text",
            "dashboard/test_cache.py",
            remark="with a million URLs: [dashboard](guides/dashboard.md#what-it-costs-a-crawl)",
        ),
        fault(97, "exports with formulas, line ends, NUL: safe cells", "export/test_tables.py"),
        fault(98, "pause, resume, add, remove while running: within 5 s", "crash/test_operators.py", "store/test_control.py"),
        fault(
            99,
            "settings that cannot be: refused by name",
            "crawl/test_bad_input.py",
            "config/test_options.py::test_what_cannot_be_used",
        ),
        fault(100, "odd surroundings: locale, time zone, no home, a log that moves"),
        fault(101, "secrets in seeds: never sent, never written", "crawl/test_secrets.py", "scrapy_side/test_secrets.py"),
        fault(
            102,
            "another program version: a clear refusal",
            "commands/test_doctor.py::test_packages_that_are_missing_or_of_another_version",
        ),
    ),
}
PLAN = {each.number: each for faults in GROUPS.values() for each in faults}


def nodes_of(number: int) -> list[str]:
    """Node ids of what shows a fault: files, or functions of them."""
    return [*(f"tests/{each}" for each in PLAN[number].shown_by), *numbered().get(number, [])]


@cache
def numbered() -> dict[int, list[str]]:
    """Tests that say a number by their name."""
    found: dict[int, list[str]] = {}
    for path in sorted([*(ROOT / "tests/faults").glob("test_*.py"), *(ROOT / "tests/crash").glob("test_*.py")]):
        for name, numbers in NUMBERED.findall(path.read_text(encoding="utf-8")):
            for number in re.findall(r"\d+", numbers):
                found.setdefault(int(number), []).append(f"{path.relative_to(ROOT)}::{name}")
    return found
