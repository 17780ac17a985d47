from __future__ import annotations

import asyncio
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.reading.serving import _LARGE, _TIDIED
from focuscrawl.reading.worker import Job, JobResult, Limits, WorkerProcess
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

LIMITS = Limits(memory=256 << 20)
Work = Callable[[WorkerProcess], Awaitable[None]]


def job(body: bytes = b"", **arguments: str) -> Job:
    return Job("tests.reading.jobs:run", body, arguments, LIMITS)


def run(work: Work) -> None:
    async def main() -> None:
        worker = WorkerProcess()
        try:
            await work(worker)
        finally:
            await worker.close()

    asyncio.run(main())


def test_one_process_answers_job_after_job() -> None:
    async def work(worker: WorkerProcess) -> None:
        answers = [await worker.read(job(b"x" * size)) for size in (0, 10, 3_000_000)]
        assert [answer.result["length"] for answer in answers] == [0, 10, 3_000_000]
        assert answers[0].result["text"] == "主题"
        pids = {answer.result["pid"] for answer in answers}
        assert len(pids) == 1
        assert os.getpid() not in pids

    run(work)


async def test_a_process_without_a_job_is_ended_and_the_next_job_has_another() -> None:
    worker = WorkerProcess(idle_seconds=0.2)
    first = [(await worker.read(job())).result["pid"] for _ in range(2)]
    async with asyncio.timeout(PATIENCE):
        while worker._process is not None:
            await asyncio.sleep(0.05)
    second = (await worker.read(job())).result["pid"]
    await worker.close()
    assert first[0] == first[1] != second


def test_what_utf8_cannot_hold_goes_there_and_back() -> None:
    async def work(worker: WorkerProcess) -> None:
        answer = await worker.read(job(task="echo", text="a\ud800b"))
        assert answer.result["text"] == "a\ud800b"

    run(work)


@pytest.mark.parametrize("task", ["swallow", "die", "raise"])
def test_a_failed_job_is_an_error_and_the_next_one_works(task: str) -> None:
    async def work(worker: WorkerProcess) -> None:
        assert await worker.read(job(task=task)) == JobResult(error="parse")
        assert (await worker.read(job(b"abc"))).result["length"] == 3

    run(work)


def test_a_process_that_cannot_be_started_is_an_error_and_the_next_job_works(monkeypatch: pytest.MonkeyPatch) -> None:
    start = asyncio.create_subprocess_exec
    failures = [BlockingIOError(11, "no process can be started now")]

    async def failing(*command: Any, **options: Any) -> asyncio.subprocess.Process:
        if failures:
            raise failures.pop()
        return await start(*command, **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", failing)

    async def work(worker: WorkerProcess) -> None:
        assert await worker.read(job(b"abc")) == JobResult(error="parse")
        assert (await worker.read(job(b"abc"))).result["length"] == 3

    run(work)


def test_a_process_that_was_ended_between_two_jobs_costs_none() -> None:
    async def work(worker: WorkerProcess) -> None:
        pid = (await worker.read(job())).result["pid"]
        os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            while worker._process is not None and worker._process.returncode is None:
                await asyncio.sleep(0.01)
        answer = await worker.read(job(b"abc"))
        assert answer.result["length"] == 3
        assert answer.result["pid"] != pid

    run(work)


def test_cpu_time_is_limited_and_the_loop_goes_on_meanwhile() -> None:
    async def work(worker: WorkerProcess) -> None:
        task = asyncio.create_task(worker.read(replace(job(task="spin"), limits=Limits(0.3))))
        turns = 0
        async with asyncio.timeout(PATIENCE):
            while not task.done():
                await asyncio.sleep(0.01)
                turns += 1
        assert (await task).error == "parse"
        assert turns > 10
        assert worker._process is None

    run(work)


def test_a_stray_print_spoils_nothing() -> None:
    async def work(worker: WorkerProcess) -> None:
        assert (await worker.read(job(b"ab", task="print"))).result["length"] == 2

    run(work)


def test_jobs_at_once_wait_for_each_other() -> None:
    async def work(worker: WorkerProcess) -> None:
        answers = await asyncio.gather(*(worker.read(job(b"x" * size)) for size in range(5)))
        assert [answer.result["length"] for answer in answers] == list(range(5))

    run(work)


def test_a_cancelled_job_leaves_no_answer_behind() -> None:
    async def work(worker: WorkerProcess) -> None:
        task = asyncio.create_task(worker.read(job(task="spin")))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await worker.read(job(b"abcd"))).result["length"] == 4

    run(work)


def test_each_job_has_its_own_limits() -> None:
    async def work(worker: WorkerProcess) -> None:
        for memory in (4 << 30, 0):
            assert (await worker.read(replace(job(task="swallow"), limits=Limits(memory=memory)))).result["length"] == 1 << 30
        assert (await worker.read(job(task="swallow"))).error == "parse"

    run(work)


@pytest.mark.parametrize("limits", [Limits(3600.0, 64 << 30), Limits(0.0, 0)])
def test_limits_that_the_user_set_hold_as_well(limits: Limits) -> None:
    code = (
        "import asyncio\n"
        "from focuscrawl.reading.worker import *\n"
        "async def main():\n"
        "    worker = WorkerProcess()\n"
        f"    answer = await worker.read(Job('tests.reading.jobs:run', b'abc', {{}}, {limits!r}))\n"
        "    await worker.close()\n"
        "    print(answer.result['length'])\n"
        "asyncio.run(main())\n"
    )
    shell = f"ulimit -v 8000000; ulimit -t 900; exec {shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    ran = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.returncode) == ("3\n", 0), ran.stderr


def test_jobs_of_another_function_have_their_turn() -> None:
    async def work(worker: WorkerProcess) -> None:
        ended: list[str] = []

        async def read(name: str) -> None:
            await worker.read(replace(job(), function=f"tests.reading.jobs:{name}"))
            ended.append(name)

        await asyncio.gather(*map(read, ["run"] * 5 + ["other"] * 2))
        assert ended == ["run", "other", "run", "other", "run", "run", "run"]

    run(work)


def test_a_process_that_dies_takes_its_own_along(tmp_path: Path) -> None:
    async def work(worker: WorkerProcess) -> None:
        for number in range(5):
            file = tmp_path / str(number)
            assert (await worker.read(job(task="leave", text=str(file)))).error == "parse"
            async with asyncio.timeout(PATIENCE):
                while is_running(int(file.read_text())):
                    await asyncio.sleep(0.01)

    run(work)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_closing_an_unused_worker() -> None:
    async def work(worker: WorkerProcess) -> None:
        return None

    run(work)


def test_memory_is_given_back_after_a_large_page_and_every_twenty_jobs() -> None:
    async def given_back(worker: WorkerProcess) -> object:
        return (await worker.read(job(task="count"))).result["given_back"]

    async def work(worker: WorkerProcess) -> None:
        await worker.read(job(b"x" * (_LARGE - 1)))
        assert await given_back(worker) == 0
        await worker.read(job(b"x" * _LARGE))
        assert await given_back(worker) == 1
        for _ in range(_TIDIED - 4):
            await worker.read(job())
        assert await given_back(worker) == 2

    run(work)
