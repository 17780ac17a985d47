"""`python -m MODULE …` in a fork of a process that has imported everything already: a start takes 0.1 s instead of seconds.

    run("scrapy", "crawl", "topic", …)              # to its end: its exit code and what it printed
    start("scrapy", "crawl", …, stdout=log)         # a process that can be waited for, signalled and killed

The program is the one that `python -m` runs, in a process of its own that is a child of this one, with its own arguments,
environment and files. What it does not do again is start Python and import modules: a test of just that (what a command
imports, an option of the interpreter, PYTHON… in the environment) takes `subprocess`. So does this module where no process
can adopt another's child (Linux alone has that), and where FOCUSCRAWL_TEST_FORKS=0 is set.

The forks come from one process for each process of the test run, `python -m tests.forked`, which starts with the first of them.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Protocol

from tests.patience import PATIENCE
from tests.processes import adopted, can_adopt
from tests.ready_workers import offered

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("focuscrawl", "spiders", "middlewares", "pipelines", "models")
READ_ENVIRONMENT = ("focuscrawl.settings",)
"""Modules that read the environment when they are imported: each fork does it itself."""
ALSO = (
    "scrapy.cmdline", "scrapy.utils.test", "scrapy.statscollectors", "scrapy.extensions.corestats", "pydantic.v1",
    "twisted.internet.asyncioreactor", "requests_file", "dns.resolver", "numpy.random", "certifi",
)  # fmt: skip
"""What else a crawl imports, as it goes on."""
CRAWLS = {"crawl", "recrawl"}
"""Commands that read pages in processes of their own."""
_one_at_a_time = threading.Lock()
Output = IO[Any] | int | None
"""As in `subprocess`: a file, a descriptor, DEVNULL, or None for the one of this process."""


class Process(Protocol):
    """What `subprocess.Popen` and `Fork` have in common."""

    pid: int
    returncode: int | Any

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


def start(
    module: str, *arguments: str, env: Mapping[str, str] | None = None, stdout: Output = None, stderr: Output = None
) -> Process:
    """`python -m MODULE ARGUMENTS` from the repository's root. `env` is its whole environment; None: that of this process."""
    environment = dict(os.environ if env is None else env)
    if not can_adopt() or os.environ.get("FOCUSCRAWL_TEST_FORKS") == "0":
        return subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
        )  # fmt: skip
    sys.audit("subprocess.Popen", module, arguments, ROOT, environment)  # it is one, also for the guard of the quick tests
    with contextlib.ExitStack() as stack:
        files = [0 if output is None else _descriptor(output, stack) for output in (subprocess.DEVNULL, stdout, stderr)]
        files = [number if file == 0 else file for number, file in enumerate(files)]
        with _one_at_a_time:
            return _parent().fork([module, *arguments], environment, files)


def run(
    module: str, *arguments: str, env: Mapping[str, str] | None = None, timeout: float = PATIENCE
) -> subprocess.CompletedProcess[str]:
    """The same up to its end. Raises subprocess.TimeoutExpired, after which it does not run any more."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = start(module, *arguments, env=env, stdout=out, stderr=err)
        try:
            code = process.wait(timeout)
        except BaseException:
            process.kill()
            process.wait()
            raise
        printed = []
        for file in (out, err):
            file.seek(0)
            printed.append(file.read().decode("utf-8", "replace"))
        return subprocess.CompletedProcess([module, *arguments], code, *printed)


class Fork:
    """A child of this process. The methods are those of `subprocess.Popen`."""

    def __init__(self, pid: int, arguments: list[str]) -> None:
        self.pid = pid
        self.arguments = arguments
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            handle = os.pidfd_open(self.pid)
            try:
                if not select.select([handle], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired(self.arguments, timeout or 0.0)
            finally:
                os.close(handle)
            self.poll()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class SettableClock:
    """time.time, in its place before anything is imported: who has kept the function keeps one that can be set."""

    def __init__(self) -> None:
        self.now: Callable[[], float] = time.time

    def __call__(self) -> float:
        return self.now()


def set_clock(now: Callable[[], float]) -> None:
    """Replace time.time in a program that has just started, be it fresh or a fork."""
    if isinstance(time.time, SettableClock):
        time.time.now = now
    else:
        time.time = now


def wall_clock() -> Callable[[], float]:
    """time.time as it is now, for a clock that is made from it."""
    return time.time.now if isinstance(time.time, SettableClock) else time.time


class _Parent:
    """The process that is forked, as it is seen from the test run."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "tests.forked", str(theirs.fileno())]
            self._process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()])
        atexit.register(self.close)

    def close(self) -> None:
        """It ends when nobody can ask it any more."""
        self._socket.close()
        self._process.wait()

    def fork(self, arguments: list[str], environment: dict[str, str], files: list[int]) -> Fork:
        body = json.dumps([arguments, environment]).encode()
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
        with adopted():
            self._socket.sendmsg([len(body).to_bytes(4, "big")], ancillary)
            self._socket.sendall(body)
            answer = self._socket.recv(4)
        assert len(answer) == 4, "the process that is forked for crawls has ended"
        return Fork(int.from_bytes(answer, "big"), arguments)


