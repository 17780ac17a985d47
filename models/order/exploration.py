"""When does the default order fetch something else than what it expects most of, and what? Relevant pages lie behind places
that were never visited.

The more the best of what waits is expected to bring, the dearer an exploration: its share of the fetches grows from
LEAST_SHARE, where the links followed lately had an expected yield of RICH or more, to MOST_SHARE, where it was 0. Explored
is what is new: a directory or a host that was hardly fetched from, pages that list others, and the way on from a new place.
That is a link that stands alone on an irrelevant page, not in a list: it costs one fetch, and may be the only way to what lies
behind, so that a tunnel that was begun is dug on. The index page of a directory that has given something counts as new, however
much was fetched from there: it may name what is left.

As long as hardly anything relevant was found, every other exploration goes by hosts: to those of which little was fetched, or
whose pages were relevant or showed hosts that were not met before. So portals are gone through to their end.

Many links lead to hosts that answer no more. Of a host that was never asked one page is explored, and no other before it has
answered. Silence costs no fetch, so that another place is explored instead, and what waits for it stands in no other's way. The
more hosts proved silent, the less is promised by those that were not asked yet.
"""

from __future__ import annotations

import math
import re
import zlib
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from focuscrawl.url.normalize import split
from models.order.pool import Pool

LEAST_SHARE, MOST_SHARE, RICH = 0.03, 0.8, 0.5
"""On recorded English webs exploration by this rule earned 0.037 (± 0.024) of the area under the harvest curve; where
anchors say all, it cost 0.01. More of it costs: in the exam on the synthetic web (mean area 0.620) LEAST_SHARE doubled gives
0.609, RICH doubled 0.577."""
NEW_DIRECTORY, NEW_HOST, HUB = 2.0, 1.0, 2.0
"""Log odds that are added to a waiting URL's for what is new about it. In the same exam NEW_DIRECTORY doubled gives 0.647
and HUB doubled 0.659; but that web's hubs lead to most of its pages, and these were chosen on recorded webs."""
WAY_ON = 8.0
"""The same for the way on from a new place, times the share of explorations. On three topics of synthetic webs the mean area
within 700 fetches is 0.654 without it and 0.699 with it, and tunnels are found 100 to 200 fetches earlier; on nine topics of a
recorded English web it costs nothing (+0.004 ± 0.007). 4 at any share gives 0.716 on the former and costs 0.016 ± 0.010 on the
latter. Tried and left out: less for hosts that were explored often, so that a spider trap does not take most explorations. With
it the demo finds 67 or 68 of 68 articles behind tunnels, but on eight of those nine topics it costs 0.034 ± 0.015."""
FEW = 3
"""Fetches below which a host or a directory is new. With directories that are new until the first fetch, tunnels of several
pages in one directory are not dug to their end: on four topics of synthetic webs 22 to 25 of 68 to 70 articles behind them are
found within 900 fetches, with this number all."""
POOR = 0.5
"""Share of explorations from which on they go to new places only: what is known promises so little that the best of it, however
much better than an unknown place, is not worth two fetches in three. With 0.7 in its place none of those tunnels is dug."""
LEAN = 0.05
"""Share of relevant pages among all fetched below which every other exploration goes by hosts: the topic was not found yet,
what links promise says little, and hosts of many directories would take all explorations. At any share it costs: one topic of
dev-en falls from 0.93 to 0.56. A host of whose pages a smaller share has brought something has had its turn."""
SPENT = 3.0
"""How much the share of a host's pages that have brought something counts then: its logarithm times this is added to log
odds. With 2 the mean area of ten topics is 0.06 lower."""
COUNTERS = 1 << 18
"""Counters of fetches by directory and of those by host, 1 MB each, and marks of origins; names whose hashes fall
together share one."""
FORGET = 0.9
"""What remains of the average expected yield with each link followed: it is that of the last ten or so."""
MOST_PENDING = 8
"""Explorations that wait to be fetched at most, of hosts that have answered and of others: slow hosts must not pile them up."""
MOST_OWED = 8.0
"""Fetches that exploration is behind its share at most."""
PATIENCE = 100
"""Fetches after which an exploration that was not fetched yet is pending no more …"""
SILENT = 20
"""… and after which a host counts as silent that was asked for the first time and has not answered."""
_hub = re.compile(
    r"(?:/|/?index[^/]*|/(?:contents?|toc|archives?|categor[a-z]*|tags?|sitemap|modules?|genindex|py-modindex)[^/]*)$",
    re.IGNORECASE,
)
"""Of a path from its last slash on."""
_index = re.compile(r"/(?:index(?:\.[a-z]+)?)?$", re.IGNORECASE)
_numbers = re.compile(r"(?:/\d+)+$")


def directory_counter(url: str) -> int:
    """The number of the counter of the URL's directory, without the years, months and pages at its end: another month of the
    same list is no new place."""
    return _directory_counter(url.partition("?")[0].rpartition("/")[0])


@lru_cache(maxsize=8192)
def _directory_counter(directory: str) -> int:
    return _counter_of(_numbers.sub("", directory))


def host_counters(url: str) -> tuple[int, int]:
    """The numbers of the counters of the URL's host with its port, and of its origin: a host that serves http may be silent on
    https."""
    return _host_counters(split(url)[0])


@lru_cache(maxsize=8192)
def _host_counters(origin: str) -> tuple[int, int]:
    return _counter_of(authority_of(origin)), _counter_of(origin)


def _counter_of(name: str) -> int:
    return zlib.crc32(name.encode("utf-8", "replace")) % COUNTERS


