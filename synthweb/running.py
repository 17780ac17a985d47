"""A synthetic web in a process of its own, for tests and the demo."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

from synthweb.accesslog import Access, read_log
from synthweb.clock import FileClock
from synthweb.compare import Comparison, compare
from synthweb.plan import preset
from synthweb.topic_file import topic_file
from synthweb.truth import Truth, truth
from synthweb.web import SyntheticWeb

START_SECONDS = 30.0
STOP_SECONDS = 10.0


class RunningWeb:
    """Context manager: the web is served inside it. The server ends with this process, however that ends.

    Raises RuntimeError when the server does not start. Latency in milliseconds. `living`: when the life of the web began; its
    clock stands there until `set_now`.
    """

    def __init__(
        self,
        name: str = "demo",
        seed: int = 1,
        *,
        pages: int = 0,
        topic: str = "astronomy",
        port: int = 0,
        dns_port: int = 0,
        latency: float = 0.0,
        hostile: bool = False,
        log: str = "",
        living: float = 0.0,
    ) -> None:
        self.plan = preset(name, seed, pages, topic, latency / 1000, living)
        self.topic = topic
        self.folder = "" if log else tempfile.mkdtemp(prefix="synthweb-")
        self.log_path = log or str(Path(self.folder) / "access.jsonl")
        self.command = [
            sys.executable,
            "-m",
            "synthweb",
            "--preset",
            name,
            "--seed",
            str(seed),
            "--topic",
            topic,
        ]
        self.command += [
            "--pages",
            str(pages),
            "--port",
            str(port),
            "--dns-port",
            str(dns_port),
            "--latency",
            str(latency),
        ]
        self.clock = FileClock(f"{self.log_path}.clock")
        if living:
            self.clock.set(living)
            self.command += ["--living", str(living), "--clock", self.clock.path]
        self.command += ["--log", self.log_path, "--watch-stdin", *(["--hostile"] if hostile else [])]

    def __enter__(self) -> RunningWeb:
        """Start the server and wait until it listens."""
        root = str(Path(__file__).resolve().parents[1])
        paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        line = self.first_line()
        if not line:
            self.stop()
            raise RuntimeError(f"the synthetic web did not start (exit code {self.process.returncode})")
        ready = json.loads(line)
        self.port = int(ready["port"])
        self.dns = str(ready["dns"])
        """`127.0.0.1:PORT`, as the setting DNS_SERVERS takes it."""
        self.seeds = tuple(map(str, ready["seeds"]))
        self.web = SyntheticWeb(self.plan, self.port)
        """The same web in this process, to ask for labels."""
        return self

    def first_line(self) -> str:
        """The line by which the server says that it listens; empty if it does not come in time."""
        stream = self.process.stdout
        if stream is None or not select.select([stream], [], [], START_SECONDS)[0]:
            return ""
        return stream.readline()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Stop the server."""
        self.stop()

    def stop(self) -> None:
        """End the server process, by force if it does not listen, and remove its log unless the caller named it."""
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                stream.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def set_now(self, now: float) -> None:
        """Set the clock of a living web: it stands there until it is set again."""
        self.clock.set(now)

    def accesses(self) -> list[Access]:
        """All requests so far."""
        return read_log(self.log_path)

    def fetched(self) -> list[str]:
        """Addresses of all requests so far, as they were asked."""
        return [f"http://{access.host}{self.web.facts.suffix}{access.path}" for access in self.accesses()]

    def topic_file(self, topic: str = "", examples: int = 0) -> str:
        """TOML text of a topic file for this web."""
        return topic_file(self.web, topic or self.topic, examples)

    def truth(self, topic: str = "", seeds: tuple[str, ...] = ()) -> Truth:
        """The truth for a topic from these seeds (the default ones if none are given)."""
        return truth(self.web, topic or self.topic, seeds or self.seeds)

    def compare(self, kept: list[str], known: Truth | None = None) -> Comparison:
        """Everything that was asked so far and the addresses that the crawl kept, against the truth."""
        return compare(self.web, known or self.truth(), self.fetched(), kept)
