"""When a page model's regression is fitted again, and from which page on the new fit is used.

Invariant: which fit is used depends on the pages and their order alone, not on the speed of the machine. A fit runs in a thread
of its own while pages are judged by the one before, and is used a fixed number of pages after it began; if it has not ended by
then, it is waited for. The first fit is waited for at once, because there is none before it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from models.page.page_regression import PageRegression

FIRST_FIT = 50
"""Pages seen before the first fit; with fewer, the latent dimensions would be chance."""
GROWTH = 2.0
"""The next fit begins when the pages seen have grown by this factor; at 1.5 fits cost twice as much over a thousand pages."""
LAG = 16
"""Pages between the beginning of a fit and its effect: 0.2 s or more in a crawl."""

Fit = Callable[[], PageRegression | None]
"""Fits a regression; None: there is too little to learn from yet."""


class Refitting:
    """The regression in use, and the one that is being fitted."""

    def __init__(self) -> None:
        self.current: PageRegression | None = None
        self._next = FIRST_FIT
        self._running: _RunningFit | None = None
        self._pages_left = 0
        """Pages until the fit that is running is used."""

    def due(self, pages: int) -> bool:
        """Whether a fit should begin, now that this many pages were seen. Call once a page: it also counts down the lag."""
        if self._running is not None:
            self._pages_left -= 1
            if self._pages_left > 0:
                return False
            self.current, self._running = self._running.result() or self.current, None
        return pages >= self._next

    def begin(self, pages: int, fit: Fit) -> None:
        """Start a fit to this many pages. `fit` runs in another thread: what it reads must not change."""
        self._next = round(GROWTH * max(pages, self._next))
        self._running, self._pages_left = _RunningFit(fit), LAG
        if self.current is None:
            self.current, self._running = self._running.result(), None


class _RunningFit(Thread):
    """A fit that is running."""

    def __init__(self, fit: Fit) -> None:
        super().__init__(name="page regression", daemon=True)
        self._fit = fit
        self._fitted: list[PageRegression | None] = []
        self.start()

    def run(self) -> None:
        self._fitted.append(self._fit())

    def result(self) -> PageRegression | None:
        """Wait for the fit and return it. A process that was forked meanwhile has no such thread, so it fits by itself."""
        self.join()
        return self._fitted[0] if self._fitted else self._fit()
