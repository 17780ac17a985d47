"""Stores of workers, on both engines unless a test says `sqlite_only`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.store.crawl_store import CrawlStore
from tests.crawl_process.workers import store_at
from tests.engines import ENGINES


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest) -> str:
    """The setting STORE_URL: nothing, or a PostgreSQL database without crawls."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def store(tmp_path: Path, url: str) -> Iterator[CrawlStore]:
    """The only worker's."""
    with store_at(tmp_path, url) as opened:
        yield opened


@pytest.fixture
def one(tmp_path: Path, url: str) -> Iterator[CrawlStore]:
    """That of the first of two workers, which have no folder in common where they need none …"""
    with store_at(tmp_path / "one" if url else tmp_path, url) as opened:
        yield opened


@pytest.fixture
def two(tmp_path: Path, url: str, one: CrawlStore) -> Iterator[CrawlStore]:
    """… and that of the second."""
    with store_at(tmp_path / "two" if url else tmp_path, url) as opened:
        yield opened
