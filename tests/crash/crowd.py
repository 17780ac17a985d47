"""Several crawl processes on one crawl: at random moments one of them is killed, and another is started in its place."""

from __future__ import annotations

import random
import signal
import time
from dataclasses import dataclass, field

from tests.crash.harness import CrashSite, Process, kill

ANY_TIME = 0.2
"""Share of kills at a moment of the clock, which may fall into start and recovery; the others hit a process at work."""
START_SECONDS = 3.0


@dataclass(slots=True)
class Crowd:
    """`workers` processes. One that ends by itself has seen the end of the crawl."""

    site: CrashSite
    workers: int
    dice: random.Random
    running: list[Process] = field(default_factory=list)
    kills: int = 0

    def start(self) -> None:
        """Those that are missing."""
        while len(self.running) < self.workers:
            self.running.append(self.site.start())

    def kill_often(self, kills: int, pages: int) -> None:
        """Start and kill until it was done `kills` times or the crawl came to its end. `pages`: of the web."""
        self.start()
        while self.kills < kills:
            by_clock = self.dice.random() < ANY_TIME
            if by_clock:
                time.sleep(self.dice.uniform(0.0, START_SECONDS))
            else:
                self._wait_for_work(self.dice.randint(1, max(2, pages // (kills + 2))))
            if self.over:
                return
            victim = self.dice.choice(self.running if by_clock else self._at_work() or self.running)
            if kill(victim):
                self.kills += 1
                self.running.remove(victim)
                self.start()

    def end(self) -> list[int]:
        """Exit codes of those that are left, when all have ended by themselves."""
        return [self.site.end_of(process) for process in self.running]

    @property
    def over(self) -> bool:
        return any(process.poll() is not None for process in self.running)

    def _wait_for_work(self, requests: int) -> None:
        """Until one of them is at work, and the web was asked so often more; then a moment longer."""
        self.site.wait_until(lambda: self.over or bool(self._at_work()))
        target = self.site.requests() + requests
        self.site.wait_until(lambda: self.over or self.site.requests() >= target)
        time.sleep(self.dice.uniform(0.0, 0.05))

    def _at_work(self) -> list[Process]:
        pids = {pid for (pid,) in self.site.rows("select process_id from worker where state='live'")}
        return [process for process in self.running if process.pid in pids]


def freeze(process: Process, seconds: float) -> None:
    """SIGSTOP for a while."""
    process.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    process.send_signal(signal.SIGCONT)
