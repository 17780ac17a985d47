"""What workers learn is a sum: whoever learned which part, and in whatever order it is exchanged, all end with the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.dedup.text_reuse import TextReuse
from focuscrawl.frontier.fetch_yield import FetchYield
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.shared_counts import Learned, Part, sliced
from models.page.crawl_record import RECENT, USUAL_SHARE, CrawlRecord, UrlWords
from models.page.page_context import PageContext
from models.page.page_sample import PageSample
from models.page.site_words import SiteWords
from models.topic.background import Background

Page = tuple[tuple[str, ...], bool, float]
"""Words, relevant or not, a probability."""


def _background(learner: Any, page: Page) -> None:
    learner.observe(page[0], page[1])


def _yields(learner: Any, page: Page) -> None:
    """Nothing copies here: what a part that is closed for copying goes on copying counts for nothing else, and it is closed
    sooner where one worker has fetched all of it."""
    for word in page[0]:
        learner.record(FetchYield(f"http://{word}.example/", relevant=page[1], reuse=TextReuse(page[2] / 4, page[2] / 4)))


def _addresses(learner: Any, page: Page) -> None:
    learner.learn(page[0], page[2])


def _sample(learner: Any, page: Page) -> None:
    learner.offer({word: 1 + number for number, word in enumerate(page[0])})


def _hosts(learner: Any, page: Page) -> None:
    learner.learn(page[0], page[0] * 2, PageContext(host="".join(page[0][2:]), outer_parts=[page[0][:1]]))


LEARNERS: dict[str, tuple[Callable[[], Learned], Callable[[Any, Page], None]]] = {
    "background": (Background, _background),
    "yields": (YieldLimit, _yields),
    "addresses": (UrlWords, _addresses),
    "hosts": (SiteWords, _hosts),
    "sample": (lambda: PageSample(4), _sample),
}
SUMS = 5
"""Numbers of a part of the web that are sums. Those behind them say what came last: the last fetches, whether it is closed,
and how often it was tried since."""
WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=4, unique=True).map(tuple)
PAGES = st.lists(st.tuples(WORDS, st.booleans(), st.sampled_from([0.0, 0.125, 0.5, 1.0])), max_size=12)


def known(learner: Learned) -> str:
    """All that a learner knows, in an order of its own."""
    rows: dict[str, Any] = {}
    for number, part in enumerate(learner.whole()):
        for key, value in part.items():
            if isinstance(value, dict):
                sums = {name: its[:SUMS] if isinstance(its, list) else its for name, its in value.items()}
                rows |= {f"{part.get('relevant', '')} {name}": its for name, its in sums.items()}
            elif isinstance(value, list):
                rows |= {json.dumps(page, sort_keys=True): 1 for page in value}
            elif key != "relevant":
                rows[f"{number} {key}"] = value
    return json.dumps(rows, sort_keys=True)


def through_json(parts: Iterable[Part]) -> list[Part]:
    read: list[Part] = json.loads(json.dumps(list(parts)))
    return read


@pytest.mark.parametrize("kind", LEARNERS)
@settings(max_examples=25, deadline=None)
@given(st.lists(PAGES, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_workers_that_tell_each_other_know_what_one_would(kind: str, shares: list[list[Page]], random: Any) -> None:
    make, learn = LEARNERS[kind]
    one = make()
    for page in [page for share in shares for page in share]:
        learn(one, page)
    workers, mail = [make() for _ in shares], [list[Part]() for _ in shares]
    for number, share in enumerate(shares):
        cut = random.randint(0, len(share))
        for half in (share[:cut], share[cut:]):
            for page in half:
                learn(workers[number], page)
            told = through_json(workers[number].take())
            for other, box in enumerate(mail):
                box += told if other != number else []
    for worker, box in zip(workers, mail, strict=True):
        random.shuffle(box)
        for part in box:
            worker.add(part)
        assert list(worker.take()) == []  # nobody tells what he was told
    assert {known(worker) for worker in workers} == {known(one)}


@pytest.mark.parametrize("kind", LEARNERS)
@settings(max_examples=25, deadline=None)
@given(PAGES, PAGES)
def test_the_whole_makes_one_that_begins_anew_know_as_much(kind: str, told: list[Page], untold: list[Page]) -> None:
    make, learn = LEARNERS[kind]
    first, late = make(), make()
    for page in told:
        learn(first, page)
    list(first.take())
    whole = through_json(first.whole())
    for page in untold:
        learn(first, page)
        learn(late, page)
    late.restart()
    for part in whole:
        late.add(part)
    assert known(late) == known(first)
    assert kind == "sample" or through_json(late.take()) == through_json(first.take())  # it tells what it thought was new


def test_runs_add_up_and_the_recent_share_stays_with_its_worker() -> None:
    first, second = CrawlRecord(), CrawlRecord()
    for _ in range(20):
        first.learn(["comet"], 0.9, 0.9)
    second.learn(["cake"], 0.1, 0.1)
    own = second.state()["lately"]
    assert own == pytest.approx(RECENT * USUAL_SHARE + (1 - RECENT) * 0.1)
    for part in through_json(first.take()):
        second.add(part)
    assert second.state()["lately"] == own
    assert second.url_words.log_odds(["comet"])["comet"] > 1
    joined = CrawlRecord()
    for part in through_json(second.whole()):
        joined.add(part)
    state = joined.state()
    assert state["lately"] == first.state()["lately"]  # of the worker that had met most pages
    assert state["runs"] == pytest.approx(second.state()["runs"])


def test_a_sample_is_of_all_pages_and_keeps_its_size() -> None:
    samples = [PageSample(10), PageSample(10)]
    for number in range(200):
        samples[number % 2].offer({f"word{number}": 1})
    for part in samples[0].take():
        samples[1].add(part)
    numbers = [int(term.removeprefix("word")) for page in samples[1].pages for term in page]
    assert len(numbers) == 10
    assert {number % 2 for number in numbers} == {0, 1}
    with pytest.raises(ValueError, match="does not occur"):
        samples[1].add({"pages": [{"word": 0}]})


def test_large_tables_go_in_pieces() -> None:
    background = Background()
    background.observe([f"word{number}" for number in range(12_000)])
    parts = list(background.take())
    assert [len(part["counts"]) for part in parts] == [5000, 5000, 2000]
    assert [part["pages"] for part in parts] == [1, 0, 0]
    assert list(sliced({})) == [{}]
