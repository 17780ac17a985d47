"""The default order: the URL with the largest expected yield comes first, by what this crawl has learned.

Idea: a link's expected yield is the chance that it leads to something relevant. It starts from the link score and is corrected
by what similar links have brought in this crawl. Four modules do the work, and this one joins them:

- `models.order.expected_yield` learns: an online logistic regression over groups of links that behave alike;
- `models.order.exploration` decides when a fetch goes to an unvisited place instead, and to which;
- `models.order.pool` keeps the waiting URLs as columns, so that one sweep scores all of them again;
- `models.order.fetch_worth` says what a fetch was worth. The regression learns from that in `LearnedOrder.see`, once for each
  fetch to which a scored link had led.

Source: the parts are known (a prior corrected online as far as it is uncertain: Graepel and others 2010; groups of links as
arms: the SB-CLASSIFIER crawler; relevance of hubs counting: Kleinberg 1999); their mixture was chosen on recorded webs, see
docs/experiments.md.

Cost: O(links of the page) a page, and O(waiting URLs) a sweep; the more URLs wait, the rarer the sweeps. 2 to 3 ms for a page
of 40 unseen links, 0.5 KB for each of up to 50 000 waiting URLs, 8 MB of weights.

What it does not do: it learns nothing across crawls, and keeps no files (a resumed crawl shows it the log of fetches again).
Where the page model cannot recognize relevant pages, it learns from wrong outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from focuscrawl.items import Link, Page
from focuscrawl.url.key import UrlId, UrlKey, url_key
from focuscrawl.url.normalize import split
from models.link.link_score import DIGITS, PARTS
from models.order.expected_yield import (
    KINDS,
    ExpectedYield,
    Floats,
    Groups,
    position_group,
    probability,
    sibling_group,
    url_groups,
    word_group,
)
from models.order.exploration import Exploration
from models.order.fetch_worth import FetchWorth
from models.order.places import authority_of, directory_number, host_numbers, is_index_page, looks_like_hub
from models.order.pool import Pool
from models.order.protocol import Change, OrderContext
from models.topic.vsm import TopicModel

Slots = npt.NDArray[np.intp]
NAMES = (*PARTS, "learned")
"""The names of the parts of a link's score."""
GROUPS = (*KINDS, "examples", "hubs", "exploration")
"""Parts that can be left out of the order, to measure what each contributes."""
DESCRIBED = 4
"""Only the groups of this many links to a URL count. A site's navigation is on all of its pages, and would otherwise fill the
row of every URL that it links to (`pool.WIDTH`)."""
MARGIN = 0.005
"""Smaller changes of an expected yield are not published, because each is a write to the store (10 to 20 µs)."""
EXPLORE = 1.0
"""Priority of explored URLs. It is that of seeds, above every expected yield; otherwise they would never be fetched."""
SWEEP = 1000
"""A sweep follows every (waiting URLs / SWEEP) pages, so that sweeps cost a page the same however many URLs wait …"""
LONGEST = 50
"""… and at least one page in this many: what was learned comes into effect after 50 fetches at the latest."""
PUBLISHED = 40
"""New priorities of waiting URLs that are published, for each page since the last sweep; those nearest the top first …"""
MOST_PUBLISHED = 400
"""… and at most this many after one sweep, so that no commit takes long."""
MOST_WORDS = 12
"""Words of one text that become groups, so that a long anchor does not fill the row of its URL."""
CACHED_WORDS = 10_000
"""Texts, and URLs, of which the groups of words are remembered: those of about the last hundred pages."""
ROBOTS = "robots"
"""Error of a page that robots.txt forbids. Its host has answered."""


