"""The columns that planning reads and writes, so that the same formulas serve one page inside a commit and 100 000 at once.

Every field is an array. The arrays of one object have the same length, or are single numbers (arrays without a dimension).
Times are seconds since the epoch, spans days, rates changes per day.
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
    """Whether the record is that of a sitemap or feed."""
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
    """Fields of `state.SiteProfile` for the host of each page."""

    changes: Numbers
    exposure: Numbers
    threshold: Numbers


@dataclass(slots=True)
class ObservationColumns:
    """Fields of `state.Observation`."""

    at: Numbers
    distance: Numbers
    """Bits; 0 if the body was not read."""
    modified_at: Numbers
    """0: not known."""
    new_link_scores: Numbers
    relevance: Numbers


@dataclass(slots=True)
class PolicyInput:
    """What a policy decides from."""

    at: Numbers
    """When the page was checked last."""
    distance: Numbers
    modified_at: Numbers
    """Time of the last change, by the page's header or our revisits; the first fetch if none is known."""
    rate: Numbers
    weight: Numbers
    signal: Numbers
    """Expected changes that announcements add."""
    period: Numbers
    """Days, as the policy set it at the last revisit."""
    least: Numbers
    """Shortest period allowed."""
    longest: Numbers
    """After this many days without a revisit a page comes first; infinite if politeness alone limits the visits to its host."""
    threshold: Numbers
    """Marginal value at which a revisit pays."""
