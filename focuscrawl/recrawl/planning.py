"""Plans a page's next revisit: how revisits and announcements change its record, whatever the policy, and the planner.

The functions work on columns of any length. `Planner` calls them for one page inside a commit, and ranks the pages that are
due.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np

from focuscrawl.items import FEED, SITEMAP
from focuscrawl.recrawl import change_rate, marginal_value
from focuscrawl.recrawl.columns import Flags, Numbers, ObservationColumns, PolicyInput, ProfileColumns, RevisitColumns
from focuscrawl.recrawl.marginal_value import LEAST_WEIGHT
from focuscrawl.recrawl.policies import Batch, Nutch, Optimal, Policy, Similarity, Uniform
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, MATERIAL, Observation, RevisitRecord, SiteProfile

POLICIES: Mapping[str, Callable[[RecrawlSettings], Policy]] = {
    "optimal": Optimal,
    "uniform": Uniform,
    "batch": Batch,
    "nutch": Nutch,
    "similarity": Similarity,
}
UNRELATED = 32.0
"""Bits between texts that have nothing in common."""
SOURCE_PERIOD = 0.25
"""Days. Sitemaps and feeds are not read more often."""
SOURCE_RATE = 0.5
"""Announcements per day to expect of a sitemap or feed of which nothing is known."""
SIZE_MEMORY = 0.7
"""Weight of the former mean size of changes at each new change."""
USUAL_WEIGHT = 0.5
"""Weight of a page from which the threshold is guessed until one is solved."""
NEW_PAGE_WEIGHT = 0.5
"""Added to the link score of a page that was never fetched, to give its weight."""
NEW_PAGE_DAYS = 7.0
"""Days for which such a page counts as missed, and a sitemap or feed that was not read yet, when it is found."""
# The fields of a record that are columns, beside `source`, which follows from its kind.
_COLUMNS = (
    "first_at", "checked_at", "changed_at", "due_at", "shape", "exposure", "period", "weight", "hub", "magnitude", "signal"
)  # fmt: skip
_values_of = attrgetter(*_COLUMNS)
_UNKNOWN_HOST = SiteProfile()


def begun(
    record: RevisitColumns, profile: ProfileColumns, at: Numbers, policy: Policy, settings: RecrawlSettings
) -> RevisitColumns:
    """The records of pages that were fetched for the first time. `record.weight` must be set."""
    shape, exposure = change_rate.prior_of(_pooled(record, profile, settings))
    none = np.zeros_like(at)
    fresh = replace(record, first_at=at, checked_at=at, changed_at=none, shape=shape, exposure=exposure, signal=none)
    given = policy_input(fresh, profile, settings)
    fresh.period = given.period = policy.begin(given)
    fresh.due_at = policy.due_at(given)
    return fresh


def has_changed(record: RevisitColumns, observed: ObservationColumns) -> Flags:
    """Whether pages have changed by more than MATERIAL bits. A sitemap or feed has changed if it announced something."""
    flags: Flags = (observed.distance > MATERIAL) | (record.source & (observed.new_link_scores > 0))
    return flags


def planned_after_visit(
    record: RevisitColumns, profile: ProfileColumns, observed: ObservationColumns, policy: Policy, settings: RecrawlSettings
) -> tuple[RevisitColumns, tuple[Numbers, Numbers]]:
    """The records after successful revisits, and for each page what its revisit adds to the profile of its host, as
    (changes, days); 0 for sitemaps and feeds."""
    changed = has_changed(record, observed)
    elapsed: Numbers = np.maximum((observed.at - record.checked_at) / DAY, change_rate.SHORTEST)
    age: Numbers = np.where(observed.modified_at > 0, (observed.at - observed.modified_at) / DAY, -1.0)
    found = change_rate.evidence(record.rate, elapsed, changed, age)
    shape, exposure = change_rate.updated(record.shape, record.exposure, found, _pooled(record, profile, settings))
    size = np.minimum(observed.distance / UNRELATED, 1.0)
    mean_size = SIZE_MEMORY * record.magnitude + (1 - SIZE_MEMORY) * size
    hub = marginal_value.hub_after(record.hub, observed.new_link_scores)
    after = replace(
        record,
        checked_at=observed.at,
        changed_at=np.where(changed, observed.at, record.changed_at),
        shape=shape,
        exposure=exposure,
        weight=marginal_value.whole_weight(observed.relevance, hub),
        hub=hub,
        magnitude=np.where(changed, np.where(record.magnitude > 0, mean_size, size), record.magnitude),
        signal=np.zeros_like(record.signal),
    )
    given = policy_input(after, profile, settings, observed)
    after.period = given.period = policy.period(given)
    after.due_at = policy.due_at(given)
    return after, (np.where(record.source, 0.0, found[0]), np.where(record.source, 0.0, found[1]))


def signalled(
    record: RevisitColumns, profile: ProfileColumns, signal: Numbers, now: float, policy: Policy, settings: RecrawlSettings
) -> RevisitColumns:
    """The records of pages that were announced as changed. Their next revisit may come earlier, never later.

    `signal`: what all announcements since the last revisit, including the new one, add to the expected changes.
    """
    after = replace(record, signal=signal)
    if policy.heeds_signals:
        sooner = np.maximum(policy.due_at(policy_input(after, profile, settings)), now)
        after.due_at = np.minimum(record.due_at, sooner)
    return after


def policy_input(
    record: RevisitColumns, profile: ProfileColumns, settings: RecrawlSettings, observed: ObservationColumns | None = None
) -> PolicyInput:
    """The columns that the policy decides from. `profile.threshold` is the threshold that holds for the page."""
    known = np.where(record.changed_at > 0, record.changed_at, record.first_at)
    return PolicyInput(
        at=record.checked_at,
        distance=np.zeros_like(record.shape) if observed is None else observed.distance,
        modified_at=known if observed is None else np.where(observed.modified_at > 0, observed.modified_at, known),
        rate=record.rate,
        weight=record.weight,
        signal=record.signal,
        period=record.period,
        least=least_period(record.source, settings),
        longest=np.full_like(record.shape, settings.most_period),
        threshold=profile.threshold,
    )


def least_period(source: Flags, settings: RecrawlSettings) -> Numbers:
    """Shortest time between revisits, in days."""
    least: Numbers = np.where(source, max(SOURCE_PERIOD, settings.least_period), settings.least_period)
    return least


def _pooled(record: RevisitColumns, profile: ProfileColumns, settings: RecrawlSettings) -> Numbers:
    """Changes per day to expect of a page of the host; SOURCE_RATE for sitemaps and feeds."""
    pooled = change_rate.pooled_rate(profile.changes, profile.exposure, settings.prior)
    rate: Numbers = np.where(record.source, SOURCE_RATE, pooled)
    return rate


class Planner:
    """Plans revisits by the policy that the settings name. Raises KeyError if there is no such policy."""

    def __init__(self, settings: RecrawlSettings) -> None:
        self.threshold = 0.0
        """The result of `solve`; 0: not solved yet, so it is guessed from the settings."""
        self._settings = settings
        self._policy = POLICIES[settings.policy](settings)
        usual = np.asarray(settings.prior)
        self._guess = float(marginal_value.marginal_value(np.asarray(USUAL_WEIGHT), usual, usual / settings.bandwidth))

    @property
    def solved_by(self) -> list[float]:
        """The settings on which the solved threshold depends."""
        return [self._settings.bandwidth, self._settings.least_period, self._settings.most_period]

    @property
    def revisit_threshold(self) -> float:
        """Marginal value at which a revisit pays: the solved one, else that of a usual page at the period 1 / bandwidth."""
        return self.threshold if self.threshold > 0.0 else self._guess

    def first(self, record: RevisitRecord, profile: SiteProfile, weight: float, now: float) -> RevisitRecord:
        """The record of a page fetched for the first time. Its `kind` and `hub` (by `marginal_value.weight_of`) must be set."""
        known = {"weight": max(weight, LEAST_WEIGHT), "hub": record.hub, "magnitude": record.magnitude}
        # Zeros for the rest, which `begun` sets: this runs in every commit, so `_columns` would be too slow.
        values = {name: np.asarray([known.get(name, 0.0)]) for name in _COLUMNS}
        unread = RevisitColumns(source=np.asarray([record.kind in (SITEMAP, FEED)]), **values)
        columns = begun(unread, self._profiles((profile,)), np.asarray([now]), self._policy, self._settings)
        return _with(record, columns, read_at=now, visits=0, changes=0, unread=0, signal_at=0.0, signal_kind=0, value=0.0)

    def plan_next(self, record: RevisitRecord, profile: SiteProfile, seen: Observation) -> tuple[RevisitRecord, SiteProfile]:
        """The page's record and its host's profile after a successful revisit.

        If no earlier fetch of the page is known, this counts as its first.
        """
        if record.checked_at <= 0.0:
            return self.first(record, profile, seen.relevance + record.hub, seen.at), profile
        before, observed = self._columns((record,)), _observed(seen)
        changed = bool(has_changed(before, observed)[0])
        after, (changes, days) = planned_after_visit(before, self._profiles((profile,)), observed, self._policy, self._settings)
        # Where a change was to be expected anyway, finding one does not show that the announcement was right.
        if record.signal > 0.0 and change_rate.proves(before.rate * ((seen.at - record.checked_at) / DAY))[0]:
            profile = change_rate.counted(profile, record.signal_kind, changed)
        unread = seen.distance is None
        planned = _with(
            record,
            after,
            read_at=record.read_at if unread else seen.at,
            visits=record.visits + 1,
            changes=record.changes + changed,
            unread=record.unread + 1 if unread else 0,
            value=0.0,
        )
        return planned, replace(
            profile,
            changes=change_rate.POOL_MEMORY * profile.changes + float(changes[0]),
            exposure=change_rate.POOL_MEMORY * profile.exposure + float(days[0]),
        )

    def signalled(
        self, record: RevisitRecord, profile: SiteProfile, kind: int, modified_at: float, now: float
    ) -> RevisitRecord:
        """The record after a sitemap or feed (`kind`) announced that the page changed at `modified_at`.

        Returns the same record if that is not news: no time was given, the change was before the last revisit, or it was
        announced before.
        """
        if modified_at <= max(record.checked_at, record.signal_at) or record.checked_at <= 0.0:
            return record
        columns = self._columns((record,))
        right, wrong = (np.asarray([float(count)]) for count in change_rate.counts(profile, kind))
        signal = change_rate.with_signal(columns.signal, right, wrong)
        after = signalled(columns, self._profiles((profile,)), signal, now, self._policy, self._settings)
        return _with(record, after, signal_at=modified_at, signal_kind=kind)

    def values(self, records: Sequence[RevisitRecord], profiles: Mapping[int, SiteProfile], now: float) -> Sequence[float]:
        """Rank of each record among those due, in (0, 1); the largest goes first. `profiles`: by `hid`, for hosts that have
        one."""
        if not records:
            return []
        known = [profiles.get(record.hid, _UNKNOWN_HOST) for record in records]
        columns, hosts = self._columns(records), self._profiles(known)
        given = policy_input(columns, hosts, self._settings)
        given.at = np.where(columns.checked_at > 0, columns.checked_at, columns.due_at - NEW_PAGE_DAYS * DAY)
        # Pages of all hosts compete here, so the common threshold ranks them. On a host that is asked as often as politeness
        # allows, having waited for the longest period is no reason to go first.
        given.threshold = np.full_like(hosts.threshold, self.revisit_threshold)
        given.longest = np.where([profile.threshold > 0.0 for profile in known], np.inf, given.longest)
        return [float(rank) for rank in self._policy.rank(given, columns.due_at, now)]

    def new_value(self, score: float) -> float:
        """Rank of a page that was never fetched, in (0, 1): as if it had been missed for a week, with its link's score plus
        NEW_PAGE_WEIGHT as weight, because link scores are small beside the relevance of pages. New pages are what people look
        for, so they go before pages that have just become due and compete with those that have been due for long."""
        value = NEW_PAGE_DAYS * (min(max(score, 0.0), 1.0) + NEW_PAGE_WEIGHT)
        return value / (value + self.revisit_threshold)

    def solve(self, sample: Sequence[RevisitRecord], profiles: Mapping[int, SiteProfile] | None = None) -> float:
        """The next threshold: between the present one and the one at which pages like these use exactly the bandwidth.

        Args:
            sample: Records drawn at random. Those of missing pages do not count.
            profiles: By `hid`, of hosts with thresholds of their own. The bandwidth that these leave goes to the others.
        """
        sample = [record for record in sample if not record.gone]
        if not sample:
            return self.threshold
        columns = self._columns(sample)
        floor = np.asarray([(profiles or {}).get(record.hid, _UNKNOWN_HOST).threshold for record in sample])
        bandwidth = self._settings.bandwidth * len(sample)
        return marginal_value.blended(self.threshold, self._solved(columns, bandwidth, floor))

    def solve_host(self, records_of_host: Sequence[RevisitRecord], delay_seconds: float) -> float:
        """Threshold of a host that may be asked once in `delay_seconds`; 0 if the common threshold demands no more."""
        records = [record for record in records_of_host if not record.gone]
        if not records or delay_seconds <= 0.0:
            return 0.0
        columns, allowed = self._columns(records), DAY / delay_seconds
        least = least_period(columns.source, self._settings)
        threshold = np.full_like(columns.weight, self.revisit_threshold)
        wanted = marginal_value.revisits_per_day(columns.weight, columns.rate, least, self._settings.most_period, threshold)
        if float(wanted.sum()) <= allowed:
            return 0.0
        return self._solved(columns, allowed, np.zeros_like(columns.weight))

    def _solved(self, columns: RevisitColumns, bandwidth: float, floor: Numbers) -> float:
        least = least_period(columns.source, self._settings)
        most = marginal_value.longest_payable(len(columns.weight), bandwidth, self._settings.most_period)
        return marginal_value.solve(columns.weight, columns.rate, least, most, bandwidth, floor)

    def _profiles(self, profiles: Sequence[SiteProfile]) -> ProfileColumns:
        """Columns of these profiles, each with the threshold that holds: the higher of the host's and the common one."""
        return ProfileColumns(
            changes=np.asarray([profile.changes for profile in profiles]),
            exposure=np.asarray([profile.exposure for profile in profiles]),
            threshold=np.asarray([max(profile.threshold, self.revisit_threshold) for profile in profiles]),
        )

    def _columns(self, records: Sequence[RevisitRecord]) -> RevisitColumns:
        """Columns of these records. A weight that was never set is LEAST_WEIGHT, and a rate the prior."""
        values = {name: np.asarray([getattr(record, name) for record in records], dtype=np.float64) for name in _COLUMNS}
        columns = RevisitColumns(source=np.asarray([record.kind in (SITEMAP, FEED) for record in records]), **values)
        unknown = (columns.shape <= 0) | (columns.exposure <= 0)
        if unknown.any():
            shape, exposure = change_rate.prior_of(np.where(columns.source, SOURCE_RATE, self._settings.prior))
            columns.shape = np.where(unknown, shape, columns.shape)
            columns.exposure = np.where(unknown, exposure, columns.exposure)
        columns.weight = np.maximum(columns.weight, LEAST_WEIGHT)
        columns.period = np.where(columns.period > 0, columns.period, self._settings.period)
        return columns


def _observed(seen: Observation) -> ObservationColumns:
    return ObservationColumns(
        at=np.asarray([seen.at]),
        distance=np.asarray([float(seen.distance or 0)]),
        modified_at=np.asarray([seen.modified_at]),
        new_link_scores=np.asarray([seen.new_link_scores]),
        relevance=np.asarray([seen.relevance]),
    )


def _with(record: RevisitRecord, columns: RevisitColumns, **others: Any) -> RevisitRecord:
    """The record with the values in the first row of these columns, and with these other fields."""
    values: dict[str, Any] = {name: float(column[0]) for name, column in zip(_COLUMNS, _values_of(columns), strict=True)}
    return replace(record, **values, **others)
