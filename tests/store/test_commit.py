from __future__ import annotations

import contextlib
import threading
from collections import Counter

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.mirrors import ENOUGH
from focuscrawl.frontier.outcome import FetchOutcome, outcome_of
from focuscrawl.frontier.states import REPEATS, Event, State
from focuscrawl.items import SEED, Duplicate, Fingerprint, Lease, Link, Page, Verdict
from focuscrawl.store.commit import Commit, Committed, commit
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.frontier.barren import set_back
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.lease_ends import take_back
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.frontier.operator_changes import remove_urls
from focuscrawl.store.frontier.searches import SearchHitUrl, found_by, keep_search
from focuscrawl.store.pages.duplicates import DuplicateFinder, side_by_side
from focuscrawl.store.pages.links import decode
from focuscrawl.store.revisits.duplicate_promotion import lock_texts_of, promote_duplicate
from focuscrawl.store.revisits.known_url import with_stored_validators
from focuscrawl.store.revisits.new_home import MOST_NAMED
from focuscrawl.url.hosts import hid_of, uid_of
from focuscrawl.url.key import url_key
from tests.factories import NOW, known, limits
from tests.patience import PATIENCE

LIMITS = limits(9)
FINDER = DuplicateFinder(method("simhash"))
TEXT = " ".join(f"word{n}" for n in range(60))


def leased(db: Database, url: str, worker: int = 1) -> Lease:
    known(db, url)
    [one] = [one for one in lease(db, worker, 9, NOW, LIMITS) if one.url == url]
    return one


def page(held: Lease, text: str = TEXT, status: int = 200) -> Page:
    made = Page(held, held.url, status, NOW, 0.1, "127.0.0.1", (("ETag", '"7"'),), text=text, words=text.split())
    made.verdict = Verdict(0.6, True, 0.2, (("word1", 1.0),))
    made.fingerprint = method("simhash").fingerprint(text, made.words)
    made.links = [Link("http://b.test/next", "next", score=0.4, parts={"anchor": 0.4})]
    return made


def change_of(made: Page, worker: int = 1, **change: object) -> Commit:
    links = [DiscoveredUrl(link.url, link.score, 1) for link in made.links if not link.refused]
    refused = [(hid_of("http://c.test"), uid_of(link.url), link.refused) for link in made.links if link.refused]
    return Commit(
        made, outcome_of(made, (60.0, 300.0), 1.0), NOW, 1, worker, links,
        [found.url_id for found in links], refused, FINDER.keys(made.fingerprint),
        **change,  # type: ignore[arg-type]
    )  # fmt: skip


def store(db: Database, made: Page, worker: int = 1, **change: object) -> Committed:
    done = commit(db, change_of(made, worker, **change), lambda _: WarcLocation("a.warc.gz", 10, 20), FINDER)
    made.duplicate, made.outgrown = done.duplicate, done.outgrown  # as the store does once that is written
    return done


def state(db: Database, url: str) -> tuple[State, str]:
    number, error = db.execute("select state, error from url where uid=?", (uid_of(url),)).fetchone()
    return State(number), error


@pytest.mark.parametrize("status", [404, 200])
def test_in_the_place_of_a_dead_url_its_twin_is_fetched_though_it_was_put_aside(db: Database, status: int) -> None:
    dead, twin = "http://a.test/desk?visit=1", "http://a.test/desk?visit=2"
    held = leased(db, dead)
    known(db, twin)
    set_back(db, held.hid, lambda url, parent: REPEATS, NOW)
    assert state(db, twin) == (State.FILTERED, REPEATS)
    store(db, page(held, status=status), instead=twin)
    assert state(db, twin) == ((State.QUEUED, "") if status == 404 else (State.FILTERED, REPEATS))
    if status == 404:
        first = db.execute("select priority, parent from url where uid=?", (uid_of(twin),)).fetchone()
        assert first == (lifted(1.0), 0)  # no rule judges it again
        assert [one.url for one in lease(db, 1, 9, NOW + 60, LIMITS)] == [twin]


