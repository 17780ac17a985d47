"""Pages that may be soft 404s: how often they and their hosts are asked, and what remains of them."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.frontier.states import State
from focuscrawl.items import SOFT404_PROBE
from focuscrawl.recrawl.gone import Gone, is_soft404
from focuscrawl.recrawl.state import DAY
from focuscrawl.store.commit import Commit, commit
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.revisits.known_url import load_known
from focuscrawl.store.revisits.versions import purge_texts
from tests.store.revisits.shop import OTHER, SORRY, WORDS, Shop

LONG = [f"{word}{n}" for n in range(30) for word in WORDS]


@pytest.fixture
def shop(db: Database) -> Shop:
    made = Shop(db)
    made.answer(LONG)
    return made.later(10)


def probe_of(shop: Shop) -> Shop:
    """The address that cannot be, which waits."""
    (tail,) = shop.db.execute("select path from url where kind=? and state=0", (SOFT404_PROBE,)).fetchone()
    return Shop(shop.db, shop.now, f"http://a.test{tail}")


def test_a_page_is_asked_a_few_times_while_nobody_answers_for_its_host(shop: Shop) -> None:
    """A probe may wait for half an hour, as for a host that times out."""
    states: list[State] = []
    while not states or (states[-1] is State.WAIT and len(states) < 20):
        shop.db.execute("update url set state=2 where kind=?", (SOFT404_PROBE,))
        states.append(shop.answer(OTHER).state)
        shop.now = shop.db.execute("select due_at from url where path='/page'").fetchone()[0]
    assert states == [State.WAIT] * 4 + [State.FAILED]


def test_a_visit_that_got_no_answer_about_its_host_says_nothing(shop: Shop) -> None:
    before = shop.db.execute("select text from body").fetchone()
    shop.leased()
    shop.db.execute("update url set tries=4 where path='/page'")
    shop.db.execute("delete from lease")
    assert shop.answer(OTHER).revisit_result == "failed"
    assert shop.db.execute("select text from body").fetchone() == before
    assert shop.visit.due_at >= shop.now + DAY
    assert shop.gone == Gone.LIVE


def test_an_error_to_an_address_that_cannot_be_is_an_answer(shop: Shop) -> None:
    shop.answer(OTHER)
    asked = probe_of(shop)
    page = asked.page([], 500)
    made = Commit(page, outcome_of(page, (60.0, 300.0)), asked.now, 7, 1)
    done = commit(asked.db, made, lambda _: WarcLocation("a.warc.gz", 10, 20), lambda db, page: None)
    assert done.state is State.FAILED
    assert shop.answer(OTHER).revisit_result == "changed"


def test_a_page_waits_no_longer_than_for_the_answer_about_its_host(shop: Shop) -> None:
    assert shop.answer(OTHER).state is State.WAIT
    due = "select due_at from url where path='/page'"
    assert shop.db.execute(due).fetchone()[0] > shop.now
    shop.now += 0.1
    probe_of(shop).answer(SORRY)
    assert shop.db.execute(due).fetchone() == (shop.now,)


def test_a_page_with_much_of_the_answer_and_a_text_of_its_own_is_no_soft_404(shop: Shop) -> None:
    """As where each page has the terms of the shop in its text."""
    terms = [one + other for one in WORDS for other in WORDS] + 10 * WORDS[:8]
    shop.answer(OTHER)
    probe_of(shop).answer([*SORRY, "page", "404", *terms])
    product = [*[one + other for one in OTHER for other in WORDS][:90], *terms]
    assert shop.later(0.1).answer(product).revisit_result == "changed"
    assert is_soft404(shop.visit.signature, load_known(shop.db, shop.leased()).profile)  # by its SimHash
    dead = Shop(shop.db, shop.now, "http://a.test/dead/link")
    assert dead.answer([*SORRY, "dead", "link", "405", *terms]).state is State.GONE


@pytest.mark.parametrize(
    ("begins", "home", "gone"),
    [
        ("Sorry, this article does not exist. See also:", WORDS, True),
        ("抱歉，没有找到您要的文章。 看看这些：", WORDS, True),
        ("Sorry, this article does not exist. See also:", ["Sorry,", "this", "article", "does", "not", "exist."], False),
        ("The ninth planet does not exist. See why:", WORDS, False),
    ],
    ids=["apology", "in Chinese", "on each page", "of its own"],
)
def test_an_apology_above_similar_articles_is_a_soft_404(db: Database, begins: str, home: list[str], gone: bool) -> None:
    """Each such answer shows other articles; what they have in common is the sentence that excuses them."""
    Shop(db, url="http://a.test/").answer(home)
    answer = ("抱歉，没有找到您要的文章。" if "抱歉" in begins else "Sorry, this article does not exist. See also:").split()
    lost = Shop(db, url="http://a.test/articles/what-does-not-exist-7")
    assert lost.answer([*begins.split(), *LONG]).state is State.WAIT
    probe_of(lost).answer([*answer, *[f"other{word}" for word in LONG]])
    assert lost.later(0.1).answer([*begins.split(), *LONG]).state is (State.GONE if gone else State.DONE)


APOLOGY = ["Sorry,", "this", "article", "does", "not", "exist.", "See", "also:"]


@pytest.mark.parametrize(
    ("stored", "gone"), [([], False), ([APOLOGY], False), ([APOLOGY, WORDS], True)], ids=["none", "like it", "another"]
)
def test_an_apology_that_other_hosts_link_to_is_one_if_a_page_of_its_host_lacks_it(
    db: Database, stored: list[list[str]], gone: bool
) -> None:
    """Links from other hosts may lead to soft 404s before anything else of the host is read."""
    lost = Shop(db, url="http://a.test/articles/what-does-not-exist-7")
    assert lost.answer([*APOLOGY, *LONG]).state is State.WAIT
    probe_of(lost).answer([*APOLOGY, *[f"other{word}" for word in LONG]])
    for number, begins in enumerate(stored):
        other = Shop(db, lost.now, f"http://a.test/stored/{number}")
        assert other.answer([*begins, *[f"{word}{number}x" for word in LONG]]).state is State.DONE
    assert lost.later(0.1).answer([*APOLOGY, *LONG]).state is (State.GONE if gone else State.DONE)


def test_a_page_that_has_no_words_any_more_never_takes_the_place_of_one_that_had(shop: Shop) -> None:
    before = shop.db.execute("select text from body").fetchone()
    for days, state in ((0, Gone.SUSPECT), (1, Gone.SUSPECT), (3, Gone.GONE)):
        assert shop.later(days).answer([]).state is State.GONE
        assert shop.gone == state
    assert shop.db.execute("select text from body").fetchone() == before
    assert shop.db.execute("select count(*) from url where kind=?", (SOFT404_PROBE,)).fetchone() == (0,)


def test_the_first_words_of_a_page_are_a_change(db: Database) -> None:
    shop = Shop(db)
    shop.answer([])
    assert shop.later(10).answer(WORDS).revisit_result == "changed"


def test_what_is_gone_by_a_soft_404_does_not_come_back_as_one_when_its_text_was_removed(shop: Shop) -> None:
    shop.answer(SORRY)
    probe_of(shop).answer(SORRY)
    for days in (0, 1, 3):
        shop.later(days).answer(SORRY)
    assert shop.gone == Gone.GONE
    shop.later(40)
    assert purge_texts(shop.db, shop.now - 30 * DAY)[1] == 1
    shop.later(50)
    assert shop.answer(SORRY).state is State.WAIT
    probe_of(shop).answer(SORRY)
    assert shop.answer(SORRY).state is State.GONE
    assert shop.gone == Gone.GONE
    assert shop.later(1).answer(LONG).revisit_result == "back"
    assert shop.gone == Gone.LIVE
