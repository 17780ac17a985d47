"""The whole loop through HTTP, as cron runs it: crawl a living web, look again after days, hear what has changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from synthweb.changes import Difference
from synthweb.life import DAY
from tests.recrawl.living import FIRST, LivingCrawl, Ran, living_web
from tests.recrawl.tally import Judge, Pages, Tally
from tools.eval.recrawl_web import rounds

pytestmark = [pytest.mark.slow, pytest.mark.system]
PAGES = 320
OUTAGE = 28
"""A day on which both hosts that are sometimes down are."""
Rows = dict[str, Any]


@dataclass
class Step:
    """One run of `scrapy recrawl`."""

    before: Pages
    links: Rows
    """Of stored pages, as the store keeps them."""
    ran: Ran
    told: dict[str, Any]
    """`scrapy changes --json`, what is irrelevant too."""
    after: Pages
    links_after: Rows
    gone: Rows
    """State of each stored page (`recrawl.gone.Gone`) after the run."""
    orphans: list[tuple[str, str]]
    """Live pages that are taken for copies of pages that are gone, with these."""
    truth: dict[str, Difference]
    """What became of the pages that were stored before the run, since they were last read."""


@dataclass
class Story:
    judge: Judge
    steps: dict[int, Step] = field(default_factory=dict)
    """By day."""
    due: Tally = field(default_factory=Tally)
    """Of a crawl that looks at what is due after ten days …"""
    everything: Tally = field(default_factory=Tally)
    """… and of one that looks at everything then."""

    def role(self, url: str) -> str:
        """The profile of a URL's host with validators."""
        host = self.judge.web.host_of(url)
        assert host is not None
        return host.role.validation


def step(crawl: LivingCrawl, judge: Judge, day: float, *options: str) -> Step:
    crawl.at(FIRST + day * DAY)
    before, links = crawl.pages(), stored_links(crawl)
    ran = crawl.recrawl(*options)
    assert ran.code == 0, ran.err[-2000:]
    gone = dict(crawl.rows("select url, gone from page where status=200"))
    orphans = crawl.rows("select p.url, o.url from page p join page o on o.page_id=p.original where p.gone<2 and o.gone>=2")
    found = {url: judge.difference(url, read, crawl.times[-1]) for url, (read, _) in before.items()}
    truth = {url: difference for url, difference in found.items() if difference}
    return Step(before, links, ran, crawl.changes("--all"), crawl.pages(), stored_links(crawl), gone, orphans, truth)


def stored_links(crawl: LivingCrawl) -> Rows:
    return dict(crawl.rows("select url, links from page join body on body.page_id=page.page_id"))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("living")
    with living_web(PAGES) as web:
        judge = Judge(web.web)
        told = Story(judge)
        crawl = LivingCrawl(web, made(folder / "cron"))
        crawl.at(FIRST)
        ran = crawl.crawl()
        assert ran.code == 0, ran.err[-2000:]
        due, everything = crawl.copy(folder / "due"), crawl.copy(folder / "everything")
        told.due = rounds(due, judge, (), 1, 10.0)
        told.everything = rounds(everything, judge, ("--all",), 1, 10.0)
        for day in (7, 9, 13, OUTAGE):
            told.steps[day] = step(crawl, judge, day, *(("--all",) if day in (7, OUTAGE) else ()))
        yield told


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def listed(step: Step, *lists: str) -> set[str]:
    return {change["url"] for name in lists for change in step.told[name]}


def test_changes_lists_exactly_what_has_changed(story: Story) -> None:
    """Of all pages but those of the host that answers 304 to everybody."""
    day = story.steps[7]
    changed = {url for url, difference in day.truth.items() if difference.changed and not difference.fate}
    expected = {url for url in changed if story.role(url) != "stuck"}
    told = {change["url"]: change for change in day.told["changed"] if change["words_added"] or change["words_gone"]}
    articles = {url for url in told if url in day.truth and day.truth[url].kind == "article"}
    assert len(expected) >= 20
    assert articles == expected, [told.get(url, url) for url in articles ^ expected]


