"""When is a page looked at again? One page at a time inside a commit, and all that is due for ranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from focuscrawl.items import FEED, SITEMAP
from focuscrawl.recrawl import change_rate
from focuscrawl.recrawl import marginal_value as threshold
from focuscrawl.recrawl.change_rate import POOL_MEMORY, pooled_rate, prior_of
from focuscrawl.recrawl.columns import Numbers, ObservationColumns, ProfileColumns, RevisitColumns
from focuscrawl.recrawl.marginal_value import LEAST_WEIGHT as LEAST
from focuscrawl.recrawl.marginal_value import crawl_value
from focuscrawl.recrawl.policies import Batch, Nutch, Optimal, Policy, Similarity, Uniform
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, Observation, RevisitRecord, SiteProfile

POLICIES: Mapping[str, Callable[[RecrawlSettings], Policy]] = {
    "optimal": Optimal,
    "uniform": Uniform,
    "batch": Batch,
    "nutch": Nutch,
    "similarity": Similarity,
}
USUAL_WEIGHT = 0.5
"""Of a page, as long as no threshold has been solved."""
_COLUMNS = (
    "first_at", "checked_at", "changed_at", "due_at", "shape", "exposure", "period", "weight", "hub", "magnitude", "signal"
)  # fmt: skip


NEW = 0.5
"""Weight of a new page whatever its link promises."""
NEW_DAYS = 7.0


class Planner:
    """Plans visits by the policy that the settings name (KeyError for another)."""

    def __init__(self, settings: RecrawlSettings, threshold: float = 0.0) -> None:
        """:param threshold: as `solve` gave it; 0: not solved yet, plan by the settings"""
        self.threshold = threshold
        self._settings = settings
        self._policy = POLICIES[settings.policy](settings)
        usual = np.asarray(settings.prior)
        self._guess = float(crawl_value(np.asarray(USUAL_WEIGHT), usual, usual / settings.bandwidth))

    def first(self, visit: RevisitRecord, profile: SiteProfile, weight: float, now: float) -> RevisitRecord:
        """A page fetched for the first time. `visit.kind` and `visit.hub` (of `weight_of`) are to be set."""
        record = self._record((visit,))
        record.weight = np.asarray([max(weight, LEAST)])
        record = change_rate.begun(record, self._pool((profile,)), np.asarray([now]), self._policy, self._settings)
        planned = _with(visit, record)
        return replace(planned, read_at=now, visits=0, changes=0, unread=0, signal_at=0.0, signal_kind=0, value=0.0)

    def again(self, visit: RevisitRecord, profile: SiteProfile, seen: Observation) -> tuple[RevisitRecord, SiteProfile]:
        """A visit that succeeded: the page's record and its host's, both updated.

        A page of which no fetch is known is taken as fetched for the first time.
        """
        if visit.checked_at <= 0.0:
            return self.first(visit, profile, seen.relevance + visit.hub, seen.at), profile
        before, sight = self._record((visit,)), _sight(seen)
        changed = bool(change_rate.changed_of(before, sight)[0])
        after, (changes, days) = change_rate.visited(before, self._pool((profile,)), sight, self._policy, self._settings)
        if visit.signal > 0.0 and change_rate.proves(before.rate * ((seen.at - visit.checked_at) / DAY))[0]:
            profile = change_rate.counted(profile, visit.signal_kind, changed)
        unread = seen.distance is None
        planned = replace(
            _with(visit, after),
            read_at=visit.read_at if unread else seen.at,
            visits=visit.visits + 1,
            changes=visit.changes + changed,
            unread=visit.unread + 1 if unread else 0,
            value=0.0,
        )
        return planned, replace(
            profile,
            changes=POOL_MEMORY * profile.changes + float(changes[0]),
            exposure=POOL_MEMORY * profile.exposure + float(days[0]),
        )

    def signalled(self, visit: RevisitRecord, profile: SiteProfile, kind: int, modified_at: float, now: float) -> RevisitRecord:
        """A sitemap or feed (`kind`) says that the page changed at `modified_at`.

        The same visit comes back when that is no news: no time told, a change before the last visit, or one told before.
        """
        if modified_at <= max(visit.checked_at, visit.signal_at) or visit.checked_at <= 0.0:
            return visit
        record = self._record((visit,))
        right, wrong = (np.asarray([float(count)]) for count in change_rate.counts(profile, kind))
        signal = change_rate.with_signal(record.signal, right, wrong)
        told = change_rate.signalled(record, self._pool((profile,)), signal, now, self._policy, self._settings)
        return replace(_with(visit, told), signal_at=modified_at, signal_kind=kind)

    def values(self, visits: Sequence[RevisitRecord], profiles: Mapping[int, SiteProfile], now: float) -> Sequence[float]:
        """Rank of each visit among what is due, in (0, 1), the largest first. `profiles` by host; those of others are empty."""
        if not visits:
            return []
        known = [profiles.get(visit.hid, _NONE) for visit in visits]
        record, pool = self._record(visits), self._pool(known)
        outlook = change_rate.outlook_of(record, pool, self._settings)
        outlook.threshold = np.full_like(pool.threshold, self.price)
        outlook.longest = np.where([profile.threshold > 0.0 for profile in known], np.inf, outlook.longest)
        return [float(rank) for rank in self._policy.rank(outlook, record.due_at, now)]

    def new_value(self, score: float) -> float:
        """The same of a page that nobody has fetched yet: as if it had been missed for a week, at the weight of what its link
        promises and a bit more, for scores of links are small beside the relevance of pages. So it goes before what is just
        due, and takes its turn with what has been due for long: what is new is what people look for."""
        value = NEW_DAYS * (min(max(score, 0.0), 1.0) + NEW)
        return value / (value + self.price)

    def solve(self, sample: Sequence[RevisitRecord], now: float, profiles: Mapping[int, SiteProfile] | None = None) -> float:
        """The threshold at which pages like these use the bandwidth, between the present one and the solution.

        :param sample: visits drawn at random; those of pages that are gone do not count
        :param profiles: by host, where hosts have thresholds of their own: what they leave is used by the others
        """
        sample = [visit for visit in sample if not visit.gone]
        if not sample:
            return self.threshold
        record = self._record(sample)
        floor = np.asarray([(profiles or {}).get(visit.hid, _NONE).threshold for visit in sample])
        bandwidth = self._settings.bandwidth * len(sample)
        return threshold.blended(self.threshold, self._solved(record, bandwidth, floor))

    def solve_host(self, visits_of_host: Sequence[RevisitRecord], delay_seconds: float) -> float:
        """Threshold of a host that may be asked once in `delay_seconds`; 0 where the one for all asks for less than that."""
        visits = [visit for visit in visits_of_host if not visit.gone]
        if not visits or delay_seconds <= 0.0:
            return 0.0
        record, allowed = self._record(visits), DAY / delay_seconds
        least = change_rate.least_period(record.source, self._settings)
        wanted = threshold.visits_per_day(
            record.weight, record.rate, least, self._settings.most_period, np.full_like(record.weight, self.price)
        )
        if float(wanted.sum()) <= allowed:
            return 0.0
        return self._solved(record, allowed, np.zeros_like(record.weight))

    @property
    def price(self) -> float:
        return self.threshold if self.threshold > 0.0 else self._guess

    def _solved(self, record: RevisitColumns, bandwidth: float, floor: Numbers) -> float:
        least = change_rate.least_period(record.source, self._settings)
        most = threshold.longest_payable(len(record.weight), bandwidth, self._settings.most_period)
        return threshold.solve(record.weight, record.rate, least, most, bandwidth, floor)

    def _pool(self, profiles: Sequence[SiteProfile]) -> ProfileColumns:
        """With the threshold that holds for each: the higher one of the host's and the one for all."""
        return ProfileColumns(
            changes=np.asarray([profile.changes for profile in profiles]),
            exposure=np.asarray([profile.exposure for profile in profiles]),
            threshold=np.asarray([max(profile.threshold, self.price) for profile in profiles]),
        )

    def _record(self, visits: Sequence[RevisitRecord]) -> RevisitColumns:
        """Columns of these visits; weights and rates that were never set are the least and the prior."""
        columns = {name: np.asarray([getattr(visit, name) for visit in visits], dtype=np.float64) for name in _COLUMNS}
        record = RevisitColumns(source=np.asarray([visit.kind in (SITEMAP, FEED) for visit in visits]), **columns)
        unknown = (record.shape <= 0) | (record.exposure <= 0)
        if unknown.any():
            none = np.zeros_like(record.shape)
            shape, exposure = prior_of(pooled_rate(none, none, self._settings.prior))
            record.shape = np.where(unknown, shape, record.shape)
            record.exposure = np.where(unknown, exposure, record.exposure)
        record.weight = np.maximum(record.weight, LEAST)
        record.period = np.where(record.period > 0, record.period, self._settings.period)
        return record


_NONE = SiteProfile()


def _sight(seen: Observation) -> ObservationColumns:
    return ObservationColumns(
        at=np.asarray([seen.at]),
        distance=np.asarray([float(seen.distance or 0)]),
        modified_at=np.asarray([seen.modified_at]),
        new_link_scores=np.asarray([seen.new_link_scores]),
        relevance=np.asarray([seen.relevance]),
    )


def _with(visit: RevisitRecord, record: RevisitColumns) -> RevisitRecord:
    """The visit with the first row of these columns."""
    return replace(
        visit,
        first_at=float(record.first_at[0]),
        checked_at=float(record.checked_at[0]),
        changed_at=float(record.changed_at[0]),
        due_at=float(record.due_at[0]),
        shape=float(record.shape[0]),
        exposure=float(record.exposure[0]),
        period=float(record.period[0]),
        weight=float(record.weight[0]),
        hub=float(record.hub[0]),
        magnitude=float(record.magnitude[0]),
        signal=float(record.signal[0]),
    )
