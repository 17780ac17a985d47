"""A crawler that plans by our policies, on columns: the code that `Planner` runs for one page at a time."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from focuscrawl.recrawl import change_rate, marginal_value, planning
from focuscrawl.recrawl.change_rate import POOL_MEMORY
from focuscrawl.recrawl.columns import Numbers, ObservationColumns, PolicyInput, ProfileColumns, RevisitColumns
from focuscrawl.recrawl.planning import POLICIES, Planner
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, RevisitRecord
from tools.eval.freshness.choice import Chooser
from tools.eval.freshness.setting import Setting
from tools.eval.freshness.web import Web

EPOCH = 1.7e9
SAMPLE = 2_000
HOST_DAYS = 5
"""Thresholds of hosts are solved so often."""


class Crawler:
    """Fetches what is due, the best rank first; what the bandwidth leaves goes to what is due next."""

    def __init__(self, name: str, setting: Setting, web: Web) -> None:
        self.settings = RecrawlSettings(policy=name, bandwidth=setting.bandwidth)
        self.planner = Planner(self.settings)
        self._policy = POLICIES[name](self.settings)
        self._web, self._setting = web, setting
        self._host = web.pages.host
        self._chooser = Chooser(setting, self._host)
        self._random = np.random.default_rng(setting.seed + 2000)
        self._days = 0
        hosts = np.zeros(setting.hosts)
        self._changes, self._exposure, self._host_price = hosts.copy(), hosts.copy(), hosts.copy()
        self._right, self._wrong = hosts.copy(), hosts.copy()
        none = np.zeros(setting.pages)
        self.record = RevisitColumns(
            **{field.name: none.copy() for field in fields(RevisitColumns)} | {"source": none.astype(bool)}
        )

    def begin(self, at: Numbers) -> None:
        every = np.arange(len(at))
        self.record.weight = self._web.pages.weight.copy()
        self.record.hub = self._web.pages.hub.copy()
        self.record = planning.begun(self.record, self._pool(every), seconds(at), self._policy, self.settings)

    def step(self, now: float) -> None:
        self._hear(now)
        pages = self._chooser.choose(self._keys(EPOCH + now * DAY))
        if not len(pages):
            return
        shown = self._web.fetch(pages, now)
        sight = ObservationColumns(
            at=np.full(len(pages), EPOCH + now * DAY),
            distance=shown.distance,
            modified_at=np.where(shown.modified >= 0, seconds(shown.modified), 0.0),
            new_link_scores=self._web.pages.hub[pages],
            relevance=self._web.pages.own[pages],
        )
        before = self._rows(pages)
        self._judge(pages, before, sight)
        after, (changes, days) = planning.planned_after_visit(before, self._pool(pages), sight, self._policy, self.settings)
        self._put(pages, after)
        count = len(self._changes)
        fading = POOL_MEMORY ** np.bincount(self._host[pages], minlength=count)
        self._changes = self._changes * fading + np.bincount(self._host[pages], changes, count)
        self._exposure = self._exposure * fading + np.bincount(self._host[pages], days, count)

    def day(self, now: float) -> None:
        """Once a day the thresholds are solved anew."""
        if self.settings.policy != "optimal":
            return
        drawn = self._random.choice(self._setting.pages, min(SAMPLE, self._setting.pages), replace=False)
        record = self._rows(drawn)
        floor = self._host_price[self._host[drawn]]
        least = planning.least_period(record.source, self.settings)
        bandwidth = self.settings.bandwidth * len(drawn)
        most = marginal_value.longest_payable(len(drawn), bandwidth, self.settings.most_period)
        solved = marginal_value.solve(record.weight, record.rate, least, most, bandwidth, floor)
        self.planner.threshold = marginal_value.blended(self.planner.threshold, solved)
        if self._chooser.cap and self._days % HOST_DAYS == 0:
            self._solve_hosts()
        self._days += 1

    def _solve_hosts(self) -> None:
        """With `Planner.solve_host`, for hosts that have more pages than they allow fetches in the longest period."""
        for host in np.flatnonzero(np.bincount(self._host) > self._chooser.cap):
            pages = np.flatnonzero(self._host == host)
            drawn = pages if len(pages) <= SAMPLE else self._random.choice(pages, SAMPLE, replace=False)
            delay = DAY / self._chooser.cap * len(pages) / len(drawn)
            self._host_price[host] = self.planner.solve_host(self._visits(drawn), delay)

    def _visits(self, pages: NDArray[np.int64]) -> list[RevisitRecord]:
        record = self._rows(pages)
        rows = zip(record.shape.tolist(), record.exposure.tolist(), record.weight.tolist(), strict=True)
        return [RevisitRecord(1, 1, shape=shape, exposure=exposure, weight=weight) for shape, exposure, weight in rows]

    def _keys(self, now: float) -> Numbers:
        """Ranks in (0, 1) of what is due; below 0, the nearer the sooner, what is not due yet."""
        keys: Numbers = (now - self.record.due_at) / DAY
        due = np.flatnonzero(keys >= 0)
        keys[due] = self._policy.rank(self._policy_input(due), self.record.due_at[due], now)
        return keys

    def _policy_input(self, pages: NDArray[np.int64]) -> PolicyInput:
        """As `planning.policy_input` makes it, with no more than ranks are made of."""
        record, none = self.record, np.zeros(len(pages))
        return PolicyInput(
            at=record.checked_at[pages],
            distance=none,
            modified_at=none,
            rate=record.shape[pages] / record.exposure[pages],
            weight=record.weight[pages],
            signal=record.signal[pages],
            period=record.period[pages],
            least=none,
            longest=np.where(self._host_price[self._host[pages]] > 0, np.inf, self.settings.most_period),
            threshold=none + self.planner.revisit_threshold,
        )

    def _hear(self, now: float) -> None:
        """Sitemaps tell of changes."""
        pages = np.flatnonzero(self._web.signal_at <= now)
        if not len(pages):
            return
        self._web.signal_at[pages] = np.inf
        record = self._rows(pages)
        signal = change_rate.with_signal(record.signal, self._right[self._host[pages]], self._wrong[self._host[pages]])
        self._put(pages, planning.signalled(record, self._pool(pages), signal, EPOCH + now * DAY, self._policy, self.settings))

    def _judge(self, pages: NDArray[np.int64], before: RevisitColumns, sight: ObservationColumns) -> None:
        """Were the signals right?"""
        expected = before.rate * (sight.at - before.checked_at) / DAY
        tried = (before.signal > 0) & change_rate.proves(expected)
        changed = planning.has_changed(before, sight)
        np.add.at(self._right, self._host[pages[tried & changed]], 1.0)
        np.add.at(self._wrong, self._host[pages[tried & ~changed]], 1.0)

    def _pool(self, pages: NDArray[np.int64]) -> ProfileColumns:
        host = self._host[pages]
        price = np.maximum(self._host_price[host], self.planner.revisit_threshold)
        return ProfileColumns(changes=self._changes[host], exposure=self._exposure[host], threshold=price)

    def _rows(self, pages: NDArray[np.int64]) -> RevisitColumns:
        return RevisitColumns(**{field.name: getattr(self.record, field.name)[pages] for field in fields(RevisitColumns)})

    def _put(self, pages: NDArray[np.int64], rows: RevisitColumns) -> None:
        for field in fields(RevisitColumns):
            getattr(self.record, field.name)[pages] = getattr(rows, field.name)


def seconds(days: Numbers) -> Numbers:
    """Days of the simulation as seconds since the epoch."""
    return EPOCH + days * DAY