@functools.cache
def _parent() -> _Parent:
    return _Parent()


def _descriptor(output: Output, stack: contextlib.ExitStack) -> int:
    if output == subprocess.DEVNULL:
        return stack.enter_context(open(os.devnull, "r+b", buffering=0)).fileno()
    return output if isinstance(output, int) else output.fileno()  # type: ignore[union-attr]


def _serve(link: socket.socket) -> list[str]:
    """Fork for each request, until the other side is gone. Returns in the forks, as soon as they are what was asked for, with
    the module to run and its arguments."""
    while True:
        length, files, _, _ = socket.recv_fds(link, 4, 3)
        if not length:
            os._exit(0)
        body = b""
        while len(body) < int.from_bytes(length, "big"):
            body += link.recv(1 << 16)
        arguments, environment = json.loads(body)
        told, tell = os.pipe()
        between = os.fork()
        if between == 0:  # it ends at once, and its child goes to the test run, which has been told nothing before that
            pid = os.fork()
            if pid:
                os.write(tell, pid.to_bytes(4, "big"))
                os._exit(0)
            for mine in (told, tell, link.detach()):
                os.close(mine)
            _become(environment, files)
            return list(arguments)
        os.waitpid(between, 0)
        link.sendall(os.read(told, 4))
        for file in (told, tell, *files):
            os.close(file)


def _become(environment: dict[str, str], files: list[int]) -> None:
    for number, file in enumerate(files):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)


def _import_all() -> None:
    """What a crawl imports, and everything of ours. Importing must not install the reactor: each program chooses its own."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    for module in pkgutil.walk_packages(importlib.import_module("scrapy.commands").__path__, "scrapy.commands."):
        importlib.import_module(module.name)
    for name in ALSO:
        importlib.import_module(name)
    assert "twisted.internet.reactor" not in sys.modules
    for name in READ_ENVIRONMENT:
        del sys.modules[name]


def _warm_up() -> None:
    """What a crawl reads, compiles or works out once, and keeps: word lists, templates, public suffixes."""
    from focuscrawl.report.html import environment
    from focuscrawl.text.segment import Segmenter
    from focuscrawl.url.hosts import registered_domain
    from models.topic.vsm import TopicModel

    keywords = ["数据库", "database"]
    TopicModel.fit(Segmenter(keywords), [("a", "A database index speeds up queries. 数据库的索引是一种数据结构。")], keywords)
    for template in (ROOT / "focuscrawl/report/templates").iterdir():
        environment().get_template(template.name)
    registered_domain("www.example.org")


def _main() -> None:
    time.time = SettableClock()
    _import_all()
    _warm_up()
    gc.freeze()  # what is there is not looked at again, so that it stays shared
    module, *arguments = _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.argv[1:] = arguments
    with offered() if CRAWLS & {*arguments} else contextlib.nullcontext():
        runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    from tests import forked

    forked._main()
