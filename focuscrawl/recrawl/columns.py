"""What planning reads and writes, as columns: the same formulas work for one page inside a commit and for 100 000 at once.

Every field is an array; those of one object have one length, or are single numbers (arrays without a dimension).
Points of time are seconds since the epoch, spans days, rates changes per day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(slots=True)
class RevisitColumns:
    """Fields of `state.RevisitRecord`, under the same names."""

    source: Flags
    """Sitemaps and feeds."""
    first_at: Numbers
    checked_at: Numbers
    changed_at: Numbers
    due_at: Numbers
    shape: Numbers
    exposure: Numbers
    period: Numbers
    weight: Numbers
    hub: Numbers
    magnitude: Numbers
    signal: Numbers

    @property
    def rate(self) -> Numbers:
        """Expected changes per day."""
        return self.shape / self.exposure


@dataclass(slots=True)
class ProfileColumns:
    """Fields of `state.SiteProfile`, of the host of each page."""

    changes: Numbers
    exposure: Numbers
    threshold: Numbers


@dataclass(slots=True)
class ObservationColumns:
    """Fields of `state.Observation`."""

    at: Numbers
    distance: Numbers
    """Bits; 0 where the body was not read."""
    modified_at: Numbers
    """0: unknown."""
    new_link_scores: Numbers
    relevance: Numbers


@dataclass(slots=True)
class PolicyInput:
    """What a policy decides from."""

    at: Numbers
    """When the page was checked last."""
    distance: Numbers
    modified_at: Numbers
    """Time of the last change as far as known, by the page's header or our revisits."""
    rate: Numbers
    weight: Numbers
    signal: Numbers
    """What signals add to the expected changes."""
    period: Numbers
    """As the policy left it at the last revisit."""
    least: Numbers
    """Shortest period allowed."""
    longest: Numbers
    """After this many days without a revisit a page comes first; infinite where its host is asked as often as it may be."""
    threshold: Numbers
    """Marginal value at which a revisit pays."""
