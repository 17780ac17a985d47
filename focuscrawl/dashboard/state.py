"""The state that all requests to the dashboard share, and the notices about the results of changes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from focuscrawl.dashboard.jobs import Jobs
from focuscrawl.dashboard.security import Access
from focuscrawl.dashboard.stores import Stores
from focuscrawl.dashboard.training import Training
from focuscrawl.errors import BadInput
from focuscrawl.recent import Recent

MOST_NOTICES = 100
BUSY = "The store did not take it ({error}); try again in a moment."


@dataclass(frozen=True, slots=True)
class Notice:
    """The result of a change: an English sentence with placeholders for values, so that it can be shown in any language."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)
    failed: bool = False
    details: object = None
    """Data that a page can show beside the sentence."""

    @classmethod
    def of_error(cls, error: Exception) -> Notice:
        """The result of a change that failed by BadInput or one of the store's ERRORS."""
        if isinstance(error, BadInput):
            return cls("{problem}", {"problem": str(error)}, failed=True)
        return cls(BUSY, {"error": error}, failed=True)


@dataclass(slots=True)
class Dashboard:
    """The state that all requests share."""

    stores: Stores
    access: Access
    jobs: Jobs
    training: Training
    user_agent: str = "focuscrawl"
    """Our product token in robots.txt."""
    recrawl_policy: str = "optimal"
    notices: Recent[str, Notice] = field(default_factory=lambda: Recent(MOST_NOTICES))
    """Results of the last changes by a random id. Pages show a result by its id, so that a crafted URL cannot make the
    dashboard show a text of its author's."""

    def keep(self, notice: Notice) -> str:
        """Keep the result of a change. Returns the id under which it can be shown."""
        number = secrets.token_hex(8)
        self.notices.note(number, notice)
        return number