def test_the_lists_that_a_list_names_are_seeds_like_it(db: Database) -> None:
    held = leased(db, "http://a.test/index.xml")
    made = page(held)
    made.kind, made.lists = "index", ["http://b.test/1.xml", "http://a.test/2.xml"]
    done = store(db, made)
    rows = db.execute("select path, kind, depth, distance, parent from url where path like '%.xml' order by path").fetchall()
    assert rows[:2] == [("/1.xml", SEED, 0, 1, done.page_id), ("/2.xml", SEED, 0, 1, done.page_id)]


def test_a_url_that_was_removed_on_its_way_is_not_stored(db: Database) -> None:
    held = leased(db, "http://a.test/1")
    remove_urls(db, [held.url], NOW)
    assert store(db, page(held)).late
    assert state(db, held.url) == (State.FILTERED, "removed")
    assert db.execute("select (select count(*) from page), (select count(*) from lease)").fetchone() == (0, 0)


def test_a_commit_tells_which_of_the_urls_that_the_order_wants_were_removed(db: Database) -> None:
    held = leased(db, "http://a.test/")
    known(db, "http://a.test/1", "http://a.test/2")
    remove_urls(db, ["http://a.test/1"], NOW)
    wanted = [Rescored((held.hid, uid_of(f"http://a.test/{number}")), 0.9) for number in (1, 2)]
    done = store(db, page(held), rescored=wanted)
    assert (done.rescored, done.taken_out) == (1, [wanted[0].url_id])


def test_page_links_and_state_become_visible_together(db: Database) -> None:
    held = leased(db, "http://a.test/1")
    made = page(held)
    made.links.append(Link("http://c.test/x.png", refused="file-type"))
    done = store(db, made)
    assert (done.late, done.new_links, done.state) == (False, 1, State.DONE)
    assert state(db, "http://a.test/1") == (State.DONE, "")
    assert state(db, "http://b.test/next") == (State.QUEUED, "")
    row = db.execute("select page_id, etag, warc, warc_offset, relevant from page").fetchone()
    assert row == (done.page_id, '"7"', "a.warc.gz", 10, 1)
    links = decode(db.execute("select links from body").fetchone()[0])
    assert [link.url for link in links] == ["http://b.test/next", "http://c.test/x.png"]
    assert db.execute("select rule, page_id from refused").fetchall() == [("file-type", done.page_id)]
    assert db.execute("select page_id from inlink").fetchall() == [(done.page_id,)]
    assert db.execute("select pages, relevant, links from host where origin='http://a.test'").fetchone() == (1, 1, 2)
    assert db.execute("select count(*) from lease").fetchone() == (0,)
    [found] = lease(db, 1, 9, NOW, LIMITS)
    assert (found.url, found.parent, found.depth) == ("http://b.test/next", "http://a.test/1", 1)


def test_a_worker_that_lost_its_lease_writes_nothing(db: Database) -> None:
    held = leased(db, "http://a.test/1")
    take_back(db, 1, NOW)
    assert store(db, page(held)).late
    assert db.execute("select count(*) from page").fetchone() == (0,)
    assert state(db, "http://a.test/1") == (State.QUEUED, "")


@pytest.mark.parametrize("own", [False, True])
def test_of_a_mirrors_page_few_links_are_followed_also_where_that_is_found_only_now(db: Database, own: bool) -> None:
    """Two requests at once, or two workers, have searched for an original before either page was stored."""
    pages = [page(leased(db, f"http://{host}.test/1")) for host in "xm"]
    for made, host in zip(pages, "xm", strict=True):
        made.links = [Link(f"http://{host}.test/{number}") for number in range(2, 2 + 2 * ENOUGH)]
    pages[1].links += [Link("http://m.test/of-its-own")] * own
    change = change_of(pages[1])
    store(db, pages[0])
    done = commit(db, change, lambda _: WarcLocation("a.warc.gz", 10, 20), FINDER)
    assert done.duplicate
    assert done.duplicate.mirrored is not own
    assert done.new_links == len(done.entered) == (2 * ENOUGH + 1 if own else ENOUGH - 1)
    hidden = db.execute("select count(*) from refused where rule='duplicate' and page_id=?", (done.page_id,)).fetchone()[0]
    assert hidden == (0 if own else ENOUGH + 1)


