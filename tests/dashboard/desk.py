"""A dashboard over made-up crawls, asked without a socket."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scrapy.settings import Settings
from starlette.testclient import TestClient

from focuscrawl.config.options import Options, read_options
from focuscrawl.dashboard.app import make_app
from focuscrawl.dashboard.jobs import Jobs
from focuscrawl.dashboard.security import Access
from focuscrawl.dashboard.state import Dashboard
from focuscrawl.dashboard.stores import Stores
from focuscrawl.dashboard.training import Training
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import open_store
from focuscrawl.topics.page_sources import Fetcher, FetchResult
from tests.report import sample

TOKEN = "secrettoken"
ADDRESS = "http://127.0.0.1:6810"


def nothing_fetched(
    urls: Sequence[str], *, robots: bool = True, on_answer: Callable[[FetchResult], None] | None = None
) -> Sequence[FetchResult]:
    raise BadInput("Nothing can be fetched: this is a test")


def default_options() -> Options:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    return read_options(settings, {})


@dataclass
class Desk:
    """`client` sends the token as programs do."""

    crawls_dir: Path
    read_only: bool = False
    host: str = "127.0.0.1"
    store_url: str = ""
    fetch: Fetcher = nothing_fetched
    client: TestClient = field(init=False)
    dashboard: Dashboard = field(init=False)

    def __post_init__(self) -> None:
        stores = Stores(self.crawls_dir, self.store_url)
        training = Training(self.crawls_dir.parent / "topics", stores, default_options(), self.fetch)
        access = Access(TOKEN, self.host, self.read_only)
        self.dashboard = Dashboard(stores, access, Jobs(self.crawls_dir), training)
        self.client = self.stranger()
        self.client.headers["authorization"] = f"Bearer {TOKEN}"

    def stranger(self) -> TestClient:
        """Who knows no token."""
        return TestClient(make_app(self.dashboard), base_url=ADDRESS, follow_redirects=False)

    def page(self, path: str, **headers: str) -> str:
        answer = self.client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.text

    def data(self, path: str) -> dict[str, object]:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        found: dict[str, object] = answer.json()
        return found

    def send(self, path: str, **fields: str) -> tuple[int, str]:
        """A form of ours: the status, and where to or what was said."""
        answer = self.client.post(path, data={"csrf": self.dashboard.access.csrf, **fields})
        return answer.status_code, answer.headers.get("location", answer.text)


def desk_of(folder: Path, *names: str) -> Desk:
    """With a small crawl of each name, whose pages have hostile titles."""
    for name in names:
        sample.sample_crawl(folder / name)
    return Desk(folder)


def working(directory: Path, arguments: str = "{}") -> None:
    """The crawl's last run goes on: a worker of another machine has just said so."""
    db = open_store(directory)
    db.execute(
        "update run set ended_at=null, reason=null, stats='{}', arguments=?, started_at=?", (arguments, time.time() - 60)
    )
    sample.insert(
        db, "worker", id=1, run=1, machine="elsewhere", process_id=1, process_started=0.0, beat_at=time.time() + 1,
        state="live", stats='{"pages": 20, "relevant": 10, "duplicates": 0, "requests": 30, "pages_per_minute": 90.0}',
    )  # fmt: skip
    db.close()
