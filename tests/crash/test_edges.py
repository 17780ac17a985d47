"""Death at every edge of a commit: afterwards the page is there wholly or not at all, and once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from focuscrawl.store.engines import writer
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.frontier.discover import DiscoveredUrl
from tests import forked
from tests.crash.edges import EDGES, LINKED, SEED, fetch, leases_of, open_store
from tests.crash.invariants import check
from tests.crash.served import Served


@pytest.fixture
def url(store: Served | None) -> str:
    return store.new_database() if store else ""


@pytest.mark.parametrize("edge", EDGES)
def test_a_commit_happens_wholly_or_not_at_all(tmp_path: Path, edge: str, url: str) -> None:
    directory = tmp_path / "edge"
    done = forked.run("tests.crash.edges", str(directory), edge, url)
    assert done.returncode == 9, done.stderr
    fetched = asyncio.run(_go_on(directory, url))
    assert fetched == ([LINKED] if edge == "committed" else [SEED, LINKED])
    found = check(directory, fetched)
    assert found.wrong == []
    assert found.pages == {SEED, LINKED}


def test_a_lock_that_comes_after_a_commit_leaves_its_records_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LOCK_SECONDS", 0.01)
    monkeypatch.setattr(writer, "PAUSE_SECONDS", 0.02)
    directory = tmp_path / "edge"
    asyncio.run(_lock_between_commits(directory))
    found = check(directory, [SEED, LINKED])
    assert found.wrong == []
    assert found.pages == {SEED, LINKED}


async def _lock_between_commits(directory: Path) -> None:
    """The second commit finds the lock taken directly after the first."""
    store, other = open_store(directory, ""), connect(directory / "store.sqlite")
    await store.add_seeds([DiscoveredUrl(LINKED, 0.9)])
    first, second = await leases_of(store)
    await fetch(store, first)
    other.execute("begin immediate")
    commit = asyncio.ensure_future(fetch(store, second))
    while not store.writer.trouble:
        await asyncio.sleep(0.01)
    other.execute("rollback")
    assert not (await commit).late
    other.close()
    await asyncio.to_thread(store.close, "empty", "{}")


async def _go_on(directory: Path, url: str) -> list[str]:
    """A new worker takes over and fetches what is left."""
    store = open_store(directory, url)
    fetched = []
    try:
        while leases := await leases_of(store):
            for lease in leases:
                fetched.append(lease.url)
                assert not (await fetch(store, lease)).late
    finally:
        await asyncio.to_thread(store.close, "empty", "{}")
    return fetched