def test_an_equal_text_is_a_duplicate_and_does_not_expand(db: Database) -> None:
    first = store(db, page(leased(db, "http://a.test/1")))
    again = page(leased(db, "http://a.test/copy"))
    again.links = [Link("http://b.test/only-here", score=0.4)]
    done = store(db, again)
    assert done.duplicate == Duplicate(first.page_id, "http://a.test/1", "exact", 1.0)
    assert state(db, "http://a.test/copy") == (State.DUP, "")
    assert db.execute("select original from page where page_id=?", (done.page_id,)).fetchone() == (first.page_id,)
    assert db.execute("select count(*) from url where path='/only-here'").fetchone() == (0,)


@pytest.mark.parametrize("focused", [True, False])
def test_a_copy_on_another_host_expands(db: Database, focused: bool) -> None:
    """As the homes of two departments that greet with the same words."""
    store(db, page(leased(db, "http://a.test/")))
    again = page(leased(db, "http://z.test/"))
    again.links = [Link("http://z.test/only-here", score=0.4)]
    done = store(db, again, focused=focused)
    assert done.state == State.DUP
    assert db.execute("select count(*) from url where path='/only-here'").fetchone() == (1,)


@pytest.mark.parametrize(("focused", "text"), [(True, TEXT), (False, TEXT), (True, TEXT + " posted")])
def test_a_further_page_of_a_list_expands_though_it_says_the_same(db: Database, focused: bool, text: str) -> None:
    """As in a gallery, whose entries are pictures."""
    first, second = page(leased(db, "http://a.test/1")), page(leased(db, "http://a.test/2"), text)
    first.links = [Link("http://a.test/photo/7"), Link("http://a.test/2", "Next")]
    second.links = [Link("http://a.test/photo/8"), Link("http://a.test/1", "Previous")]
    store(db, first)
    done = store(db, second, focused=focused)
    assert done.duplicate is not None
    assert (done.state, done.duplicate.leads_on) == (State.DUP, True)
    assert db.execute("select count(*) from url where path='/photo/8'").fetchone() == (1,)


@pytest.mark.parametrize(("kind", "expands"), [("index", True), ("content", False)])
def test_the_list_of_another_section_expands_though_it_says_the_same(db: Database, kind: str, expands: bool) -> None:
    """As the months of each list in an archive of mailing lists."""
    for name in "users", "dev":
        lists = page(leased(db, f"http://a.test/{name}/"))
        lists.kind, lists.links = kind, [Link(f"http://a.test/{name}/2020-May/date.html")]
        done = store(db, lists)
    assert done.duplicate is not None
    assert done.duplicate.leads_on is expands
    assert db.execute("select count(*) from url where path='/dev/2020-May/date.html'").fetchone() == (expands,)


@pytest.mark.parametrize(
    ("home", "column", "expands"), [("index", "content", True), ("content", "index", True), ("content", "content", False)]
)
def test_a_column_expands_though_it_says_what_its_home_says(db: Database, home: str, column: str, expands: bool) -> None:
    """As where the side bar has more to say than the few entries. Two addresses of an article are not looked at."""
    for path, kind in ("", home), ("arts.html", column):
        lists = page(leased(db, f"http://a.test/{path}"))
        lists.kind, lists.links = kind, [Link(f"http://a.test/show/7{path}")]
        done = store(db, lists)
    assert done.duplicate is not None
    assert done.duplicate.leads_on is expands


def test_only_what_is_stored_counts_among_the_duplicates_of_its_host(db: Database) -> None:
    first = store(db, page(leased(db, "http://a.test/1")))
    assert store(db, page(leased(db, "http://a.test/2"))).duplicate
    missing = page(leased(db, "http://a.test/missing"), status=404)
    missing.duplicate = Duplicate(first.page_id, "http://a.test/1", "exact", 1.0)
    assert store(db, missing).state is State.GONE
    assert db.execute("select pages, duplicates, errors from host where name='a.test'").fetchone() == (2, 1, 1)


def test_a_near_duplicate_is_found_by_its_bands_and_confirmed_on_the_text(db: Database) -> None:
    first = store(db, page(leased(db, "http://a.test/1")))
    done = store(db, page(leased(db, "http://z.test/1"), TEXT + " posted"))
    assert done.duplicate is not None
    assert (done.duplicate.kind, done.duplicate.original) == ("near", first.page_id)