def authority_of(url: str) -> str:
    """Host and port."""
    return split(url)[0].partition("://")[2]


def looks_like_hub(url: str) -> bool:
    """Does the URL look like that of a page that lists others?"""
    path = url.partition("?")[0]
    return bool(_hub.search(path, path.rfind("/")))


def is_index_page(url: str) -> bool:
    """Is it the URL of a directory, or of the index page in it? Not that of a page of a longer list."""
    path = url.partition("?")[0]
    return path == url and bool(_index.search(path)) and not _numbers.search(path.rpartition("/")[0])


class Exploration:
    """Counts what was fetched where, and says when the next exploration is due."""

    def __init__(self) -> None:
        self._directories = np.zeros(COUNTERS, np.int32)
        self._hosts = np.zeros(COUNTERS, np.int32)
        self._fruitful = np.zeros(COUNTERS, np.int32)
        """Of each host the pages that were relevant, or showed a host that was not met before."""
        self._met = np.zeros(COUNTERS, np.bool_)
        """Hosts that a link has led to."""
        self._gave = np.zeros(COUNTERS, np.bool_)
        """Directories a page of which was relevant."""
        self._relevant = 0
        self._choices = 0
        self._answers = np.zeros(COUNTERS, np.bool_)
        """Of which origins an answer has come …"""
        self._answered = 0
        """… and of how many."""
        self._asked: dict[int, int] = {}
        """Origins of which an answer is awaited, and the number of the fetch at which they were explored …"""
        self._silent: set[int] = set()
        """… and those that did not give any in time."""
        self._average_yield = 1.0
        self._owed = 0.0
        self._fetches = 0

    def fetched(self, directory: int, host: int) -> None:
        self._fetches += 1
        self._directories[directory] += 1
        self._hosts[host] += 1

    def gave(self, directory: int) -> None:
        """A page of this directory was relevant."""
        self._gave[directory] = True

    def showed(self, host: int, relevant: bool, linked: npt.NDArray[np.int32]) -> None:
        """A page of a host was relevant or not, and has links to these hosts."""
        self._relevant += relevant
        self._fruitful[host] += relevant or not self._met[linked].all()
        self._met[linked] = True

    def answered(self, origin: int) -> None:
        """An answer has come, be it an error."""
        self._answered += not self._answers[origin]
        self._answers[origin] = True
        self._asked.pop(origin, None)
        self._silent.discard(origin)

    def is_new(self, directory: int) -> bool:
        """Whether hardly anything had been fetched from a directory before its last page."""
        return bool(self._directories[directory] <= FEW)

    def followed(self, expected_yield: float, explored: bool) -> None:
        """A link with this expected yield was followed. `explored`: as an exploration, which says nothing of what the best
        bring."""
        if not explored:
            self._average_yield = FORGET * self._average_yield + (1 - FORGET) * expected_yield

    @property
    def share(self) -> float:
        """Of the fetches, in [LEAST_SHARE, MOST_SHARE]."""
        return max(LEAST_SHARE, MOST_SHARE * (1 - self._average_yield / RICH))

    def is_due(self) -> bool:
        """Whether the next fetch is to be an exploration; to be asked once a fetch."""
        silent = [origin for origin, at in self._asked.items() if at <= self._fetches - SILENT]
        for origin in silent:
            del self._asked[origin]
        self._silent.update(silent)
        self._owed = min(MOST_OWED, self._owed + self.share + len(silent))
        if self._owed < 1:
            return False
        self._owed -= 1
        return True

    def choose(self, pool: Pool, slots: npt.NDArray[np.intp], log_odds: npt.NDArray[np.float64]) -> int | None:
        """The slot to explore: the best, with a bonus for what is new about it, or for its host. None if enough wait already,
        if nothing is new, or if the best is not new and what is known still promises something."""
        since, origins = pool.explored[slots], pool.origin[slots]
        answer = self._answers[origins]
        possible = (since == 0) & ~np.isin(origins, [*self._asked, *self._silent])
        if np.count_nonzero((since > max(0, self._fetches - PATIENCE)) & answer) >= MOST_PENDING:
            possible &= ~answer
        if len(self._asked) >= MOST_PENDING:
            possible &= answer
        doubt = np.where(answer, 0.0, math.log((self._answered + 1) / (self._answered + len(self._silent) + 1)))
        self._choices += 1
        share = (self._fruitful[pool.host[slots]] + 1) / (self._hosts[pool.host[slots]] + 2)
        by_host = possible & (share > LEAN) & (answer | (len(self._silent) < self._answered))
        if self._choices % 2 == 0 and self._relevant < LEAN * self._fetches and by_host.any():
            possible, novelty = by_host, SPENT * np.log(share)
        else:
            directory, hub = pool.directory[slots], pool.hub[slots]
            new = (self._directories[directory] < FEW) | (pool.index[slots] & self._gave[directory])
            novelty = NEW_DIRECTORY * new + HUB * hub
            novelty += NEW_HOST * (self._hosts[pool.host[slots]] < FEW) + WAY_ON * self.share * pool.way_on[slots]
            possible &= (novelty > 0) | (self.share < POOR)
        value = np.where(possible, log_odds + novelty + doubt, -np.inf)
        best = int(value.argmax())
        if not np.isfinite(value[best]) or not novelty[best]:
            return None
        pool.explored[slots[best]] = self._fetches
        if not answer[best]:
            self._asked[int(origins[best])] = self._fetches
        return int(slots[best])