def test_changes_lists_exactly_what_is_gone_and_moved(story: Story) -> None:
    day = story.steps[7]
    gone = {url for url, difference in day.truth.items() if difference.fate == "gone"}
    moved = {url for url, difference in day.truth.items() if difference.fate == "moved"}
    for_good = {url for url in moved if story.judge.web.label(url, FIRST + 7 * DAY).status == 301}
    assert gone
    assert for_good
    assert listed(day, "suspect") == gone
    assert {change["url"]: change["moved_to"] for change in day.told["gone"]} == {url: day.truth[url].home for url in for_good}
    assert {day.truth[url].home for url in for_good} <= set(day.after)


def test_no_page_is_hidden_behind_one_that_is_gone(story: Story) -> None:
    """The new home of a page has the same text, and may be found before it is known that the old one has moved."""
    assert [step.orphans for step in story.steps.values()] == [[]] * len(story.steps)


def test_new_pages_are_found(story: Story) -> None:
    day = story.steps[7]
    newcomers = story.judge.newcomers(FIRST, FIRST + 7 * DAY)
    stored = set(day.after) - set(day.before)
    assert len(newcomers & stored) >= 0.6 * len(newcomers) > 0
    assert listed(day, "new") <= set(day.after)


def test_a_304_keeps_the_links_and_resets_the_age(story: Story) -> None:
    day = story.steps[7]
    suffix = story.judge.web.facts.suffix
    unmodified = {f"http://{access.host}{suffix}{access.path}" for access in day.ran.asked if access.status == 304}
    unmodified &= set(day.before)
    assert len(unmodified) >= 40
    for url in unmodified:
        assert day.after[url] == (FIRST, FIRST + 7 * DAY), "read then, looked at now"
        assert day.links_after[url] == day.links[url]


def test_a_page_that_vanished_is_suspect_first_and_gone_when_that_is_confirmed(story: Story) -> None:
    """A 410 on the next visit, a 404 at the third over three days and more."""
    web, seen = story.judge.web, set()
    for url, difference in story.steps[7].truth.items():
        if difference.fate == "gone":
            status = web.label(url, FIRST + 7 * DAY).status
            seen.add(status)
            states = [story.steps[day].gone[url] for day in (7, 9, 13)]
            assert states == ([1, 2, 2] if status == 410 else [1, 1, 2]), (url, status)
    assert seen >= {404, 410}


def test_a_host_that_is_down_loses_nothing(story: Story) -> None:
    day, web = story.steps[OUTAGE], story.judge.web
    down = {host.name for host in web.hosts if web.living and web.living.life.down(host, FIRST + OUTAGE * DAY)}
    assert len(down) == 2
    pages = {url for url in day.before if urlsplit(url).hostname in down}
    assert len(pages) >= 20
    assert {day.gone[url] for url in pages} == {0}
    assert pages <= set(day.after)
    assert not pages & listed(day, "gone", "suspect", "changed", "new")


def test_what_is_due_costs_less_and_keeps_the_topic_fresh(story: Story) -> None:
    everything, due = story.everything, story.due
    assert due.requests <= 0.5 * everything.requests
    assert due.bytes <= 0.6 * everything.bytes
    gained, all_of_it = due.fresh_relevant - due.stale_relevant, everything.fresh_relevant - everything.stale_relevant
    assert gained >= 0.6 * all_of_it


@pytest.mark.parametrize("kind", ["rewritten", "paragraph", "title", "sentence"])
def test_changes_of_every_class_are_seen(story: Story, kind: str) -> None:
    """All but those that a 304 of the lying host hides."""
    tally = story.everything
    assert tally.visited[kind] >= 5
    assert set(tally.missed) == {"stuck, 304"}
    assert tally.found.total() == tally.visited.total() - tally.missed.total()


def test_noise_is_no_change(story: Story) -> None:
    assert story.everything.false <= 2
    assert story.due.false <= 2
    assert story.everything.false_gone == story.due.false_gone == 0


def test_bodies_are_not_read_for_nothing(story: Story) -> None:
    assert story.everything.unread >= 0.25 * story.everything.requests