@pytest.mark.parametrize(
    ("other", "copy"),
    [("http://a.test/offers/7.html", False), ("http://a.test/v2/1.html", True), ("http://z.test/offers/1.html", True)],
    ids=["beside it", "in another directory", "on another host"],
)
def test_an_offer_with_other_numbers_is_no_copy_of_the_one_beside_it(db: Database, other: str, copy: bool) -> None:
    def offer(url: str, rooms: int) -> Page:
        made = page(leased(db, url), f"House with {rooms} rooms {TEXT}")
        made.title = f"House with {rooms} rooms"
        return made

    store(db, offer("http://a.test/offers/1.html", 120))
    assert (store(db, offer(other, 140)).duplicate is not None) is copy


def test_home_pages_do_not_lie_in_one_directory() -> None:
    assert side_by_side("http://a.test/offer?n=1", "http://a.test/2/")
    assert not side_by_side("http://a.test/", "http://b.test/?n=1")


def notes(count: int) -> str:
    """The notes on a release, before those on all releases before it."""
    entries = [" ".join(f"change{n}of{release}" for n in range(24)) for release in range(count)]
    return "\n".join([*reversed(entries), TEXT, *(f"old{n}" for n in range(400))])


def originals(db: Database) -> list[tuple[str, str]]:
    """Each page and its original."""
    return db.execute(
        "select p.url, coalesce(o.url, '') from page p left join page o on o.page_id=p.original order by p.page_id"
    ).fetchall()


def test_a_page_of_the_host_that_says_more_takes_the_place_of_an_original_and_its_copies(db: Database) -> None:
    first, copy, second = (f"http://a.test/notes/{name}" for name in ("1", "1?print", "2"))
    texts = ((first, notes(0)), (copy, notes(0)), (second, notes(1)))
    assert [store(db, page(leased(db, url), text), keys_of=FINDER.keys).left for url, text in texts] == [0, 0, 1]
    assert originals(db) == [(first, second), (copy, second), (second, "")]
    assert db.execute("select pages, duplicates from host where name='a.test'").fetchone() == (3, 2)
    assert db.execute("select kind, detail, url from change where detail<>''").fetchall() == [("changed", "left", first)]
    assert db.execute("select distinct page_id from band").fetchall() == [(3,)]
    less = store(db, page(leased(db, "http://a.test/notes/1.html"), notes(0) + " posted"), keys_of=FINDER.keys)
    assert less.duplicate
    assert less.duplicate.url == second


@pytest.mark.parametrize(
    "case", ["another host", "a list", "names the other as its own", "noindex", "off topic", "of another topic"]
)
def test_other_pages_that_say_more_take_nobodys_place(db: Database, case: str) -> None:
    first = page(leased(db, "http://a.test/1"), notes(0))
    fuller = page(leased(db, "http://b.test/1" if case == "another host" else "http://a.test/2"), notes(1))
    fuller.kind = "index" if case == "a list" else ""
    fuller.canonical = first.url if case == "names the other as its own" else ""
    fuller.noindex = case == "noindex"
    if case == "off topic":
        fuller.verdict = Verdict(0.1, False, 0.2, ())
    if case == "of another topic":
        first.verdicts, fuller.verdicts = {"rail": Verdict(0.6, True, 0.2, ())}, {"sky": Verdict(0.6, True, 0.2, ())}
    for made in (first, fuller):
        store(db, made, keys_of=FINDER.keys)
    assert originals(db)[0] == (first.url, "")


STABLE = "http://a.test/stable/1"


def version(db: Database, url: str, text: str = TEXT) -> Page:
    made = page(leased(db, url), text)
    made.canonical, made.links = STABLE, [] if url == STABLE else [Link(STABLE, rel=("canonical",))]
    return made


@pytest.mark.parametrize("text", [TEXT, TEXT + " posted"], ids=["exact", "near"])
def test_a_page_takes_the_place_of_its_copies_that_name_its_address(db: Database, text: str) -> None:
    old, older = "http://a.test/3.2/1", "http://a.test/3.1/1"
    for made in (version(db, old), version(db, older), version(db, STABLE, text)):
        store(db, made, keys_of=FINDER.keys)
    assert originals(db) == [(old, STABLE), (older, STABLE), (STABLE, "")]
    stable = version(db, "http://a.test/3.0/1")
    assert store(db, stable, keys_of=FINDER.keys).duplicate
    assert stable.duplicate
    assert stable.duplicate.url == STABLE


