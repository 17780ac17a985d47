"""The default order, and where it learns: the URL that the crawl's own record lets expect most of comes first.

Idea: a link's expected yield, the chance that it leads to something relevant, starts as what its link score says and is
corrected by what links like it have brought in this crawl. Three modules do the work, this one joins them:

- `models.order.expected_yield` is what learns: groups of links that behave alike, and an online logistic regression over them;
- `models.order.exploration` says when a fetch goes to a place that was never visited instead, and to which;
- `models.order.pool` keeps the waiting URLs as columns, so that all of them are scored again in one sweep.

What a fetch has brought, which is what is learned, is decided here (`Outcomes`). The regression learns in
`LearnedOrder.see`, once for each fetch that a scored link had led to.

Source: the parts are known (a prior corrected online: Duchi, Hazan, Singer 2011 for the steps; groups of links as arms: the
SB-CLASSIFIER crawler; relevance of hubs counting: Kleinberg 1999); their mixture was chosen on recorded webs, see
docs/strategies.md.

Cost: O(links of the page) a page, and O(waiting URLs) a sweep; the more URLs wait, the rarer the sweeps. 3 to 4 ms a
page in a replay, 0.5 KB for each of up to 50 000 waiting URLs, 8 MB of weights.

What it does not do: it learns nothing across crawls, it keeps no files (a resumed crawl shows it the log of fetches again), and
where the page model cannot tell relevant pages it learns from wrong outcomes, slowly if few examples stand behind the topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from focuscrawl.items import Link, Page
from focuscrawl.url.key import UrlId, url_key
from focuscrawl.url.readable import url_text
from models.order.crawl_graph import key_of
from models.order.expected_yield import (
    KINDS,
    RATE,
    ExpectedYield,
    position_group,
    probability,
    sibling_group,
    url_groups,
    word_groups,
)
from models.order.exploration import Exploration, counter_of, directory_of, looks_like_hub
from models.order.pool import Pool
from models.order.protocol import Change, OrderContext
from models.topic.vsm import TopicModel

GROUPS = (*KINDS, "hubs", "exploration")
"""Parts that the order can be built without, to measure what each contributes."""
DESCRIBED = 4
"""Links to a URL whose groups count. A site's navigation stands on all of its pages: without a limit its groups would fill
the row of each URL that it names (`pool.WIDTH`)."""
FEW_EXAMPLES, CAUTIOUS_RATE = 3, 0.02
"""With fewer examples than this, a topic judges pages too poorly to learn fast from; the second number is the learning rate
then."""
MARGIN = 0.005
"""Moves of an expected yield below this are not published: each is a write to the store (10 to 20 µs)."""
EXPLORE = 1.0
"""Priority of explored URLs: that of seeds, above every expected yield; otherwise they would never be fetched."""
SWEEP = 1000
"""A sweep follows every (waiting URLs / SWEEP) pages, so that sweeps cost a page the same however many URLs wait …"""
LONGEST = 50
"""… and at least one page in this many: what was learned comes into effect after 50 fetches at the latest."""
PUBLISHED = 40
"""New priorities of waiting URLs that are published, for each page since the last sweep; those nearest the top first …"""
MOST_PUBLISHED = 400
"""… and at most this many after one sweep, so that no commit takes long."""
MOST_WORDS = 12
"""Words of one text that become groups: a long anchor must not fill the row of its URL."""
CACHED_WORDS = 50_000
"""Texts whose words are remembered: the anchors of a site's navigation stand on all of its pages."""
DIGITS = 5


