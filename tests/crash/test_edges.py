"""Death at every edge of a commit: afterwards the page is there wholly or not at all, and once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.edges import EDGES, LINKED, SEED, fetch, leases_of, open_store
from tests.crash.harness import ROOT
from tests.crash.invariants import check


@pytest.mark.parametrize("edge", EDGES)
def test_a_commit_happens_wholly_or_not_at_all(tmp_path: Path, edge: str) -> None:
    directory = tmp_path / "edge"
    done = subprocess.run([sys.executable, "-m", "tests.crash.edges", str(directory), edge], cwd=ROOT, check=False)
    assert done.returncode == 9
    fetched = asyncio.run(_go_on(directory))
    assert fetched == ([LINKED] if edge == "committed" else [SEED, LINKED])
    found = check(directory, fetched)
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert found.pages == {SEED, LINKED}


async def _go_on(directory: Path) -> list[str]:
    """A new worker takes over and fetches what is left."""
    store = open_store(directory)
    fetched = []
    try:
        while leases := await leases_of(store):
            for lease in leases:
                fetched.append(lease.url)
                assert not (await fetch(store, lease)).late
    finally:
        await asyncio.to_thread(store.close, "empty", "{}")
    return fetched