@pytest.mark.parametrize("text", [TEXT, TEXT + " posted"], ids=["exact", "near"])
def test_each_page_of_a_chain_of_addresses_takes_the_place_of_the_one_before(db: Database, text: str) -> None:
    """A version names the one that was the latest when it was made, and that one names today's. As a copy it was not asked."""
    first, second = "http://a.test/3.1/1", "http://a.test/3.2/1"
    for url, text_there, its_own in ((first, TEXT, second), (second, text, STABLE), (STABLE, TEXT, STABLE)):
        made = page(leased(db, url), text_there)
        made.canonical, made.links = its_own, [] if url == its_own else [Link(its_own, rel=("canonical",))]
        made.verdict = Verdict(0.6, True, 0.2, ())
        store(db, made, keys_of=FINDER.keys)
        assert made.duplicate is None
    assert originals(db) == [(first, STABLE), (second, STABLE), (STABLE, "")]


@pytest.mark.parametrize("case", ["names the first in turn", "noindex", "another text"])
def test_other_pages_at_the_address_that_one_names_take_not_its_place(db: Database, case: str) -> None:
    store(db, version(db, "http://a.test/3.2/1"), keys_of=FINDER.keys)
    named = version(db, STABLE, notes(0) if case == "another text" else TEXT)
    named.canonical = "http://a.test/3.2/1" if "in turn" in case else STABLE
    named.noindex = case == "noindex"
    store(db, named, keys_of=FINDER.keys)
    assert originals(db)[0] == ("http://a.test/3.2/1", "")


@pytest.mark.parametrize(
    ("relevant", "state", "asked"),
    [(True, State.QUEUED, True), (True, State.FILTERED, True), (True, State.GONE, False), (False, State.QUEUED, False)],
)
def test_the_address_that_a_relevant_page_names_as_its_own_is_asked_for_first(
    db: Database, relevant: bool, state: State, asked: bool
) -> None:
    made = version(db, "http://a.test/3.2/1")
    made.verdict = Verdict(0.6, relevant, 0.2, ())
    known(db, STABLE)
    key = url_key(STABLE).url_id
    before = db.execute("select priority from url where hid=? and uid=?", key).fetchone()[0]
    db.execute("update url set state=?, error=? where hid=? and uid=?", (state, "repeats" if state else "", *key))
    store(db, made, keys_of=FINDER.keys)
    row = db.execute("select state, priority from url where hid=? and uid=?", key).fetchone()
    assert row == ((State.QUEUED, lifted(1.0)) if asked else (state, before))


def test_the_addresses_that_pages_name_are_links_like_others_once_the_host_is_known(db: Database) -> None:
    made = version(db, "http://a.test/3.2/1")
    known(db, STABLE)
    key = url_key(STABLE).url_id
    before = db.execute("select priority from url where hid=? and uid=?", key).fetchone()
    db.execute("update host set pages=? where hid=?", (MOST_NAMED, key[0]))
    store(db, made, keys_of=FINDER.keys)
    assert db.execute("select priority from url where hid=? and uid=?", key).fetchone() == before


def test_an_original_that_was_rewritten_since_they_were_compared_is_not_outgrown(db: Database) -> None:
    store(db, page(leased(db, "http://a.test/1"), notes(0)))
    fuller = page(leased(db, "http://a.test/2"), notes(1))
    assert FINDER(db, fuller) is None
    db.execute("update page set digest=?", (b"another text",))
    commit(db, change_of(fuller, keys_of=FINDER.keys), lambda _: WarcLocation(), lambda db, page: None)
    assert originals(db) == [("http://a.test/1", ""), ("http://a.test/2", "")]


@pytest.mark.parametrize("text", [TEXT, TEXT + " posted"])
def test_what_is_gone_is_nobodys_original(db: Database, text: str) -> None:
    """A page that has moved is found at its new home; what was copied elsewhere before it vanished is still there."""
    first = store(db, page(leased(db, "http://a.test/1")))
    db.execute("update page set gone=1 where page_id=?", (first.page_id,))
    assert store(db, page(leased(db, "http://z.test/1"), text)).duplicate
    db.execute("update page set gone=3 where page_id=?", (first.page_id,))
    assert store(db, page(leased(db, "http://z.test/2"), text)).duplicate is None


