"""The database server is gone for good, and its standby takes over: workers go on there, for STORE_URL names both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import GOES_ON, WAITS, CrashSite
from tests.crash.manners import assert_whole
from tests.crash.served import Pair, reaching
from tests.postgres import Unavailable

pytestmark = pytest.mark.slow
WORKERS = 4


@pytest.fixture
def pair() -> Iterator[Pair]:
    try:
        with Pair() as pair, reaching(pair):
            yield pair
    except Unavailable as why:
        pytest.skip(str(why))


def test_a_standby_that_takes_over_has_everything(web: RunningWeb, tmp_path: Path, pair: Pair) -> None:
    with closing(CrashSite(web, tmp_path, served=pair)) as site:
        workers = [site.start() for _ in range(WORKERS)]
        assert site.wait_until(lambda: len(site.rows("select 1 from worker where state='live'")) == WORKERS)
        assert site.wait_requests(workers[0], 40)
        pair.fail_over()
        assert [site.end_of(worker) for worker in workers] == [0] * WORKERS, site.log_end()
        assert WAITS in site.log_text()
        assert GOES_ON in site.log_text()
        assert_whole(site)
