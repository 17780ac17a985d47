"""A dashboard in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from tests import browser as browsers
from tests.dashboard.running import running
from tests.patience import PATIENCE

VENDORED = Path(__file__).parent / "vendored"
AXE = "axe.run().then(found => found.violations.map(each => [each.id, each.impact, each.nodes[0].html]))"
TOKEN = "browsertoken"


@dataclass
class Desk:
    """A running dashboard, and a browser that has been there once."""

    folder: Path
    address: str
    browser: Browser
    seen: list[str] = field(default_factory=list)
    """What went wrong in pages: errors, dialogs, requests to elsewhere."""

    def open(self, path: str = "/", **options: Any) -> Page:
        """A new window, which waits as long as any test does. `options`: of Playwright's `new_context`."""
        page = self.browser.new_context(**{"locale": "en-US", **options}).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", lambda message: self.seen.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.seen.append(str(error)))
        page.on("dialog", self._dismiss)
        page.on("request", lambda request: None if request.url.startswith(self.address) else self.seen.append(request.url))
        page.goto(f"{self.address}/?token={TOKEN}")
        page.goto(self.address + path)
        return page

    def _dismiss(self, dialog: Dialog) -> None:
        self.seen.append(dialog.message)
        dialog.dismiss()


@contextmanager
def browsing(folder: Path, crawls: Path, *options: str) -> Iterator[Desk]:
    """A dashboard of these crawls, started with these options, in Chromium; without one the test is skipped."""
    try:
        program = browsers.chromium()
    except browsers.Unavailable as why:
        pytest.skip(str(why))
    with (
        running(crawls, "--token", TOKEN, *options) as (_, told),
        sync_playwright() as playwright,
        closing(playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])) as browser,
    ):
        yield Desk(folder, told[1], browser)