@pytest.mark.parametrize("text", [TEXT, TEXT + " posted"])
def test_what_must_not_be_indexed_hides_nothing_that_may_be(db: Database, text: str) -> None:
    """As the print version of an article."""

    def stored(url: str, noindex: bool) -> Duplicate | None:
        made = page(leased(db, url), text)
        made.noindex = noindex
        return store(db, made).duplicate

    assert [stored("http://a.test/print", True), stored("http://a.test/1", False)] == [None, None]
    copies = stored("http://z.test/print", True), stored("http://z.test/1", False)
    assert [copy.url for copy in copies if copy] == ["http://a.test/print", "http://a.test/1"]


def test_an_original_that_must_not_be_indexed_any_more_when_a_copy_is_stored_is_none(db: Database) -> None:
    first = store(db, page(leased(db, "http://a.test/1")))
    copy = page(leased(db, "http://z.test/1"))
    copy.duplicate = Duplicate(first.page_id, "http://a.test/1", "exact", 1.0)
    db.execute("update page set noindex=1 where page_id=?", (first.page_id,))
    assert store(db, copy).duplicate is None


def test_an_original_that_went_after_it_was_found_is_none(db: Database) -> None:
    """Between the search for an original and the commit of a page the original may turn out to have moved."""
    first = store(db, page(leased(db, "http://a.test/1")))
    new_home, copy = page(leased(db, "http://z.test/1")), page(leased(db, "http://z.test/2"))
    new_home.duplicate = copy.duplicate = Duplicate(first.page_id, "http://a.test/1", "exact", 1.0)
    db.execute("update page set gone=2 where page_id=?", (first.page_id,))
    stored = store(db, new_home)
    assert (stored.state, stored.duplicate) == (State.DONE, None)
    assert store(db, copy).duplicate == Duplicate(stored.page_id, "http://z.test/1", "exact", 1.0)
    assert db.execute("select pages, duplicates from host where name='z.test'").fetchone() == (2, 1)


@pytest.mark.parametrize("found_before", [True, False])
def test_a_page_that_is_stored_while_its_original_goes_takes_its_place(
    two: tuple[Database, Database], found_before: bool
) -> None:
    one, other = two
    first = store(one, page(leased(one, "http://a.test/1")))
    copy = page(leased(one, "http://z.test/1"))
    if found_before:
        copy.duplicate = Duplicate(first.page_id, "http://a.test/1", "exact", 1.0)

    def goes() -> None:
        hosts = HostChanges()
        with transaction(other):
            lock_texts_of(other, first.page_id, FINDER.keys)
            other.execute("update page set gone=2 where page_id=?", (first.page_id,))
            promote_duplicate(other, first.page_id, 1, NOW, FINDER.keys, hosts)
            hosts.write(other, NOW)

    def archive(_: Page) -> WarcLocation:
        """The original goes between the search for it and the end of the commit."""
        worker.start()
        worker.join(1.0)
        assert worker.is_alive()
        return WarcLocation("a.warc.gz", 10, 20)

    worker = threading.Thread(target=goes)
    with transaction(one):
        done = commit(one, change_of(copy), archive, FINDER)
    worker.join(PATIENCE)
    assert one.execute("select original from page where page_id=?", (done.page_id,)).fetchone() == (None,)


def test_what_a_recrawl_finds_is_counted_once_though_its_commit_is_made_again(db: Database) -> None:
    found_before: Counter[int] = Counter()
    for number, text in (1, TEXT), (2, notes(9)):
        change = change_of(page(leased(db, f"http://a.test/{number}"), text))
        change.found_before = found_before
        change.discovered = [DiscoveredUrl(f"http://a.test/new/{number}{more}", lifted(0.5), 1) for more in ("", "b")]
        with contextlib.suppress(InterruptedError), transaction(db):
            commit(db, change, lambda _: WarcLocation("a.warc.gz", 10, 20), FINDER)
            raise InterruptedError
        change.uncount()  # as the writer does with what it has rolled back
        with transaction(db):
            commit(db, change, lambda _: WarcLocation("a.warc.gz", 10, 20), FINDER)
        assert found_before == {hid_of("http://a.test"): 2 * number}