class LearnedOrder:
    """Largest expected yield first. Implements `Order`; deterministic for one `random_seed` and one order of fetches."""

    focused = True

    def __init__(self, context: OrderContext, without: frozenset[str] = frozenset()) -> None:
        self._scorer, self._segmenter = context.scorer, context.segmenter
        self._without = without
        self._expected_yield = ExpectedYield(
            context.random_seed, RATE if len(context.topic.evidence.examples) >= FEW_EXAMPLES else CAUTIOUS_RATE
        )
        self._outcomes = Outcomes(context.topic, hubs="hubs" not in without)
        self._exploration = Exploration()
        self._pool = Pool()
        self._changes: dict[UrlId, Change] = {}
        self._words: dict[str, list[int]] = {}
        self._since_sweep = 0

    def see(self, page: Page) -> None:
        key = key_of(page)
        followed = self._close(page, key)
        new = self._offer(page) if page.ok else []
        if followed is not None:
            groups, score = followed
            self._expected_yield.learn(groups, score, self._outcomes.of(page, score, self._expected_yields(new)))
        self._score_links(page)
        self._since_sweep += 1
        if self._since_sweep >= min(LONGEST, max(1, len(self._pool) // SWEEP)):
            self._sweep()

    def changes(self) -> list[Change]:
        changes, self._changes = self._changes, {}
        return list(changes.values())

    def _close(self, page: Page, key: UrlId) -> tuple[npt.NDArray[np.int32], float] | None:
        """What was known of the URL that was fetched, as (groups, link score); from now on it does not wait any more."""
        pool, slot, url = self._pool, self._pool.slot(key), page.lease.url
        self._exploration.fetched(counter_of(directory_of(url)), counter_of(urlsplit(url).netloc))
        followed = None
        if slot is not None:
            followed = pool.groups[slot].copy(), float(pool.score[slot])
            expected = probability(self._expected_yield.log_odds(pool.groups[[slot]], pool.score[[slot]]))
            self._exploration.followed(float(expected[0]), bool(pool.explored[slot]))
        pool.close(key)
        self._changes.pop(key, None)
        if followed and page.redirect:
            self._inherit(page.redirect, *followed)
            return None
        return followed

    def _inherit(self, url: str, groups: npt.NDArray[np.int32], score: float) -> None:
        """A redirect: its target inherits what was known of the URL that was followed."""
        slot = self._slot_of(url)
        if slot is not None:
            self._pool.score[slot] = max(self._pool.score[slot], score)
            self._pool.describe(slot, groups[groups > 0].tolist())

    def _slot_of(self, url: str) -> int | None:
        """The slot of a URL that is still to be fetched, a new one if need be; None if it was fetched."""
        key = url_key(url).url_id
        slot = self._pool.slot(key)
        if slot is None and not self._pool.is_fetched(key):
            slot = self._pool.add(key)
            self._pool.directory[slot], self._pool.host[slot] = counter_of(directory_of(url)), counter_of(urlsplit(url).netloc)
            self._pool.hub[slot] = looks_like_hub(url)
        return slot

    def _offer(self, page: Page) -> list[int]:
        """Take the page's links into the pool; returns the slots of those that were not known."""
        pool, new = self._pool, []
        host = urlsplit(page.url).netloc
        for link in page.links:
            if link.refused:
                continue
            self._scorer.score(link, page)
            slot = self._slot_of(link.url)
            if slot is None:
                continue
            pool.score[slot] = max(pool.score[slot], link.score)
            if pool.links[slot] < DESCRIBED:
                if pool.links[slot] == 0:
                    new.append(slot)
                    pool.describe(slot, self._target_groups(link))
                pool.links[slot] += 1
                pool.describe(slot, self._link_groups(link, page, host))
        return new

    def _target_groups(self, link: Link) -> Sequence[int]:
        return url_groups(link.url) if "url" not in self._without else ()

    def _link_groups(self, link: Link, page: Page, host: str) -> list[int]:
        groups = []
        if "position" not in self._without:
            groups.append(position_group(host, page.kind, link.position))
        if "siblings" not in self._without:
            groups.append(sibling_group(page.lease.url, link.position))
        if "words" not in self._without:
            groups += self._word_groups(url_text(link.url)) + self._word_groups(link.anchor)
        return groups

    def _word_groups(self, text: str) -> list[int]:
        groups = self._words.get(text)
        if groups is None:
            if len(self._words) >= CACHED_WORDS:
                self._words.clear()
            groups = self._words[text] = word_groups(dict.fromkeys(self._segmenter.terms(text)))[:MOST_WORDS]
        return groups

    def _expected_yields(self, slots: list[int]) -> npt.NDArray[np.float64]:
        return probability(self._expected_yield.log_odds(self._pool.groups[slots], self._pool.score[slots]))

    def _score_links(self, page: Page) -> None:
        """Set score, priority and parts of the links that are not refused."""
        links = [link for link in page.links if not link.refused] if page.ok else []
        if not links:
            return
        pool = self._pool
        slots = [pool.slot(link.key.url_id) for link in links]
        known = [slot for slot in slots if slot is not None]
        expected_yields = dict(zip(known, self._expected_yields(known).tolist(), strict=True))
        priors = self._expected_yield.prior(np.array([link.score for link in links])).tolist()
        for link, slot, prior in zip(links, slots, priors, strict=True):
            expected = expected_yields.get(slot, prior) if slot is not None else prior
            link.parts = _parts(link, prior, expected)
            link.score = link.priority = round(expected, DIGITS)
        for slot, expected in expected_yields.items():
            if not pool.explored[slot]:
                pool.published_priority[slot] = max(pool.published_priority[slot], expected)

    def _sweep(self) -> None:
        """Score all that waits, publish what moved most near the top, and explore if that is due."""
        pool, pages, self._since_sweep = self._pool, self._since_sweep, 0
        slots = pool.waiting()
        if not len(slots):
            return
        odds = self._expected_yield.log_odds(pool.groups[slots], pool.score[slots])
        expected_yields = probability(odds)
        published = pool.published_priority[slots]
        moved = np.flatnonzero((np.abs(expected_yields - published) > MARGIN) & (pool.explored[slots] == 0))
        most = min(MOST_PUBLISHED, PUBLISHED * pages)
        if len(moved) > most:
            moved = moved[np.argpartition(-np.maximum(expected_yields[moved], published[moved]), most)[:most]]
        for number in moved.tolist():
            self._publish(int(slots[number]), float(expected_yields[number]), float(expected_yields[number]))
        for _ in range(pages):
            if "exploration" not in self._without and self._exploration.is_due():
                slot = self._exploration.choose(pool, slots, odds.copy())
                if slot is not None:
                    self._publish(slot, EXPLORE, float(expected_yields[np.searchsorted(slots, slot)]))

    def _publish(self, slot: int, priority: float, expected: float) -> None:
        prior = float(self._expected_yield.prior(self._pool.score[[slot]])[0])
        parts = [("LinkScore", round(prior, DIGITS)), ("learned", round(expected - prior, DIGITS))]
        if priority > expected:
            parts.append(("exploration", round(priority - expected, DIGITS)))
        self._pool.published_priority[slot] = priority
        key = self._pool.key(slot)
        self._changes[key] = Change(key, round(priority, DIGITS), tuple(parts))


def _parts(link: Link, prior: float, expected: float) -> dict[str, float]:
    """The link score's parts, scaled to the probability that it gives alone, and what was learned beyond; they add up."""
    scale = prior / link.score if link.score else 0.0
    parts = {name: round(part * scale, DIGITS) for name, part in link.parts.items()}
    return {**parts, "learned": round(expected - sum(parts.values()), DIGITS)}


LINK_SHARE = 0.3
"""What the link score counts beside the page's similarity. With more, predictions confirm themselves; without it, pages of a
dictionary of the same language, which come near every topic, teach that dictionaries are relevant."""
ENOUGH = 0.9
"""Part of the topic's own threshold at which a page counts half: a little below, for thresholds are chosen strictly."""
STEEPNESS = 4.0
"""How fast a page comes to count fully above that: at 1.5 times it counts 0.88."""
LIST_WORTH = 0.7
"""What a relevant page that only lists others counts: less than one that says something. Halved, the mean area of the exam
on the synthetic web falls from 0.620 to 0.613; LINK_SHARE or STEEPNESS doubled and DISCOUNT halved leave it where it is
(0.620 to 0.622)."""
BEST_LINKS = 5
"""New links of a page whose mean expected yield is what the page leads to: few, or navigation would drown them."""
DISCOUNT = 0.8
"""Weight of an expected page relative to one already fetched. At 1, hubs that lead to hubs would count as much as what they
lead to."""


class Outcomes:
    """What did following a link bring? In [0, 1]: how relevant its page is, or how much its links promise.

    The page's similarity with the topic alone misleads where the page model is weak. So what the link had said counts beside it
    (co-training: two views of one page), but never more than what the page itself says.
    """

    def __init__(self, topic: TopicModel, hubs: bool = True) -> None:
        """`hubs`: whether what a page leads to counts."""
        self._topic, self._hubs = topic, hubs

    def of(self, page: Page, score: float, expected: npt.NDArray[np.float64]) -> float:
        """What the fetch of a page has brought.

        Args:
            page: as it was judged; a failure, a page without verdict and a duplicate have brought nothing themselves.
            score: the link score that the page was followed for.
            expected: the expected yields of its new links.
        """
        later = DISCOUNT * float(np.sort(expected)[-BEST_LINKS:].sum()) / BEST_LINKS if self._hubs else 0.0
        return max(self._own(page, score), later)

    def _own(self, page: Page, score: float) -> float:
        if not page.ok or page.verdict is None or page.duplicate is not None:
            return 0.0
        own = page.verdict.similarity
        evidence = (own + min(LINK_SHARE * score, own)) / (ENOUGH * self._topic.own_threshold)
        worth = 1.0 / (1.0 + float(np.exp(-np.clip(STEEPNESS * (evidence - 1.0), -30.0, 30.0))))
        return worth * LIST_WORTH if page.kind == "index" else worth
