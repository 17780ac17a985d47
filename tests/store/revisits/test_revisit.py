"""Pages fetched again: what the commit compares, logs and plans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import FEED, SITEMAP, SOFT404_PROBE, Duplicate, Link, PageSignature, SourceEntry, Verdict
from focuscrawl.recrawl.gone import Gone, state_of
from focuscrawl.recrawl.page_signature import REWRITTEN, signature_of
from focuscrawl.recrawl.state import DAY, DIGEST, NUMBERS, RUNS, RevisitRecord
from focuscrawl.store.commit import Commit
from focuscrawl.store.commit import commit as commit_change
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.operator_changes import add
from focuscrawl.store.frontier.searches import SearchHitUrl, found_by, keep_search
from focuscrawl.store.overview import host_sums, totals
from focuscrawl.store.revisits import revisit_rows
from focuscrawl.store.revisits.signals import MOST
from focuscrawl.store.revisits.taking_out import TakenOut, take_out_urls
from focuscrawl.url.key import url_key
from tests.store.revisits.shop import FINDER, NOW, OTHER, SORRY, URL, WORDS, Shop


@pytest.fixture
def shop(db: Database) -> Shop:
    return Shop(db)


def test_the_first_fetch_is_new_and_plans_the_next(shop: Shop) -> None:
    assert shop.answer(WORDS).revisit_result == "new"
    assert shop.visit.due_at > NOW
    assert (shop.visit.first_at, shop.visit.read_at, shop.visit.visits, shop.visit.length) == (NOW, NOW, 0, -1)
    assert shop.log == [("new", 0, 0, "")]


def test_a_page_that_is_the_same_logs_nothing_and_counts_for_nobody(shop: Shop) -> None:
    shop.answer(WORDS)
    assert shop.later(10).answer(WORDS).revisit_result == "same"
    assert (shop.visit.visits, shop.visit.changes, shop.visit.checked_at) == (1, 0, shop.now)
    assert [kind for kind, *_ in shop.log] == ["new"]
    assert shop.db.execute("select pages, relevant from host").fetchone() == (1, 1)
    assert shop.db.execute("select count(*) from fetches").fetchone() == (1,)


def test_a_host_counts_its_pages_as_they_were_judged_last(shop: Shop) -> None:
    shop.answer(WORDS)
    for relevant in (False, False, True):
        shop.later(10).answer(WORDS, verdict=Verdict(0.6 * relevant, relevant, 0.2))
        assert shop.db.execute("select pages, relevant from host").fetchone() == (1, int(relevant))
    shop.later(10).answer(SORRY, 404)
    assert shop.db.execute("select pages, relevant from host").fetchone() == (1, 1)
    assert shop.db.execute("select count(*) from page").fetchone() == (1,)


@pytest.mark.parametrize(("error", "trouble"), [("timeout", True), ("internal", False), ("dropped", False)])
def test_what_a_component_of_ours_or_the_users_does_is_no_trouble_of_the_host(shop: Shop, error: str, trouble: bool) -> None:
    shop.answer(WORDS)
    shop.later(10).answer([], 0, error=error)
    (share,) = shop.db.execute("select failure_share from site_profile").fetchone()
    assert (share > 0) is trouble


def test_a_stored_page_keeps_the_search_that_found_it_when_it_redirects(shop: Shop) -> None:
    with transaction(shop.db):
        keep_search(shop.db, "1 stars", "stars", [SearchHitUrl(DiscoveredUrl(URL, 0.9), "[]", "Stars")], NOW)
    shop.answer(WORDS)
    shop.later(10).answer([], 302, redirect="http://a.test/elsewhere")
    assert found_by(shop.db, url_key(URL).url_id) is not None


def test_a_host_counts_a_page_that_comes_late(shop: Shop) -> None:
    shop.answer(SORRY, 404)
    assert shop.db.execute("select pages, relevant, errors from host").fetchone() == (0, 0, 1)
    shop.later(10).answer(WORDS)
    assert shop.db.execute("select pages, relevant, errors from host").fetchone() == (1, 1, 1)


def test_a_small_edit_is_a_change_that_the_rate_does_not_feel(shop: Shop) -> None:
    long = [f"{word}{n}" for n in range(30) for word in WORDS]
    shop.answer(long)
    done = shop.later(10).answer([*long, "epilogue"])
    assert (done.revisit_result, shop.visit.changes) == ("minor", 0)
    assert [(kind, version) for kind, _, version, _ in shop.log] == [("new", 0), ("changed", 1)]


def test_a_304_keeps_the_page_and_resets_its_age(shop: Shop) -> None:
    shop.answer(WORDS)
    links = shop.db.execute("select links from body").fetchone()
    done = shop.later(10).answer([], 304, unmodified="304")
    assert (done.revisit_result, done.state) == ("unmodified", State.NOTMOD)
    assert (shop.visit.checked_at, shop.visit.read_at, shop.visit.unread) == (shop.now, NOW, 1)
    assert shop.db.execute("select links from body").fetchone() == links


def test_a_404_is_listed_at_once_and_confirmed_at_the_third_visit(shop: Shop) -> None:
    shop.answer(WORDS)
    for days, state in ((5, Gone.SUSPECT), (1, Gone.SUSPECT), (3, Gone.GONE)):
        assert host_sums(shop.db).pages == totals(shop.db).pages == 1
        shop.later(days).answer([], 404)
        assert shop.gone == state
    assert [kind for kind, *_ in shop.log] == ["new", "suspect", "gone"]
    assert host_sums(shop.db).pages == totals(shop.db).pages == 0
    assert shop.later(90).answer(WORDS).revisit_result == "back"
    assert (shop.gone, shop.visit.gone) == (Gone.LIVE, 0)
    assert host_sums(shop.db).pages == totals(shop.db).pages == 1


def taken_out(shop: Shop) -> TakenOut:
    return take_out_urls(shop.db, [shop.url], lambda: shop.later(1).now, FINDER.keys)


def test_what_an_operator_took_out_is_back_when_a_visit_that_was_asked_for_finds_it(shop: Shop) -> None:
    shop.answer(WORDS)
    assert (taken_out(shop).pages, shop.gone) == (1, Gone.REMOVED)
    assert host_sums(shop.db).pages == totals(shop.db).pages == 0
    add(shop.db, [shop.url], 1.0, shop.later(1).now)
    assert (shop.later(1).answer([], 404).revisit_result, shop.gone >= Gone.GONE) == ("absent", True)
    assert (shop.later(1).answer(WORDS).revisit_result, shop.gone) == ("back", Gone.LIVE)
    assert [(kind, detail) for kind, *_, detail in shop.log] == [("new", ""), ("gone", REMOVED), ("back", "")]


def test_the_answer_to_a_visit_that_was_on_its_way_is_not_kept(shop: Shop) -> None:
    shop.answer(WORDS)
    answered = shop.later(1).page(OTHER)
    assert taken_out(shop).pages == 1
    assert shop.commit(answered).late
    assert (shop.gone, state_of(shop.visit)) == (Gone.REMOVED, Gone.REMOVED)


def test_a_host_that_is_down_is_not_gone(shop: Shop) -> None:
    shop.answer(WORDS)
    for _ in range(8):
        assert shop.later(2).answer([], 503).revisit_result in ("", "failed")
        assert shop.later(2).answer([], 500).revisit_result == "failed"
    assert shop.later(5).answer([], 404).revisit_result == "failed"
    assert (shop.gone, [kind for kind, *_ in shop.log]) == (Gone.LIVE, ["new"])


def test_a_page_that_has_moved_is_followed_and_leaves_the_collection(shop: Shop) -> None:
    shop.answer(WORDS)
    done = shop.later(5).answer([], 301, redirect="http://a.test/new-home")
    assert (done.revisit_result, shop.gone) == ("moved", Gone.MOVED)
    assert shop.log[-1][0::3] == ("moved", "http://a.test/new-home")
    state, score = shop.db.execute("select state, priority from url where path='/new-home'").fetchone()
    assert (state, score) == (State.QUEUED, lifted(1.0))


def test_a_page_that_has_moved_to_where_a_rule_forbids_to_follow_leaves_the_collection(shop: Shop) -> None:
    shop.answer(WORDS)
    done = shop.later(5).answer([], 301, redirect="http://elsewhere.test/", error="redirect-to-scope")
    assert (done.revisit_result, done.state, shop.gone) == ("moved", State.FILTERED, Gone.MOVED)
    assert shop.db.execute("select count(*) from url").fetchone() == (1,)


def test_a_temporary_redirect_leaves_the_page_as_it_is(shop: Shop) -> None:
    shop.answer(WORDS)
    assert shop.later(5).answer([], 302, redirect="http://a.test/login").revisit_result == "failed"
    assert shop.gone == Gone.LIVE


def test_a_soft_404_is_asked_after_and_then_counts_as_gone(shop: Shop) -> None:
    long = [f"{word}{n}" for n in range(30) for word in WORDS]
    shop.answer(long)
    shop.later(5)
    assert shop.answer(SORRY).state is State.WAIT
    (tail,) = shop.db.execute("select path from url where kind=?", (SOFT404_PROBE,)).fetchone()
    asked = Shop(shop.db, shop.now, f"http://a.test{tail}")
    assert asked.leased().kind == SOFT404_PROBE
    shop.db.execute("delete from lease")
    asked.answer(SORRY)
    assert shop.answer(SORRY).state is State.GONE
    assert (shop.gone, shop.log[-1][0::3]) == (Gone.SUSPECT, ("suspect", "soft 404"))
    assert shop.db.execute("select count(*) from revisit where kind=?", (SOFT404_PROBE,)).fetchone() == (0,)


def test_a_page_that_is_rewritten_is_stored_when_the_host_says_404_elsewhere(shop: Shop) -> None:
    shop.answer([f"{word}{n}" for n in range(30) for word in WORDS])
    shop.later(5)
    assert shop.answer(OTHER).state is State.WAIT
    (tail,) = shop.db.execute("select path from url where kind=?", (SOFT404_PROBE,)).fetchone()
    Shop(shop.db, shop.now, f"http://a.test{tail}").answer([], 404)
    assert shop.answer(OTHER).revisit_result == "changed"
    assert shop.visit.changes == 1


def test_headers_that_lied_cost_the_host_its_trust(shop: Shop) -> None:
    shop.answer(WORDS * 12)
    shop.later(5)
    assert shop.leased().trusted
    shop.db.execute("delete from lease")
    assert shop.answer(WORDS * 9 + OTHER * 3).revisit_result == "changed"
    profile = revisit_rows.load_profiles(shop.db, [shop.visit.hid])[shop.visit.hid]
    assert (profile.headers_right, profile.headers_wrong) == (0, 1)
    assert not shop.later(5).leased().trusted


def test_a_feed_is_no_page_and_signals(shop: Shop) -> None:
    shop.answer(WORDS)
    due = shop.visit.due_at
    feed = Shop(shop.db, shop.now + DAY, "http://a.test/feed")
    feed.leased()
    shop.db.execute("delete from lease")
    shop.db.execute("update url set kind=? where path='/feed'", (FEED,))
    page = feed.page(["ignored"])
    page.entries = [SourceEntry(URL, feed.now - 60, "Title")]
    page.links = [Link("http://a.test/fresh", score=0.7)]
    done = feed.commit(page, [DiscoveredUrl("http://a.test/fresh", lifted(0.7), 1)])
    assert (done.page_id, done.new_links, done.signals) == (0, 1, 1)
    assert shop.visit.signal > 0
    assert shop.visit.due_at < due
    assert shop.db.execute("select count(*) from page").fetchone() == (1,)
    assert feed.visit.due_at > feed.now
    again = feed.later(1).leased()
    assert (again.etag, again.trusted, again.revisit) == ('"7"', True, True)


def test_a_source_of_which_something_was_left_is_read_again(shop: Shop) -> None:
    source = Shop(shop.db, shop.now, "http://a.test/sitemap.xml")
    found = DiscoveredUrl(source.url, 0.0, kind=SITEMAP)
    discover(shop.db, [found], source.now)
    revisit_rows.write_revisits(shop.db, [RevisitRecord(*found.url_id, SITEMAP, due_at=source.now)])
    urls = [f"http://a.test/{number}" for number in range(MOST + 1)]
    revisit_rows.write_revisits(shop.db, [RevisitRecord(*url_key(url).url_id, checked_at=NOW - 9 * DAY) for url in urls])
    entries = [SourceEntry(url, NOW - 2 * DAY) for url in urls]
    signalled, asked_with = [], []
    for _ in range(3):
        page = source.page(["ignored"])
        page.entries = entries
        asked_with.append(page.lease.etag)
        signalled.append(source.commit(page).signals)
        source.later(1)
    assert (signalled, asked_with) == ([MOST, 1, 0], ["", "", '"7"'])
    source.answer(["ignored"], left=True)
    assert (source.visit.etag, source.visit.checked_at) == ("", source.now)


def test_a_sitemap_that_is_never_there_is_asked_for_less_and_less(shop: Shop) -> None:
    source = Shop(shop.db, shop.now, "http://a.test/sitemap.xml")
    found = DiscoveredUrl(source.url, 0.0, kind=SITEMAP)
    discover(shop.db, [found], source.now)
    revisit_rows.write_revisits(shop.db, [RevisitRecord(*found.url_id, SITEMAP, due_at=source.now)])
    waits = []
    for _ in range(25):
        source.answer([], 404)
        waits.append((source.visit.due_at - source.now) / DAY)
        source.now = source.visit.due_at
    assert waits[0] == pytest.approx(0.9)
    assert waits[-1] == 30.0


@pytest.mark.parametrize("truncated", ["disconnect", "coding", "time"])
def test_an_answer_that_broke_off_never_takes_the_place_of_a_whole_page(shop: Shop, truncated: str) -> None:
    shop.answer(WORDS * 9)
    before = shop.db.execute("select text, links from body").fetchone()
    assert shop.later(5).answer(WORDS * 3, truncated=truncated).revisit_result == "failed"
    assert shop.db.execute("select text, links from body").fetchone() == before
    assert (shop.gone, [kind for kind, *_ in shop.log]) == (Gone.LIVE, ["new"])


def test_the_same_text_cut_into_other_words_is_the_same(shop: Shop) -> None:
    shop.answer(WORDS)
    done = shop.later(5).answer(WORDS, signature=signature_of("Title", ["otherwise", *WORDS]))
    assert (done.revisit_result, shop.visit.signature) == ("same", signature_of("Title", ["otherwise", *WORDS]))


def test_a_page_rewritten_in_its_own_words_has_changed_and_the_store_knows(shop: Shop) -> None:
    words = [f"{letter}{other}" for letter in "abcdefgh" for other in "stuvwxyz"]
    shop.answer(words)
    assert len(shop.visit.signature.runs) == RUNS
    assert shop.later(5).answer(sorted(words, key=lambda word: word[::-1])).revisit_result == "changed"
    assert [(kind, distance) for kind, distance, *_ in shop.log[1:]] == [("changed", REWRITTEN)]


def test_a_version_stored_before_there_were_sketches_is_compared_by_its_words(shop: Shop) -> None:
    words = [f"{letter}{other}" for letter in "abcdefgh" for other in "stuvwxyz"]
    shop.answer(words)
    shop.db.execute("update revisit set signature_digest=?", (shop.visit.signature_digest[:DIGEST],))
    assert shop.later(5).answer(words).revisit_result == "same"
    assert len(shop.visit.signature.runs) == RUNS


def test_other_numbers_are_a_change_of_a_table_alone(shop: Shop) -> None:
    table = PageSignature(b"d" * DIGEST, 5, numbers=b"n" * NUMBERS)
    shop.answer(WORDS, signature=table)
    assert shop.visit.signature == table
    assert shop.later(5).answer(OTHER, signature=replace(table, numbers=b"m" * NUMBERS)).revisit_result == "changed"
    assert shop.later(5).answer(WORDS, signature=replace(table, numbers=b"")).revisit_result == "same"


def test_a_copy_takes_the_place_of_an_original_that_has_moved(shop: Shop) -> None:
    first = shop.answer(WORDS)
    copy = Shop(shop.db, shop.now, "http://b.test/copy")
    copy.answer(WORDS, duplicate=Duplicate(first.page_id, URL, "exact", 1.0))
    assert copy.db.execute("select original from page where url=?", (copy.url,)).fetchone() == (first.page_id,)
    shop.later(5).answer([], 301, redirect="http://a.test/new-home")
    assert copy.db.execute("select original from page where url=?", (copy.url,)).fetchone() == (None,)
    assert [kind for kind, *_ in shop.log] == ["new", "moved", "changed"]


@pytest.mark.parametrize("open_copy", [True, False])
def test_a_copy_takes_the_place_of_an_original_that_must_not_be_indexed_any_more(shop: Shop, open_copy: bool) -> None:
    first = shop.answer(WORDS)
    copy = Shop(shop.db, shop.now, "http://b.test/copy")
    copy.answer(WORDS, duplicate=Duplicate(first.page_id, URL, "exact", 1.0), noindex=not open_copy)
    done = shop.later(5).answer(WORDS, noindex=True)
    assert (done.left, done.joined) == (1, int(open_copy))
    original = None if open_copy else first.page_id
    assert shop.db.execute("select original from page where url=?", (copy.url,)).fetchone() == (original,)
    crossings = [detail for kind, _, _, detail in shop.log if kind == "changed"]
    assert crossings == (["left", "joined"] if open_copy else ["left"])


@pytest.mark.parametrize("statuses", [(410, 410), (301,)])
def test_a_page_that_is_gone_links_nowhere_until_it_is_back(shop: Shop, statuses: tuple[int, ...]) -> None:
    target = "http://a.test/target"

    def linking() -> int:
        return int(shop.db.execute("select count(*) from inlink").fetchone()[0])

    def seen() -> None:
        page = shop.page(WORDS)
        page.links = [Link(target, score=0.3)]
        made = Commit(page, outcome_of(page, ()), shop.now, 7, 1, inlinks=[url_key(target).url_id], keys_of=FINDER.keys)
        commit_change(shop.db, made, lambda _: WarcLocation("a.warc.gz", 10, 20), lambda db, page: None)

    seen()
    for status in statuses:
        assert linking() == 1
        moved = {"redirect": "http://b.test/", "error": "redirect-to-scope"} if status == 301 else {}
        shop.later(5).answer([], status, **moved)
    assert (shop.gone >= Gone.GONE, linking()) == (True, 0)
    shop.later(90)
    seen()
    assert linking() == 1


def test_copies_of_an_original_that_was_rewritten_are_looked_at(shop: Shop) -> None:
    first = shop.answer(WORDS * 12)
    copy = Shop(shop.db, shop.now, "http://b.test/copy")
    copy.answer(WORDS * 12, duplicate=Duplicate(first.page_id, URL, "exact", 1.0))
    assert shop.later(0.1).answer(WORDS * 9 + OTHER * 3).revisit_result == "changed"
    assert copy.visit.due_at == shop.now
    assert copy.leased().etag == ""


def test_nothing_is_found_under_a_text_that_was_replaced(shop: Shop) -> None:
    def commit(words: list[str]) -> None:
        page = shop.page(words)
        page.fingerprint = method("simhash").fingerprint(page.text, words)
        made = Commit(page, outcome_of(page, ()), shop.now, 7, 1, keys=FINDER.keys(page.fingerprint), keys_of=FINDER.keys)
        commit_change(shop.db, made, lambda _: WarcLocation("a.warc.gz", 10, 20), lambda db, page: None)

    commit(WORDS * 12)
    shop.later(5)
    commit(WORDS * 9 + OTHER * 3)
    assert shop.db.execute("select count(*) from band").fetchone() == (4,)


@pytest.mark.parametrize("kind", ["content", "index"])
def test_a_page_that_says_what_was_said_before_is_due_late(shop: Shop, kind: str) -> None:
    links = [Link("http://a.test/more", score=0.9)]

    def period(said_before: bool) -> float:
        page = shop.page(WORDS)
        page.kind, page.links = kind, list(links)
        made = Commit(page, outcome_of(page, ()), shop.now, 7, 1, said_before=said_before, keys_of=FINDER.keys)
        commit_change(shop.db, made, lambda _: WarcLocation("a.warc.gz", 10, 20), lambda db, page: None)
        return shop.visit.due_at - shop.now

    first = period(False)
    shop.later(10)
    assert period(True) > 2 * first
    assert shop.visit.weight < 0.05
    shop.later(10)
    assert period(False) < period(True)