def test_a_duplicate_that_is_found_by_a_commit_stays_one_when_that_is_made_again(db: Database) -> None:
    first = store(db, page(leased(db, "http://a.test/1")))
    copy = page(leased(db, "http://z.test/1"))
    with contextlib.suppress(InterruptedError), transaction(db):
        store(db, copy)
        raise InterruptedError
    done = store(db, copy)
    assert done.duplicate is not None
    assert (done.state, done.duplicate.original) == (State.DUP, first.page_id)


def test_a_page_whose_original_goes_first_has_none(two: tuple[Database, Database]) -> None:
    one, other = two
    first = store(one, page(leased(one, "http://a.test/1")))
    copy = page(leased(one, "http://z.test/1"))
    worker = threading.Thread(target=lambda: done.append(store(other, copy)))
    done: list[Committed] = []

    with transaction(one):
        one.execute("update page set gone=2 where page_id=?", (first.page_id,))
        worker.start()
        worker.join(1.0)
        assert worker.is_alive()
    worker.join(PATIENCE)
    assert (done[0].state, done[0].duplicate) == (State.DONE, None)


def test_equal_simhash_alone_makes_no_duplicate(db: Database) -> None:
    one = page(leased(db, "http://a.test/1"))
    store(db, one)
    other = page(leased(db, "http://z.test/1"), " ".join(f"other{n}" for n in range(60)))
    other.fingerprint = Fingerprint(other.fingerprint.digest, one.fingerprint.simhash)
    assert store(db, other).duplicate is None


def test_a_redirect_ends_the_lease_and_queues_its_target_with_the_same_score(db: Database) -> None:
    made = page(leased(db, "http://a.test/old"), "", 301)
    made.redirect, made.links = "http://a.test/new", []
    assert store(db, made).state is State.REDIR
    [target] = lease(db, 1, 9, NOW, LIMITS)
    assert (target.url, target.hops, target.priority) == ("http://a.test/new", 1, 0.5)


@pytest.mark.parametrize("known_before", [True, False])
def test_what_a_search_found_is_found_by_it_behind_a_redirect_too(db: Database, known_before: bool) -> None:
    old, new = "http://a.test/old", "http://a.test/new"
    hit = SearchHitUrl(DiscoveredUrl(old, 0.5), '[["search", 0.5]]', "Comets")
    with transaction(db):
        keep_search(db, "1 comet", "comet", [hit], NOW)
        if known_before:
            known(db, new)
    made = page(leased(db, old), "", 301)
    made.redirect, made.links = new, []
    store(db, made)
    by_search = [found_by(db, url_key(url).url_id) is not None for url in (old, new)]
    assert by_search == ([True, False] if known_before else [False, True])


def test_a_failed_try_waits_and_counts_up(db: Database) -> None:
    made = page(leased(db, "http://a.test/1"), "", 502)
    assert store(db, made).state is State.WAIT
    assert db.execute("select tries, due_at, error, status from url").fetchone() == (1, NOW + 60, "http-502", 502)


def test_a_denied_url_frees_its_host_at_once(db: Database) -> None:
    made = page(leased(db, "http://a.test/1"), "", 0)
    made.error = "robots"
    assert store(db, made).state is State.DENIED
    assert db.execute("select ready_at from host").fetchone() == (NOW,)


def test_an_internal_error_sets_the_url_aside(db: Database) -> None:
    held = leased(db, "http://a.test/1")
    change = Commit(page(held), FetchOutcome(Event.GAVE_UP, "internal"), NOW, 1, 1)
    assert commit(db, change, lambda _: WarcLocation("", 0, 0), FINDER).state is State.FAILED
    assert state(db, "http://a.test/1") == (State.FAILED, "internal")


def test_a_page_fetched_again_keeps_its_number(db: Database) -> None:
    first = store(db, page(leased(db, "http://a.test/1")))
    db.execute("update url set state=0")
    db.execute("update host set best_priority=0.5")
    leases = with_stored_validators(db, lease(db, 1, 9, NOW, LIMITS))
    [held] = [one for one in leases if one.url == "http://a.test/1"]
    assert held.etag == '"7"'
    assert store(db, page(held, TEXT + " more")).page_id == first.page_id