class LearnedOrder:
    """Largest expected yield first. Implements `Order`; deterministic for one order of fetches."""

    focused = True

    def __init__(self, context: OrderContext, without: frozenset[str] = frozenset()) -> None:
        self._scorer = context.scorer
        self._without = without
        self._expected_yield = ExpectedYield()
        self._worth = FetchWorth(hubs="hubs" not in without)
        self._exploration = Exploration(context.topics, context.most_per_host, context.most_per_site, context.held)
        self._shares = context.topics > 1
        """Whether fetches are chosen for other topics, too, which say nothing of what the best links bring for this one."""
        self._best_yield = 0.0
        """Where fetches are shared, the expected yield of the best waiting URL at the last sweep."""
        self._pool = Pool()
        self._aside = context.aside
        self._changes: dict[UrlId, Change] = {}
        self._since_sweep = self._own_since_sweep = 0
        """Fetches since the last sweep; those of this process."""
        words = context.scorer.words
        self._words_of_text = lru_cache(CACHED_WORDS)(partial(_word_groups, words.of_text))
        self._words_of_url = lru_cache(CACHED_WORDS)(partial(_word_groups, words.of_url))
        if "examples" not in without:
            self._learn_examples(context.topic)

    def _learn_examples(self, topic: TopicModel) -> None:
        """Learn from examples of the topic that are web pages where relevant pages lie."""
        for example in topic.evidence.examples:
            if example.source.startswith(("http://", "https://")):
                groups = dict.fromkeys([*self._target_groups(Link(example.source)), *self._words_of_url(example.source)])
                self._expected_yield.learn_example(np.array(list(groups), np.int32))

    def see(self, page: Page) -> None:
        if page.again:
            self._score(self._offer(page))
            return
        followed = self._close(page)
        relevant = page.in_collection
        behind = followed is not None and followed.behind
        offered = self._offer(page, behind and not relevant)
        host = host_numbers(split(page.lease.url)[0]).host
        self._exploration.showed(host, relevant, self._pool.host[offered.slots], page.lease.depth)
        if relevant:
            self._exploration.gave(directory_number(page.lease.url))
            if behind:
                self._exploration.led_on()
        if followed is not None:
            worth = self._worth.of(page, self._expected_yields(offered.new))
            self._expected_yield.learn(followed.groups, followed.score, worth)
        self._score(offered)
        self._since_sweep += 1
        self._own_since_sweep += not page.logged
        if self._since_sweep >= min(LONGEST, max(1, len(self._pool) // SWEEP)):
            self._sweep()

    def changes(self) -> list[Change]:
        changes, self._changes = self._changes, {}
        return list(changes.values())

    def _close(self, page: Page) -> _Followed | None:
        """Note that the page's URL was fetched. Returns what the pool knew of it; None if the pool did not have it or it
        redirects."""
        url, place = page.lease.url, host_numbers(split(page.lease.url)[0])
        explored_elsewhere = page.logged and page.lease.priority == EXPLORE
        self._exploration.fetched(directory_number(url), place.host, place.site, page.ok)
        if page.status or page.error == ROBOTS:
            self._exploration.answered(place.origin)
        elif explored_elsewhere:
            self._exploration.unanswered(place.origin)
        followed = self._take_out(page.lease.url_id, explored_elsewhere)
        if followed and page.redirect:
            self._inherit(page.redirect, page.lease.depth, followed)
            return None
        return followed

    def _take_out(self, key: UrlId, explored_elsewhere: bool) -> _Followed | None:
        """Take a fetched URL out of the pool. Returns what the pool knew of it; None if the pool did not have it."""
        pool, followed = self._pool, None
        if (slot := pool.slot(key)) is not None:
            groups, score = pool.groups_of([slot]), pool.score[[slot]]
            followed = _Followed(groups[0], float(score[0]), bool(pool.behind[slot]))
            expected = max(self._best_yield, float(probability(self._expected_yield.log_odds(groups, score))[0]))
            self._exploration.followed(expected, explored_elsewhere or bool(pool.explored[slot]))
        pool.close(key)
        self._changes.pop(key, None)
        return followed

    def _inherit(self, url: str, depth: int, followed: _Followed) -> None:
        """Let the target of a redirect inherit the depth of the URL that was followed, and what the pool knew of it."""
        (slot,) = self._slots_of([url], [url_key(url)], depth)
        if slot is not None:
            self._pool.score[slot] = max(self._pool.score[slot], followed.score)
            self._pool.behind[slot] |= followed.behind
            self._pool.describe(slot, followed.groups[followed.groups > 0].tolist())

    def _slots_of(self, urls: Sequence[str], keys: Sequence[UrlKey], depth: int) -> list[int | None]:
        """The slots of URLs that are still to be fetched, made for those that have none; None for each that was fetched.
        `depth`: clicks from a seed on this way."""
        pool = self._pool
        slots, new = pool.enter([(key.hid, key.uid) for key in keys])
        if new:
            entered = [slot for slot, _ in new]
            pool.depth[entered] = depth
            pool.directory[entered] = [directory_number(urls[place]) for _, place in new]
            counters = [host_numbers(keys[place].origin) for _, place in new]
            pool.host[entered], pool.origin[entered], pool.site[entered] = zip(*counters, strict=True)
            pool.hub[entered] = [looks_like_hub(urls[place]) for _, place in new]
            pool.index[entered] = [is_index_page(urls[place]) for _, place in new]
        known = [slot for slot in slots if slot is not None]
        pool.depth[known] = np.minimum(pool.depth[known], depth)
        return slots

    def _offer(self, page: Page, behind: bool = False) -> _Offered:
        """Enter the page's links into the pool. `behind`: whether new ones lie behind a way on (`Pool.behind`)."""
        links = [link for link in page.links if not link.refused] if page.ok else []
        if not links:
            return NOTHING
        pool = self._pool
        parts = np.array(self._scorer.parts(links, page))
        scores = np.minimum(1.0, np.round(parts.sum(axis=1), DIGITS))
        slots = self._slots_of([link.url for link in links], [link.key for link in links], page.lease.depth + 1)
        waiting = np.array([slot is not None for slot in slots])
        known = np.array([slot for slot in slots if slot is not None], np.intp)
        np.maximum.at(pool.score, known, scores[waiting])
        new = known[pool.links[known] == 0]  # before `_describe` counts these links
        pool.behind[new] |= behind
        to_fetch = [link for link, slot in zip(links, slots, strict=True) if slot is not None]
        self._mark_ways_on(page, to_fetch, known.tolist())
        self._describe(page, to_fetch, known.tolist())
        return _Offered(links, parts, scores, waiting, known, new)

    def _mark_ways_on(self, page: Page, links: Sequence[Link], slots: Sequence[int]) -> None:
        """Mark unseen links that stand alone on an irrelevant page in a new directory: `exploration` may follow them."""
        irrelevant = page.verdict is not None and not page.verdict.relevant
        if not irrelevant or not self._exploration.is_new(directory_number(page.lease.url)):
            return
        unseen: dict[str, set[int]] = {}
        for link, slot in zip(links, slots, strict=True):
            if not self._pool.links[slot]:
                unseen.setdefault(link.position, set()).add(slot)
        for at_position in unseen.values():
            if len(at_position) == 1:
                self._pool.way_on[list(at_position)] = True

    def _describe(self, page: Page, links: Sequence[Link], slots: Sequence[int]) -> None:
        """Add the groups of these links to the URLs in the pool."""
        pool, by_position = self._pool, dict[str, list[int]]()
        for link, slot, described in zip(links, slots, pool.links[slots].tolist(), strict=True):
            if described < DESCRIBED:
                position_groups = by_position.get(link.position)
                if position_groups is None:
                    position_groups = by_position[link.position] = self._position_groups(link.position, page)
                groups = [*position_groups, *self._word_groups(link)]
                pool.describe(slot, groups if described else [*self._target_groups(link), *groups])
                pool.links[slot] = described + 1

    def _target_groups(self, link: Link) -> Sequence[int]:
        return url_groups(link.url) if "url" not in self._without else ()

    def _position_groups(self, position: str, page: Page) -> list[int]:
        groups = []
        if "position" not in self._without:
            groups.append(position_group(authority_of(page.url), page.kind, position))
        if "siblings" not in self._without:
            groups.append(sibling_group(page.lease.url, position))
        return groups

    def _word_groups(self, link: Link) -> list[int]:
        return [] if "words" in self._without else self._words_of_url(link.url) + self._words_of_text(link.anchor)

    def _expected_yields(self, slots: Slots) -> Floats:
        return probability(self._expected_yield.log_odds(self._pool.groups_of(slots), self._pool.score[slots]))

    def _score(self, offered: _Offered) -> None:
        """Set score, priority and parts of the page's links. The parts add up to the score: those of the link score, scaled to
        the probability that it gives alone, and `learned`, the difference to the expected yield."""
        if not offered.links:
            return
        pool, waiting, slots = self._pool, offered.waiting, offered.slots
        priors = self._expected_yield.prior(offered.scores)
        expected = priors.copy()
        expected[waiting] = self._expected_yields(slots)
        scale = np.divide(priors, offered.scores, out=np.zeros_like(priors), where=offered.scores > 0.0)
        parts = np.round(offered.parts * scale[:, None], DIGITS)
        learned = np.round(expected - parts.sum(axis=1), DIGITS)
        rows = np.column_stack((parts, learned)).tolist()
        for link, row, priority in zip(offered.links, rows, np.round(expected, DIGITS).tolist(), strict=True):
            link.parts = dict(zip(NAMES, row, strict=True))
            link.score = link.priority = priority
        # In the frontier a link lifts a waiting URL or leaves it as it is. Explored ones are at the top already.
        explored = pool.explored[slots] > 0
        published = pool.published_priority[slots]
        pool.published_priority[slots] = np.where(explored, published, np.maximum(published, expected[waiting]))

    def _sweep(self) -> None:
        """Score all waiting URLs again, publish the new priorities of the best, and explore if that is due."""
        pool, pages, own = self._pool, self._since_sweep, self._own_since_sweep
        self._since_sweep = self._own_since_sweep = 0
        doubted = self._forget_aside()
        slots = pool.waiting()
        if not len(slots):
            return
        odds = self._expected_yield.log_odds(pool.groups_of(slots), pool.score[slots])
        expected_yields = probability(odds)
        if self._shares:
            self._best_yield = float(expected_yields[pool.explored[slots] == 0].max(initial=0.0))
        published = pool.published_priority[slots]
        moved = np.flatnonzero((np.abs(expected_yields - published) > MARGIN) & (pool.explored[slots] == 0))
        most = min(MOST_PUBLISHED, PUBLISHED * pages)
        if len(moved) > most:
            moved = moved[np.argpartition(-np.maximum(expected_yields[moved], published[moved]), most)[:most]]
        if doubted:
            moved = np.union1d(moved, self._near(slots, doubted))
        self._publish(slots[moved], expected_yields[moved])
        for _ in range(own):
            if "exploration" not in self._without and self._exploration.is_due():
                slot = self._exploration.choose(pool, slots, odds)
                if slot is not None:  # `slots` are sorted
                    self._publish(np.array([slot]), expected_yields[[np.searchsorted(slots, slot)]], EXPLORE)

    def _forget_aside(self) -> list[_Place]:
        """Forget URLs that were put aside. Returns the places of those that were chosen for exploration."""
        pool, places = self._pool, list[_Place]()
        for key in pool.among(self._aside()):
            slot = pool.slot(key)
            if slot is not None and pool.explored[slot]:
                self._exploration.withdrawn(int(pool.origin[slot]))
                places.append(_Place(int(pool.host[slot]), int(pool.directory[slot])))
            pool.drop(key)
            self._changes.pop(key, None)
        return places

    def _near(self, slots: Slots, places: Sequence[_Place]) -> Slots:
        """Which of these slots are on the hosts of these places, at most MOST_PUBLISHED, those of the same directories first:
        they may have been put aside, too, and that is found when their priorities are published."""
        pool = self._pool
        near = np.flatnonzero(np.isin(pool.host[slots], [place.host for place in places]) & (pool.explored[slots] == 0))
        elsewhere = ~np.isin(pool.directory[slots[near]], [place.directory for place in places])
        return near[np.argsort(elsewhere, kind="stable")[:MOST_PUBLISHED]]

    def _publish(self, slots: Slots, expected_yields: Floats, priority: float | None = None) -> None:
        """Note new priorities of waiting URLs, for `changes`. `priority`: that of explored URLs; None: their expected
        yields."""
        pool = self._pool
        priors = self._expected_yield.prior(pool.score[slots])
        pool.published_priority[slots] = expected_yields if priority is None else priority
        learned = np.round(expected_yields - priors, DIGITS).tolist()
        rounded = np.round(expected_yields, DIGITS).tolist()
        for key, prior, more, expected in zip(
            pool.keys(slots.tolist()), np.round(priors, DIGITS).tolist(), learned, rounded, strict=True
        ):
            parts: tuple[tuple[str, float], ...] = (("LinkScore", prior), ("learned", more))
            if priority is not None and priority > expected:
                parts += (("exploration", round(priority - expected, DIGITS)),)
            self._changes[key] = Change(key, expected if priority is None else priority, parts)


class _Followed(NamedTuple):
    """What the pool knew of a URL that was fetched."""

    groups: Groups
    score: float
    """The best link score of the links that led there."""
    behind: bool
    """Whether it lies behind a way on (`Pool.behind`)."""


class _Place(NamedTuple):
    """Where a URL lies, as numbers (`models.order.places`)."""

    host: int
    directory: int


class _Offered(NamedTuple):
    """The links of a page that no rule refused."""

    links: list[Link]
    parts: Floats
    """The parts of their link scores, a row for each link."""
    scores: Floats
    """Their link scores."""
    waiting: npt.NDArray[np.bool_]
    """For each link, whether its URL is still to be fetched."""
    slots: Slots
    """Slots of the URLs that are still to be fetched."""
    new: Slots
    """Slots of the URLs to which no other link has led."""


NOTHING = _Offered([], np.zeros((0, len(PARTS))), np.zeros(0), np.zeros(0, bool), np.zeros(0, np.intp), np.zeros(0, np.intp))


def _word_groups(terms_of: Callable[[str], Iterable[str]], text: str) -> list[int]:
    """The groups of the first terms of a text or URL, which `terms_of` cuts."""
    return list(map(word_group, dict.fromkeys(terms_of(text))))[:MOST_WORDS]
